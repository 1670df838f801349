// Relations of types in schema/other_ops.inc, as the reader of text and the verifier use them.
#pragma once

#include <string_view>

namespace shlo {

// The parts of "a = element(b)", "a = b" or "a = !shape.size".
struct TypeRelation {
  std::string_view name, function, source;
};
constexpr TypeRelation TypeRelationOf(std::string_view text) {
  const size_t equals = text.find(" = ");
  if (equals == text.npos) return {};
  TypeRelation out{text.substr(0, equals), {}, text.substr(equals + 3)};
  if (const size_t open = out.source.find('('); open != out.source.npos && out.source.ends_with(')')) {
    out.function = out.source.substr(0, open);
    out.source = out.source.substr(open + 1, out.source.size() - open - 2);
  }
  return out;
}

}  // namespace shlo
