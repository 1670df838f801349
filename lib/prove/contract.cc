#include "prove/contract.h"

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <vector>

#include "base/stack.h"
#include "eval/kernels/kernels.h"
#include "ir/module/attr_names.h"
#include "ir/table/op_rows.h"
#include "ir/table/ops.h"
#include "ir/table/trait.h"
#include "shlo/types.h"

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

// By row of the op table, or none, and by name.
constexpr RowId kRowsThatMayFail[] = {
#define SHLO_MAY_FAIL(op) RowNamed(op),
#include "prove/promises.inc"
};
constexpr std::string_view kMayFail[] = {
#define SHLO_MAY_FAIL(op) op,
#include "prove/promises.inc"
};
constexpr std::string_view kChecks[] = {
#define SHLO_CHECK(target) target,
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
  return module.RevisionIdOf(op) && !module.Is(op, ops::kCustomCall) && !module.Is(op, kComposite);
}

bool IsAboutTheFile(std::string_view name) { return name == kCompatVersion; }

namespace {

// Returns whether an op is a custom call that checks its operands.
bool IsCheckCall(const Module& module, const Op& op) {
  std::string_view target;
  return module.Is(op, ops::kCustomCall) &&
         module.AsString(module.InherentAttrOf(op, "call_target_name"), &target) &&
         (target.starts_with("check.") || std::ranges::find(kChecks, target) != std::end(kChecks));
}

}  // namespace

bool IsFunction(const Module& module, const Op& op) {
  if (module.RevisionIdOf(op)) {
    const RowId row = RevisionOf(module.RevisionIdOf(op)).row;
    if (row == ops::kCustomCall) {
      bool effect = false;
      module.AsBool(module.InherentAttrOf(op, "has_side_effect"), &effect);
      return !effect && !IsCheckCall(module, op);
    }
    if (RowOf(row).Has(Trait::kTerminator)) return true;
    if (std::ranges::find(kFunctions, row) != std::end(kFunctions)) return true;
  }
  if (std::ranges::find(kOtherFunctions, module.NameOf(op)) != std::end(kOtherFunctions)) return true;
  // Without results there is nothing but an effect: cf.assert.
  if (module.NumResults(op) == 0 && !EndsBlock(module, op)) return false;
  const KernelEntry& entry = KernelOf(module, op);
  return entry.kernel && entry.reach == Reach::kOperands;
}

namespace {

// Returns whether the only effect of an op is that evaluation may fail.
bool IsCheck(const Module& module, const Op& op) {
  const std::string_view name = module.NameOf(op);
  return name.starts_with("check.") || name == "cf.assert" || IsCheckCall(module, op);
}

// Effects of the regions of an op, without those of the functions that they call.
struct BodyEffects {
  bool unseen = false;
  std::vector<std::string_view> named;  // symbols, such as callees
};
BodyEffects EffectsOf(const Module& module, OpId op_with_body) {
  BodyEffects effects;
  std::vector<OpId> todo;
  const auto push_body = [&](const Op& op) {
    for (OpId nested : module.BodyOpsOf(op)) todo.push_back(nested);
  };
  const std::function<void(AttrId)> push_names = [&](AttrId attr) {
    CheckStack();
    std::string_view name;
    if (module.attrs.KindOf(attr) == AttrKind::kSymbolRef && module.AsSymbol(attr, &name))
      effects.named.push_back(name);
    for (AttrId item : module.ElementsOf(attr)) push_names(item);
  };
  push_body(module.ops[op_with_body.v]);
  while (!todo.empty() && !effects.unseen) {
    const Op& op = module.ops[todo.back().v];
    todo.pop_back();
    effects.unseen = !IsFunction(module, op) && !IsCheck(module, op);
    push_body(op);
    if (module.RevisionIdOf(op) && RowOf(module.RevisionIdOf(op)).refers)
      for (AttrId attr : module.InherentAttrsOf(op))
        if (attr) push_names(attr);
  }
  return effects;
}

}  // namespace

bool MayLoop(const Module& module, const Op& op) {
  return module.Is(op, ops::kWhile) || module.NameOf(op) == "scf.while";
}

Failures::Failures(const Module& module) : module_(module), dynamic_(module.types.size()) {
  for (TypeId type(1); type.v < module.types.size(); ++type.v) {
    const auto tensor = module.As<TensorType>(type);
    dynamic_[type.v] = tensor && !IsStatic(tensor->shape);
  }
  if (std::any_of(module.ops.begin() + 1, module.ops.end(), [&](const Op& op) { return MayFail(op); }))
    FindUnused();
}

bool Failures::MayFail(const Op& op) const {
  if (!module_.RevisionIdOf(op)) return std::ranges::find(kMayFail, module_.NameOf(op)) != std::end(kMayFail);
  const RowId row = RevisionOf(module_.RevisionIdOf(op)).row;
  if (std::ranges::find(kRowsThatMayFail, row) != std::end(kRowsThatMayFail)) return true;
  const auto operands = module_.OperandsOf(op);
  return operands.size() > 1 && !RowOf(row).Has(Trait::kTerminator) &&
         std::ranges::any_of(operands, [&](ValueId v) { return bool(dynamic_[module_.TypeOf(v).v]); });
}

void Failures::FindUnused() {
  unused_.resize(module_.ops.size());
  std::vector<uint32_t> uses(module_.values.size());
  for (uint32_t i = 1; i < module_.ops.size(); ++i)
    for (ValueId operand : module_.OperandsOf(module_.ops[i])) ++uses[operand.v];
  std::vector<OpId> todo;
  const auto visit = [&](OpId id) {
    const Op& op = module_.ops[id.v];
    if (unused_[id.v] || !module_.NumResults(op) || !IsFunction(module_, op) || MayLoop(module_, op)) return;
    for (uint32_t i = 0; i < module_.NumResults(op); ++i)
      if (uses[module_.ResultOf(op, i).v]) return;
    unused_[id.v] = true;
    todo.push_back(id);
  };
  for (uint32_t i = 1; i < module_.ops.size(); ++i) visit(OpId(i));
  while (!todo.empty()) {
    const OpId id = todo.back();
    todo.pop_back();
    for (ValueId operand : module_.OperandsOf(module_.ops[id.v]))
      if (--uses[operand.v] == 0)
        if (const OpId definition = module_.values[operand.v].op) visit(definition);
  }
}

UnseenEffects::UnseenEffects(const Module& module) : module_(module) {
  std::unordered_map<std::string_view, std::vector<std::string_view>> users;
  std::vector<std::string_view> todo;
  for (RegionId region : module.RegionsOf(module.ops[module.top.v])) {
    for (BlockId block : module.BlocksOf(region)) {
      for (OpId op : module.OpsOf(block)) {
        const std::string_view name = module.SymbolOf(module.ops[op.v]);
        const BodyEffects effects = EffectsOf(module, op);
        if (effects.unseen) todo.push_back(name);
        for (std::string_view used : effects.named) users[used].push_back(name);
      }
    }
  }
  while (!todo.empty()) {
    const std::string_view name = todo.back();
    todo.pop_back();
    if (!named_.insert(name).second) continue;
    if (const auto found = users.find(name); found != users.end())
      todo.insert(todo.end(), found->second.begin(), found->second.end());
  }
}

bool UnseenEffects::Has(OpId function) const {
  return named_.contains(module_.SymbolOf(module_.ops[function.v]));
}

}  // namespace shlo::prove
