#include "dialect/patterns.h"

#include <algorithm>

#include "base/format.h"
#include "base/nearest.h"
#include "base/stack.h"
#include "ir/table/element_rows.h"
#include "shlo/print.h"
#include "shlo/types.h"

namespace shlo::dialect {
namespace {

using Container = TypePattern::Container;
using Kind = AttributePattern::Kind;

constexpr std::string_view kElementWords[] = {"float", "integer", "bool", "complex", "quantized"};

struct ContainerWord {
  std::string_view word;
  Container container;
};
constexpr ContainerWord kContainers[] = {
    {"tensor", Container::kTensor}, {"scalar", Container::kScalar}, {"static", Container::kStatic}};
constexpr ContainerWord kWholeTypes[] = {
    {"any", Container::kAny}, {"token", Container::kToken}, {"tuple", Container::kTuple}};

struct KindWord {
  std::string_view word;
  Kind kind;
};
constexpr KindWord kKinds[] = {
    {"any", Kind::kAny},           {"bool", Kind::kBool},
    {"integer", Kind::kInteger},   {"float", Kind::kFloat},
    {"string", Kind::kString},     {"symbol", Kind::kSymbol},
    {"type", Kind::kType},         {"unit", Kind::kUnit},
    {"array", Kind::kArray},       {"dictionary", Kind::kDictionary},
    {"elements", Kind::kElements},
};

std::string_view Trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

const ElementRow* RowNamed(std::string_view mnemonic) {
  for (const ElementRow& row : kElementRows)
    if (row.mnemonic == mnemonic) return &row;
  return nullptr;
}

// Divides a text where a separator is not within brackets or quotes.
std::vector<std::string_view> Divide(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  int depth = 0;
  bool quoted = false;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        quoted = false;
      continue;
    }
    quoted = c == '"';
    if (c == '<' || c == '(' || c == '[' || c == '{') ++depth;
    // The arrow of a function type closes nothing.
    if ((c == '>' && (i == 0 || text[i - 1] != '-')) || c == ')' || c == ']' || c == '}') --depth;
    if (c == separator && depth == 0) {
      parts.push_back(Trimmed(text.substr(begin, i - begin)));
      begin = i + 1;
    }
  }
  parts.push_back(Trimmed(text.substr(begin)));
  return parts;
}

std::string UnknownWord(std::string_view what, std::string_view word, const Nearest& nearest) {
  std::string message = StrFormat("unknown {} '{}'", what, word);
  if (!nearest.best().empty()) message += StrFormat("; {}", DidYouMean(nearest.best()));
  return message;
}

// Returns why a word does not name an element type, or "".
std::string CheckElement(std::string_view word) {
  if (word.starts_with("complex<") && word.ends_with('>'))
    return RowNamed(word.substr(8, word.size() - 9)) ? "" : StrFormat("unknown element type '{}'", word);
  if (word.starts_with('!'))
    return IsName(word.substr(1), false) ? "" : StrFormat("invalid type name '{}'", word);
  Nearest nearest(word);
  for (const std::string_view known : kElementWords) {
    if (known == word) return "";
    nearest.Try(known);
  }
  for (const ElementRow& row : kElementRows) {
    if (row.mnemonic == word) return "";
    nearest.Try(row.mnemonic);
  }
  return UnknownWord("element type", word, nearest);
}

bool FitsElement(const Module& m, const Dialect& dialect, std::string_view word, TypeId type) {
  CheckStack();
  const TypeKind kind = m.types.KindOf(type);
  if (word == "complex") return kind == TypeKind::kComplex;
  if (word == "quantized") return IsQuantized(m, type);
  if (word.starts_with("complex<")) {
    const auto complex = m.As<ComplexType>(type);
    return complex && FitsElement(m, dialect, word.substr(8, word.size() - 9), complex->element);
  }
  if (word.starts_with('!')) {
    const auto opaque = m.As<OpaqueType>(type);
    return opaque && m.strings[opaque->dialect] == dialect.name &&
           SplitOpaque(m.strings[opaque->text]).name == word.substr(1);
  }
  const auto row = std::ranges::find_if(kElementRows, [&](const ElementRow& r) { return r.kind == kind; });
  if (row == kElementRows.end()) return false;
  if (word == "float") return row->kind_class == KindClass::kFloat;
  if (word == "bool") return kind == TypeKind::kI1;
  if (word == "integer")
    return kind != TypeKind::kI1 &&
           (row->kind_class == KindClass::kSignless || row->kind_class == KindClass::kUnsigned);
  return row->mnemonic == word;
}

bool FitsAlternative(const Module& m, const Dialect& dialect, const TypePattern::Alternative& one,
                     TypeId type) {
  switch (one.container) {
    case Container::kAny:
      return true;
    case Container::kToken:
      return m.types.KindOf(type) == TypeKind::kToken;
    case Container::kTuple:
      return m.types.KindOf(type) == TypeKind::kTuple;
    case Container::kOwn:
      return FitsElement(m, dialect, "!" + one.own, type);
    default:
      break;
  }
  const ShapedType shaped(m, type);
  if (one.container == Container::kPlain) {
    if (shaped.shaped) return false;
  } else {
    if (!shaped.ranked && !(shaped.unranked && m.types.KindOf(type) == TypeKind::kUnrankedTensor))
      return false;
    if (one.container == Container::kScalar && (!shaped.ranked || shaped.rank() != 0)) return false;
    if (one.container == Container::kStatic && (!shaped.ranked || !shaped.IsStatic())) return false;
  }
  return one.elements.empty() || std::ranges::any_of(one.elements, [&](const std::string& word) {
           return FitsElement(m, dialect, word, shaped.element);
         });
}

bool FitsOne(const Module& m, const Dialect& dialect, const AttributePattern& pattern, AttrId attr) {
  const AttrKind kind = m.attrs.KindOf(attr);
  const auto typed = [&](TypeId type) { return pattern.name.empty() || TypeText(m, type) == pattern.name; };
  bool flag = false;
  switch (pattern.kind) {
    case Kind::kAny:
      return true;
    case Kind::kBool:
      return m.AsBool(attr, &flag);
    case Kind::kInteger:
      return kind == AttrKind::kIntegerAttr && typed(m.TypeOf(attr)) &&
             (!pattern.name.empty() || !m.AsBool(attr, &flag));
    case Kind::kFloat:
      return kind == AttrKind::kFloatAttr && typed(m.TypeOf(attr));
    case Kind::kString:
      return kind == AttrKind::kString;
    case Kind::kSymbol:
      return kind == AttrKind::kSymbolRef;
    case Kind::kType:
      return kind == AttrKind::kTypeAttr;
    case Kind::kUnit:
      return kind == AttrKind::kUnit;
    case Kind::kArray:
      return kind == AttrKind::kArray;
    case Kind::kDictionary:
      return kind == AttrKind::kDict;
    case Kind::kElements:
      return kind == AttrKind::kElements || kind == AttrKind::kResourceElements ||
             kind == AttrKind::kStringElements || kind == AttrKind::kSparseElements;
    case Kind::kDenseArray:
      if (kind == AttrKind::kI64Array) return pattern.name.empty() || pattern.name == "i64";
      return kind == AttrKind::kDenseArray && typed(m.Get<DenseArrayAttr>(attr).element);
    case Kind::kOwn: {
      const auto opaque = m.As<OpaqueAttr>(attr);
      return opaque && m.strings[opaque->dialect] == dialect.name &&
             SplitOpaque(m.strings[opaque->text]).name == pattern.name;
    }
  }
  return false;
}

}  // namespace

bool IsName(std::string_view word, bool dots) {
  if (word.empty() || (word[0] >= '0' && word[0] <= '9') || word.starts_with('.') || word.ends_with('.'))
    return false;
  return std::ranges::all_of(word, [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           (dots && c == '.');
  });
}

tl::expected<TypePattern, std::string> ParseTypePattern(std::span<const std::string> alternatives) {
  TypePattern pattern;
  for (const std::string& written : alternatives) {
    for (const std::string_view text : Divide(written, '|')) {
      if (!pattern.text.empty()) pattern.text += " | ";
      pattern.text += text;
      TypePattern::Alternative& one = pattern.alternatives.emplace_back();
      const std::string_view word = text.substr(0, text.find('<'));
      const auto* const container = std::ranges::find(kContainers, word, &ContainerWord::word);
      const auto* const whole = std::ranges::find(kWholeTypes, text, &ContainerWord::word);
      if (whole != std::end(kWholeTypes)) {
        one.container = whole->container;
      } else if (text.starts_with('!')) {
        one.container = Container::kOwn;
        one.own = text.substr(1);
        if (!IsName(one.own, false)) return tl::unexpected(StrFormat("invalid type name '{}'", text));
      } else if (container != std::end(kContainers)) {
        one.container = container->container;
        if (word.size() == text.size()) continue;
        if (!text.ends_with('>')) return tl::unexpected(StrFormat("'{}' lacks a '>'", text));
        for (const std::string_view element :
             Divide(text.substr(word.size() + 1, text.size() - word.size() - 2), '|')) {
          if (std::string why = CheckElement(element); !why.empty()) return tl::unexpected(std::move(why));
          one.elements.emplace_back(element);
        }
      } else {
        one.container = Container::kPlain;
        if (!CheckElement(text).empty()) {
          Nearest nearest(text);
          for (const ContainerWord& known : kContainers) nearest.Try(known.word);
          for (const ContainerWord& known : kWholeTypes) nearest.Try(known.word);
          for (const ElementRow& row : kElementRows) nearest.Try(row.mnemonic);
          return tl::unexpected(UnknownWord("type", text, nearest));
        }
        one.elements.emplace_back(text);
      }
    }
  }
  return pattern;
}

tl::expected<AttributePattern, std::string> ParseAttributePattern(std::string_view written) {
  AttributePattern pattern;
  pattern.text = written;
  std::string_view text = written;
  if (text.ends_with("[]")) {
    pattern.list = true;
    text.remove_suffix(2);
  }
  if (text.starts_with('#')) {
    pattern.kind = Kind::kOwn;
    pattern.name = text.substr(1);
    if (!IsName(pattern.name, false)) return tl::unexpected(StrFormat("invalid attribute name '{}'", text));
    return pattern;
  }
  if (text.starts_with("array<") && text.ends_with('>')) {
    pattern.kind = Kind::kDenseArray;
    pattern.name = text.substr(6, text.size() - 7);
    if (!RowNamed(pattern.name)) return tl::unexpected(StrFormat("unknown element type '{}'", pattern.name));
    return pattern;
  }
  Nearest nearest(text);
  for (const KindWord& known : kKinds) {
    nearest.Try(known.word);
    if (known.word != text) continue;
    pattern.kind = known.kind;
    return pattern;
  }
  const ElementRow* const row = RowNamed(text);
  if (!row) return tl::unexpected(UnknownWord("kind of attribute", text, nearest));
  pattern.kind = row->kind_class == KindClass::kFloat ? Kind::kFloat : Kind::kInteger;
  pattern.name = text;
  return pattern;
}

OpaqueNode SplitOpaque(std::string_view text) {
  // MLIR writes .name<...> or <name<...>>.
  if (text.starts_with('<') && text.ends_with('>'))
    text = text.substr(1, text.size() - 2);
  else if (text.starts_with('.'))
    text.remove_prefix(1);
  OpaqueNode node;
  node.name = text.substr(0, text.find_first_of("< "));
  text = Trimmed(text.substr(node.name.size()));
  if (text.size() > 2 && text.starts_with('<') && text.ends_with('>'))
    node.parameters = Divide(text.substr(1, text.size() - 2), ',');
  return node;
}

bool Fits(const Module& module, const Dialect& dialect, const TypePattern& pattern, TypeId type) {
  return std::ranges::any_of(pattern.alternatives, [&](const TypePattern::Alternative& one) {
    return FitsAlternative(module, dialect, one, type);
  });
}

bool Fits(const Module& module, const Dialect& dialect, const AttributePattern& pattern, AttrId attr) {
  if (!pattern.list) return FitsOne(module, dialect, pattern, attr);
  if (module.attrs.KindOf(attr) != AttrKind::kArray) return false;
  for (AttrId item : module.ElementsOf(attr))
    if (!FitsOne(module, dialect, pattern, item)) return false;
  return true;
}

}  // namespace shlo::dialect
