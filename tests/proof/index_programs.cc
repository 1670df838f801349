// Programs of gather, dynamic_gather and scatter, with results by the formulas of the specification. Those of
// revisions before 1.1.0 are the same without batching dimensions, as their text is.
#include <algorithm>
#include <numeric>

#include "eval/test_program.h"
#include "programs.h"

namespace shlo::laws {
namespace {

// Dimension numbers of a gather, or of a scatter with other names.
struct Numbers {
  Dims shape, sizes;         // of the operand, and of the slices
  Dims collapsed, batching;  // dimensions of the operand
  Dims index_map;            // start_index_map
  Dims index_shape, index_batching;
  int64_t vector_dim = 0;
  Dims batch_shape;          // index_shape without vector_dim
  Dims offset_dims, result;  // of the gather, or update_window_dims and the updates of the scatter
};

bool Has(const Dims& list, int64_t d) { return std::find(list.begin(), list.end(), d) != list.end(); }

bool Choose(Source& s, bool with_batching, bool any_size, Numbers* n) {
  const int64_t most = s.every() ? 3 : 4;
  const int64_t rank = s.Between(with_batching ? 1 : 0, 3);
  for (int64_t d = 0; d < rank; ++d) {
    n->shape.push_back(s.every() && rank == 3 ? s.Between(1, 2) : s.Between(s.every() ? 1 : 0, most));
    n->sizes.push_back(s.Between(std::min<int64_t>(1, n->shape.back()), n->shape.back()));
  }
  std::vector<int64_t> mapped;
  for (int64_t d = 0; d < rank; ++d) {
    const uint64_t role = n->sizes[size_t(d)] == 1 ? s.Pick(with_batching ? 3 : 2) : 0;
    if (role == 1) n->collapsed.push_back(d);
    if (role == 2) n->batching.push_back(d);
    if (role != 2 && s.Flip()) mapped.push_back(d);
  }
  if (with_batching && n->batching.empty()) return false;
  if (any_size && !s.every() && s.Pick(8) == 0)
    for (int64_t d = 0; d < rank; ++d)
      if (!Has(n->collapsed, d) && !Has(n->batching, d) && s.Flip()) n->sizes[size_t(d)] = 0;
  s.Shuffle(&mapped);
  n->index_map = mapped;
  // The batch: batching dimensions of the operand, and others.
  std::vector<int64_t> from;  // of each batch dimension, an index into `batching`, or -1
  for (size_t i = 0; i < n->batching.size(); ++i) from.push_back(int64_t(i));
  const int64_t others = s.Between(0, s.every() ? 1 : 2);
  for (int64_t i = 0; i < others; ++i) from.push_back(-1);
  s.Shuffle(&from);
  for (int64_t b : from)
    n->batch_shape.push_back(b >= 0      ? n->shape[size_t(n->batching[size_t(b)])]
                             : s.every() ? 2
                                         : s.Between(0, 3));
  n->vector_dim = s.Between(0, int64_t(from.size()));
  n->index_shape = n->batch_shape;
  // A single component needs no dimension.
  if (!(mapped.size() == 1 && n->vector_dim == int64_t(from.size()) && s.Flip()))
    n->index_shape.insert(n->index_shape.begin() + n->vector_dim, int64_t(mapped.size()));
  for (size_t i = 0; i < n->batching.size(); ++i) {
    const int64_t at = std::find(from.begin(), from.end(), int64_t(i)) - from.begin();
    n->index_batching.push_back(at < n->vector_dim || n->index_shape.size() == from.size() ? at : at + 1);
  }
  // Which dimensions of the result are those of slices.
  int64_t kept = rank - int64_t(n->collapsed.size() + n->batching.size());
  const int64_t result_rank = kept + int64_t(from.size());
  size_t next_kept = 0, next_batch = 0;
  std::vector<int64_t> kept_dims;
  for (int64_t d = 0; d < rank; ++d)
    if (!Has(n->collapsed, d) && !Has(n->batching, d)) kept_dims.push_back(d);
  for (int64_t d = 0; d < result_rank; ++d) {
    const bool can_offset = next_kept < kept_dims.size(), can_batch = next_batch < from.size();
    if (can_offset && (!can_batch || s.Flip())) {
      n->offset_dims.push_back(d);
      n->result.push_back(n->sizes[size_t(kept_dims[next_kept++])]);
    } else {
      n->result.push_back(n->batch_shape[next_batch++]);
    }
  }
  return CountOf(n->shape) <= 200 && CountOf(n->result) <= 1000;
}

// The position in the operand, by the formulas of both ops: full_start_index + full_batching_index +
// full_offset_index.
Dims PositionOf(const Numbers& n, const std::vector<int64_t>& indices, const Dims& result_index, bool clamp) {
  Dims batch_index, offset_index;
  for (size_t d = 0; d < result_index.size(); ++d)
    (Has(n.offset_dims, int64_t(d)) ? offset_index : batch_index).push_back(result_index[d]);
  Dims position(n.shape.size());
  for (size_t k = 0; k < n.index_map.size(); ++k) {
    Dims at = batch_index;
    if (n.index_shape.size() > batch_index.size()) at.insert(at.begin() + n.vector_dim, int64_t(k));
    int64_t start = indices[size_t(Offset(n.index_shape, at))];
    const size_t d = size_t(n.index_map[k]);
    if (clamp) start = std::min(std::max<int64_t>(start, 0), n.shape[d] - n.sizes[d]);
    position[d] += start;
  }
  for (size_t i = 0; i < n.batching.size(); ++i) {
    // "d_batching - (d_batching < index_vector_dim ? 0 : 1)", where there is such a dimension.
    int64_t at = n.index_batching[i];
    if (n.index_shape.size() > batch_index.size() && at >= n.vector_dim) --at;
    position[size_t(n.batching[i])] += batch_index[size_t(at)];
  }
  size_t next = 0;
  for (size_t d = 0; d < n.shape.size(); ++d)
    if (!Has(n.collapsed, int64_t(d)) && !Has(n.batching, int64_t(d))) position[d] += offset_index[next++];
  return position;
}

std::vector<int64_t> Indices(Source& s, const Numbers& n, TypeKind kind) {
  std::vector<int64_t> values(size_t(CountOf(n.index_shape)));
  int64_t most = 1;
  for (int64_t d : n.shape) most = std::max(most, d);
  for (int64_t& value : values) {
    value = s.AnyBetween(IsUnsignedInteger(kind) ? 0 : -2, most + 1);
    if (s.Any() % 32 == 0 && kind == TypeKind::kI64) value = s.Flip() ? INT64_MIN : INT64_MAX;
  }
  return values;
}

TypeKind IndexKind(Source& s) {
  constexpr TypeKind kKinds[] = {TypeKind::kI64, TypeKind::kI32, TypeKind::kI8, TypeKind::kUI32};
  return s.every() ? TypeKind::kI64 : kKinds[s.Any() % 4];
}

std::vector<int64_t> Numbered(int64_t count, int64_t first) {
  std::vector<int64_t> values(static_cast<size_t>(count));
  std::iota(values.begin(), values.end(), first);
  return values;
}

}  // namespace

bool GatherProgram(RowId op, Version version, Source& s, bool with_batching, Program* out) {
  const bool dynamic = RowOf(op).name == "stablehlo.dynamic_gather";
  Numbers n;
  if (!Choose(s, with_batching, true, &n)) return false;
  const TypeKind index_kind = IndexKind(s), kind = s.every() ? TypeKind::kI32 : AnyElement(s);
  const std::vector<int64_t> indices = Indices(s, n, index_kind), values = Numbered(CountOf(n.shape), 1);
  TestProgram p(version);
  Module& m = p.module();
  const TypeId operand = p.Tensor(kind, n.shape), index = p.Tensor(index_kind, n.index_shape),
               result = p.Tensor(kind, n.result);
  std::vector<TypeId> args{operand, index};
  if (dynamic) args.push_back(p.Tensor(TypeKind::kI64, {int64_t(n.sizes.size())}));
  p.Function("main", args, {result}, [&](std::vector<ValueId> a) {
    std::vector<std::pair<std::string_view, AttrId>> attrs = {{"offset_dims", m.I64s(n.offset_dims)},
                                                              {"collapsed_slice_dims", m.I64s(n.collapsed)},
                                                              {"start_index_map", m.I64s(n.index_map)},
                                                              {"index_vector_dim", m.I64(n.vector_dim)}};
    if (!dynamic) attrs.push_back({"slice_sizes", m.I64s(n.sizes)});
    if (!s.every() && s.Any() % 4 == 0) attrs.push_back({"indices_are_sorted", m.Bool(false)});
    if (with_batching) {
      attrs.push_back({"operand_batching_dims", m.I64s(n.batching)});
      attrs.push_back({"start_indices_batching_dims", m.I64s(n.index_batching)});
    }
    return std::vector<ValueId>{p.Op(RowOf(op).name, a, {result}, attrs)};
  });
  out->module = p.Done();
  out->args = {TensorOfInts(kind, n.shape, values), TensorOfInts(index_kind, n.index_shape, indices)};
  if (dynamic) out->args.push_back(TensorOfInts(TypeKind::kI64, {int64_t(n.sizes.size())}, n.sizes));
  std::vector<int64_t> right;
  ForEachIndex(n.result, [&](const Dims& at) {
    right.push_back(values[size_t(Offset(n.shape, PositionOf(n, indices, at, /*clamp=*/true)))]);
  });
  out->expected = {TensorOfInts(kind, n.result, right)};
  return true;
}

bool ScatterProgram(RowId op, Version version, Source& s, bool with_batching, Program* out) {
  Numbers n;
  if (!Choose(s, with_batching, false, &n)) return false;
  const TypeKind index_kind = IndexKind(s), kind = TypeKind::kI32;
  const std::vector<int64_t> indices = Indices(s, n, index_kind);
  const size_t lists = s.every() ? 1 : 1 + s.Pick(2);
  TestProgram p(version);
  Module& m = p.module();
  const TypeId operand = p.Tensor(kind, n.shape), index = p.Tensor(index_kind, n.index_shape),
               updates = p.Tensor(kind, n.result), scalar = p.Tensor(kind);
  std::vector<TypeId> args(lists, operand), results(lists, operand);
  args.push_back(index);
  args.insert(args.end(), lists, updates);
  // The first list is summed up, the second one keeps the greater value.
  p.Function("main", args, results, [&](std::vector<ValueId> a) {
    const RegionId body = Body(p, std::vector<TypeId>(2 * lists, scalar), [&](std::vector<ValueId> x) {
      std::vector<ValueId> values{p.Op("stablehlo.add", {x[0], x[lists]}, {scalar})};
      if (lists == 2) values.push_back(p.Op("stablehlo.maximum", {x[1], x[3]}, {scalar}));
      return values;
    });
    std::vector<std::pair<std::string_view, AttrId>> attrs = {
        {"update_window_dims", m.I64s(n.offset_dims)},
        {"inserted_window_dims", m.I64s(n.collapsed)},
        {"scatter_dims_to_operand_dims", m.I64s(n.index_map)},
        {"index_vector_dim", m.I64(n.vector_dim)}};
    if (with_batching) {
      attrs.push_back({"input_batching_dims", m.I64s(n.batching)});
      attrs.push_back({"scatter_indices_batching_dims", m.I64s(n.index_batching)});
    }
    const ValueId first = p.Op(RowOf(op).name, a, results, attrs, {body});
    std::vector<ValueId> values{first};
    if (lists == 2) values.push_back(ValueId(first.v + 1));
    return values;
  });
  out->module = p.Done();
  std::vector<std::vector<int64_t>> inputs(lists), changes(lists);
  for (size_t i = 0; i < lists; ++i) {
    inputs[i] = Numbered(CountOf(n.shape), 100 * int64_t(i));
    for (int64_t u = 0; u < CountOf(n.result); ++u) changes[i].push_back(s.AnyBetween(-1000, 1000));
  }
  for (const auto& input : inputs) out->args.push_back(TensorOfInts(kind, n.shape, input));
  out->args.push_back(TensorOfInts(index_kind, n.index_shape, indices));
  for (const auto& change : changes) out->args.push_back(TensorOfInts(kind, n.result, change));
  ForEachIndex(n.result, [&](const Dims& at) {
    const Dims position = PositionOf(n, indices, at, /*clamp=*/false);
    for (size_t d = 0; d < position.size(); ++d)
      if (position[d] < 0 || position[d] >= n.shape[d]) return;
    const size_t to = size_t(Offset(n.shape, position)), from = size_t(Offset(n.result, at));
    inputs[0][to] += changes[0][from];
    if (lists == 2) inputs[1][to] = std::max(inputs[1][to], changes[1][from]);
  });
  for (const auto& input : inputs) out->expected.push_back(TensorOfInts(kind, n.shape, input));
  return true;
}

}  // namespace shlo::laws
