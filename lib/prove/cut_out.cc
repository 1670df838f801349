#include "prove/cut_out.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

#include "base/format.h"
#include "ir/module/symbols.h"
#include "ir/table/ops.h"
#include "ir/table/trait.h"
#include "shlo/editor.h"

namespace shlo::prove {
namespace {

// Limits of what is copied rather than made an argument: a value that is computed from constants only.
constexpr size_t kMaxClosedOps = 256;
constexpr uint64_t kMaxClosedElements = 1 << 16;
constexpr size_t kMaxConeOps = 4096;

// Values that an op uses: operands, and what its regions use from outside of them.
std::vector<ValueId> UsesOf(const Module& m, OpId id) {
  std::vector<ValueId> uses;
  std::unordered_set<uint32_t> inside;  // blocks
  std::vector<OpId> todo{id};
  std::vector<OpId> ops;
  while (!todo.empty()) {
    const Op& op = m.ops[todo.back().v];
    ops.push_back(todo.back());
    todo.pop_back();
    for (RegionId region : m.RegionsOf(op))
      for (BlockId block : m.BlocksOf(region)) {
        inside.insert(block.v);
        for (OpId nested : m.OpsOf(block)) todo.push_back(nested);
      }
  }
  for (OpId op : ops)
    for (ValueId operand : m.OperandsOf(m.ops[op.v])) {
      const Value& value = m.values[operand.v];
      const BlockId block = value.op ? m.ops[value.op.v].parent : value.block;
      if (!inside.contains(block.v)) uses.push_back(operand);
    }
  return uses;
}

// Copies ops into the function of a new program, and the functions that they call.
class CutCopier {
 public:
  CutCopier(const Module& from, const Numbering& symbols) : m_(from), symbols_(symbols) {}

  CutOut Run(const std::vector<OpId>& ops, const std::vector<std::vector<ValueId>>& inputs, ValueId root) {
    ModuleEditor editor = ModuleEditor::WithNodesOf(m_);
    Module& out = editor.module();
    OpCopier copier(m_, &editor);
    for (OpId callee : Callees(ops)) copier.Copy(callee);
    std::vector<TypeId> types;
    types.reserve(inputs.size());
    for (const std::vector<ValueId>& same : inputs) types.push_back(m_.TypeOf(same[0]));
    const TypeId function = out.FunctionType(types, std::array{m_.TypeOf(root)});
    const RegionId body = editor.NewRegion();
    editor.Insert({.revision = RevisionAt(ops::kFunc, out.version), .regions = std::array{body}},
                  {{"sym_name", out.String("prove.cut")}, {"function_type", out.TypeAttr(function)}});
    const BlockId block = editor.AddBlock(body, types);
    editor.InsertAtEnd(block);
    for (uint32_t i = 0; i < inputs.size(); ++i)
      for (ValueId value : inputs[i]) copier[value] = out.ArgOf(block, i);
    for (OpId op : ops) copier.Copy(op);
    copier.Finish();
    editor.Insert(
        {.revision = RevisionAt(ops::kFuncReturn, out.version), .operands = std::array{copier[root]}});
    CutOut cut;
    cut.ops = ops.size();
    cut.module = std::move(editor).Finish();
    cut.function =
        cut.module.OpsOf(cut.module.BlocksOf(cut.module.RegionsOf(cut.module.ops[cut.module.top.v])[0])[0])
            .back();
    return cut;
  }

 private:
  // Returns the functions that ops and these functions refer to.
  std::vector<OpId> Callees(const std::vector<OpId>& ops) {
    std::vector<OpId> found;
    std::unordered_set<uint32_t> seen;
    std::vector<OpId> todo = ops;
    while (!todo.empty()) {
      const Op& op = m_.ops[todo.back().v];
      todo.pop_back();
      std::vector<std::string_view> names;
      if (m_.RevisionIdOf(op) && RowOf(m_.RevisionIdOf(op)).refers)
        for (AttrId attr : m_.InherentAttrsOf(op))
          ForEachSymbol(m_, attr, [&](std::string_view name) { names.push_back(name); });
      for (std::string_view name : names) {
        const OpId definition = symbols_.Definition(name);
        if (!definition || !seen.insert(definition.v).second) continue;
        found.push_back(definition);
        todo.push_back(definition);
      }
      for (OpId nested : m_.BodyOpsOf(op)) todo.push_back(nested);
    }
    return found;
  }

  const Module& m_;
  const Numbering& symbols_;
};

std::vector<ValueId> ByClass(const Side& side) {
  std::vector<ValueId> values;
  for (uint32_t i = 1; i < side.module.values.size(); ++i) {
    const ClassId id = side.values.Of(ValueId(i));
    if (id >= values.size()) values.resize(id + 1);
    if (id && !values[id]) values[id] = ValueId(i);
  }
  return values;
}

}  // namespace

bool IsClosed(const Side& side, OpId op) {
  if (side.module.NumResults(side.module.ops[op.v]) == 0) return false;
  std::unordered_set<uint32_t> seen{op.v};
  std::vector<OpId> todo{op};
  while (!todo.empty()) {
    const OpId next = todo.back();
    todo.pop_back();
    if (side.values.HasEffects(next) || seen.size() > kMaxConeOps) return false;
    for (ValueId use : UsesOf(side.module, next)) {
      const OpId from = side.module.values[use.v].op;
      if (!from) return false;
      if (seen.insert(from.v).second) todo.push_back(from);
    }
  }
  return true;
}

Cutter::Cutter(const Side& a, const Side& b) : a_(a), b_(b), of_a_(ByClass(a)), of_b_(ByClass(b)) {
  const size_t size = std::max(of_a_.size(), of_b_.size());
  of_a_.resize(size);
  of_b_.resize(size);
}

// Returns whether a value is cheap to compute from constants only.
bool Cutter::Closed(const Side& side, ValueId root) {
  std::unordered_set<uint32_t> seen;
  std::vector<ValueId> todo{root};
  while (!todo.empty()) {
    const Value& value = side.module.values[todo.back().v];
    todo.pop_back();
    if (!value.op || side.values.HasEffects(value.op) || side.values.HasLoops(value.op)) return false;
    if (!seen.insert(value.op.v).second) continue;
    const auto tensor = side.module.As<TensorType>(value.type);
    uint64_t count = 0;
    if (seen.size() > kMaxClosedOps || !tensor || !Module::ElementCount(tensor->shape, &count) ||
        count > kMaxClosedElements)
      return false;
    for (ValueId use : UsesOf(side.module, value.op)) todo.push_back(use);
  }
  return true;
}

bool Cutter::Collect(const Side& side, const std::vector<ValueId>& other, ValueId root, Cone* cone,
                     std::string* why) {
  const Module& m = side.module;
  struct Visit {
    OpId op;
    bool done;
  };
  std::unordered_set<uint32_t> seen, inputs;
  std::vector<Visit> todo;
  const auto need = [&](ValueId value) {
    const ClassId id = side.values.Of(value);
    const Value& v = m.values[value.v];
    const bool matched = id < other.size() && other[id];
    if (value != root && matched && !Closed(side, value)) {
      if (inputs.insert(value.v).second) {
        cone->inputs.push_back(id);
        cone->values.push_back(value);
      }
      return true;
    }
    if (!v.op) {
      *why = "an argument has no counterpart";
      return false;
    }
    if (seen.contains(v.op.v)) return true;
    todo.push_back({v.op, false});
    return true;
  };
  if (!need(root)) return false;
  while (!todo.empty()) {
    Visit& next = todo.back();
    const OpId id = next.op;
    if (next.done) {
      todo.pop_back();
      cone->ops.push_back(id);
      continue;
    }
    if (!seen.insert(id.v).second) {
      todo.pop_back();
      continue;
    }
    next.done = true;
    if (side.values.HasEffects(id)) {
      *why = StrFormat("'{}' has side effects", m.NameOf(m.ops[id.v]));
      return false;
    }
    if (seen.size() > kMaxConeOps) {
      *why = StrFormat("more than {} ops differ", kMaxConeOps);
      return false;
    }
    for (ValueId use : UsesOf(m, id))
      if (!need(use)) return false;
  }
  return true;
}

// A value that cannot be computed apart may still be one that both programs have.
bool Cutter::CollectOrTake(const Side& side, const std::vector<ValueId>& other, ValueId root, Cone* cone,
                           std::string* why) {
  if (Collect(side, other, root, cone, why)) return true;
  const ClassId id = side.values.Of(root);
  if (id >= other.size() || !other[id]) return false;
  *cone = {{}, {id}, {root}};
  return true;
}

bool Cutter::Cut(ValueId a, ValueId b, CutOut* of_a, CutOut* of_b, std::string* why) {
  Cone cone_a, cone_b;
  if (!CollectOrTake(a_, of_b_, a, &cone_a, why) || !CollectOrTake(b_, of_a_, b, &cone_b, why)) return false;
  // The arguments are the classes that either cone uses, in the order of their numbers.
  std::vector<ClassId> classes = cone_a.inputs;
  classes.insert(classes.end(), cone_b.inputs.begin(), cone_b.inputs.end());
  std::ranges::sort(classes);
  classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
  const auto values_of = [&](const Cone& cone, const std::vector<ValueId>& any) {
    std::vector<std::vector<ValueId>> values(classes.size());
    for (size_t i = 0; i < cone.inputs.size(); ++i)
      values[size_t(std::ranges::lower_bound(classes, cone.inputs[i]) - classes.begin())].push_back(
          cone.values[i]);
    for (size_t i = 0; i < classes.size(); ++i)
      if (values[i].empty()) values[i].push_back(any[classes[i]]);
    return values;
  };
  *of_a = CutCopier(a_.module, a_.values).Run(cone_a.ops, values_of(cone_a, of_a_), a);
  *of_b = CutCopier(b_.module, b_.values).Run(cone_b.ops, values_of(cone_b, of_b_), b);
  return true;
}

}  // namespace shlo::prove
