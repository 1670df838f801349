// interpreter-instrument-with-probe: a probe after every op with tensors as results, but constants.
#include "base/deadline.h"
#include "base/format.h"
#include "base/try.h"
#include "ir/table/ops.h"
#include "rewrite/pass.h"
#include "shlo/editor.h"
#include "shlo/types.h"

namespace shlo::rewrite {
namespace {

// Returns the ops in the regions of `root`, each after the ops in its own regions.
std::vector<OpId> PostOrder(const Module& m, OpId root) {
  // The reverse of an order with each op before the last of its regions.
  std::vector<OpId> ops, todo{root};
  while (!todo.empty()) {
    const OpId op = todo.back();
    todo.pop_back();
    if (op != root) ops.push_back(op);
    for (const RegionId region : m.RegionsOf(m.ops[op.v]))
      for (const BlockId block : m.BlocksOf(region)) {
        const auto inside = m.OpsOf(block);
        todo.insert(todo.end(), inside.begin(), inside.end());
      }
  }
  return {ops.rbegin(), ops.rend()};
}

// Returns whether a value can be written: a static tensor of numbers.
bool CanProbe(const Module& m, TypeId type) {
  const ShapedType tensor(m, type);
  if (!tensor.ranked || !tensor.IsStatic()) return false;
  const TypeKind kind = m.types.KindOf(tensor.element);
  return kind == TypeKind::kComplex || kind == TypeKind::kInteger || IsFloat(kind) ||
         IsSignlessInteger(kind) || IsUnsignedInteger(kind);
}

}  // namespace

Result<void> InstrumentWithProbe(const PassRun& run, Program* program) {
  const bool use_debug_info = SHLO_TRY(run.Flag("useDebugInfo", false));
  const Module& from = program->module;
  ModuleEditor editor(from);
  Module& m = editor.module();
  uint64_t count = 0;
  for (const OpId op : PostOrder(from, from.top)) {
    Tick();
    const Op& o = from.ops[op.v];
    // A region of async_start has one op.
    const OpId around = editor.ParentOf(op);
    if (from.Is(o, ops::kConstant) || (around && from.Is(from.ops[around.v], ops::kAsyncStart))) continue;
    const auto location = from.As<NameLoc>(o.loc);
    for (uint32_t i = 0; i < from.NumResults(o); ++i) {
      const ValueId value = from.ResultOf(o, i);
      const TypeId type = from.TypeOf(value);
      if (!CanProbe(from, type)) continue;
      std::string name = "probe";
      if (use_debug_info && location) {
        const std::string_view text = from.strings[location->name];
        name = StrFormat("{}.", text.substr(0, text.find('@')));
      }
      editor.InsertAfter(op);
      const OpId probe = editor.Insert({.revision = RevisionAt(ops::kInterpreterProbe, from.version),
                                        .operands = {&value, 1},
                                        .results = {&type, 1},
                                        .loc = o.loc},
                                       {{"probe_id", m.String(StrFormat("{}{}", name, ++count))}}, op);
      editor.ReplaceUses(value, m.ResultOf(editor[probe], 0));
      editor.SetOperand(probe, 0, value);
    }
  }
  program->module = std::move(editor).Finish(&program->source.places);
  return {};
}

}  // namespace shlo::rewrite
