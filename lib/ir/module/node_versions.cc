#include "ir/module/node_versions.h"

#include <bit>

#include "base/format.h"
#include "ir/table/attr_class.h"
#include "ir/table/newest_version.h"

namespace shlo {

static_assert(table::kNewestVersion.n - kMinimumVersion.n < 64,
              "VersionSet has too few bits for all versions");
constinit const VersionSet kAllVersions = Between(kMinimumVersion, table::kNewestVersion);

Version Oldest(VersionSet set) { return Version{uint16_t(kMinimumVersion.n + std::countr_zero(set))}; }

Version Newest(VersionSet set) {
  return Version{uint16_t(kMinimumVersion.n + 63 - std::countl_zero(set & kAllVersions))};
}

const EnumCase* DatedCase(AttrKind kind, std::span<const uint64_t> words) {
  const KindRow& row = RowOf(kind);
  const EnumCase* found = words.empty() ? nullptr : FindCase(kind, int64_t(words[0]));
  return found && (found->since != row.since || found->until != row.until) ? found : nullptr;
}

bool HasDatedApiVersions(const Cell& cell) { return cell.attr_class() == AttrClass::kApiVersion; }

const EnumCase* DatedApiVersion(const Module& module, const Cell& cell, AttrId attr) {
  int64_t value = 0;
  if (!HasDatedApiVersions(cell) || !attr || !module.AsInteger(attr, &value)) return nullptr;
  const uint64_t words[] = {uint64_t(value)};
  return DatedCase(AttrKind::kCustomCallApiVersion, words);
}

VersionSet VersionsOfCases(const Module& module) {
  VersionSet set = kAllVersions;
  for (uint32_t id = 1; id < module.attrs.size(); ++id) {
    const AttrKind kind = module.attrs.KindOf(AttrId(id));
    if (!IsEnum(kind)) continue;
    if (const EnumCase* dated = DatedCase(kind, module.attrs[AttrId(id)].words))
      set &= Between(dated->since, dated->until);
  }
  return set;
}

std::string DescribeCase(AttrKind kind, const EnumCase& c) {
  return StrFormat("{} '{}'", RowOf(kind).mnemonic, c.name);
}

bool HasVhlo(const Module& module, AttrId attr) {
  const auto node = module.attrs[attr];
  if (RowOf(node.kind).vhlo.empty()) return false;
  const auto has_vhlo = [&](TypeId type) { return !RowOf(module.types.KindOf(type)).vhlo.empty(); };
  switch (node.kind) {
    case AttrKind::kTypeExtensions:
      return false;  // only as the encoding of a tensor
    case AttrKind::kIntegerAttr:
      return has_vhlo(node.Get<IntegerAttr>().type);
    case AttrKind::kTypeAttr:
      return has_vhlo(node.Get<TypeAttr>().type);
    case AttrKind::kFloatAttr:
      return node.Get<FloatAttr>().bits.size() == 1 && has_vhlo(node.Get<FloatAttr>().type);
    case AttrKind::kElements:
      return module.types.KindOf(node.Get<ElementsAttr>().type) == TypeKind::kTensor;
    case AttrKind::kSymbolRef:
      return node.Get<SymbolRefAttr>().nested.empty();
    case AttrKind::kDenseArray:
      return module.types.KindOf(node.Get<DenseArrayAttr>().element) == TypeKind::kI1;
    default:
      return true;
  }
}

namespace {

// Returns whether MLIR itself has had a kind since the first release of StableHLO. MLIR gained float types
// when VHLO did, and nobody knows the dialects of opaque nodes.
bool IsOfMlir(const KindRow& row) {
  return row.dialect.empty() && row.kind_class != KindClass::kFloat &&
         &row != &RowOf(TypeKind::kOpaqueType) && &row != &RowOf(AttrKind::kOpaqueAttr);
}

}  // namespace

NodeVersions::NodeVersions(const Module& module, Rows rows)
    : module_(module),
      rows_(rows),
      num_types_(module.types.size()),
      sets_(size_t(num_types_) + module.attrs.size()) {}

const EnumCase* NodeVersions::CaseOf(uint32_t node) const {
  if (IsType(node)) return nullptr;
  const AttrId attr(node - num_types_);
  const AttrKind kind = module_.attrs.KindOf(attr);
  return IsEnum(kind) ? DatedCase(kind, module_.attrs[attr].words) : nullptr;
}

VersionSet NodeVersions::Own(uint32_t node) const {
  if (const EnumCase* dated = CaseOf(node)) return Between(dated->since, dated->until) & kAllVersions;
  const KindRow& row = IsType(node) ? RowOf(module_.types.KindOf(TypeId(node)))
                                    : RowOf(module_.attrs.KindOf(AttrId(node - num_types_)));
  if (rows_ == Rows::kPortable && !IsType(node) && !HasVhlo(module_, AttrId(node - num_types_)))
    return Since(kOtherDialects) & Between(row.since, row.until) & kAllVersions;
  return OfKind(row, rows_);
}

VersionSet NodeVersions::OfKind(const KindRow& row, Rows rows) {
  if (rows == Rows::kCases) return kAllVersions;
  const bool of_module = rows == Rows::kModule || rows == Rows::kModuleAllowOtherDialects;
  if (of_module && IsOfMlir(row)) return kAllVersions;
  const bool allow = rows == Rows::kAllowOtherDialects || rows == Rows::kModuleAllowOtherDialects;
  if (allow && row.vhlo.empty() && row.since == kOtherDialects) return kAllVersions;
  return Between(row.since, row.until) & kAllVersions;
}

// Nodes of the two tables refer to each other. The walk is depth first with an explicit stack.
VersionSet NodeVersions::Of(uint32_t root) {
  if (root == 0 || root == num_types_) return kAllVersions;
  if (sets_[root]) return sets_[root] & kAllVersions;
  stack_.push_back(root);
  while (!stack_.empty()) {
    const uint32_t node = stack_.back();
    if (sets_[node]) {
      stack_.pop_back();
      continue;
    }
    VersionSet set = Own(node);
    bool ready = true;
    VisitChildren(node, [&](uint32_t child) {
      if (sets_[child]) {
        set &= sets_[child];
      } else {
        ready = false;
        stack_.push_back(child);
      }
    });
    if (!ready) continue;
    sets_[node] = set | ~kAllVersions;  // nonzero, even if no version has the node
    stack_.pop_back();
  }
  return sets_[root] & kAllVersions;
}

bool NodeVersions::AllHave(Version version) const {
  // A node whose own kind and case exist, like those of all others, has nothing newer inside it.
  for (uint32_t node = 1; node < sets_.size(); ++node)
    if (node != num_types_ && !Has(Own(node), version)) return false;
  return true;
}

uint32_t NodeVersions::InnermostNotIn(uint32_t root, Version version) {
  for (uint32_t node = root;;) {
    uint32_t inner = 0;
    if (Has(Own(node), version))
      VisitChildren(node, [&](uint32_t child) {
        if (!inner && !Has(Of(child), version)) inner = child;
      });
    if (!inner) return node;
    node = inner;
  }
}

std::string NodeVersions::Describe(uint32_t node) const {
  const bool is_type = IsType(node);
  const KindRow& row = is_type ? RowOf(module_.types.KindOf(TypeId(node)))
                               : RowOf(module_.attrs.KindOf(AttrId(node - num_types_)));
  const auto type = [](std::string_view name) { return StrFormat("type '{}'", name); };
  if (const EnumCase* dated = CaseOf(node)) return DescribeCase(AttrKind(row.id), *dated);
  // Opaque types and attributes are named by dialect and the first word of their text.
  const auto opaque = [&](char prefix, StringId dialect, StringId text) {
    const std::string_view all = module_.strings[text];
    return StrFormat("{}{}{}", prefix, module_.strings[dialect], all.substr(0, all.find_first_of("<([{\" ")));
  };
  if (is_type) {
    const auto view = module_.types[TypeId(node)];
    if (const auto integer = view.As<IntegerType>()) {
      constexpr std::string_view kPrefix[] = {"i", "si", "ui"};
      const uint64_t signedness = uint64_t(integer->signedness);
      return type(StrFormat("{}{}", kPrefix[signedness < 3 ? signedness : 0], integer->width));
    }
    if (const auto other = view.As<OpaqueType>()) return type(opaque('!', other->dialect, other->text));
  } else if (const auto other = module_.As<OpaqueAttr>(AttrId(node - num_types_))) {
    return StrFormat("attribute kind '{}'", opaque('#', other->dialect, other->text));
  }
  if (is_type && TypeKind(row.id) == TypeKind::kUniformQuantizedPerAxis)
    return type("per-axis quant.uniform");
  if (is_type && TypeKind(row.id) == TypeKind::kUniformQuantizedSubChannel)
    return type("sub-channel quant.uniform");
  const std::string name(row.dialect.empty() ? std::string(row.mnemonic)
                                             : StrFormat("{}.{}", row.dialect, row.mnemonic));
  return is_type ? type(name) : StrFormat("attribute kind '{}'", name);
}

}  // namespace shlo
