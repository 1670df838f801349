#include "shlo/kinds.h"

#include <algorithm>
#include <initializer_list>
#include <vector>

namespace shlo {
namespace {

constexpr KindRow Row(uint16_t id, std::string_view dialect, std::string_view mnemonic, std::string_view vhlo,
                      uint16_t since, std::initializer_list<FieldRow> fields) {
  KindRow row{id, dialect, mnemonic, vhlo, Version{since}, {}, uint8_t(fields.size())};
  std::copy(fields.begin(), fields.end(), row.field_rows.begin());
  return row;
}

constexpr KindRow kTypeRows[] = {
#define SHLO_FIELD_AS(name, type, text) {#name, FieldType::type, text},
#define SHLO_FIELD(name, type) SHLO_FIELD_AS(name, type, #name)
#define SHLO_TYPE(id, kind, View, dialect, mnemonic, vhlo, since, ...) \
  Row(id, dialect, mnemonic, vhlo, since, {__VA_ARGS__}),
#include "schema/kinds.inc"
};

constexpr KindRow kAttrRows[] = {
#define SHLO_FIELD_AS(name, type, text) {#name, FieldType::type, text},
#define SHLO_FIELD(name, type) SHLO_FIELD_AS(name, type, #name)
#define SHLO_ATTR(id, kind, View, dialect, mnemonic, vhlo, since, ...) \
  Row(id, dialect, mnemonic, vhlo, since, {__VA_ARGS__}),
#include "schema/kinds.inc"
};

struct CaseRow {
  AttrKind kind;
  EnumCase row;
};
constexpr CaseRow kCaseRows[] = {
#define SHLO_CASE(kind, value, name) {AttrKind::kind, {value, name}},
#include "schema/kinds.inc"
};

template <size_t N>
constexpr bool Ascending(const KindRow (&rows)[N]) {
  for (size_t i = 0; i + 1 < N; ++i)
    if (rows[i].id >= rows[i + 1].id) return false;
  for (const KindRow& row : rows)
    if (row.since < kMinimumVersion || row.since > kCurrentVersion) return false;
  return true;
}
static_assert(Ascending(kTypeRows), "schema/kinds.inc: type ids ascend and are unique");
static_assert(Ascending(kAttrRows), "schema/kinds.inc: attribute ids ascend and are unique");

constexpr size_t kMaxKind = 128;
static_assert(kTypeRows[std::size(kTypeRows) - 1].id < kMaxKind &&
              kAttrRows[std::size(kAttrRows) - 1].id < kMaxKind);

// Position + 1 of each wire id in the rows.
template <size_t N>
constexpr std::array<uint8_t, kMaxKind> IndexById(const KindRow (&rows)[N]) {
  std::array<uint8_t, kMaxKind> index{};
  for (size_t i = 0; i < N; ++i) index[rows[i].id] = uint8_t(i + 1);
  return index;
}
constexpr auto kTypeIndex = IndexById(kTypeRows);
constexpr auto kAttrIndex = IndexById(kAttrRows);

constexpr KindRow kNoRow{};

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

template <typename KindT, size_t N>
KindT FindIn(const KindRow (&rows)[N], std::string_view dialect, std::string_view mnemonic) {
  if (mnemonic.empty()) return KindT(0);
  for (const KindRow& row : rows)
    if (row.mnemonic == mnemonic && row.dialect == dialect) return KindT(row.id);
  return KindT(0);
}
template <typename KindT, size_t N>
KindT FindVhloIn(const KindRow (&rows)[N], std::string_view mnemonic) {
  if (mnemonic.empty()) return KindT(0);
  for (const KindRow& row : rows)
    if (row.vhlo == mnemonic) return KindT(row.id);
  return KindT(0);
}

}  // namespace

const KindRow& RowOf(TypeKind kind) {
  const size_t id = size_t(kind);
  return id < kMaxKind && kTypeIndex[id] ? kTypeRows[kTypeIndex[id] - 1] : kNoRow;
}
const KindRow& RowOf(AttrKind kind) {
  const size_t id = size_t(kind);
  return id < kMaxKind && kAttrIndex[id] ? kAttrRows[kAttrIndex[id] - 1] : kNoRow;
}
std::span<const KindRow> TypeKinds() { return kTypeRows; }
std::span<const KindRow> AttrKinds() { return kAttrRows; }

std::span<const EnumCase> CasesOf(AttrKind kind) {
  if (size_t(kind) >= kMaxKind) return {};
  const CaseSpan span = kCaseSpans[size_t(kind)];
  return {kCases.data() + span.first, span.count};
}
const EnumCase* FindCase(AttrKind kind, int64_t value) {
  for (const EnumCase& c : CasesOf(kind))
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

int BitWidth(TypeKind kind) {
  switch (kind) {
    case TypeKind::kI1:
      return 1;
    case TypeKind::kI2:
    case TypeKind::kUI2:
      return 2;
    case TypeKind::kI4:
    case TypeKind::kUI4:
    case TypeKind::kF4E2M1FN:
      return 4;
    case TypeKind::kF6E2M3FN:
    case TypeKind::kF6E3M2FN:
      return 6;
    case TypeKind::kI8:
    case TypeKind::kUI8:
    case TypeKind::kF8E3M4:
    case TypeKind::kF8E4M3:
    case TypeKind::kF8E4M3FN:
    case TypeKind::kF8E4M3FNUZ:
    case TypeKind::kF8E4M3B11FNUZ:
    case TypeKind::kF8E5M2:
    case TypeKind::kF8E5M2FNUZ:
    case TypeKind::kF8E8M0FNU:
      return 8;
    case TypeKind::kI16:
    case TypeKind::kUI16:
    case TypeKind::kBF16:
    case TypeKind::kF16:
      return 16;
    case TypeKind::kTF32:
      return 19;
    case TypeKind::kI32:
    case TypeKind::kUI32:
    case TypeKind::kF32:
      return 32;
    case TypeKind::kI64:
    case TypeKind::kUI64:
    case TypeKind::kIndex:
    case TypeKind::kF64:
      return 64;
    case TypeKind::kF80:
      return 80;
    case TypeKind::kF128:
      return 128;
    default:
      return 0;
  }
}

}  // namespace shlo
