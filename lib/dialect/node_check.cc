#include "dialect/node_check.h"

#include <charconv>

#include "base/format.h"
#include "base/nearest.h"
#include "base/stack.h"
#include "dialect/patterns.h"
#include "ir/module/node_versions.h"
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
               ? StrFormat("only in {}", dialect.VersionName(versions.since))
               : StrFormat("only in {} and newer", dialect.VersionName(versions.since));
  return versions.since == versions.until
             ? StrFormat("only in {}", dialect.VersionName(versions.since))
             : StrFormat("only in {} to {}", dialect.VersionName(versions.since), versions.until);
}

template <typename Opaque, typename Table, typename Id>
const std::string& NodeCheck::OfNode(const Table& table, Id id, const std::vector<DialectKind>& kinds,
                                     char sigil, std::vector<const std::string*>* known) {
  if (!id) return kNothing;
  if ((*known)[id.v]) return *(*known)[id.v];
  const auto node = table[id];
  const std::string* found = &kNothing;
  const auto opaque = node.template As<Opaque>();
  if (opaque && m_.strings[opaque->dialect] == dialect_.name) {
    problems_.push_back(std::make_unique<std::string>(Check(m_.strings[opaque->text], kinds, sigil)));
    found = problems_.back().get();
  }
  const auto visit = [&](auto child) {
    if (child && found->empty()) found = &Of(child);
  };
  ForEachChild(RowOf(node.kind), node.words, visit, visit);
  (*known)[id.v] = found;
  return *found;
}

const std::string& NodeCheck::Of(TypeId type) {
  return OfNode<OpaqueType>(m_.types, type, dialect_.types, '!', &types_);
}

const std::string& NodeCheck::Of(AttrId attr) {
  return OfNode<OpaqueAttr>(m_.attrs, attr, dialect_.attributes, '#', &attrs_);
}

const std::string& NodeCheck::OfOp(OpId id, const Source* source, const Skips& skips, Place* place) {
  const Op& op = m_.ops[id.v];
  for (uint32_t i = 0; i < m_.NumResults(op); ++i)
    if (const std::string& why = Of(m_.TypeOf(m_.ResultOf(op, i))); !why.empty())
      return *place = PlaceOfTypes(m_, id, source), why;
  for (AttrId attr : m_.InherentAttrsOf(op))
    if (const std::string& why = Of(attr); !why.empty()) return *place = PlaceOf(m_, id, source), why;
  for (const NamedAttr& attr : m_.DiscardableAttrsOf(op)) {
    const std::string_view name = m_.strings[attr.name];
    if (skips && skips(name)) continue;
    if (const std::string& why = Of(attr.value); !why.empty())
      return *place = PlaceOfAttr(m_, id, name, source), why;
  }
  for (RegionId region : m_.RegionsOf(op))
    for (BlockId block : m_.BlocksOf(region))
      for (uint32_t i = 0; i < m_.blocks[block.v].args.count; ++i)
        if (const std::string& why = Of(m_.TypeOf(m_.ArgOf(block, i))); !why.empty())
          return *place = PlaceOfArg(m_, m_.ArgOf(block, i), source), why;
  return kNothing;
}

std::string NodeCheck::Check(std::string_view text, const std::vector<DialectKind>& kinds, char sigil) {
  const std::string_view what = sigil == '!' ? "type" : "attribute";
  const OpaqueNode node = SplitOpaque(text);
  const std::string full = StrFormat("{}{}.{}", sigil, dialect_.name, node.name);
  const DialectKind *found = nullptr, *elsewhere = nullptr;
  for (const DialectKind& kind : kinds) {
    if (kind.name != node.name) continue;
    if (kind.versions.Has(version_))
      found = &kind;
    else
      elsewhere = &kind;
  }
  if (!found && elsewhere)
    return StrFormat("{} '{}' does not exist in {}, {}", what, full, dialect_.VersionName(version_),
                     OnlyIn(dialect_, elsewhere->versions));
  if (!found) {
    Nearest nearest(node.name);
    if (suggestions_++ < kMostSuggestions)
      for (const DialectKind& kind : kinds) nearest.Try(kind.name);
    const std::string hint = DidYouMean(nearest.best());
    return StrFormat("unknown {} '{}'{}{}", what, full, hint.empty() ? "" : "; ", hint);
  }
  if (node.parameters.size() != found->parameters.size())
    return StrFormat("{} '{}' expects {}, but got {}", what, full,
                     Count(found->parameters.size(), "parameter"), node.parameters.size());
  for (size_t i = 0; i < node.parameters.size(); ++i)
    if (std::string why = CheckParameter(found->parameters[i], node.parameters[i], full); !why.empty())
      return why;
  return "";
}

std::string NodeCheck::CheckParameter(const DialectParameter& parameter, std::string_view text,
                                      const std::string& kind) {
  CheckStack();
  const auto must_be = [&](std::string_view expected) {
    constexpr size_t kShown = 40;
    return StrFormat("parameter '{}' of '{}' must be {}, but got '{}'", parameter.name, kind, expected,
                     text.substr(0, kShown));
  };
  if (depth_ >= kMaxDepth) return StrFormat("parameters of '{}' nest too deeply", kind);
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
      return StrFormat("case '{}' of '{}' does not exist in {}, {}", text, kind,
                       dialect_.VersionName(version_), OnlyIn(dialect_, c.versions));
    if (c.versions.Has(version_)) words += StrFormat("{}{}", words.empty() ? "" : ", ", c.name);
  }
  return must_be("one of " + words);
}

}  // namespace shlo::dialect
