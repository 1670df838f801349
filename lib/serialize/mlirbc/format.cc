#include "serialize/mlirbc/format.h"

#include <algorithm>
#include <array>

#include "serialize/mlirbc/items.h"

namespace shlo::mlirbc {
namespace {

// Rows name kinds as schema/element_types.inc does: `kF32`, or `TypeKind(48)` for one without a name in code.
namespace wire_types {
using enum TypeKind;
constexpr WireType kRows[] = {
#define SHLO_WIRE_TYPE(dialect, code, kind, encoding) {Dialect::dialect, code, kind, encoding},
#include "schema/bytecode.inc"
#define SHLO_MHLO_TYPE(mnemonic, kind, code, encoding) {Dialect::kMhlo, code, kind, encoding},
#include "schema/mhlo.inc"
};
}  // namespace wire_types
constexpr auto& kTypes = wire_types::kRows;
namespace wire_attrs {
using enum AttrKind;
constexpr WireAttr kRows[] = {
#define SHLO_WIRE_ATTR(dialect, code, kind, encoding) {Dialect::dialect, code, kind, encoding},
#include "schema/bytecode.inc"
#define SHLO_MHLO_CODED(mnemonic, kind, code, encoding) {Dialect::kMhlo, code, kind, encoding},
#include "schema/mhlo.inc"
};
}  // namespace wire_attrs
constexpr auto& kAttrs = wire_attrs::kRows;

struct Former {
  Dialect dialect;
  uint8_t code;
  const char* encoding;
};
constexpr Former kFormer[] = {
#define SHLO_WIRE_FORMER(dialect, code, encoding) {Dialect::dialect, code, encoding},
#include "schema/bytecode.inc"
#define SHLO_MHLO_CODED_ONCE(code, encoding) {Dialect::kMhlo, code, encoding},
#include "schema/mhlo.inc"
};

// An unknown letter does not compile.
#define SHLO_SOUND_ENCODING(dialect, code, encoding) \
  static_assert(IsEncoding(encoding), #dialect ", " #code ": unknown item in the encoding " encoding);
#define SHLO_WIRE_TYPE(dialect, code, kind, encoding) SHLO_SOUND_ENCODING(dialect, code, encoding)
#define SHLO_WIRE_ATTR(dialect, code, kind, encoding) SHLO_SOUND_ENCODING(dialect, code, encoding)
#define SHLO_WIRE_FORMER(dialect, code, encoding) SHLO_SOUND_ENCODING(dialect, code, encoding)
#include "schema/bytecode.inc"
#undef SHLO_SOUND_ENCODING

constexpr WireProperty kLaterProperties[] = {
#define SHLO_WIRE_PROPERTY(op, name, version) {op, name, Version{version}},
#include "schema/bytecode.inc"
#define SHLO_MHLO_PROPERTY(op, name, nothing) {op, name, Version()},
#include "schema/mhlo.inc"
};

constexpr WireOp kOps[] = {
#define SHLO_WIRE_OP(op, properties) {op, properties},
#include "schema/bytecode.inc"
#define SHLO_MHLO_CHLO(op, became, form, properties) {op, properties},
#include "schema/mhlo.inc"
#define SHLO_MHLO_ALONE(op, form, properties, why) {op, properties},
#include "schema/mhlo.inc"
};

constexpr size_t kDialects = size_t(Dialect::kMhlo) + 1;
constexpr size_t kMaxCodes = 64;

// Rows sorted by dialect and kind, and by dialect and code, for lookup by index.
template <typename RowT, size_t kCount>
struct Index {
  std::array<RowT, kCount> by_kind{};
  struct Run {
    uint8_t first = 0;
    uint8_t count = 0;
  };
  std::array<std::array<Run, kMaxKind>, kDialects> runs{};
  std::array<std::array<int16_t, kMaxCodes>, kDialects> codes{};

  consteval explicit Index(const RowT (&rows)[kCount]) {
    for (auto& dialect : codes) dialect.fill(-1);
    for (size_t i = 0; i < kCount; ++i) by_kind[i] = rows[i];
    // Insertion sort keeps the order of rows of one kind.
    for (size_t i = 1; i < kCount; ++i)
      for (size_t k = i; k > 0 && Key(by_kind[k]) < Key(by_kind[k - 1]); --k)
        std::swap(by_kind[k], by_kind[k - 1]);
    for (size_t i = 0; i < kCount; ++i) {
      const RowT& row = by_kind[i];
      if (size_t(row.kind) >= kMaxKind || row.code >= kMaxCodes) throw "schema/bytecode.inc: out of range";
      Run& run = runs[size_t(row.dialect)][size_t(row.kind)];
      if (run.count++ == 0) run.first = uint8_t(i);
      int16_t& code = codes[size_t(row.dialect)][row.code];
      // Two rows of one code are of different kinds, the first in the file read.
      if (code < 0 || Place(rows, row) < Place(rows, by_kind[size_t(code)])) code = int16_t(i);
    }
  }
  static constexpr uint32_t Key(const RowT& row) { return uint32_t(row.dialect) << 16 | uint32_t(row.kind); }
  static constexpr size_t Place(const RowT (&rows)[kCount], const RowT& row) {
    for (size_t i = 0; i < kCount; ++i)
      if (rows[i].dialect == row.dialect && rows[i].code == row.code && rows[i].kind == row.kind) return i;
    return kCount;
  }
  template <typename KindT>
  std::span<const RowT> Of(Dialect dialect, KindT kind) const {
    if (size_t(kind) >= kMaxKind) return {};
    const Run run = runs[size_t(dialect)][size_t(kind)];
    return std::span<const RowT>(by_kind).subspan(run.first, run.count);
  }
  const RowT* Find(Dialect dialect, uint64_t code) const {
    if (code >= kMaxCodes) return nullptr;
    const int16_t at = codes[size_t(dialect)][code];
    return at < 0 ? nullptr : &by_kind[size_t(at)];
  }
};

constexpr Index<WireType, std::size(kTypes)> kTypeIndex(kTypes);
constexpr Index<WireAttr, std::size(kAttrs)> kAttrIndex(kAttrs);

constexpr std::string_view kNames[] = {"", "builtin", "vhlo", "stablehlo", "chlo", "quant", "mhlo"};

}  // namespace

std::string_view SectionName(Section section) {
  constexpr std::string_view kNamesOfSections[] = {
      "strings",    "dialects",  "attributes and types", "attribute and type offsets",
      "operations", "resources", "resource offsets",     "dialect version",
      "properties"};
  return kNamesOfSections[section];
}

Dialect FindDialect(std::string_view name) {
  for (size_t i = 1; i < std::size(kNames); ++i)
    if (kNames[i] == name) return Dialect(i);
  return Dialect::kOther;
}
std::string_view DialectName(Dialect dialect) { return kNames[size_t(dialect)]; }

size_t WrittenSegments(std::span<const Cell> cells) {
  return std::ranges::count_if(cells, &Cell::variadic) > 1 ? cells.size() : 0;
}

std::span<const WireProperty> WireProperties() { return kLaterProperties; }

const WireOp* FindWireOp(std::string_view op) {
  const auto found = std::ranges::find(kOps, op, &WireOp::op);
  return found == std::end(kOps) ? nullptr : found;
}

std::span<const WireType> WireRowsOf(Dialect dialect, TypeKind kind) { return kTypeIndex.Of(dialect, kind); }
std::span<const WireAttr> WireRowsOf(Dialect dialect, AttrKind kind) { return kAttrIndex.Of(dialect, kind); }
const WireType* FindWireType(Dialect dialect, uint64_t code) { return kTypeIndex.Find(dialect, code); }
const WireAttr* FindWireAttr(Dialect dialect, uint64_t code) { return kAttrIndex.Find(dialect, code); }
const char* FindFormerEncoding(Dialect dialect, uint64_t code) {
  for (const Former& former : kFormer)
    if (former.dialect == dialect && former.code == code) return former.encoding;
  return nullptr;
}

}  // namespace shlo::mlirbc
