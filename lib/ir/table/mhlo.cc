#include "ir/table/mhlo.h"

#include <algorithm>
#include <array>

#include "ir/table/op_rows.h"

namespace shlo::mhlo {
namespace {

using enum Form;

// The row of an op that is in schema/ops.inc, or the build fails.
consteval RowId Became(std::string_view op) { return OpNamed(op); }

constexpr OpRow kOps[] = {
#define SHLO_MHLO_OP(name, op, form) {name, Fate::kStablehlo, form, Became(op), "", ""},
#include "schema/mhlo.inc"
#define SHLO_MHLO_FORMER(name, op, attr, value) {name, Fate::kStablehlo, kGeneric, Became(op), attr, value},
#include "schema/mhlo.inc"
#define SHLO_MHLO_CHLO(name, op, form, properties) {name, Fate::kChlo, form, Became(op), "", "", properties},
#include "schema/mhlo.inc"
#define SHLO_MHLO_ALONE(name, form, properties, why) {name, Fate::kNone, form, {}, "", "", properties, why},
#include "schema/mhlo.inc"
};

// By row: the index of its op in kOps, plus 1.
constexpr auto kByRow = [] {
  std::array<uint16_t, table::kNumRows> index{};
  for (size_t i = 0; i < std::size(kOps); ++i)
    if (kOps[i].fate == Fate::kStablehlo && kOps[i].attr.empty()) index[kOps[i].row.v] = uint16_t(i + 1);
  return index;
}();

struct Renamed {
  RowId row;
  std::string_view former, now;
};
constexpr Renamed kRenamed[] = {
#define SHLO_MHLO_RENAMED(op, former, now) {Became(op), former, now},
#include "schema/mhlo.inc"
};

struct Property {
  std::string_view op, attr, nothing;
};
constexpr Property kProperties[] = {
#define SHLO_MHLO_PROPERTY(op, attr, nothing) {op, attr, nothing},
#include "schema/mhlo.inc"
};

constexpr std::string_view kPasses[] = {
#define SHLO_MHLO_PASSES(op) op,
#include "schema/mhlo.inc"
};

struct Optional {
  std::string_view op, attr;
};
constexpr Optional kOptional[] = {
#define SHLO_MHLO_OPTIONAL(op, attr) {op, attr},
#include "schema/mhlo.inc"
};

template <typename KindT>
struct Node {
  std::string_view mnemonic;
  KindT kind;
};
constexpr Node<AttrKind> kAttrs[] = {
#define SHLO_MHLO_ATTR(mnemonic, kind) {mnemonic, AttrKind::kind},
#define SHLO_MHLO_CODED(mnemonic, kind, ...) {mnemonic, AttrKind::kind},
#include "schema/mhlo.inc"
};
constexpr Node<TypeKind> kTypes[] = {
#define SHLO_MHLO_TYPE(mnemonic, kind, ...) {mnemonic, TypeKind::kind},
#include "schema/mhlo.inc"
};

struct FormerDialect {
  std::string_view former, now;
};
constexpr FormerDialect kDialects[] = {
#define SHLO_MHLO_DIALECT(former, now) {former, now},
#include "schema/mhlo.inc"
};

constexpr std::string_view kRefused[] = {
#define SHLO_MHLO_REFUSED(dialect) dialect,
#include "schema/mhlo.inc"
};

template <typename NodeT, size_t kCount>
auto KindOf(const NodeT (&nodes)[kCount], std::string_view mnemonic) {
  const auto found = std::ranges::find(nodes, mnemonic, &NodeT::mnemonic);
  return found == std::end(nodes) ? decltype(found->kind)() : found->kind;
}

}  // namespace

const OpRow* FindOpRow(std::string_view name) {
  const size_t dot = name.find('.');
  if (dot == name.npos || DialectNow(name.substr(0, dot)) != "mhlo") return nullptr;
  const std::string_view mnemonic = name.substr(dot + 1);
  const auto found =
      std::ranges::find_if(kOps, [&](const OpRow& row) { return row.name.substr(5) == mnemonic; });
  return found == std::end(kOps) ? nullptr : &*found;
}

const OpRow* OpRowOf(RowId row) {
  return row.v < kByRow.size() && kByRow[row.v] ? &kOps[kByRow[row.v] - 1] : nullptr;
}

bool HasProperty(const OpRow& row, std::string_view name) {
  std::string_view rest = row.properties;
  while (!rest.empty()) {
    std::string_view word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    if (word.ends_with('?')) word.remove_suffix(1);
    if (word == name) return true;
  }
  return std::ranges::any_of(kProperties, [&](const Property& property) {
    return property.op == row.name && property.attr == name;
  });
}

bool MeansNothing(const OpRow& row, std::string_view name, std::string_view text) {
  return std::ranges::any_of(kProperties, [&](const Property& property) {
    return property.op == row.name && property.attr == name &&
           (property.nothing == "..." || (property.nothing == text && !text.empty()));
  });
}

bool PassesOperands(const OpRow& row) { return std::ranges::find(kPasses, row.name) != std::end(kPasses); }

bool IsOptional(const OpRow& row, std::string_view name) {
  return std::ranges::any_of(
      kOptional, [&](const Optional& optional) { return optional.op == row.name && optional.attr == name; });
}

std::string_view DialectNow(std::string_view dialect) {
  const auto found = std::ranges::find(kDialects, dialect, &FormerDialect::former);
  return found == std::end(kDialects) ? dialect : found->now;
}

bool IsRefused(std::string_view dialect) {
  return std::ranges::find(kRefused, dialect) != std::end(kRefused);
}

std::string_view AttrNow(RowId row, std::string_view name) {
  for (const Renamed& renamed : kRenamed)
    if (renamed.row == row && renamed.former == name) return renamed.now;
  return {};
}

AttrKind FindAttr(std::string_view mnemonic) { return KindOf(kAttrs, mnemonic); }
TypeKind FindType(std::string_view mnemonic) { return KindOf(kTypes, mnemonic); }

}  // namespace shlo::mhlo
