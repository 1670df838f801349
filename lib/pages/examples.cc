#include "pages/examples.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "base/format.h"
#include "ir/module/sample.h"
#include "shlo/text_reader.h"
#include "shlo/text_writer.h"
#include "shlo/verify.h"

namespace shlo {
namespace {

// Hand-written programs for ops whose sample program is a poor example.
struct Example {
  std::string_view op;
  std::string_view program;
};
constexpr Example kExamples[] = {
#define SHLO_EXAMPLE(name, program) {name, program},
#include "schema/examples.inc"
};

// Returns whether a line of text begins an op of the row. The text form of func and builtin ops omits the
// dialect.
bool Names(std::string_view line, const OpRow& row) {
  if (line.find(row.name) != line.npos) return true;
  if (row.dialect != "func" && row.dialect != "builtin") return false;
  return line.starts_with(row.mnemonic()) || line.find(StrFormat("= {} ", row.mnemonic())) != line.npos;
}

}  // namespace

std::string ExampleOf(RowId row) {
  Module module;
  Source source;
  const auto* const written = std::ranges::find(kExamples, RowOf(row).name, &Example::op);
  if (written != std::end(kExamples)) {
    auto read = ReadText(written->program, {}, {}, &source);
    if (!read) return {};
    module = *std::move(read);
  } else {
    module = MakeSample(row, std::min(RevisionOf(NewestRevision(row)).until, kCurrentVersion));
  }
  if (HasErrors(Verify(module))) return {};
  const auto text = WriteText(module, {.source = &source});
  if (!text) return {};
  // The op extends from the line that names it to the next op of the block.
  std::string out;
  size_t indent = 0;
  for (size_t begin = 0; begin < text->size();) {
    const size_t end = std::min(text->find('\n', begin), text->size());
    std::string_view line = std::string_view(*text).substr(begin, end - begin);
    begin = end + 1;
    const size_t blanks = std::min(line.find_first_not_of(' '), line.size());
    line.remove_prefix(out.empty() ? blanks : std::min(blanks, indent));
    if (out.empty()) {
      if (!Names(line, RowOf(row))) continue;
      indent = blanks;
    } else if (blanks < indent || line.starts_with('%') || line.starts_with('"') ||
               line.starts_with("return") || line.starts_with("func.return")) {
      break;
    }
    out += line;
    out += '\n';
  }
  if (!out.empty()) out.pop_back();
  return out;
}

}  // namespace shlo
