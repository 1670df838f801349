// Before the headers that read the tables.
#include "ir/table/row_commas.h"
//
#include <algorithm>
#include <initializer_list>

#include "ir/table/element_rows.h"
#include "ir/table/interval.h"
#include "ir/table/kind_checks.h"
#include "ir/table/kind_text.h"
#include "ir/table/newest_version.h"
#include "shlo/kinds.h"

namespace shlo {
namespace {

using table::CaseMistake, table::CaseRow, table::KindMistake;

consteval KindRow Row(KindClass kind_class, int id, std::string_view name, std::string_view dialect,
                      std::string_view mnemonic, std::string_view vhlo, Interval interval,
                      std::initializer_list<FieldRow> fields) {
  KindRow row = {.id = uint16_t(id < 0 || id > 9999 ? 9999 : id),
                 .name = EnumeratorOr(name, mnemonic),
                 .dialect = dialect,
                 .mnemonic = mnemonic,
                 .vhlo = vhlo,
                 .since = interval.since,
                 .until = interval.last(),
                 .kind_class = kind_class,
                 .num_fields = uint8_t(fields.size())};
  std::copy_n(fields.begin(), std::min(fields.size(), row.field_rows.size()), row.field_rows.begin());
  return row;
}

// --- Rows by table, in the order of the files -----------------------------------------------------------

constexpr KindRow kNamedTypes[] = {
#define SHLO_FIELD_AS(name, type, text) {#name, FieldType::type, text},
#define SHLO_FIELD(name, type) SHLO_FIELD_AS(name, type, #name)
#define SHLO_TYPE(id, name, View, dialect, mnemonic, vhlo, interval, ...) \
  Row(KindClass::kOther, id, #name, dialect, mnemonic, vhlo, interval, {__VA_ARGS__}),
#define SHLO_QUANTIZED(id, name, View, dialect, mnemonic, vhlo, interval, ...) \
  Row(KindClass::kQuantized, id, #name, dialect, mnemonic, vhlo, interval, {__VA_ARGS__}),
#include "schema/kinds.inc"
};

constexpr auto kElements = [] {
  std::array<KindRow, kElementRows.size()> rows{};
  for (size_t i = 0; i < rows.size(); ++i) {
    const ElementRow& row = kElementRows[i];
    rows[i] = {.id = uint16_t(row.kind),
               .name = row.name,
               .mnemonic = row.mnemonic,
               .vhlo = row.vhlo,
               .since = row.interval.since,
               .until = row.interval.last(),
               .kind_class = row.kind_class,
               .width = uint8_t(row.width),
               .quantized_storage = row.quantized_storage};
  }
  return rows;
}();

constexpr KindRow kNamedAttrs[] = {
#define SHLO_FIELD_AS(name, type, text) {#name, FieldType::type, text},
#define SHLO_FIELD(name, type) SHLO_FIELD_AS(name, type, #name)
#define SHLO_ATTR(id, name, View, dialect, mnemonic, vhlo, interval, ...) \
  Row(KindClass::kOther, id, #name, dialect, mnemonic, vhlo, interval, {__VA_ARGS__}),
#define SHLO_LOCATION(id, name, View, dialect, mnemonic, vhlo, interval, ...) \
  Row(KindClass::kLocation, id, #name, dialect, mnemonic, vhlo, interval, {__VA_ARGS__}),
#include "schema/kinds.inc"
};

namespace enum_rows {
using enum AttrKind;
constexpr KindRow kRows[] = {
#define SHLO_ENUM(kind, ...) \
  Row(KindClass::kEnum, uint16_t(kind), #kind, __VA_ARGS__, {{"value", FieldType::kInt, "value"}}),
#include "schema/enums.inc"
};

constexpr int kLines[] = {
#define SHLO_ENUM(...) __LINE__,
#include "schema/enums.inc"
};

// Without an interval of its own a case has that of its enum.
consteval CaseRow Case(int line, AttrKind kind, int64_t value, std::string_view name) {
  for (const KindRow& row : kRows)
    if (row.id == uint16_t(kind)) return {kind, {value, name, row.since, row.until}, line};
  return {kind, {value, name, {}, {}}, line};
}
consteval CaseRow Case(int line, AttrKind kind, int64_t value, std::string_view name, Interval interval) {
  return {kind, {value, name, interval.since, interval.last()}, line, interval.last() < interval.since};
}
constexpr CaseRow kCaseRows[] = {
#define SHLO_CASE(...) Case(__LINE__, __VA_ARGS__),
#include "schema/enums.inc"
};
}  // namespace enum_rows
using enum_rows::kCaseRows;

// --- One table each for types and attributes, in the order of ids ---------------------------------------

template <size_t N, size_t M>
constexpr std::array<KindRow, N + M> Merge(const KindRow (&a)[N], const KindRow* b) {
  std::array<KindRow, N + M> rows{};
  std::copy_n(a, N, rows.begin());
  std::copy_n(b, M, rows.begin() + N);
  std::sort(rows.begin(), rows.end(), [](const KindRow& x, const KindRow& y) { return x.id < y.id; });
  return rows;
}
constexpr auto kTypeRows = Merge<std::size(kNamedTypes), kElements.size()>(kNamedTypes, kElements.data());
constexpr auto kAttrRows =
    Merge<std::size(kNamedAttrs), std::size(enum_rows::kRows)>(kNamedAttrs, enum_rows::kRows);

// --- A wrong row does not compile -----------------------------------------------------------------------

#define SHLO_NO_MISTAKE(row, name, no, text) static_assert(row != decltype(row)::no, name ": " text);
#define SHLO_SOUND(list, row, name, ...) \
  constexpr auto row = __VA_ARGS__;      \
  list(SHLO_NO_MISTAKE, row, name)

constexpr size_t kFirstType = __COUNTER__ + 1;
#define SHLO_TYPE(id, name, ...)                                       \
  SHLO_SOUND(SHLO_KIND_MISTAKES, SHLO_AT_LINE(type_, __LINE__), #name, \
             table::CheckKind(kNamedTypes, __COUNTER__ - kFirstType, kNamedTypes, true))
#include "schema/kinds.inc"

constexpr size_t kFirstAttr = __COUNTER__ + 1;
#define SHLO_ATTR(id, name, ...)                                       \
  SHLO_SOUND(SHLO_KIND_MISTAKES, SHLO_AT_LINE(attr_, __LINE__), #name, \
             table::CheckKind(kNamedAttrs, __COUNTER__ - kFirstAttr, kNamedAttrs, false))
#include "schema/kinds.inc"

constexpr KindMistake CheckElement(size_t at) {
  const KindMistake mistake = table::CheckKind(kElements, at, kTypeRows, true);
  return mistake == KindMistake::kFine ? table::CheckElement(kElementRows[at]) : mistake;
}
constexpr size_t kFirstElement = __COUNTER__ + 1;
#define SHLO_ELEMENT_TYPE(kind, ...)                                      \
  SHLO_SOUND(SHLO_KIND_MISTAKES, SHLO_AT_LINE(element_, __LINE__), #kind, \
             CheckElement(__COUNTER__ - kFirstElement))
#include "schema/element_types.inc"

constexpr KindMistake CheckEnum(size_t at) {
  const KindMistake mistake = table::CheckKind(enum_rows::kRows, at, kAttrRows, false);
  if (mistake != KindMistake::kFine) return mistake;
  for (const CaseRow& c : kCaseRows)
    if (uint16_t(c.kind) == enum_rows::kRows[at].id) return KindMistake::kFine;
  return KindMistake::kNoCases;
}
constexpr size_t kFirstEnum = __COUNTER__ + 1;
#define SHLO_ENUM(kind, ...) \
  SHLO_SOUND(SHLO_KIND_MISTAKES, SHLO_AT_LINE(enum_, __LINE__), #kind, CheckEnum(__COUNTER__ - kFirstEnum))
#include "schema/enums.inc"

constexpr size_t kFirstCase = __COUNTER__ + 1;
#define SHLO_CASE(kind, ...)                                                             \
  SHLO_SOUND(SHLO_CASE_MISTAKES, SHLO_AT_LINE(case_, __LINE__), #kind ", " #__VA_ARGS__, \
             table::CheckCase(kCaseRows, __COUNTER__ - kFirstCase, enum_rows::kRows, enum_rows::kLines))
#include "schema/enums.inc"

// --- Formats of text ------------------------------------------------------------------------------------

struct TextRow {
  uint16_t kind = 0;
  KindText formats;
};
template <typename KindT, typename Rows>
consteval TextRow Text(const Rows& rows, KindT kind, std::string_view text, std::string_view vhlo) {
  for (const KindRow& row : rows)
    if (row.id == uint16_t(kind)) return {row.id, {{text, row}, {vhlo, row}}};
  return {};
}
constexpr TextRow kTypeTexts[] = {
#define SHLO_TYPE_TEXT(kind, ...) Text(kTypeRows, TypeKind::kind, __VA_ARGS__),
#include "schema/kind_texts.inc"
};
constexpr TextRow kAttrTexts[] = {
#define SHLO_ATTR_TEXT(kind, ...) Text(kAttrRows, AttrKind::kind, __VA_ARGS__),
#include "schema/kind_texts.inc"
};

constexpr auto MistakeOf(const TextRow& row) {
  const auto first = row.formats.text.mistake;
  return first == TextFormat::Mistake::kFine ? row.formats.vhlo.mistake : first;
}
constexpr size_t kFirstTypeText = __COUNTER__ + 1;
#define SHLO_TYPE_TEXT(kind, ...)                                           \
  SHLO_SOUND(SHLO_TEXT_MISTAKES, SHLO_AT_LINE(type_text_, __LINE__), #kind, \
             MistakeOf(kTypeTexts[__COUNTER__ - kFirstTypeText]))
#include "schema/kind_texts.inc"
constexpr size_t kFirstAttrText = __COUNTER__ + 1;
#define SHLO_ATTR_TEXT(kind, ...)                                           \
  SHLO_SOUND(SHLO_TEXT_MISTAKES, SHLO_AT_LINE(attr_text_, __LINE__), #kind, \
             MistakeOf(kAttrTexts[__COUNTER__ - kFirstAttrText]))
#include "schema/kind_texts.inc"
#undef SHLO_SOUND
#undef SHLO_NO_MISTAKE

template <typename Rows>
constexpr std::array<KindText, kMaxKind> TextsById(const Rows& rows) {
  std::array<KindText, kMaxKind> texts{};
  for (const TextRow& row : rows) texts[row.kind] = row.formats;
  return texts;
}
constexpr auto kTextsOfTypes = TextsById(kTypeTexts), kTextsOfAttrs = TextsById(kAttrTexts);

// Position + 1 of each id in the rows.
template <typename Rows>
constexpr std::array<uint8_t, kMaxKind> IndexById(const Rows& rows) {
  std::array<uint8_t, kMaxKind> index{};
  for (size_t i = 0; i < std::size(rows); ++i) index[rows[i].id] = uint8_t(i + 1);
  return index;
}
constexpr auto kTypeIndex = IndexById(kTypeRows);
constexpr auto kAttrIndex = IndexById(kAttrRows);

template <typename Rows>
constexpr std::array<KindTraits, kMaxKind> TraitsById(const Rows& rows) {
  std::array<KindTraits, kMaxKind> traits{};
  for (const KindRow& row : rows) traits[row.id] = {row.kind_class, row.width};
  return traits;
}

constexpr KindRow kNoRow{.name = "kInvalid"};

// Cases of one kind are consecutive, in value order.
struct CaseSpan {
  uint8_t first = 0;
  uint8_t count = 0;
};
constexpr auto kCases = [] {
  std::array<EnumCase, std::size(kCaseRows)> cases{};
  for (size_t i = 0; i < std::size(kCaseRows); ++i) cases[i] = kCaseRows[i].row;
  return cases;
}();
constexpr auto kCaseSpans = [] {
  std::array<CaseSpan, kMaxKind> spans{};
  for (size_t i = 0; i < std::size(kCaseRows); ++i) {
    CaseSpan& span = spans[size_t(kCaseRows[i].kind)];
    if (span.count == 0) span.first = uint8_t(i);
    ++span.count;
  }
  return spans;
}();

template <typename KindT, typename Rows>
KindT FindIn(const Rows& rows, std::string_view dialect, std::string_view mnemonic) {
  if (mnemonic.empty()) return KindT(0);
  for (const KindRow& row : rows)
    if (row.mnemonic == mnemonic && row.dialect == dialect) return KindT(row.id);
  return KindT(0);
}
template <typename KindT, typename Rows>
KindT FindVhloIn(const Rows& rows, std::string_view mnemonic) {
  if (mnemonic.empty()) return KindT(0);
  for (const KindRow& row : rows)
    if (row.vhlo == mnemonic) return KindT(row.id);
  return KindT(0);
}

}  // namespace

constinit const std::array<KindTraits, kMaxKind> kTypeTraits = TraitsById(kTypeRows);
constinit const std::array<KindTraits, kMaxKind> kAttrTraits = TraitsById(kAttrRows);

const KindRow& RowOf(TypeKind kind) {
  const size_t id = size_t(kind);
  return id < kMaxKind && kTypeIndex[id] ? kTypeRows[kTypeIndex[id] - 1u] : kNoRow;
}
const KindRow& RowOf(AttrKind kind) {
  const size_t id = size_t(kind);
  return id < kMaxKind && kAttrIndex[id] ? kAttrRows[kAttrIndex[id] - 1u] : kNoRow;
}
const KindText& TextOf(TypeKind kind) { return kTextsOfTypes[size_t(kind) < kMaxKind ? size_t(kind) : 0]; }
const KindText& TextOf(AttrKind kind) { return kTextsOfAttrs[size_t(kind) < kMaxKind ? size_t(kind) : 0]; }

std::span<const KindRow> TypeKinds() { return kTypeRows; }
std::span<const KindRow> AttrKinds() { return kAttrRows; }

std::span<const EnumCase> CasesOf(AttrKind kind) {
  if (size_t(kind) >= kMaxKind) return {};
  const CaseSpan span = kCaseSpans[size_t(kind)];
  return {kCases.data() + span.first, span.count};
}
const EnumCase* FindCase(AttrKind kind, int64_t value) {
  const auto cases = CasesOf(kind);
  if (cases.empty()) return nullptr;
  // Most enums have no gaps.
  const uint64_t at = uint64_t(value) - uint64_t(cases[0].value);
  if (at < cases.size() && cases[at].value == value) return &cases[at];
  for (const EnumCase& c : cases)
    if (c.value == value) return &c;
  return nullptr;
}
const EnumCase* FindCase(AttrKind kind, std::string_view name) {
  for (const EnumCase& c : CasesOf(kind))
    if (c.name == name) return &c;
  return nullptr;
}

TypeKind FindTypeKind(std::string_view dialect, std::string_view mnemonic) {
  return FindIn<TypeKind>(kTypeRows, dialect, mnemonic);
}
AttrKind FindAttrKind(std::string_view dialect, std::string_view mnemonic) {
  return FindIn<AttrKind>(kAttrRows, dialect, mnemonic);
}
TypeKind FindVhloTypeKind(std::string_view mnemonic) { return FindVhloIn<TypeKind>(kTypeRows, mnemonic); }
AttrKind FindVhloAttrKind(std::string_view mnemonic) { return FindVhloIn<AttrKind>(kAttrRows, mnemonic); }

TypeKind FindElementType(KindClass kind_class, int64_t width) {
  TypeKind found = TypeKind::kInvalid;
  for (const KindRow& row : kElements) {
    if (row.kind_class != kind_class || row.width != width) continue;
    if (found != TypeKind::kInvalid) return TypeKind::kInvalid;
    found = TypeKind(row.id);
  }
  return found;
}

}  // namespace shlo
