// Reductions: reduce, reduce_window, select_and_scatter, map, scan.
//
// The order is that of the reference: a result starts as the initial value and accumulates its elements in
// row-major order of the operand (or window). Several results are computed at once if that keeps the order of
// each result.
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
#include "ir/module/attr_names.h"
#include "shlo/types.h"

namespace shlo {
namespace {

constexpr size_t kMaxInputs = 16;

// Operands of a reduction: `inputs` of one shape, and as many initial values, converted to the types of the
// body.
struct Reduction {
  size_t count = 0;
  std::vector<ValueTypePtr> scalars;  // of accumulators
  std::vector<Tensor> inputs, inits;
};

Result<Reduction> ReadReduction(KernelCall& call, RegionId region) {
  Reduction r;
  r.count = call.operands.size() / 2;
  if (r.count == 0 || call.operands.size() % 2 != 0 || call.results.size() != r.count || r.count > kMaxInputs)
    return Invalid("numbers of operands and results do not match");
  std::vector<ValueTypePtr> types = SHLO_TRY(RegionBody::ArgumentTypes(call, region));
  if (types.size() != 2 * r.count)
    return Invalid(
        StrFormat("expected a region with {}, got {}", Count(2 * r.count, "argument"), types.size()));
  r.scalars.assign(types.begin(), types.begin() + ptrdiff_t(r.count));
  for (size_t i = 0; i < r.count; ++i) {
    if (call.operand(i).type().shape != call.operand(0).type().shape) return Invalid("input shapes differ");
    Tensor input = SHLO_TRY(Promoted(call, call.operand(i), *types[r.count + i]));
    Tensor init = SHLO_TRY(Promoted(call, call.operand(r.count + i), *types[i]));
    if (init.count() != 1) return Invalid("initial value is not a scalar");
    input = Dense(call.host, input);
    if (!input) return OutOfMemory();
    r.inputs.push_back(std::move(input));
    r.inits.push_back(std::move(init));
  }
  return r;
}

// Allocates the results and fills them with the initial values.
Status StartResults(KernelCall& call, const Reduction& r, std::span<const int64_t> shape) {
  for (size_t i = 0; i < r.count; ++i) {
    SHLO_TRY(
        AllocateResult(call, i, shape, DeclaredElement{r.scalars[i]->element, r.scalars[i]->quantization}));
    FillElements(call.results[i].mutable_data(), r.inits[i].data(), call.results[i].count(),
                 r.scalars[i]->element.bytes());
  }
  return {};
}

// Calls work(begin, end) for parts of [0, n) in order, and ticks before each.
template <typename Work>
void InPieces(uint64_t n, Work work) {
  constexpr uint64_t kPiece = 1 << 16;
  for (uint64_t begin = 0; begin < n; begin += kPiece) {
    const uint64_t end = std::min(n, begin + kPiece);
    Tick(1 + (end - begin) / 32);
    work(begin, end);
  }
}

// Computes acc[k] = body(acc[k], in[k]) for n adjacent results.
Status Accumulate(RegionBody& body, const Reduction& r, uint8_t* const* acc, const uint8_t* const* in,
                  size_t n) {
  if (body.single()) {  // runs on any number of elements
    const size_t out_bytes = r.scalars[0]->element.bytes(), in_bytes = r.inputs[0].element().bytes();
    InPieces(n, [&](uint64_t begin, uint64_t end) {
      uint8_t* const to = acc[0] + begin * out_bytes;
      const uint8_t* both[2] = {to, in[0] + begin * in_bytes};
      body.single()->run(*body.single(), both, to, size_t(end - begin));
    });
    return {};
  }
  const uint8_t* args[2 * kMaxInputs];
  uint8_t* out[kMaxInputs];
  for (size_t done = 0; done < n; done += RegionBody::kBlock) {
    const size_t count = std::min(RegionBody::kBlock, n - done);
    for (size_t i = 0; i < r.count; ++i) {
      out[i] = acc[i] + done * r.scalars[i]->element.bytes();
      args[i] = out[i];
      args[r.count + i] = in[i] + done * r.inputs[i].element().bytes();
    }
    SHLO_TRY(body.Run(args, out, count));
  }
  return {};
}

}  // namespace

// Specification, "reduce".
Status EvaluateReduce(KernelCall& call) {
  const auto regions = call.module.RegionsOf(call.op);
  if (regions.size() != 1) return Invalid("expected 1 region");
  const Reduction r = SHLO_TRY(ReadReduction(call, regions[0]));
  const Ints dimensions = SHLO_TRY(IntsOf(call, "dimensions"));
  const std::vector<int64_t>& shape = r.inputs[0].type().shape;
  SHLO_TRY(CheckDimensions("dimensions", dimensions, int64_t(shape.size())));
  std::vector<bool> reduced(shape.size());
  for (int64_t d : dimensions) reduced[size_t(d)] = true;
  Ints kept;
  for (size_t d = 0; d < shape.size(); ++d)
    if (!reduced[d]) kept.push_back(shape[d]);
  SHLO_TRY(StartResults(call, r, kept));
  if (r.inputs[0].count() == 0) return {};
  RegionBody body = SHLO_TRY(RegionBody::Make(call, regions[0], r.scalars));
  body.MarkRun();

  // Result strides by operand dimension, 0 if reduced. Trailing dimensions that are all reduced or all kept
  // form a row.
  const Ints kept_strides = StridesOf(kept);
  Ints strides(shape.size(), 0);
  for (size_t d = 0, k = 0; d < shape.size(); ++d)
    if (!reduced[d]) strides[d] = kept_strides[k++];
  size_t outer = shape.size();
  int64_t row = 1;
  const bool row_reduced = outer > 0 && reduced[outer - 1];
  while (outer > 0 && reduced[outer - 1] == row_reduced) row *= shape[--outer];
  const uint64_t rows = r.inputs[0].count() / uint64_t(row);
  // Rows that are reduced to one result each, in order.
  if (row_reduced &&
      std::find(reduced.begin(), reduced.begin() + ptrdiff_t(outer), true) ==
          reduced.begin() + ptrdiff_t(outer) &&
      body.single() && body.single()->fold_rows) {
    const auto fold = body.single()->fold_rows;
    const size_t bytes = r.inputs[0].element().bytes();
    const uint8_t* const in = r.inputs[0].data();
    uint8_t* const acc = call.results[0].mutable_data();
    call.host.Split(rows, double(row) * body.single()->nanoseconds, [&](uint64_t begin, uint64_t end) {
      constexpr uint64_t kLong = 1 << 20;
      if (uint64_t(row) < kLong)
        return fold(acc + begin * bytes, in + begin * uint64_t(row) * bytes, end - begin, size_t(row));
      for (; begin < end; ++begin)
        InPieces(uint64_t(row), [&](uint64_t first, uint64_t last) {
          fold(acc + begin * bytes, in + (begin * uint64_t(row) + first) * bytes, 1, size_t(last - first));
        });
    });
    return {};
  }
  const std::span<const int64_t> outer_shape = std::span(shape).first(outer);
  // Rows that are accumulated element by element: threads take columns.
  if (!row_reduced && body.single()) {
    const ElementLoop& loop = *body.single();
    constexpr uint64_t kColumns = 128;
    const uint64_t columns = uint64_t(row), bytes = r.inputs[0].element().bytes();
    uint8_t* const results = call.results[0].mutable_data();
    call.host.Split((columns + kColumns - 1) / kColumns,
                    double(rows * std::min(columns, kColumns)) * loop.nanoseconds,
                    [&](uint64_t begin, uint64_t end) {
                      begin *= kColumns, end = std::min(columns, end * kColumns);
                      IndexWalk walk(outer_shape);
                      for (uint64_t i = 0; i < rows; ++i) {
                        Tick(1 + (end - begin) / 32);
                        uint64_t at = 0;
                        for (size_t d = 0; d < outer; ++d) at += uint64_t(walk[d] * strides[d]);
                        uint8_t* const acc = results + (at + begin) * bytes;
                        const uint8_t* both[2] = {acc, r.inputs[0].data() + (i * columns + begin) * bytes};
                        loop.run(loop, both, acc, size_t(end - begin));
                        if (outer > 0) walk.Next();
                      }
                    });
    return {};
  }
  if (body.single()) body.CountWork(call.host, double(r.inputs[0].count()));
  IndexWalk walk(outer_shape);
  for (uint64_t i = 0; i < rows; ++i) {
    int64_t at = 0;
    for (size_t d = 0; d < outer; ++d) at += walk[d] * strides[d];
    uint8_t* acc[kMaxInputs];
    const uint8_t* in[kMaxInputs];
    for (size_t k = 0; k < r.count; ++k) {
      acc[k] = call.results[k].mutable_data() + uint64_t(at) * r.scalars[k]->element.bytes();
      in[k] = r.inputs[k].data() + i * uint64_t(row) * r.inputs[k].element().bytes();
    }
    if (!row_reduced) {
      SHLO_TRY(Accumulate(body, r, acc, in, size_t(row)));
    } else if (r.count == 1 && body.folds()) {
      const size_t bytes = r.inputs[0].element().bytes();
      InPieces(uint64_t(row), [&](uint64_t begin, uint64_t end) {
        body.Fold(acc[0], in[0] + begin * bytes, size_t(end - begin), ptrdiff_t(bytes));
      });
    } else {
      for (int64_t j = 0; j < row; ++j) {
        SHLO_TRY(Accumulate(body, r, acc, in, 1));
        for (size_t k = 0; k < r.count; ++k) in[k] += r.inputs[k].element().bytes();
      }
    }
    if (outer > 0) walk.Next();
  }
  return {};
}

// Specification, "reduce_window": reduces the windows of the padded operands. Padding, including that between
// dilated elements, consists of initial values and is reduced, too.
Status EvaluateReduceWindow(KernelCall& call) {
  const auto regions = call.module.RegionsOf(call.op);
  if (regions.size() != 1 || call.operands.empty()) return Invalid("expected 1 region");
  const size_t rank = call.operand(0).type().shape.size();
  WindowReduction window;
  window.dimensions = SHLO_TRY(IntsOf(call, "window_dimensions"));
  window.strides = SHLO_TRY(IntsOr(call, "window_strides", rank, 1));
  window.base_dilations = SHLO_TRY(IntsOr(call, "base_dilations", rank, 1));
  window.window_dilations = SHLO_TRY(IntsOr(call, "window_dilations", rank, 1));
  window.padding = SHLO_TRY(PairsOr(call, "padding", rank));
  return ReduceWindow(call, regions[0], window);
}

Status ReduceWindow(KernelCall& call, RegionId region, const WindowReduction& attributes) {
  const Reduction r = SHLO_TRY(ReadReduction(call, region));
  const std::vector<int64_t>& shape = r.inputs[0].type().shape;
  const size_t rank = shape.size();
  const Ints &window = attributes.dimensions, &strides = attributes.strides,
             &base = attributes.base_dilations, &dilation = attributes.window_dilations,
             &padding = attributes.padding;
  if (window.size() != rank) return Invalid("window_dimensions does not match the operand rank");
  if (strides.size() != rank || base.size() != rank || dilation.size() != rank || padding.size() != 2 * rank)
    return Invalid("window attributes do not match the operand rank");
  constexpr int64_t kMost = 1ll << 31;
  Ints out(rank);
  __int128 window_size = 1;
  for (size_t d = 0; d < rank; ++d) {
    const auto fits = [&](int64_t v) { return v >= 1 && v <= kMost; };
    if (!fits(window[d]) || !fits(strides[d]) || !fits(base[d]) || !fits(dilation[d]) ||
        !IsWithin(padding[2 * d], kMost) || !IsWithin(padding[2 * d + 1], kMost) || shape[d] > kMost)
      return Invalid("window attribute is out of range");
    const int64_t dilated = shape[d] == 0 ? 0 : (shape[d] - 1) * base[d] + 1;
    const int64_t padded = padding[2 * d] + dilated + padding[2 * d + 1];
    const int64_t reach = (window[d] - 1) * dilation[d] + 1;
    out[d] = padded <= 0 || reach > padded ? 0 : (padded - reach) / strides[d] + 1;
    window_size *= window[d];
    if (window_size > (1ll << 46)) return Error(Code::kLimit, "window is too large");
  }
  SHLO_TRY(StartResults(call, r, out));
  if (call.results[0].count() == 0) return {};
  RegionBody body = SHLO_TRY(RegionBody::Make(call, region, r.scalars));
  body.MarkRun();
  const Ints own = StridesOf(shape);
  const int64_t row = rank == 0 ? 1 : out[rank - 1];
  const uint64_t rows = call.results[0].count() / uint64_t(row);
  // For each window position, all results accumulate their element at that position.
  std::vector<std::vector<uint8_t>> blocks;
  std::vector<std::vector<uint8_t>> inits;
  for (size_t k = 0; k < r.count; ++k) {
    const size_t bytes = r.inputs[k].element().bytes();
    blocks.emplace_back(RegionBody::kBlock * bytes);
    inits.emplace_back(bytes);
    // The initial value, converted to the element type of the operand.
    const Tensor init = SHLO_TRY(Promoted(call, r.inits[k], *MakeTensorType(r.inputs[k].element(), {})));
    std::memcpy(inits.back().data(), init.data(), bytes);
  }
  const std::span<const int64_t> outer_out = std::span(out).first(rank == 0 ? 0 : rank - 1);
  // Accumulates the elements at one position of the window for result rows [begin, end).
  const auto accumulate = [&](const IndexWalk& w, uint64_t begin, uint64_t end,
                              std::vector<std::vector<uint8_t>>& own_blocks) -> Status {
    IndexWalk o(outer_out);
    o.Seek(begin);
    for (uint64_t i = begin; i < end; ++i) {
      Tick(1 + uint64_t(row) / 32);
      // Compute the operand index of an output index, except for the last dimension.
      bool inside = true;
      int64_t at = 0;
      for (size_t d = 0; d + 1 < rank; ++d) {
        const int64_t p = o[d] * strides[d] + w[d] * dilation[d] - padding[2 * d];
        inside = inside && p >= 0 && p % base[d] == 0 && p / base[d] < shape[d];
        if (inside) at += p / base[d] * own[d];
      }
      uint8_t* acc[kMaxInputs];
      const uint8_t* in[kMaxInputs];
      for (int64_t first = 0; first < row; first += int64_t(RegionBody::kBlock)) {
        const size_t n = size_t(std::min<int64_t>(row - first, RegionBody::kBlock));
        for (size_t k = 0; k < r.count; ++k) {
          const size_t bytes = r.inputs[k].element().bytes();
          acc[k] = call.results[k].mutable_data() +
                   (i * uint64_t(row) + uint64_t(first)) * r.scalars[k]->element.bytes();
          in[k] = own_blocks[k].data();
          if (rank > 0 && inside && strides[rank - 1] == 1 && base[rank - 1] == 1) {
            const int64_t p = first + w[rank - 1] * dilation[rank - 1] - padding[2 * rank - 2];
            if (p >= 0 && p + int64_t(n) <= shape[rank - 1]) {  // contiguous elements: no copy
              in[k] = r.inputs[k].data() + uint64_t(at + p) * bytes;
              continue;
            }
          }
          for (size_t j = 0; j < n; ++j) {
            const uint8_t* from = inits[k].data();
            if (rank == 0) {
              from = r.inputs[k].data();
            } else if (inside) {
              const size_t d = rank - 1;
              const int64_t p = (first + int64_t(j)) * strides[d] + w[d] * dilation[d] - padding[2 * d];
              if (p >= 0 && p % base[d] == 0 && p / base[d] < shape[d])
                from = r.inputs[k].data() + uint64_t(at + p / base[d]) * bytes;
            }
            std::memcpy(own_blocks[k].data() + j * bytes, from, bytes);
          }
        }
        SHLO_TRY(Accumulate(body, r, acc, in, n));
      }
      o.Next();
    }
    return {};
  };
  for (IndexWalk w(window); !w.done(); w.Next()) {
    SHLO_TRY(call.host.CountSteps(1 + rows / 64 + call.results[0].count() / 256));
    if (body.single()) continue;
    SHLO_TRY(accumulate(w, 0, rows, blocks));
  }
  if (!body.single()) return {};
  // One loop, which cannot fail: threads take rows, some at a time, which stay in cache for the whole window.
  call.host.Split(rows, double(row) * double(window_size) * body.single()->nanoseconds,
                  [&](uint64_t begin, uint64_t end) {
                    std::vector<std::vector<uint8_t>> own_blocks = blocks;
                    constexpr uint64_t kRows = 32;
                    for (; begin < end; begin += std::min(kRows, end - begin))
                      for (IndexWalk w(window); !w.done(); w.Next())
                        (void)accumulate(w, begin, std::min(end, begin + kRows), own_blocks);
                  });
  return {};
}

// Specification, "select_and_scatter": `select` chooses an element of each window, and `scatter` accumulates
// the source element there, starting from the initial value.
Status EvaluateSelectAndScatter(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 3));
  const auto regions = call.module.RegionsOf(call.op);
  if (regions.size() != 2) return Invalid("expected 2 regions");
  const std::vector<ValueTypePtr> scatter_types = SHLO_TRY(RegionBody::ArgumentTypes(call, regions[1]));
  const std::vector<ValueTypePtr> select_types = SHLO_TRY(RegionBody::ArgumentTypes(call, regions[0]));
  if (scatter_types.size() != 2 || select_types.size() != 2) return Invalid("regions must have 2 arguments");
  Tensor operand = SHLO_TRY(Promoted(call, call.operand(0), *select_types[0]));
  Tensor source = SHLO_TRY(Promoted(call, call.operand(1), *scatter_types[0]));
  const Tensor init = SHLO_TRY(Promoted(call, call.operand(2), *scatter_types[0]));
  operand = Dense(call.host, operand);
  source = Dense(call.host, source);
  if (!operand || !source) return OutOfMemory();
  const std::vector<int64_t>& shape = operand.type().shape;
  const size_t rank = shape.size();
  const Ints window = SHLO_TRY(IntsOr(call, "window_dimensions", rank, 1));
  const Ints strides = SHLO_TRY(IntsOr(call, "window_strides", rank, 1));
  const Ints padding = SHLO_TRY(PairsOr(call, "padding", rank));
  if (source.type().shape.size() != rank || init.count() != 1)
    return Invalid("source shape does not match the operand");
  constexpr int64_t kMost = 1ll << 31;
  for (size_t d = 0; d < rank; ++d)
    if (window[d] < 1 || window[d] > kMost || strides[d] < 1 || strides[d] > kMost ||
        !IsWithin(padding[2 * d], kMost) || source.type().shape[d] > kMost)
      return Invalid("window attribute is out of range");
  SHLO_TRY(AllocateResult(call, 0, shape,
                          DeclaredElement{scatter_types[0]->element, scatter_types[0]->quantization}));
  uint8_t* out = call.results[0].mutable_data();
  const size_t bytes = scatter_types[0]->element.bytes(), operand_bytes = operand.element().bytes();
  FillElements(out, init.data(), call.results[0].count(), bytes);
  const ValueTypePtr boolean[1] = {MakeTensorType({TypeKind::kI1}, {})};
  RegionBody select = SHLO_TRY(RegionBody::Make(call, regions[0], boolean));
  RegionBody scatter = SHLO_TRY(RegionBody::Make(call, regions[1], std::span(scatter_types).first(1)));
  const Ints own = StridesOf(shape);
  bool selects = false, scatters = false;
  uint64_t s = 0;
  for (IndexWalk i(source.type().shape); !i.done(); i.Next(), ++s) {
    int64_t chosen = -1;
    for (IndexWalk w(window); !w.done(); w.Next()) {
      SHLO_TRY(call.host.CountSteps(1));
      int64_t at = 0;
      bool inside = true;
      for (size_t d = 0; d < rank; ++d) {
        const int64_t p = i[d] * strides[d] + w[d] - padding[2 * d];
        inside = inside && p >= 0 && p < shape[d];
        at += p * own[d];
      }
      if (!inside) continue;
      if (chosen < 0) {
        chosen = at;
        continue;  // comparing it with itself has no effect
      }
      const uint8_t* args[2] = {operand.data() + uint64_t(chosen) * operand_bytes,
                                operand.data() + uint64_t(at) * operand_bytes};
      uint8_t stays = 0;
      uint8_t* results[1] = {&stays};
      if (!std::exchange(selects, true)) select.MarkRun();
      SHLO_TRY(select.Run(args, results, 1));
      if (!stays) chosen = at;
    }
    if (chosen < 0) continue;
    if (!std::exchange(scatters, true)) scatter.MarkRun();
    uint8_t acc[16];
    uint8_t* results[1] = {acc};
    const uint8_t* first[2] = {init.data(), source.data() + s * bytes};
    SHLO_TRY(scatter.Run(first, results, 1));
    const uint8_t* second[2] = {acc, out + uint64_t(chosen) * bytes};
    SHLO_TRY(scatter.Run(second, results, 1));
    std::memcpy(out + uint64_t(chosen) * bytes, acc, bytes);
  }
  return {};
}

// Specification, "map": applies the region to the elements at each index.
Status EvaluateMap(KernelCall& call) {
  const auto regions = call.module.RegionsOf(call.op);
  const size_t arity = call.operands.size();
  if (regions.size() != 1 || arity == 0 || arity > kMaxInputs || call.results.size() != 1)
    return Invalid("wrong number of operands or results");
  const std::vector<ValueTypePtr> types = SHLO_TRY(RegionBody::ArgumentTypes(call, regions[0]));
  std::vector<Tensor> inputs;
  for (size_t i = 0; i < arity; ++i) {
    if (types.size() != arity || call.operand(i).type().shape != call.operand(0).type().shape ||
        call.operand(i).element() != types[i]->element)
      return Invalid("region arguments do not match the operands");
    inputs.push_back(Dense(call.host, call.operand(i)));
    if (!inputs.back()) return OutOfMemory();
  }
  const DeclaredElement declared = SHLO_TRY(ElementOfResult(call));
  SHLO_TRY(AllocateResult(call, 0, inputs[0].type().shape, declared));
  const ValueTypePtr scalar[1] = {MakeTensorType(declared.element, {})};
  RegionBody body = SHLO_TRY(RegionBody::Make(call, regions[0], scalar));
  const uint64_t count = inputs[0].count();
  if (count > 0) body.MarkRun();
  for (uint64_t i = 0; i < count; i += RegionBody::kBlock) {
    const uint8_t* args[kMaxInputs];
    for (size_t k = 0; k < arity; ++k) args[k] = inputs[k].data() + i * inputs[k].element().bytes();
    uint8_t* results[1] = {call.results[0].mutable_data() + i * declared.element.bytes()};
    SHLO_TRY(body.Run(args, results, std::min<uint64_t>(RegionBody::kBlock, count - i)));
  }
  return {};
}

// CHLO, "scan": iterates over one dimension of the inputs. The body maps the slices at a position and the
// carries to the slices of the outputs and the next carries.
Status EvaluateScan(KernelCall& call) {
  const auto regions = call.module.RegionsOf(call.op);
  if (regions.size() != 1) return Invalid("expected 1 region");
  const Ints operand_sizes = SHLO_TRY(IntsOf(call, kOperandSegmentSizes));
  const int64_t dimension = SHLO_TRY(IntOf(call, "dimension"));
  const bool backwards = SHLO_TRY(FlagOf(call, "is_reverse"));
  if (operand_sizes.size() != 2 || operand_sizes[0] < 0 || operand_sizes[1] < 0 ||
      uint64_t(operand_sizes[0] + operand_sizes[1]) != call.operands.size() ||
      uint64_t(operand_sizes[1]) > call.results.size())
    return Invalid("operandSegmentSizes does not match the operands");
  const size_t inputs = size_t(operand_sizes[0]), carries = size_t(operand_sizes[1]);
  const size_t outputs = call.results.size() - carries;
  int64_t extent = SHLO_TRY(IntOf(call, "scan_dim_size", -1));
  for (size_t i = 0; i < inputs; ++i) {
    const std::vector<int64_t>& shape = call.operand(i).type().shape;
    if (dimension < 0 || dimension >= int64_t(shape.size())) return Invalid("dimension is out of range");
    if (extent >= 0 && inputs > 0 && shape[size_t(dimension)] != extent && i > 0)
      return Invalid("sizes of the scanned dimension differ");
    extent = shape[size_t(dimension)];
  }
  if (extent < 0) return Invalid("missing attribute 'scan_dim_size'");
  std::vector<Tensor> state;
  for (size_t i = 0; i < carries; ++i) state.push_back(call.operand(inputs + i));
  std::vector<std::vector<Tensor>> slices(outputs);
  for (int64_t step = 0; step < extent; ++step) {
    const int64_t at = backwards ? extent - 1 - step : step;
    std::vector<Tensor> args;
    for (size_t i = 0; i < inputs; ++i) {
      const Tensor& input = call.operand(i);
      Ints shape = input.type().shape, start(shape.size(), 0);
      shape[size_t(dimension)] = 1;
      start[size_t(dimension)] = at;
      const Tensor slice = SHLO_TRY(
          Slice(call.host, input, start, Ints(shape.size(), 1), MakeTensorType(input.element(), shape)));
      shape.erase(shape.begin() + dimension);
      args.push_back(slice.As(MakeTensorType(input.element(), shape)));
    }
    args.insert(args.end(), state.begin(), state.end());
    std::vector<Tensor> values = SHLO_TRY(call.host.EvalRegion(call, regions[0], args));
    if (values.size() != outputs + carries)
      return Invalid(
          StrFormat("region returns {}, expected {}", Count(values.size(), "value"), outputs + carries));
    for (size_t i = 0; i < outputs; ++i) {
      Ints shape = values[i].type().shape;
      if (dimension > int64_t(shape.size())) return Invalid("dimension is out of range for an output");
      shape.insert(shape.begin() + dimension, 1);
      slices[i].push_back(values[i].As(MakeTensorType(values[i].element(), shape)));
    }
    state.assign(values.begin() + ptrdiff_t(outputs), values.end());
  }
  for (size_t i = 0; i < outputs; ++i) {
    if (slices[i].empty()) {
      // Only the type says how large slices would be.
      const ShapedType type(call.module, call.module.TypeOf(call.module.ResultOf(call.op, uint32_t(i))));
      Ints shape(type.shape.begin(), type.shape.end());
      if (dimension < int64_t(shape.size())) shape[size_t(dimension)] = extent;
      if (!IsStatic(shape))
        return Error(Code::kUnsupported, StrFormat("result {} does not have a static shape", i));
      const DeclaredElement declared = SHLO_TRY(ElementOfResult(call, i));
      SHLO_TRY(AllocateResult(call, i, shape, declared));
      if (call.results[i].count() > 0) return Invalid("output is not empty, but the scan has no steps");
      continue;
    }
    if (backwards) std::reverse(slices[i].begin(), slices[i].end());
    Ints shape = slices[i][0].type().shape;
    shape[size_t(dimension)] = extent;
    const ValueTypePtr type = SHLO_TRY(ResultType(call, i, shape, slices[i][0]));
    std::vector<const Tensor*> parts;
    for (const Tensor& slice : slices[i]) {
      if (slice.type().shape != slices[i][0].type().shape) return Invalid("slice shapes differ");
      parts.push_back(&slice);
    }
    call.results[i] = SHLO_TRY(Concatenate(call.host, parts, dimension, type));
  }
  for (size_t i = 0; i < carries; ++i) call.results[outputs + i] = std::move(state[i]);
  return {};
}

}  // namespace shlo
