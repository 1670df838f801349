// Ops that access elements by index tensors: gather, dynamic_gather, torch_index_select, scatter.
#include <algorithm>
#include <utility>

#include "base/deadline.h"
#include "base/format.h"
#include "eval/kernel/kernel_args.h"
#include "eval/kernel/move_elements.h"
#include "eval/kernels/elementwise.h"
#include "eval/kernels/kernels.h"
#include "eval/loops/element_loops.h"
#include "eval/region_body.h"

namespace shlo {
namespace {

bool Has(std::span<const int64_t> list, int64_t d) {
  return std::find(list.begin(), list.end(), d) != list.end();
}

// Layout of index vectors in an index tensor: along index_vector_dim, or scalars if that equals the rank.
struct IndexVectors {
  Ints values;
  Ints batch_shape;  // the shape without index_vector_dim
  Ints strides;      // of batch_shape, in values
  int64_t size = 1;  // components
  int64_t step = 1;  // between components
};
Result<IndexVectors> ReadIndexVectors(const Tensor& indices, int64_t vector_dim) {
  IndexVectors v;
  const std::vector<int64_t>& shape = indices.type().shape;
  if (vector_dim < 0 || vector_dim > int64_t(shape.size()))
    return Invalid("index_vector_dim is out of range");
  v.values = SHLO_TRY(IndexOf(indices));
  const Ints strides = StridesOf(shape);
  for (size_t d = 0; d < shape.size(); ++d) {
    if (int64_t(d) == vector_dim) {
      v.size = shape[d];
      v.step = strides[d];
    } else {
      v.batch_shape.push_back(shape[d]);
      v.strides.push_back(strides[d]);
    }
  }
  return v;
}

// Maps batching dimensions to positions in the batch shape of the indices.
Result<Ints> BatchPositions(std::span<const int64_t> dims, int64_t vector_dim, size_t batch_rank) {
  Ints positions;
  for (int64_t d : dims) {
    const int64_t p = d < vector_dim ? d : d - 1;
    if (d == vector_dim || p < 0 || p >= int64_t(batch_rank))
      return Invalid("batching dimension is out of range");
    positions.push_back(p);
  }
  return positions;
}

// Specification, "gather".
Status GatherSlices(KernelCall& call, std::span<const int64_t> sizes) {
  const Tensor &operand = call.operand(0), &indices = call.operand(1);
  const std::vector<int64_t>& shape = operand.type().shape;
  const int64_t rank = int64_t(shape.size());
  const Ints offset_dims = SHLO_TRY(IntsOf(call, "offset_dims"));
  const Ints collapsed = SHLO_TRY(IntsOf(call, "collapsed_slice_dims"));
  const Ints start_map = SHLO_TRY(IntsOf(call, "start_index_map"));
  const int64_t vector_dim = SHLO_TRY(IntOf(call, "index_vector_dim"));
  const Ints batching = SHLO_TRY(IntsIfAny(call, "operand_batching_dims"));
  const Ints index_batching = SHLO_TRY(IntsIfAny(call, "start_indices_batching_dims"));
  const IndexVectors vectors = SHLO_TRY(ReadIndexVectors(indices, vector_dim));
  const Ints batch_positions =
      SHLO_TRY(BatchPositions(index_batching, vector_dim, vectors.batch_shape.size()));
  SHLO_TRY(CheckDimensions("collapsed_slice_dims", collapsed, rank));
  SHLO_TRY(CheckDimensions("operand_batching_dims", batching, rank));
  // Distinct, so that starts and batches do not add up to an index out of range.
  SHLO_TRY(CheckDimensions("start_index_map and operand_batching_dims", Joined({start_map, batching}), rank));
  if (int64_t(sizes.size()) != rank || batching.size() != index_batching.size() ||
      int64_t(start_map.size()) != vectors.size)
    return Invalid("dimension numbers do not match the operand ranks");
  for (size_t d = 0; d < sizes.size(); ++d)
    if (sizes[d] < 0 || sizes[d] > shape[d]) return Invalid("slice is larger than the operand");
  for (int64_t d : collapsed)
    if (sizes[size_t(d)] > 1) return Invalid("slice size of a collapsed dimension is greater than 1");
  for (int64_t d : batching)
    if (sizes[size_t(d)] > 1) return Invalid("slice size of a batching dimension is greater than 1");

  // The result has offset dimensions at offset_dims and batch dimensions elsewhere.
  Ints slice_dims;  // of the operand, not collapsed
  for (int64_t d = 0; d < rank; ++d)
    if (!Has(collapsed, d) && !Has(batching, d)) slice_dims.push_back(d);
  const size_t result_rank = vectors.batch_shape.size() + slice_dims.size();
  SHLO_TRY(CheckDimensions("offset_dims", offset_dims, int64_t(result_rank)));
  if (offset_dims.size() != slice_dims.size()) return Invalid("offset_dims does not match the slice rank");
  Ints result_shape(result_rank), batch_dims;
  for (size_t d = 0, b = 0; d < result_rank; ++d) {
    if (Has(offset_dims, int64_t(d))) continue;
    result_shape[d] = vectors.batch_shape[b++];
    batch_dims.push_back(int64_t(d));
  }
  for (size_t i = 0; i < offset_dims.size(); ++i)
    result_shape[size_t(offset_dims[i])] = sizes[size_t(slice_dims[i])];
  SHLO_TRY(AllocateResult(call, 0, result_shape, operand));
  Tensor& out = call.results[0];
  if (out.count() == 0) return {};
  for (int64_t d = 0; d < rank; ++d)
    if (sizes[size_t(d)] == 0)
      return Error(Code::kEvaluation,
                   StrFormat("slice size of dimension {} is 0, but the result has elements", d));
  if (operand.splat()) {
    FillElements(out.mutable_data(), operand.data(), out.count(), operand.element().bytes());
    return {};
  }
  const size_t bytes = operand.element().bytes();
  const Ints own = StridesOf(shape), target = StridesOf(result_shape);
  Ints slice_shape, from, to;
  for (size_t i = 0; i < slice_dims.size(); ++i) {
    slice_shape.push_back(sizes[size_t(slice_dims[i])]);
    from.push_back(own[size_t(slice_dims[i])]);
    to.push_back(target[size_t(offset_dims[i])]);
  }
  double slices = 1;
  for (int64_t d : vectors.batch_shape) slices *= double(d);
  CountWork(call.host, slices * (slice_shape.empty() ? 15 : 50));
  for (IndexWalk batch(vectors.batch_shape); !batch.done(); batch.Next()) {
    Tick();
    int64_t vector = 0, at = 0, place = 0;
    for (size_t b = 0; b < vectors.batch_shape.size(); ++b) {
      vector += batch[b] * vectors.strides[b];
      place += batch[b] * target[size_t(batch_dims[b])];
    }
    for (size_t i = 0; i < start_map.size(); ++i) {
      const size_t d = size_t(start_map[i]);
      const int64_t start = vectors.values[size_t(vector + int64_t(i) * vectors.step)];
      at += std::clamp<int64_t>(start, 0, shape[d] - sizes[d]) * own[d];
    }
    for (size_t i = 0; i < batching.size(); ++i) {
      const int64_t b = batch[size_t(batch_positions[i])];
      if (b >= shape[size_t(batching[i])]) return Invalid("batching dimension of the operand is too small");
      at += b * own[size_t(batching[i])];
    }
    if (slice_shape.empty())
      std::memcpy(out.mutable_data() + uint64_t(place) * bytes, operand.data() + uint64_t(at) * bytes, bytes);
    else
      CopyStrided(slice_shape, operand.data() + uint64_t(at) * bytes, from,
                  out.mutable_data() + uint64_t(place) * bytes, to, bytes);
  }
  return {};
}

}  // namespace

Status EvaluateGather(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 2));
  const Ints sizes = SHLO_TRY(IntsOf(call, "slice_sizes"));
  return GatherSlices(call, sizes);
}

Status EvaluateDynamicGather(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 3));
  const Ints sizes = SHLO_TRY(IndexOf(call.operand(2)));
  return GatherSlices(call, sizes);
}

// Older `torch_index_select`: selects entries of the operand along `dim` by index. The first batch_dims
// dimensions are batch dimensions of operand and index.
Status EvaluateTorchIndexSelect(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 2));
  const Tensor &operand = call.operand(0), &index = call.operand(1);
  int64_t dim = SHLO_TRY(IntOf(call, "dim"));
  int64_t batch_dims = SHLO_TRY(IntOf(call, "batch_dims"));
  const std::vector<int64_t>&shape = operand.type().shape, &index_shape = index.type().shape;
  if (dim < 0) dim += int64_t(shape.size());
  if (batch_dims < 0) batch_dims += int64_t(index_shape.size());
  if (dim < 0 || dim >= int64_t(shape.size()) || batch_dims < 0 || batch_dims > dim ||
      batch_dims > int64_t(index_shape.size()))
    return Invalid("dim or batch_dims is out of range");
  for (int64_t d = 0; d < batch_dims; ++d)
    if (shape[size_t(d)] != index_shape[size_t(d)])
      return Invalid("batch dimensions of operand and index differ");
  Ints result_shape(shape.begin(), shape.begin() + dim);
  result_shape.insert(result_shape.end(), index_shape.begin() + batch_dims, index_shape.end());
  result_shape.insert(result_shape.end(), shape.begin() + dim + 1, shape.end());
  SHLO_TRY(AllocateResult(call, 0, result_shape, operand));
  const Tensor dense = Dense(call.host, operand);
  if (!dense) return OutOfMemory();
  const Ints values = SHLO_TRY(IndexOf(index));
  const auto product = [](std::span<const int64_t> extents) {
    int64_t n = 1;
    for (int64_t e : extents) n *= e;
    return n;
  };
  const std::span<const int64_t> all(shape), idx(index_shape);
  const int64_t batches = product(all.first(size_t(batch_dims)));
  const int64_t outer = product(all.subspan(size_t(batch_dims), size_t(dim - batch_dims)));
  const int64_t inner = product(all.subspan(size_t(dim) + 1));
  const int64_t picks = product(idx.subspan(size_t(batch_dims)));
  const int64_t extent = shape[size_t(dim)];
  const size_t bytes = operand.element().bytes();
  uint8_t* to = call.results[0].mutable_data();
  if (call.results[0].count() == 0) return {};
  if (extent == 0) return Error(Code::kEvaluation, "cannot select from an empty dimension");
  for (int64_t b = 0; b < batches; ++b) {
    for (int64_t o = 0; o < outer; ++o) {
      for (int64_t p = 0; p < picks; ++p, to += uint64_t(inner) * bytes) {
        Tick(1 + uint64_t(inner) * bytes / 256);
        const int64_t i = std::clamp<int64_t>(values[size_t(b * picks + p)], 0, extent - 1);
        std::memcpy(to, dense.data() + uint64_t(((b * outer + o) * extent + i) * inner) * bytes,
                    size_t(inner) * bytes);
      }
    }
  }
  return {};
}

// Specification, "scatter": updates are applied in row-major order; out-of-bounds updates are skipped.
Status EvaluateScatter(KernelCall& call) {
  const auto regions = call.module.RegionsOf(call.op);
  constexpr size_t kMaxInputs = 8;
  if (call.operands.size() < 3 || call.operands.size() % 2 == 0 || regions.size() != 1)
    return Invalid("wrong number of operands or regions");
  const size_t count = call.operands.size() / 2;
  if (call.results.size() != count || count > kMaxInputs)
    return Invalid("numbers of operands and results do not match");
  const std::vector<ValueTypePtr> types = SHLO_TRY(RegionBody::ArgumentTypes(call, regions[0]));
  if (types.size() != 2 * count)
    return Invalid(
        StrFormat("expected a region with {}, got {}", Count(2 * count, "argument"), types.size()));
  const Tensor& indices = call.operand(count);
  const std::vector<int64_t>& shape = call.operand(0).type().shape;
  const std::vector<int64_t>& update_shape = call.operand(count + 1).type().shape;
  const int64_t rank = int64_t(shape.size()), update_rank = int64_t(update_shape.size());
  const Ints window_dims = SHLO_TRY(IntsOf(call, "update_window_dims"));
  const Ints inserted = SHLO_TRY(IntsOf(call, "inserted_window_dims"));
  const Ints index_map = SHLO_TRY(IntsOf(call, "scatter_dims_to_operand_dims"));
  const int64_t vector_dim = SHLO_TRY(IntOf(call, "index_vector_dim"));
  const Ints batching = SHLO_TRY(IntsIfAny(call, "input_batching_dims"));
  const Ints index_batching = SHLO_TRY(IntsIfAny(call, "scatter_indices_batching_dims"));
  const IndexVectors vectors = SHLO_TRY(ReadIndexVectors(indices, vector_dim));
  const Ints batch_positions =
      SHLO_TRY(BatchPositions(index_batching, vector_dim, vectors.batch_shape.size()));
  SHLO_TRY(CheckDimensions("update_window_dims", window_dims, update_rank));
  SHLO_TRY(CheckDimensions("inserted_window_dims", inserted, rank));
  SHLO_TRY(CheckDimensions("input_batching_dims", batching, rank));
  SHLO_TRY(CheckDimensions("scatter_dims_to_operand_dims and input_batching_dims",
                           Joined({index_map, batching}), rank));
  // Operand dimension of each window dimension of the updates; batch position of the others.
  Ints operand_dims;
  for (int64_t d = 0; d < rank; ++d)
    if (!Has(inserted, d) && !Has(batching, d)) operand_dims.push_back(d);
  if (operand_dims.size() != window_dims.size() || int64_t(index_map.size()) != vectors.size ||
      batching.size() != index_batching.size() ||
      update_shape.size() != window_dims.size() + vectors.batch_shape.size())
    return Invalid("dimension numbers do not match the operand ranks");
  Ints scatter_dims;
  for (int64_t d = 0; d < update_rank; ++d)
    if (!Has(window_dims, d)) scatter_dims.push_back(d);
  for (size_t b = 0; b < scatter_dims.size(); ++b)
    if (update_shape[size_t(scatter_dims[b])] != vectors.batch_shape[b])
      return Invalid("update shape does not match the indices");

  std::vector<Tensor> updates;
  for (size_t i = 0; i < count; ++i) {
    const Tensor& input = call.operand(i);
    const Tensor& update = call.operand(count + 1 + i);
    if (input.type().shape != shape || update.type().shape != update_shape)
      return Invalid("operand shapes do not match");
    const DeclaredElement element{types[i]->element, types[i]->quantization};
    SHLO_TRY(AllocateResult(call, i, shape, element));
    const Tensor promoted_input = SHLO_TRY(Promoted(call, input, *types[i]));
    const Tensor promoted_update = SHLO_TRY(Promoted(call, update, *types[count + i]));
    const Tensor start = Dense(call.host, promoted_input);
    Tensor dense = Dense(call.host, promoted_update);
    if (!start || !dense) return OutOfMemory();
    std::memcpy(call.results[i].mutable_data(), start.data(), start.stored_bytes());
    updates.push_back(std::move(dense));
  }
  if (updates[0].count() == 0) return {};
  RegionBody body = SHLO_TRY(RegionBody::Make(call, regions[0], std::span(types).first(count)));

  const Ints own = StridesOf(shape);
  // If the last dimension of the updates is a window dimension, process whole rows.
  const bool row_is_window = update_rank > 0 && Has(window_dims, update_rank - 1);
  const int64_t row = row_is_window ? update_shape.back() : 1;
  int64_t row_dim = -1;
  if (row_is_window)
    row_dim = operand_dims[size_t(std::find(window_dims.begin(), window_dims.end(), update_rank - 1) -
                                  window_dims.begin())];
  Ints walk_shape = update_shape;
  if (row_is_window) walk_shape.back() = 1;
  Ints position(shape.size());
  bool runs = false;
  uint64_t u = 0;
  for (IndexWalk walk(walk_shape); !walk.done(); walk.Next(), u += uint64_t(row)) {
    SHLO_TRY(call.host.CountSteps(1));
    std::fill(position.begin(), position.end(), 0);
    int64_t vector = 0;
    for (size_t b = 0; b < scatter_dims.size(); ++b)
      vector += walk[size_t(scatter_dims[b])] * vectors.strides[b];
    for (size_t i = 0; i < index_map.size(); ++i)
      position[size_t(index_map[i])] = vectors.values[size_t(vector + int64_t(i) * vectors.step)];
    for (size_t i = 0; i < batching.size(); ++i)
      position[size_t(batching[i])] += walk[size_t(scatter_dims[size_t(batch_positions[i])])];
    // Huge indices are out of bounds; adding to them could overflow.
    bool inside = true;
    for (size_t w = 0; w < window_dims.size(); ++w) {
      int64_t& p = position[size_t(operand_dims[w])];
      if (p > INT64_MAX / 2 || p < INT64_MIN / 2)
        inside = false;
      else
        p += walk[size_t(window_dims[w])];
    }
    int64_t at = 0;
    for (int64_t d = 0; inside && d < rank; ++d) {
      const int64_t p = position[size_t(d)];
      if (d == row_dim) continue;
      inside = p >= 0 && p < shape[size_t(d)];
      if (inside) at += p * own[size_t(d)];
    }
    if (!inside) continue;
    int64_t first = 0, last = row;  // in-bounds part of the row
    int64_t step = 0;
    if (row_is_window) {
      const int64_t p = position[size_t(row_dim)];
      if (p <= -row || p >= shape[size_t(row_dim)]) continue;  // far outside, the products below overflow
      first = std::max<int64_t>(0, -p);
      last = std::min<int64_t>(row, shape[size_t(row_dim)] - p);
      step = own[size_t(row_dim)];
      at += p * step;
    }
    // Elements of one row have different targets; contiguous targets are processed together.
    const int64_t most = step == 1 ? int64_t(RegionBody::kBlock) : 1;
    for (int64_t j = first; j < last; j += most) {
      const int64_t n = std::min(most, last - j);
      const uint8_t* args[2 * kMaxInputs];
      uint8_t* results[kMaxInputs];
      for (size_t i = 0; i < count; ++i) {
        results[i] = call.results[i].mutable_data() + uint64_t(at + j * step) * types[i]->element.bytes();
        args[i] = results[i];
        args[count + i] = updates[i].data() + (u + uint64_t(j)) * types[count + i]->element.bytes();
      }
      if (!std::exchange(runs, true)) body.MarkRun();
      SHLO_TRY(body.Run(args, results, size_t(n)));
    }
  }
  return {};
}

}  // namespace shlo
