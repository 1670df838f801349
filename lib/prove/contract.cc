#include "prove/contract.h"

#include <algorithm>
#include <array>

#include "eval/kernels/kernel.h"
#include "ir/module/attr_names.h"
#include "ir/table/op_rows.h"
#include "ir/table/ops.h"
#include "ir/table/trait.h"

namespace shlo::prove {
namespace {

constexpr std::string_view kPromises[] = {
#define SHLO_PROMISE(name) name,
#include "prove/promises.inc"
};
constexpr std::string_view kRequests[] = {
#define SHLO_REQUEST(name) name,
#include "prove/promises.inc"
};
constexpr RowId kFunctions[] = {
#define SHLO_FUNCTION(op) RowNamed(op),
#include "prove/promises.inc"
};
constexpr std::string_view kOtherFunctions[] = {
#define SHLO_OTHER_FUNCTION(op) op,
#include "prove/promises.inc"
};

constexpr RowId kComposite = RowNamed("stablehlo.composite");
static_assert(kComposite);

constexpr bool IsInherent(std::string_view name) {
  for (const Cell& cell : table::kCells)
    if (cell.tag == CellTag::kAttr && cell.name == name) return true;
  return false;
}
#define SHLO_PROMISE(name) \
  static_assert(IsInherent(name), "promises.inc: " name ": no op of schema/ops.inc has this attribute");
#define SHLO_FUNCTION(op) \
  static_assert(RowNamed(op), "promises.inc: " op ": no op of this name in schema/ops.inc");
#include "prove/promises.inc"

}  // namespace

bool IsPromise(const Cell& attr) { return std::ranges::find(kPromises, attr.name) != std::end(kPromises); }

bool IsPromise(const Module& module, const Op& op, std::string_view name) {
  if (IsSegmentSizes(name)) return false;
  if (std::ranges::find(kRequests, name) != std::end(kRequests)) return true;
  return op.revision && !module.Is(op, ops::kCustomCall) && !module.Is(op, kComposite);
}

bool IsAboutTheFile(std::string_view name) { return name == kCompatVersion; }

bool IsFunction(const Module& module, const Op& op) {
  if (op.revision) {
    const RowId row = RevisionOf(op.revision).row;
    if (row == ops::kCustomCall) {
      bool effect = false;
      return !module.AsBool(module.InherentAttrOf(op, "has_side_effect"), &effect) || !effect;
    }
    if (RowOf(row).Has(Trait::kTerminator)) return true;
    if (std::ranges::find(kFunctions, row) != std::end(kFunctions)) return true;
  }
  if (!op.revision) return std::ranges::find(kOtherFunctions, module.NameOf(op)) != std::end(kOtherFunctions);
  const KernelEntry& entry = KernelOf(op.revision);
  return entry.kernel && entry.reach == Reach::kOperands;
}

}  // namespace shlo::prove
