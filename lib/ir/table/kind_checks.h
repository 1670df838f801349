// The mistakes that a row of schema/kinds.inc, element_types.inc or enums.inc can have. A check notes the
// first mistake of a row, and a static_assert for each names the row; see kinds.cc.
#pragma once

#include "ir/table/element_rows.h"
#include "ir/table/interval.h"
#include "ir/table/newest_version.h"
#include "shlo/kinds.h"

// F(row, name, mistake, text)
#define SHLO_KIND_MISTAKES(F, row, name)                                                         \
  F(row, name, kId, "the id is not between 1 and 127")                                           \
  F(row, name, kIdTwice, "another kind has this id")                                             \
  F(row, name, kIdOrder, "ids ascend, and the row before has a greater one")                     \
  F(row, name, kTooEarly, "the interval begins before the first version")                        \
  F(row, name, kTooLate, "the interval begins or ends after the current version")                \
  F(row, name, kBackwards, "the interval ends before it begins")                                 \
  F(row, name, kSpellingTwice, "another kind has this mnemonic")                                 \
  F(row, name, kVhloTwice, "another kind has this VHLO mnemonic")                                \
  F(row, name, kManyFields, "a kind has at most 11 fields")                                      \
  F(row, name, kFieldTwice, "two fields have the same name")                                     \
  F(row, name, kNoCases, "the enum has no cases")                                                \
  F(row, name, kWidth, "an integer is 1 to 64 bits wide")                                        \
  F(row, name, kFormat, "a float has 1 to 15 bits of exponent and up to 112 of mantissa")        \
  F(row, name, kBias, "the bias is not a value of the exponent")                                 \
  F(row, name, kPowers, "a format is without mantissa where its flavor is kFnu, and only there") \
  F(row, name, kMnemonicWidth, "the mnemonic says another width")                                \
  F(row, name, kMnemonicFormat, "the mnemonic says another format: fWIDTHEeMm[Bbias][flavor]")

#define SHLO_CASE_MISTAKES(F, row, name)                              \
  F(row, name, kPlace, "the case is not below its enum")              \
  F(row, name, kValueTwice, "another case has this value")            \
  F(row, name, kValueOrder, "cases are in ascending order of values") \
  F(row, name, kNameTwice, "another case has this name")              \
  F(row, name, kBackwards, "the interval ends before it begins")      \
  F(row, name, kOutside, "the case exists in versions without its enum")

// The mistakes of a row of schema/kind_texts.inc.
#define SHLO_TEXT_MISTAKES(F, row, name)                                     \
  F(row, name, kField, "a format names a field that the kind does not have") \
  F(row, name, kPart, "a part of a format has no end")                       \
  F(row, name, kLength, "a format is too long")

namespace shlo::table {

enum class KindMistake : uint8_t {
  kFine,
#define SHLO_MISTAKE(row, name, mistake, text) mistake,
  SHLO_KIND_MISTAKES(SHLO_MISTAKE, , )
};
enum class CaseMistake : uint8_t {
  kFine,
  SHLO_CASE_MISTAKES(SHLO_MISTAKE, , )
#undef SHLO_MISTAKE
};

// Builtin and quantized kinds may share a spelling ("tensor", "uniform"), and builtin attributes a portable
// one.
constexpr bool SharesSpelling(const KindRow& row) {
  return row.kind_class == KindClass::kQuantized ||
         ((row.kind_class == KindClass::kOther || row.kind_class == KindClass::kLocation) &&
          row.dialect.empty());
}

constexpr bool IsBelow(std::span<const KindRow> table, size_t at, const KindRow& row) {
  for (size_t i = at + 1; i < table.size(); ++i)
    if (table[i].id == row.id && table[i].name == row.name) return true;
  return false;
}

// Checks a row by itself, and against the rows of `others` except those below it in its table: of two equal
// rows the second is wrong.
constexpr KindMistake CheckKind(std::span<const KindRow> table, size_t at, std::span<const KindRow> others,
                                bool types) {
  const KindRow& row = table[at];
  if (row.id == 0 || row.id >= kMaxKind) return KindMistake::kId;
  for (const KindRow& other : others)
    if (other.id == row.id && (other.name != row.name || other.mnemonic != row.mnemonic) &&
        !IsBelow(table, at, other))
      return KindMistake::kIdTwice;
  if (at && table[at - 1].id == row.id) return KindMistake::kIdTwice;
  if (at && table[at - 1].id > row.id) return KindMistake::kIdOrder;
  if (row.since < kMinimumVersion) return KindMistake::kTooEarly;
  if (row.since > table::kNewestVersion || row.until > table::kNewestVersion) return KindMistake::kTooLate;
  if (row.until < row.since) return KindMistake::kBackwards;
  for (const KindRow& other : others) {
    if (other.id == row.id || IsBelow(table, at, other)) continue;
    const bool share = SharesSpelling(row) && SharesSpelling(other);
    if (!share && !row.mnemonic.empty() && row.mnemonic == other.mnemonic && row.dialect == other.dialect)
      return KindMistake::kSpellingTwice;
    if ((types || !share) && !row.vhlo.empty() && row.vhlo == other.vhlo) return KindMistake::kVhloTwice;
  }
  if (row.num_fields > row.field_rows.size()) return KindMistake::kManyFields;
  for (size_t i = 0; i < row.num_fields; ++i)
    for (size_t k = 0; k < i; ++k)
      if (row.field_rows[i].name == row.field_rows[k].name) return KindMistake::kFieldTwice;
  return KindMistake::kFine;
}

// A number in a mnemonic, and what follows it; -1 where there is none.
constexpr int TakeDigits(std::string_view* text) {
  int value = -1;
  while (!text->empty() && text->front() >= '0' && text->front() <= '9') {
    value = (value < 0 ? 0 : value) * 10 + (text->front() - '0');
    text->remove_prefix(1);
  }
  return value;
}

// The width and the format that a mnemonic states ("i4", "ui4", "f16", "f8E4M3B11FNUZ") must be those of the
// row; other mnemonics ("index", "bf16") state neither. tf32 is 19 bits wide.
constexpr KindMistake CheckMnemonic(const ElementRow& row) {
  std::string_view text = row.mnemonic;
  const bool is_float = text.starts_with('f');
  const size_t prefix = text.starts_with("ui") ? 2 : text.starts_with('i') || is_float ? 1 : 0;
  if (!prefix) return KindMistake::kFine;
  text.remove_prefix(prefix);
  const int width = TakeDigits(&text);
  if (width < 0) return KindMistake::kFine;
  if (width != row.width || is_float != (row.kind_class == KindClass::kFloat))
    return KindMistake::kMnemonicWidth;
  if (!is_float || !text.starts_with('E')) return KindMistake::kFine;
  const FloatFormat& f = row.format;
  text.remove_prefix(1);
  if (TakeDigits(&text) != f.exponent_bits || !text.starts_with('M')) return KindMistake::kMnemonicFormat;
  text.remove_prefix(1);
  if (TakeDigits(&text) != f.mantissa_bits) return KindMistake::kMnemonicFormat;
  if (text.starts_with('B')) {
    text.remove_prefix(1);
    if (TakeDigits(&text) != f.bias) return KindMistake::kMnemonicFormat;
  }
  const bool flavor = text == "FN"     ? f.flavor == FloatFormat::kFn || f.flavor == FloatFormat::kFnNoNan
                      : text == "FNUZ" ? f.flavor == FloatFormat::kFnuz
                      : text == "FNU"  ? f.flavor == FloatFormat::kFnu
                                       : f.flavor == FloatFormat::kIeee;
  return flavor ? KindMistake::kFine : KindMistake::kMnemonicFormat;
}

constexpr KindMistake CheckElement(const ElementRow& row) {
  if (row.kind_class != KindClass::kFloat) {
    if (row.width < 1 || row.width > 64) return KindMistake::kWidth;
    return CheckMnemonic(row);
  }
  const FloatFormat& f = row.format;
  if (f.exponent_bits < 1 || f.exponent_bits > 15 || f.mantissa_bits < 0 || f.mantissa_bits > 112)
    return KindMistake::kFormat;
  if ((f.flavor == FloatFormat::kFnu) != (f.mantissa_bits == 0)) return KindMistake::kPowers;
  if (f.bias < 0 || f.bias >= 1 << f.exponent_bits) return KindMistake::kBias;
  return CheckMnemonic(row);
}

// A case of an enum, as its row tells.
struct CaseRow {
  AttrKind kind{};
  EnumCase row{};
  int line = 0;
  bool backwards = false;
};

// A case against the line and interval of its enum, and against the cases before.
constexpr CaseMistake CheckCase(std::span<const CaseRow> cases, size_t at, std::span<const KindRow> enums,
                                std::span<const int> lines) {
  const CaseRow& c = cases[at];
  const KindRow* above = nullptr;
  for (size_t i = 0; i < enums.size(); ++i)
    if (lines[i] < c.line) above = &enums[i];
  if (!above || above->id != uint16_t(c.kind)) return CaseMistake::kPlace;
  for (size_t i = at; i-- > 0 && cases[i].kind == c.kind;) {
    if (cases[i].row.value == c.row.value) return CaseMistake::kValueTwice;
    if (cases[i].row.value > c.row.value) return CaseMistake::kValueOrder;
    if (cases[i].row.name == c.row.name) return CaseMistake::kNameTwice;
  }
  if (c.backwards) return CaseMistake::kBackwards;
  return c.row.since < above->since || c.row.until > above->until ? CaseMistake::kOutside
                                                                  : CaseMistake::kFine;
}

}  // namespace shlo::table
