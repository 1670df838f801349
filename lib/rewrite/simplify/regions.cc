// Ops with regions, tuples, custom calls, and values without elements.
#include <algorithm>
#include <unordered_map>

#include "ir/table/ops.h"
#include "ir/table/trait.h"
#include "rewrite/gather_constants.h"
#include "rewrite/simplify/op_reader.h"
#include "rewrite/simplify/rewrite_rules.h"

namespace shlo::rewrite {
namespace {

// Which of a list are kept.
using Kept = std::vector<bool>;

template <typename Item>
std::vector<Item> Filtered(std::vector<Item> items, const Kept& kept) {
  size_t n = 0;
  for (size_t i = 0; i < items.size(); ++i)
    if (kept[i]) items[n++] = items[i];
  items.resize(n);
  return items;
}

std::vector<ValueId> ArgsOf(const Rewriter& r, BlockId block) {
  std::vector<ValueId> args;
  for (uint32_t i = 0; i < r.module().blocks[block.v].args.count; ++i)
    args.push_back(r.module().ArgOf(block, i));
  return args;
}

// Returns a new region with the ops of a block, with the kept ones of its arguments, and these values as the
// operands of its terminator.
RegionId MovedBody(ModuleEditor& e, BlockId block, const std::vector<ValueId>& args, const Kept& kept,
                   std::span<const ValueId> returned) {
  std::vector<TypeId> types;
  for (const ValueId arg : Filtered(args, kept)) types.push_back(e.module().TypeOf(arg));
  const RegionId region = e.NewRegion();
  const BlockId to = e.AddBlock(region, types);
  std::vector<ValueId> values;
  uint32_t next = 0;
  for (size_t i = 0; i < args.size(); ++i) {
    values.push_back(kept[i] ? e.module().ArgOf(to, next++) : ValueId());
    if (kept[i]) e.module().values[values[i].v].loc = e.module().values[args[i].v].loc;
  }
  const AttrId loc = e[e.LastOf(block)].loc;
  const OpId origin = e.OriginOf(e.LastOf(block));
  e.SetOperands(e.LastOf(block), returned);
  e.InsertAtEnd(to);
  const std::vector<ValueId> operands = e.InlineBlock(block, values);
  e.Insert({.revision = RevisionAt(ops::kReturn, e.module().version), .operands = operands, .loc = loc},
           origin);
  return region;
}

// Inserts an op like another one, with other operands and regions, and the kept ones of its results; replaces
// these, and erases it.
void ReplaceByPart(Rewriter& r, OpId op, std::span<const ValueId> operands, std::span<const RegionId> regions,
                   const Kept& kept) {
  const OpReader at(r, op);
  const OpSignature signature = r.module().SignatureOf(r[op]);
  const std::vector<AttrId> inherent(signature.inherent_attrs.begin(), signature.inherent_attrs.end());
  const std::vector<NamedAttr> discardable = at.discardable_attrs();
  const std::vector<TypeId> types =
      Filtered(std::vector<TypeId>(signature.result_types.begin(), signature.result_types.end()), kept);
  const OpId part = r.Insert({.revision = signature.revision,
                              .operands = operands,
                              .results = types,
                              .inherent_attrs = inherent,
                              .discardable_attrs = discardable,
                              .regions = regions});
  std::vector<ValueId> results;
  uint32_t next = 0;
  for (const bool keep : kept) results.push_back(keep ? r.module().ResultOf(r[part], next++) : ValueId());
  r.Replace(op, results);
}

// Returns the terminator of a region's only block; none if there is another number of blocks.
OpId TerminatorOf(const Rewriter& r, OpId op, uint32_t region) {
  const BlockId block = OpReader(r, op).block(region);
  const OpId last = block ? r.editor().LastOf(block) : OpId();
  return last && r.module().Is(r[last], ops::kReturn) ? last : OpId();
}

bool IsDefinedIn(const Rewriter& r, ValueId value, BlockId block) {
  const Value& v = r.module().values[value.v];
  return v.block ? v.block == block : r[v.op].parent == block;
}

}  // namespace

bool ReduceNoDimensions(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  if (!at.ints("dimensions").empty() || at.num_operands() != 2 * at.num_results()) return false;
  std::vector<ValueId> inputs = at.operands();
  inputs.resize(at.num_results());
  for (uint32_t i = 0; i < inputs.size(); ++i)
    if (at.operand_type(i) != at.type(i)) return false;
  r.Replace(op, inputs);
  return true;
}

bool ReduceEmpty(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  const uint32_t n = at.num_results();
  if (n == 0 || at.num_operands() != 2 * n || CountOf(r.module(), at.operand_type(0)) != uint64_t(0))
    return false;
  std::vector<ValueId> values;
  for (uint32_t i = 0; i < n; ++i)
    if (!CountOf(r.module(), at.type(i))) return false;
  for (uint32_t i = 0; i < n; ++i)
    values.push_back(r.Emit(ops::kBroadcastInDim, std::array{at.operand(n + i)}, at.type(i),
                            {{"broadcast_dimensions", r.nodes().I64s({})}}));
  r.Replace(op, values);
  return true;
}

bool ReduceToCaptured(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  const OpId end = TerminatorOf(r, op, 0);
  const auto count = CountOf(r.module(), at.operand_type(0));
  if (!end || !count || *count == 0) return false;
  const std::vector<ValueId> returned = OpReader(r, end).operands();
  if (returned.size() != at.num_results()) return false;
  for (uint32_t i = 0; i < returned.size(); ++i)
    if (IsDefinedIn(r, returned[i], at.block(0)) || r.module().TypeOf(returned[i]) != at.type(i))
      return false;
  r.Replace(op, returned);
  return true;
}

namespace {

// What the used results of a reduction need of its body.
struct ReduceUses {
  Kept results;              // used
  Kept inputs;               // of which an argument is needed
  std::vector<bool> needed;  // ops of the body, in order
};

ReduceUses UsesOf(const Rewriter& r, OpId op, BlockId body, const std::vector<ValueId>& returned) {
  const OpReader at(r, op);
  const uint32_t n = at.num_results();
  ReduceUses uses{Kept(n), Kept(n), {}};
  const std::vector<OpId> inside = r.editor().OpsOf(body);
  std::unordered_map<uint32_t, uint32_t> order;
  for (uint32_t i = 0; i < inside.size(); ++i) order[inside[i].v] = i;
  uses.needed.resize(inside.size());
  std::vector<ValueId> todo;
  for (uint32_t i = 0; i < n; ++i) {
    uses.results[i] = r.editor().HasUses(at.result(i));
    if (uses.results[i]) todo.push_back(returned[i]);
  }
  while (!todo.empty()) {
    const ValueId value = todo.back();
    todo.pop_back();
    if (!IsDefinedIn(r, value, body)) continue;
    const Value& v = r.module().values[value.v];
    if (v.block) {
      uses.inputs[v.index % n] = true;
      continue;
    }
    if (uses.needed[order[v.op.v]]) continue;
    uses.needed[order[v.op.v]] = true;
    for (const OpId used : r.editor().OpsIn(v.op))
      for (const ValueId operand : r.module().OperandsOf(r[used])) todo.push_back(operand);
  }
  return uses;
}

}  // namespace

bool ReduceUnused(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  const OpId end = TerminatorOf(r, op, 0);
  const uint32_t n = at.num_results();
  if (!end || n < 2 || at.num_operands() != 2 * n || r.module().NumOperands(r[end]) != n) return false;
  bool unused = false;
  for (uint32_t i = 0; i < n; ++i) unused = unused || !r.editor().HasUses(at.result(i));
  const BlockId body = at.block(0);
  const std::vector<ValueId> args = ArgsOf(r, body), returned = OpReader(r, end).operands();
  if (!unused || args.size() != 2 * n) return false;
  const ReduceUses uses = UsesOf(r, op, body, returned);
  const auto count = std::ranges::count(uses.results, true);
  // The same accumulators, not only as many.
  if (count == 0 || uses.results != uses.inputs) return false;
  Kept pairs = uses.inputs;
  pairs.insert(pairs.end(), uses.inputs.begin(), uses.inputs.end());
  const std::vector<ValueId> operands = Filtered(at.operands(), pairs);
  RegionId region;
  r.Edit(op, [&](ModuleEditor& e) {
    const std::vector<OpId> inside = e.OpsOf(body);
    e.SetOperands(end, Filtered(returned, uses.results));
    for (size_t i = inside.size() - 1; i-- > 0;)
      if (!uses.needed[i]) e.Erase(inside[i]);
    region = MovedBody(e, body, args, pairs, Filtered(returned, uses.results));
  });
  ReplaceByPart(r, op, operands, std::array{region}, uses.results);
  return true;
}

bool SortUnused(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  const OpId end = TerminatorOf(r, op, 0);
  const uint32_t n = at.num_results();
  if (!end || n < 2 || at.num_operands() != n) return false;
  const std::vector<ValueId> args = ArgsOf(r, at.block(0));
  if (args.size() != 2 * n) return false;
  Kept kept(n), kept_args(2 * n);
  for (uint32_t i = 0; i < n; ++i) {
    kept[i] = r.editor().HasUses(at.result(i)) || r.editor().HasUses(args[2 * i]) ||
              r.editor().HasUses(args[2 * i + 1]);
    kept_args[2 * i] = kept_args[2 * i + 1] = kept[i];
  }
  const auto count = std::ranges::count(kept, true);
  if (count == 0 || count == n) return false;
  const std::vector<ValueId> returned = OpReader(r, end).operands();
  RegionId region;
  r.Edit(op, [&](ModuleEditor& e) { region = MovedBody(e, at.block(0), args, kept_args, returned); });
  ReplaceByPart(r, op, Filtered(at.operands(), kept), std::array{region}, kept);
  return true;
}

bool SortLastDimension(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  const auto sizes = at.num_results() ? SizesOf(r.module(), at.type()) : std::nullopt;
  // An absent dimension is -1.
  if (!sizes || sizes->empty() || (at.attr("dimension") && at.integer("dimension") != -1)) return false;
  r.SetAttr(op, "dimension", r.nodes().I64(int64_t(sizes->size()) - 1));
  return true;
}

bool CaptureInvariants(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  const OpId end = TerminatorOf(r, op, 1), condition_end = TerminatorOf(r, op, 0);
  const uint32_t n = at.num_results();
  if (!end || !condition_end || at.num_operands() != n || r.module().NumOperands(r[end]) != n) return false;
  const BlockId blocks[] = {at.block(0), at.block(1)};
  const std::vector<ValueId> args[] = {ArgsOf(r, blocks[0]), ArgsOf(r, blocks[1])};
  if (args[0].size() != n || args[1].size() != n) return false;
  const std::vector<ValueId> operands = at.operands(), returned = OpReader(r, end).operands();
  Kept kept(n);
  for (uint32_t i = 0; i < n; ++i)
    kept[i] = (returned[i] != operands[i] && returned[i] != args[1][i]) || at.operand_type(i) != at.type(i);
  const auto count = std::ranges::count(kept, true);
  if (count == n) return false;
  std::vector<ValueId> results(n);
  for (uint32_t i = 0; i < n; ++i)
    if (!kept[i]) results[i] = operands[i];
  if (count == 0 && HasNoEffect(r.editor(), op)) {
    r.Replace(op, results);
    return true;
  }
  r.ReplaceUses(op, results);
  RegionId regions[2];
  for (uint32_t i = 0; i < n; ++i)
    for (const auto& list : args)
      if (!kept[i]) r.ReplaceUses(list[i], operands[i]);
  // What the regions return may have changed.
  const std::vector<ValueId> condition = OpReader(r, condition_end).operands();
  const std::vector<ValueId> next = Filtered(OpReader(r, end).operands(), kept);
  r.Edit(op, [&](ModuleEditor& e) {
    regions[0] = MovedBody(e, blocks[0], args[0], kept, condition);
    regions[1] = MovedBody(e, blocks[1], args[1], kept, next);
  });
  ReplaceByPart(r, op, Filtered(operands, kept), regions, kept);
  return true;
}

bool UnpackTuple(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  const OpId tuple = r.Definer(at.operand(0), ops::kTuple);
  const int64_t index = at.integer("index");
  if (!tuple || index < 0 || index >= OpReader(r, tuple).num_operands()) return false;
  const ValueId value = OpReader(r, tuple).operand(uint32_t(index));
  if (r.module().TypeOf(value) != at.type()) return false;
  r.Replace(op, value);
  return true;
}

bool RepackTuple(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  ValueId tuple;
  for (uint32_t i = 0; i < at.num_operands(); ++i) {
    const OpId element = r.Definer(at.operand(i), ops::kGetTupleElement);
    if (!element || OpReader(r, element).integer("index") != i) return false;
    const ValueId from = OpReader(r, element).operand(0);
    if (i > 0 && from != tuple) return false;
    tuple = from;
  }
  if (!tuple || r.module().TypeOf(tuple) != at.type()) return false;
  r.Replace(op, tuple);
  return true;
}

bool BackendConfigToFfi(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  constexpr int64_t kOriginal = 1, kTypedFfi = 4;
  const AttrId version = at.attr("api_version");
  const AttrId config = r.module().AttributeOf(r[op], "mhlo.backend_config");
  std::string_view before;
  if (const AttrId given = at.attr("backend_config"); given && !r.module().AsString(given, &before))
    return false;
  int64_t number = kOriginal;
  if (version && !r.module().AsInteger(version, &number)) number = r.module().EnumValue(version).value_or(0);
  if (!config || !before.empty() || number != kOriginal) return false;
  r.SetAttr(op, "api_version", r.nodes().Enum(AttrKind::kCustomCallApiVersion, kTypedFfi));
  r.SetAttr(op, "backend_config", config);
  r.SetAttr(op, "mhlo.backend_config", {});
  return true;
}

bool EmptyToConstant(Rewriter& r, OpId op) {
  const Op& o = r[op];
  if (!r.module().NameOf(o).starts_with("stablehlo.") || IsConstant(r.module(), o)) return false;
  const bool may_have_effects = o.regions.count == 0 && !r.module().Has(o, Trait::kTerminator);
  if (may_have_effects && !HasNoEffect(r.editor(), op)) return false;
  const OpReader at(r, op);
  const auto is_empty = [&](TypeId type) { return CountOf(r.module(), type) == uint64_t(0); };
  bool changed = false;
  std::vector<ValueId> results(at.num_results());
  for (uint32_t i = 0; i < results.size(); ++i) {
    if (!is_empty(at.type(i)) || !r.editor().HasUses(at.result(i))) continue;
    results[i] = r.EmitSplat(at.type(i), 0);
    changed = changed || results[i];
  }
  if (changed) r.ReplaceUses(op, results);
  for (uint32_t i = 0; i < at.num_operands(); ++i) {
    if (!is_empty(at.operand_type(i)) || r.ConstantOf(at.operand(i))) continue;
    const ValueId value = r.EmitSplat(at.operand_type(i), 0);
    if (!value) continue;
    r.SetOperand(op, i, value);
    changed = true;
  }
  return changed;
}

}  // namespace shlo::rewrite
