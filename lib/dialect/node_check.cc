#include "dialect/node_check.h"

#include <fmt/format.h>

#include <charconv>

#include "dialect/patterns.h"
#include "ir/module/node_versions.h"
#include "ir/nearest.h"
#include "serialize/text/reader_fragments.h"

namespace shlo::dialect {
namespace {

const std::string kNothing;
// Parameters are text, which is read again at each level.
constexpr uint32_t kMaxDepth = 20;

}  // namespace

std::string OnlyIn(const Dialect& dialect, const DialectInterval& versions) {
  if (versions.until >= dialect.newest())
    return versions.since == dialect.newest()
               ? fmt::format("only in {}", dialect.VersionName(versions.since))
               : fmt::format("only in {} and newer", dialect.VersionName(versions.since));
  return versions.since == versions.until
             ? fmt::format("only in {}", dialect.VersionName(versions.since))
             : fmt::format("only in {} to {}", dialect.VersionName(versions.since), versions.until);
}

const std::string& NodeCheck::Of(TypeId type) {
  if (!type) return kNothing;
  if (types_[type.v]) return *types_[type.v];
  const auto node = m_.types[type];
  const std::string* found = &kNothing;
  const auto opaque = node.template As<OpaqueType>();
  if (opaque && m_.strings[opaque->dialect] == dialect_.name) {
    problems_.push_back(std::make_unique<std::string>(Check(m_.strings[opaque->text], dialect_.types, '!')));
    found = problems_.back().get();
  }
  const auto visit = [&](auto child) {
    if (child && found->empty()) found = &Of(child);
  };
  ForEachChild(RowOf(node.kind), node.words, visit, visit);
  types_[type.v] = found;
  return *found;
}

const std::string& NodeCheck::Of(AttrId attr) {
  if (!attr) return kNothing;
  if (attrs_[attr.v]) return *attrs_[attr.v];
  const auto node = m_.attrs[attr];
  const std::string* found = &kNothing;
  const auto opaque = node.template As<OpaqueAttr>();
  if (opaque && m_.strings[opaque->dialect] == dialect_.name) {
    problems_.push_back(
        std::make_unique<std::string>(Check(m_.strings[opaque->text], dialect_.attributes, '#')));
    found = problems_.back().get();
  }
  const auto visit = [&](auto child) {
    if (child && found->empty()) found = &Of(child);
  };
  ForEachChild(RowOf(node.kind), node.words, visit, visit);
  attrs_[attr.v] = found;
  return *found;
}

std::string NodeCheck::Check(std::string_view text, const std::vector<DialectKind>& kinds, char sigil) {
  const std::string_view what = sigil == '!' ? "type" : "attribute";
  const OpaqueNode node = SplitOpaque(text);
  const std::string full = fmt::format("{}{}.{}", sigil, dialect_.name, node.name);
  const DialectKind *found = nullptr, *elsewhere = nullptr;
  Nearest nearest(node.name);
  for (const DialectKind& kind : kinds) {
    nearest.Try(kind.name);
    if (kind.name != node.name) continue;
    if (kind.versions.Has(version_))
      found = &kind;
    else
      elsewhere = &kind;
  }
  if (!found && elsewhere)
    return fmt::format("{} '{}' does not exist in {}, {}", what, full, dialect_.VersionName(version_),
                       OnlyIn(dialect_, elsewhere->versions));
  if (!found) {
    const std::string hint = DidYouMean(nearest.best());
    return fmt::format("unknown {} '{}'{}{}", what, full, hint.empty() ? "" : "; ", hint);
  }
  if (node.parameters.size() != found->parameters.size())
    return fmt::format("{} '{}' expects {}, but got {}", what, full,
                       Count(found->parameters.size(), "parameter"), node.parameters.size());
  for (size_t i = 0; i < node.parameters.size(); ++i)
    if (std::string why = CheckParameter(found->parameters[i], node.parameters[i], full); !why.empty())
      return why;
  return "";
}

std::string NodeCheck::CheckParameter(const DialectParameter& parameter, std::string_view text,
                                      const std::string& kind) {
  const auto must_be = [&](std::string_view expected) {
    constexpr size_t kShown = 40;
    return fmt::format("parameter '{}' of '{}' must be {}, but got '{}'", parameter.name, kind, expected,
                       text.substr(0, kShown));
  };
  if (depth_ >= kMaxDepth) return fmt::format("parameters of '{}' nest too deeply", kind);
  Module scratch;
  int64_t number = 0;
  switch (parameter.kind) {
    case DialectParameter::Kind::kType: {
      const auto type = ReadTypeText(&scratch, text, nullptr);
      if (!type) return must_be("a type");
      return NodeCheck(scratch, dialect_, version_, depth_ + 1).Of(*type);
    }
    case DialectParameter::Kind::kAttribute: {
      const auto attr = ReadAttrText(&scratch, text, nullptr);
      if (!attr) return must_be("an attribute");
      return NodeCheck(scratch, dialect_, version_, depth_ + 1).Of(*attr);
    }
    case DialectParameter::Kind::kInteger: {
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
      return error == std::errc() && end == text.data() + text.size() ? "" : must_be("an integer");
    }
    case DialectParameter::Kind::kString:
      return text.size() >= 2 && text.starts_with('"') && text.ends_with('"') ? "" : must_be("a string");
    case DialectParameter::Kind::kCase:
      break;
  }
  for (const DialectParameter::Case& c : parameter.cases)
    if (c.name == text && c.versions.Has(version_)) return "";
  std::string words;
  for (const DialectParameter::Case& c : parameter.cases) {
    if (c.name == text)
      return fmt::format("case '{}' of '{}' does not exist in {}, {}", text, kind,
                         dialect_.VersionName(version_), OnlyIn(dialect_, c.versions));
    if (c.versions.Has(version_)) words += fmt::format("{}{}", words.empty() ? "" : ", ", c.name);
  }
  return must_be("one of " + words);
}

}  // namespace shlo::dialect
