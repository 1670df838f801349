// The classes of attributes and their defaults (schema/attr_classes.inc) as enumerations.
#pragma once

#include <string_view>

#include "shlo/op_table.h"

namespace shlo {

enum class AttrClass : uint8_t {
#define SHLO_ATTR_CLASS(name, ...) k##name,
#include "schema/attr_classes.inc"
};

enum class Default : uint8_t {
#define SHLO_DEFAULT(name, ...) k##name,
#include "schema/attr_classes.inc"
};

// Returns whether an attribute may be absent because its absence is a value.
constexpr bool IsValue(Default d) { return d > Default::kTextOnly; }

// Returns whether values of a class may belong to any dialect.
constexpr bool IsOfAnyDialect(AttrClass c) {
  return c == AttrClass::kAny || c == AttrClass::kTypedAttr || c == AttrClass::kOverflow ||
         c == AttrClass::kFastMath;
}

// What the attributes of a class are.
struct AttrShape {
  enum Of : uint8_t { kOther, kInteger, kFloat, kNode, kArray, kElements } of = kOther;
  TypeKind type{};  // of kInteger, kFloat and kElements
  AttrKind kind{};  // of kNode, and of the items of kArray
};
struct AttrClassRow {
  AttrShape is;
  std::string_view words;  // the description in messages; "": see the table of the class
};
namespace attr_shapes {
constexpr AttrShape Other() { return {}; }
constexpr AttrShape Integer(TypeKind type) { return {AttrShape::kInteger, type, {}}; }
constexpr AttrShape Float(TypeKind type) { return {AttrShape::kFloat, type, {}}; }
constexpr AttrShape ElementsOf(TypeKind type) { return {AttrShape::kElements, type, {}}; }
constexpr AttrShape Node(AttrKind kind) { return {AttrShape::kNode, {}, kind}; }
constexpr AttrShape ArrayOf(AttrKind kind) { return {AttrShape::kArray, {}, kind}; }
inline constexpr AttrClassRow kRows[] = {
#define SHLO_ATTR_CLASS(name, text, is, words, ...) {is, words},
#include "schema/attr_classes.inc"
};
}  // namespace attr_shapes
constexpr const AttrClassRow& RowOf(AttrClass c) { return attr_shapes::kRows[size_t(c)]; }

// A class of integers that forms print as words, which single spaces separate.
struct WordsClass {
  AttrClass attr_class;
  TypeKind type;
  std::string_view words;
};
inline constexpr WordsClass kWordsClasses[] = {
#define SHLO_ATTR_CLASS(...)
#define SHLO_WORDS_CLASS(name, text, type, words, ...) {AttrClass::k##name, TypeKind::type, words},
#include "schema/attr_classes.inc"
};
// Returns nullptr for other classes.
constexpr const WordsClass* WordsClassOf(AttrClass c) {
  for (const WordsClass& row : kWordsClasses)
    if (row.attr_class == c) return &row;
  return nullptr;
}
// Returns the number of a word, or -1.
constexpr int WordOf(AttrClass c, std::string_view word) {
  const WordsClass* row = WordsClassOf(c);
  if (!row || word.empty()) return -1;
  int index = 0;
  for (std::string_view rest = row->words;; ++index) {
    const size_t end = rest.find(' ');
    if (rest.substr(0, end) == word) return index;
    if (end == rest.npos) return -1;
    rest.remove_prefix(end + 1);
  }
}
// Returns a word by its number; "" if there is none.
constexpr std::string_view WordAt(const WordsClass& row, int64_t index) {
  for (std::string_view rest = row.words; index >= 0; --index) {
    const size_t end = rest.find(' ');
    if (index == 0) return rest.substr(0, end);
    if (end == rest.npos) break;
    rest.remove_prefix(end + 1);
  }
  return {};
}
// Returns the type of the integers or floats of a class; kInvalid for other classes.
constexpr TypeKind NumberTypeOf(AttrClass c) {
  if (const WordsClass* row = WordsClassOf(c)) return row->type;
  const AttrShape& is = RowOf(c).is;
  return is.of == AttrShape::kInteger || is.of == AttrShape::kFloat ? is.type : TypeKind::kInvalid;
}

// A class of attributes that the module keeps as text.
struct TextClass {
  AttrClass attr_class;
  std::string_view dialect, mnemonic;
};
inline constexpr TextClass kTextClasses[] = {
#define SHLO_ATTR_CLASS(...)
#define SHLO_TEXT_CLASS(name, dialect, mnemonic, ...) {AttrClass::k##name, dialect, mnemonic},
#include "schema/attr_classes.inc"
};
// Returns nullptr for other classes.
constexpr const TextClass* TextClassOf(AttrClass c) {
  for (const TextClass& row : kTextClasses)
    if (row.attr_class == c) return &row;
  return nullptr;
}

}  // namespace shlo
