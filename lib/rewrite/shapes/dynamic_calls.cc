#include "rewrite/shapes/dynamic_calls.h"

#include <algorithm>

#include "ir/table/ops.h"
#include "ir/verify/rules/common.h"
#include "rewrite/driver.h"
#include "rewrite/shapes/operands.h"
#include "shlo/types.h"

namespace shlo::rewrite {
namespace {

constexpr std::string_view kApproxTopK = "stablehlo.dynamic_approx_top_k";

bool IsStaticTensor(const Module& m, TypeId type) {
  const ShapedType shaped(m, type);
  return shaped.ranked && shaped.IsStatic();
}

// The parts of a call that is replaced.
struct DynamicCall {
  ModuleEditor& editor;
  Module& m;
  const Module& original;
  OpId op;
  std::vector<ValueId> operands;

  TypeId result(uint32_t i) const { return m.TypeOf(m.ResultOf(editor[op], i)); }
  uint32_t num_results() const { return m.NumResults(editor[op]); }
  std::optional<std::vector<int64_t>> Integers(size_t operand) const {
    return IntegersOf(m, operands[operand]);
  }
  // Inserts an op with static types in place of the call.
  bool ReplaceBy(OpSpec spec, std::initializer_list<ModuleEditor::Attr> attrs) {
    spec.loc = editor[op].loc;
    editor.InsertBefore(op);
    const OpId made = editor.Insert(spec, attrs, op);
    std::vector<ValueId> results;
    for (uint32_t i = 0; i < num_results(); ++i) results.push_back(m.ResultOf(editor[made], i));
    editor.Replace(op, results);
    return true;
  }
};

bool TopK(DynamicCall& call) {
  if (call.operands.size() != 2 || call.num_results() != 2 ||
      !IsStaticTensor(call.m, call.m.TypeOf(call.operands[0])))
    return false;
  const auto k = call.Integers(1);
  const ShapedType operand(call.m, call.m.TypeOf(call.operands[0]));
  std::vector<int64_t> shape(operand.shape.begin(), operand.shape.end());
  if (!k || k->size() != 1 || shape.empty() || (*k)[0] < 0 || (*k)[0] > shape.back()) return false;
  shape.back() = (*k)[0];
  const TypeId types[] = {call.m.TensorType(shape, ElementOf(call.m, call.result(0))),
                          call.m.TensorType(shape, ElementOf(call.m, call.result(1)))};
  return call.ReplaceBy(
      {.revision = RevisionAt(ops::kChloTopK, call.m.version),
       .operands = std::span(call.operands).first(1),
       .results = types},
      {{"k", call.m.I64((*k)[0])}, {"is_stable", call.m.AttributeOf(call.editor[call.op], "is_stable")}});
}

bool RandomBits(DynamicCall& call) {
  const AttrId algorithm = call.m.AttributeOf(call.editor[call.op], "rng_algorithm");
  if (call.operands.size() != 2 || call.num_results() != 2 || !algorithm) return false;
  const auto shape = call.Integers(1);
  if (!shape || std::ranges::any_of(*shape, [](int64_t size) { return size < 0; })) return false;
  const TypeId types[] = {call.m.TypeOf(call.operands[0]),
                          call.m.TensorType(*shape, ElementOf(call.m, call.result(1)))};
  return call.ReplaceBy({.revision = RevisionAt(FindOp("stablehlo.rng_bit_generator"), call.m.version),
                         .operands = std::span(call.operands).first(1),
                         .results = types},
                        {{"rng_algorithm", algorithm}});
}

// Copies the body of a function, which has one block, into a region. Returns none if there is no such
// function.
RegionId BodyOfComputation(DynamicCall& call, std::string_view name) {
  const Module& from = call.original;
  for (const OpId function : from.BodyOpsOf(from.ops[from.top.v])) {
    if (from.SymbolOf(from.ops[function.v]) != name) continue;
    const auto regions = from.RegionsOf(from.ops[function.v]);
    if (regions.size() != 1 || from.BlocksOf(regions[0]).size() != 1) return {};
    const BlockId body = from.BlocksOf(regions[0])[0];
    std::vector<TypeId> types;
    for (uint32_t i = 0; i < from.blocks[body.v].args.count; ++i)
      types.push_back(from.TypeOf(from.ArgOf(body, i)));
    const RegionId region = call.editor.NewRegion();
    const BlockId block = call.editor.AddBlock(region, types);
    OpCopier copier(from, &call.editor);
    for (uint32_t i = 0; i < types.size(); ++i) copier[from.ArgOf(body, i)] = call.m.ArgOf(block, i);
    call.editor.InsertAtEnd(block);
    const auto ops = from.OpsOf(body);
    if (ops.empty()) return {};
    for (const OpId op : ops.first(ops.size() - 1)) copier.Copy(op);
    copier.Finish();
    std::vector<ValueId> returned;
    for (const ValueId value : from.OperandsOf(from.ops[ops.back().v])) returned.push_back(copier[value]);
    call.editor.InsertAtEnd(block);
    call.editor.Insert({.revision = RevisionAt(ops::kReturn, call.m.version), .operands = returned});
    return region;
  }
  return {};
}

// Operands: the inputs, their initial values; window dimensions, strides, base and window dilations, padding.
bool ReduceWindow(DynamicCall& call) {
  constexpr size_t kSizes = 5;
  if (call.operands.size() < kSizes + 2) return false;
  const size_t values = call.operands.size() - kSizes, inputs = values / 2;
  if (values % 2 || call.num_results() != inputs) return false;
  std::vector<int64_t> sizes[kSizes];
  for (size_t i = 0; i < kSizes; ++i) {
    auto integers = call.Integers(values + i);
    if (!integers) return false;
    sizes[i] = std::move(*integers);
  }
  const size_t rank = sizes[0].size();
  for (size_t i = 0; i < kSizes; ++i)
    if (sizes[i].size() != (i == kSizes - 1 ? 2 * rank : rank)) return false;
  Window window(rank);
  for (size_t d = 0; d < rank; ++d) {
    window[d] = {sizes[0][d], sizes[1][d], sizes[4][2 * d], sizes[4][2 * d + 1], sizes[2][d], sizes[3][d]};
    for (size_t i = 0; i < kSizes - 1; ++i)
      if (sizes[i][d] < 1) return false;
  }
  std::vector<TypeId> types;
  for (size_t i = 0; i < inputs; ++i) {
    const ShapedType input(call.m, call.m.TypeOf(call.operands[i]));
    if (!input.ranked || !input.IsStatic() || input.shape.size() != rank) return false;
    const Dims shape = WindowedShape(input.shape, window);
    types.push_back(call.m.TensorType(shape, ElementOf(call.m, call.result(uint32_t(i)))));
  }
  const auto called = call.m.ElementsOf(call.m.InherentAttrOf(call.editor[call.op], "called_computations"));
  std::string_view name;
  if (called.size() != 1 || !call.m.AsSymbol(called[0], &name)) return false;
  const RegionId body = BodyOfComputation(call, std::string(name));
  if (!body) return false;
  const int64_t pairs[] = {int64_t(rank), 2};
  return call.ReplaceBy({.revision = RevisionAt(ops::kReduceWindow, call.m.version),
                         .operands = std::span(call.operands).first(values),
                         .results = types,
                         .regions = {&body, 1}},
                        {{"window_dimensions", call.m.I64s(sizes[0])},
                         {"window_strides", call.m.I64s(sizes[1])},
                         {"base_dilations", call.m.I64s(sizes[2])},
                         {"window_dilations", call.m.I64s(sizes[3])},
                         {"padding", call.m.I64Elements(pairs, sizes[4])}});
}

// stablehlo.dynamic_approx_top_k(..., k): ApproxTopK, with k in its configuration.
bool ApproximateTopK(Rewriter& r, OpId op) {
  Module& m = r.nodes();
  // Older API versions have it in another attribute.
  std::string_view where = "backend_config";
  if (!m.As<DictionaryAttr>(m.AttributeOf(r[op], where))) where = "mhlo.backend_config";
  const auto config = m.As<DictionaryAttr>(m.AttributeOf(r[op], where));
  const auto operands = m.OperandsOf(r[op]);
  if (CallTargetOf(m, op) != kApproxTopK || !config || operands.empty()) return false;
  const auto k = IntegersOf(m, operands.back());
  if (!k || k->size() != 1) return false;
  for (uint32_t i = 0; i < m.NumResults(r[op]); ++i)
    if (!IsStaticTensor(m, m.TypeOf(m.ResultOf(r[op], i)))) return false;
  std::vector<NamedAttr> entries(config->entries.begin(), config->entries.end());
  entries.push_back({m.strings.Intern("top_k"), m.I64((*k)[0])});
  const std::vector<ValueId> left(operands.begin(), operands.end() - 1);
  r.SetAttr(op, "call_target_name", m.String("ApproxTopK"));
  r.SetAttr(op, where, m.Dict(std::move(entries)));
  r.SetAttr(op, "operand_layouts", {});
  r.SetOperands(op, left);
  return true;
}

}  // namespace

bool ReplaceDynamicCall(ModuleEditor* editor, const Module& original, OpId op) {
  Module& m = editor->module();
  const std::string_view target = CallTargetOf(m, op);
  const auto operands = m.OperandsOf((*editor)[op]);
  DynamicCall call{*editor, m, original, op, {operands.begin(), operands.end()}};
  if (target == "stablehlo.dynamic_top_k") return TopK(call);
  if (target == "stablehlo.dynamic_rng_bit_generator") return RandomBits(call);
  return target == "stablehlo.dynamic_reduce_window" && ReduceWindow(call);
}

Result<void> MakeApproxTopKStatic(ModuleEditor* editor, const Limits& limits) {
  const Rule rules[] = {{"dynamic-approx-top-k", ops::kCustomCall, ApproximateTopK}};
  auto applied = Apply(rules, editor, {.limits = limits});
  if (!applied) return tl::unexpected(std::move(applied.error()));
  return {};
}

}  // namespace shlo::rewrite
