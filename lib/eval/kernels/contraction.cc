// Contractions: dot_general, dot, einsum, unary_einsum, CHLO's ragged_dot.
//
// Specification, "dot_general": operands are converted to the element type of the result. Each element is a
// sum that starts at zero and accumulates the products in row-major order of the contracting dimensions;
// every product and sum rounds to that type. Precision and algorithm permit larger errors and are ignored.
#include "eval/kernels/contraction.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "eval/kernel/move_elements.h"
#include "eval/kernels/elementwise.h"
#include "eval/kernels/kernels.h"
#include "eval/loops/element_loops.h"

namespace shlo {
namespace {

int64_t Product(std::span<const int64_t> shape, std::span<const int64_t> dims) {
  int64_t n = 1;
  for (int64_t d : dims) n *= shape[size_t(d)];
  return n;
}

// Transposes an operand to a contiguous tensor.
Result<Tensor> Arranged(KernelHost& host, const Tensor& dense, std::span<const int64_t> order) {
  Ints shape;
  for (int64_t d : order) shape.push_back(dense.type().shape[size_t(d)]);
  const ValueTypePtr type = MakeTensorType(dense.element(), shape);
  if (!type) return OutOfMemory();
  return Transpose(host, dense, order, type);
}

// Returns the step between elements of dimensions that are walked in row-major order, or nullopt if it is not
// always the same.
std::optional<int64_t> StepOf(std::span<const int64_t> shape, std::span<const int64_t> strides,
                              std::span<const int64_t> dims) {
  std::optional<int64_t> step;
  int64_t expected = 0;
  for (size_t i = dims.size(); i-- > 0;) {
    const int64_t extent = shape[size_t(dims[i])], stride = strides[size_t(dims[i])];
    if (extent == 1) continue;
    if (step && stride != expected) return std::nullopt;
    if (!step) step = stride;
    expected = stride * extent;
  }
  return step ? step : std::optional<int64_t>(1);
}

struct DotDims {
  Ints lhs_batch, rhs_batch, lhs_contract, rhs_contract;
};

Ints Others(int64_t rank, std::span<const int64_t> a, std::span<const int64_t> b) {
  Ints out;
  for (int64_t d = 0; d < rank; ++d)
    if (std::find(a.begin(), a.end(), d) == a.end() && std::find(b.begin(), b.end(), d) == b.end())
      out.push_back(d);
  return out;
}

Status CheckDots(const ValueType& lt, const ValueType& rt, const DotDims& dims) {
  SHLO_TRY(CheckDimensions("lhs dimensions", Joined({dims.lhs_batch, dims.lhs_contract}), lt.rank()));
  SHLO_TRY(CheckDimensions("rhs dimensions", Joined({dims.rhs_batch, dims.rhs_contract}), rt.rank()));
  if (dims.lhs_batch.size() != dims.rhs_batch.size() || dims.lhs_contract.size() != dims.rhs_contract.size())
    return Invalid("numbers of batching or contracting dimensions differ");
  for (size_t i = 0; i < dims.lhs_batch.size(); ++i)
    if (lt.shape[size_t(dims.lhs_batch[i])] != rt.shape[size_t(dims.rhs_batch[i])])
      return Error(Code::kEvaluation, "sizes of batching dimensions differ");
  for (size_t i = 0; i < dims.lhs_contract.size(); ++i)
    if (lt.shape[size_t(dims.lhs_contract[i])] != rt.shape[size_t(dims.rhs_contract[i])])
      return Error(Code::kEvaluation, "sizes of contracting dimensions differ");
  return {};
}

// An operand of a product as a batch of matrices. Steps are in elements, those of the batch by dimension.
struct Matrices {
  Tensor tensor;
  Ints batch_steps;
  int64_t row_step = 1, column_step = 1;
};

// Describes an operand where it is, or a transposed copy of it if its rows or columns have no fixed step.
Result<Matrices> MatricesOf(KernelHost& host, const Tensor& dense, const Ints& batch, const Ints& rows,
                            const Ints& columns) {
  const std::vector<int64_t>& shape = dense.type().shape;
  Ints strides = StridesOf(shape);
  Matrices out{dense, {}, 1, 1};
  const auto row_step = StepOf(shape, strides, rows), column_step = StepOf(shape, strides, columns);
  if (row_step && column_step) {
    out.row_step = *row_step, out.column_step = *column_step;
    for (int64_t d : batch) out.batch_steps.push_back(strides[size_t(d)]);
    return out;
  }
  out.tensor = SHLO_TRY(Arranged(host, dense, Joined({batch, rows, columns})));
  strides = StridesOf(out.tensor.type().shape);
  out.batch_steps.assign(strides.begin(), strides.begin() + ptrdiff_t(batch.size()));
  out.row_step = Product(shape, columns);
  return out;
}

Result<Tensor> DotOf(KernelHost& host, const Tensor& lhs_in, const Tensor& rhs_in, const DotDims& dims,
                     ElementType declared) {
  const ValueType &lt = lhs_in.type(), &rt = rhs_in.type();
  SHLO_TRY(CheckDots(lt, rt, dims));
  if (!CanContract(declared)) return NoMeaning(declared);
  const ProductTypes types = ProductTypesOf(host, lt.element, rt.element, declared);
  const ElementType element = types.result;
  const Ints lhs_free = Others(lt.rank(), dims.lhs_batch, dims.lhs_contract);
  const Ints rhs_free = Others(rt.rank(), dims.rhs_batch, dims.rhs_contract);
  Ints shape;
  for (int64_t d : dims.lhs_batch) shape.push_back(lt.shape[size_t(d)]);
  for (int64_t d : lhs_free) shape.push_back(lt.shape[size_t(d)]);
  for (int64_t d : rhs_free) shape.push_back(rt.shape[size_t(d)]);
  const ValueTypePtr type = MakeTensorType(element, shape);
  MatrixOperands o;
  o.fast = host.options().fast;
  o.m = Product(lt.shape, lhs_free), o.n = Product(rt.shape, rhs_free);
  o.k = Product(lt.shape, dims.lhs_contract);
  const __int128 work = __int128(Product(lt.shape, dims.lhs_batch)) * o.m * o.k * o.n;
  SHLO_TRY(host.CountSteps(uint64_t(std::min<__int128>(work / 1024, INT64_MAX))));
  const Tensor lhs_dense = SHLO_TRY(DenseAs(host, lhs_in, types.operand));
  const Tensor rhs_dense = SHLO_TRY(DenseAs(host, rhs_in, types.operand));
  Tensor out = host.Allocate(type, false);
  if (!out) return OutOfMemory();
  if (type->count == 0) return declared == element ? out : DenseAs(host, out, declared);
  const Matrices lhs = SHLO_TRY(MatricesOf(host, lhs_dense, dims.lhs_batch, lhs_free, dims.lhs_contract));
  const Matrices rhs = SHLO_TRY(MatricesOf(host, rhs_dense, dims.rhs_batch, dims.rhs_contract, rhs_free));
  o.a = lhs.tensor.data(), o.a_row = lhs.row_step, o.a_column = lhs.column_step;
  o.b = rhs.tensor.data(), o.b_row = rhs.row_step, o.b_column = rhs.column_step;
  o.c = out.mutable_data(), o.c_row = o.n;
  o.operand = types.narrow, o.rounding = types.rounding;
  constexpr size_t kMostAtOnce = 4096;  // offsets would take more memory than small matrices
  const std::span<const int64_t> batch_shape = std::span(shape).first(dims.lhs_batch.size());
  MatrixBatch at;
  for (IndexWalk batch(batch_shape); !batch.done(); at.c += o.m * o.n) {
    at.a = at.b = 0;
    for (size_t d = 0; d < batch_shape.size(); ++d)
      at.a += batch[d] * lhs.batch_steps[d], at.b += batch[d] * rhs.batch_steps[d];
    o.batches.push_back(at);
    batch.Next();
    if (o.batches.size() < kMostAtOnce && !batch.done()) continue;
    MatrixProduct(host, element, o);
    o.batches.clear();
  }
  return declared == element ? out : DenseAs(host, out, declared);
}

}  // namespace

ProductTypes ProductTypesOf(const KernelHost& host, ElementType lhs, ElementType rhs, ElementType declared) {
  const auto narrow = [](ElementType element) {
    return !element.complex && (element.kind == TypeKind::kF16 || element.kind == TypeKind::kBF16);
  };
  constexpr ElementType kF32{TypeKind::kF32};
  if (narrow(declared) && !host.options().fast) return {declared, kF32, declared.kind, declared.kind};
  const ElementType result = narrow(declared) ? kF32 : declared;
  if (result == kF32 && narrow(lhs) && lhs == rhs) return {lhs, kF32, lhs.kind};
  return {result, result};
}

Result<Tensor> DenseAs(KernelHost& host, const Tensor& tensor, ElementType element) {
  if (tensor.element() == element) {
    Tensor dense = Dense(host, tensor);
    if (!dense) return OutOfMemory();
    return dense;
  }
  const ElementType from[1] = {tensor.element()};
  LoopQuery query{nullptr, nullptr, from, element};
  const ElementLoop loop = PickConvert(query);
  const ValueTypePtr type = MakeTensorType(element, tensor.type().shape);
  if (!loop || !type) return NoMeaning(tensor.element());
  const Tensor* operands[1] = {&tensor};
  const Tensor converted = SHLO_TRY(Apply(host, loop, operands, type));
  Tensor dense = Dense(host, converted);
  if (!dense) return OutOfMemory();
  return dense;
}

Status EvaluateDotGeneral(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 2));
  DotDims dims;
  dims.lhs_batch = SHLO_TRY(IntsOf(call, "lhs_batching_dimensions"));
  dims.rhs_batch = SHLO_TRY(IntsOf(call, "rhs_batching_dimensions"));
  dims.lhs_contract = SHLO_TRY(IntsOf(call, "lhs_contracting_dimensions"));
  dims.rhs_contract = SHLO_TRY(IntsOf(call, "rhs_contracting_dimensions"));
  const DeclaredElement declared = SHLO_TRY(ElementOfResult(call));
  call.results[0] = SHLO_TRY(DotOf(call.host, call.operand(0), call.operand(1), dims, declared.element));
  return {};
}

// Older `dot`: vectors and matrices.
Status EvaluateDot(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 2));
  const int64_t rank = call.operand(0).type().rank();
  if (rank < 1 || rank > 2 || call.operand(1).type().rank() < 1 || call.operand(1).type().rank() > 2)
    return Invalid("operands must be vectors or matrices");
  const DotDims dims{{}, {}, {rank - 1}, {0}};
  const DeclaredElement declared = SHLO_TRY(ElementOfResult(call));
  call.results[0] = SHLO_TRY(DotOf(call.host, call.operand(0), call.operand(1), dims, declared.element));
  return {};
}

namespace {

// Parsed einsum_config, such as "ij,jk->ik": one letter per dimension of each operand and of the result.
// "..." represents dimensions without a letter, counted from the right.
struct EinsumSpec {
  std::vector<Ints> operands;  // letters; those of "..." are negative
  Ints result;
};
Result<EinsumSpec> ParseEinsum(std::string_view config, std::span<const Tensor* const> operands) {
  EinsumSpec spec;
  const size_t arrow = config.find("->");
  if (arrow == std::string_view::npos) return Invalid("einsum_config has no '->'");
  size_t dots = 0;
  const auto parse = [&](std::string_view text, int64_t rank, Ints* out) {
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] == ' ') continue;
      if (text.substr(i, 3) == "...") {
        const int64_t letters =
            int64_t(std::count_if(text.begin(), text.end(), [](char c) { return c != '.' && c != ' '; }));
        const int64_t n = rank >= 0 ? rank - letters : int64_t(dots);
        for (int64_t d = n; d > 0; --d) out->push_back(-d);
        dots = std::max<size_t>(dots, size_t(std::max<int64_t>(n, 0)));
        i += 2;
      } else {
        out->push_back(text[i]);
      }
    }
  };
  std::string_view left = config.substr(0, arrow);
  for (const Tensor* operand : operands) {
    const size_t comma = left.find(',');
    spec.operands.emplace_back();
    parse(left.substr(0, comma), operand->type().rank(), &spec.operands.back());
    left = comma == std::string_view::npos ? std::string_view() : left.substr(comma + 1);
    if (int64_t(spec.operands.back().size()) != operand->type().rank())
      return Invalid("einsum_config does not match the operand ranks");
  }
  parse(config.substr(arrow + 2), -1, &spec.result);
  return spec;
}

// Sums over all letters that are not in the result, in the order of their first use.
Status EinsumOf(KernelCall& call) {
  const std::string_view config = SHLO_TRY(StringOf(call, "einsum_config"));
  const EinsumSpec spec = SHLO_TRY(ParseEinsum(config, call.operands));
  const DeclaredElement declared = SHLO_TRY(ElementOfResult(call));
  if (!CanContract(declared.element)) return NoMeaning(declared.element);
  std::map<int64_t, int64_t> extents;
  Ints summed;
  for (size_t o = 0; o < spec.operands.size(); ++o) {
    for (size_t d = 0; d < spec.operands[o].size(); ++d) {
      const int64_t letter = spec.operands[o][d], extent = call.operand(o).type().shape[d];
      const auto [it, inserted] = extents.emplace(letter, extent);
      if (!inserted && it->second == 1) it->second = extent;
      if (!inserted && it->second != extent && extent != 1)
        return Error(Code::kEvaluation, "an index of einsum_config has different sizes");
      const bool in_result = std::find(spec.result.begin(), spec.result.end(), letter) != spec.result.end();
      if (inserted && !in_result) summed.push_back(letter);
    }
  }
  Ints shape, walk;
  for (int64_t letter : spec.result) {
    if (!extents.contains(letter)) return Invalid("a result index of einsum_config is not in any operand");
    shape.push_back(extents[letter]);
  }
  SHLO_TRY(AllocateResult(call, 0, shape, declared));
  std::memset(call.results[0].mutable_data(), 0, call.results[0].type().bytes);
  walk = shape;
  for (int64_t letter : summed) walk.push_back(extents[letter]);
  // Strides of each letter in each operand.
  std::vector<Tensor> operands;
  std::vector<Ints> steps;
  for (size_t o = 0; o < spec.operands.size(); ++o) {
    Tensor dense = SHLO_TRY(DenseAs(call.host, call.operand(o), declared.element));
    const Ints strides = StridesOf(dense.type().shape);
    Ints step(walk.size(), 0);
    for (size_t w = 0; w < walk.size(); ++w) {
      const int64_t letter = w < shape.size() ? spec.result[w] : summed[w - shape.size()];
      for (size_t d = 0; d < strides.size(); ++d)
        if (spec.operands[o][d] == letter && dense.type().shape[d] != 1) step[w] += strides[d];
    }
    operands.push_back(std::move(dense));
    steps.push_back(std::move(step));
  }
  const ArithmeticLoops loops = LoopsOf(declared.element);
  const size_t bytes = declared.element.bytes();
  const Ints target = StridesOf(shape);
  for (IndexWalk index(walk); !index.done(); index.Next()) {
    SHLO_TRY(call.host.CountSteps(1));
    int64_t to = 0;
    for (size_t d = 0; d < shape.size(); ++d) to += index[d] * target[d];
    const uint8_t* factors[2] = {};
    for (size_t o = 0; o < operands.size(); ++o) {
      int64_t at = 0;
      for (size_t w = 0; w < walk.size(); ++w) at += index[w] * steps[o][w];
      factors[o] = operands[o].data() + uint64_t(at) * bytes;
    }
    uint8_t product[16];
    if (operands.size() == 2)
      loops.multiply.run(loops.multiply, factors, product, 1);
    else
      std::memcpy(product, factors[0], bytes);
    uint8_t* sum = call.results[0].mutable_data() + uint64_t(to) * bytes;
    const uint8_t* terms[2] = {sum, product};
    loops.add.run(loops.add, terms, sum, 1);
  }
  return {};
}

}  // namespace

Status EvaluateEinsum(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 2));
  return EinsumOf(call);
}

Status EvaluateUnaryEinsum(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 1));
  return EinsumOf(call);
}

// CHLO, "ragged_dot": dot products of groups. A group is a range of the ragged dimension: a range of rows of
// lhs with its own matrix (non-contracting), a range of the contracting dimension with its own result, or a
// range of batches. `group_sizes` holds their lengths in its last dimension.
Status EvaluateRaggedDot(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 3));
  const auto numbers = call.module.As<RaggedDotDimensionNumbersAttr>(
      call.module.InherentAttrOf(call.op, "ragged_dot_dimension_numbers"));
  if (!numbers) return Invalid("missing attribute 'ragged_dot_dimension_numbers'");
  const auto ints = [](std::span<const int64_t> list) { return Ints(list.begin(), list.end()); };
  DotDims dims;
  dims.lhs_batch = ints(numbers->lhs_batching_dimensions);
  dims.rhs_batch = ints(numbers->rhs_batching_dimensions);
  dims.lhs_contract = ints(numbers->lhs_contracting_dimensions);
  dims.rhs_contract = ints(numbers->rhs_contracting_dimensions);
  const Ints ragged = ints(numbers->lhs_ragged_dimensions), group = ints(numbers->rhs_group_dimensions);
  const Tensor &lhs = call.operand(0), &rhs = call.operand(1), &sizes = call.operand(2);
  if (ragged.size() != 1 || group.size() > 1)
    return Invalid("expected 1 ragged dimension and at most 1 group dimension");
  const int64_t r = ragged[0];
  if (r < 0 || r >= lhs.type().rank()) return Invalid("ragged dimension is out of range");
  const DeclaredElement declared = SHLO_TRY(ElementOfResult(call));
  const Ints lengths = SHLO_TRY(IndexOf(sizes));
  const int64_t groups = sizes.type().shape.empty() ? 0 : sizes.type().shape.back();
  const auto find = [](const Ints& list, int64_t d) {
    return std::find(list.begin(), list.end(), d) - list.begin();
  };
  const bool contracting = find(dims.lhs_contract, r) < ptrdiff_t(dims.lhs_contract.size());
  const bool batch = find(dims.lhs_batch, r) < ptrdiff_t(dims.lhs_batch.size());
  if (groups > 0 && int64_t(lengths.size()) != groups)
    return Error(Code::kUnsupported, "group sizes per batch are not supported");
  if (batch) {
    // Groups of batches have no effect.
    call.results[0] = SHLO_TRY(DotOf(call.host, lhs, rhs, dims, declared.element));
    return {};
  }
  const auto part = [&](const Tensor& tensor, int64_t d, int64_t start, int64_t size) -> Result<Tensor> {
    Ints shape = tensor.type().shape, first(shape.size(), 0);
    first[size_t(d)] = start;
    shape[size_t(d)] = size;
    return Slice(call.host, tensor, first, Ints(shape.size(), 1), MakeTensorType(tensor.element(), shape));
  };
  const int64_t extent = lhs.type().shape[size_t(r)];
  std::vector<Tensor> parts;
  int64_t start = 0;
  if (contracting) SHLO_TRY(CheckDots(lhs.type(), rhs.type(), dims));
  if (!contracting && group.size() != 1) return Invalid("rhs has no group dimension");
  for (int64_t g = 0; g < groups; ++g) {
    const int64_t size = std::clamp<int64_t>(lengths[size_t(g)], 0, extent - start);
    const Tensor left = SHLO_TRY(part(lhs, r, start, size));
    Tensor right;
    DotDims own = dims;
    if (contracting) {
      right = SHLO_TRY(part(rhs, dims.rhs_contract[size_t(find(dims.lhs_contract, r))], start, size));
    } else {
      if (group[0] < 0 || group[0] >= rhs.type().rank() || g >= rhs.type().shape[size_t(group[0])])
        return Invalid("rhs has too few groups");
      right = SHLO_TRY(part(rhs, group[0], g, 1));
      Ints shape = right.type().shape;
      shape.erase(shape.begin() + group[0]);
      right = right.As(MakeTensorType(rhs.element(), shape));
      for (Ints* list : {&own.rhs_batch, &own.rhs_contract})
        for (int64_t& d : *list) d -= d > group[0];
    }
    Tensor product = SHLO_TRY(DotOf(call.host, left, right, own, declared.element));
    if (contracting) {
      Ints shape = product.type().shape;
      shape.insert(shape.begin(), 1);
      product = product.As(MakeTensorType(declared.element, shape));
    }
    parts.push_back(std::move(product));
    start += size;
  }
  // Concatenate along the groups, or along the ragged dimension of the result. Rows without a group are zero.
  int64_t dimension = 0;
  if (!contracting) {
    const Ints free = Others(lhs.type().rank(), dims.lhs_batch, dims.lhs_contract);
    dimension = int64_t(dims.lhs_batch.size()) + (std::find(free.begin(), free.end(), r) - free.begin());
    if (start < extent && !parts.empty()) {
      Ints shape = parts[0].type().shape;
      shape[size_t(dimension)] = extent - start;
      Tensor zeros = call.host.Allocate(MakeTensorType(declared.element, shape), false);
      if (!zeros) return OutOfMemory();
      std::memset(zeros.mutable_data(), 0, zeros.type().bytes);
      parts.push_back(std::move(zeros));
    }
  }
  if (parts.empty()) return Invalid("group_sizes is empty");
  Ints shape = parts[0].type().shape;
  shape[size_t(dimension)] = 0;
  std::vector<const Tensor*> pointers;
  for (const Tensor& p : parts) {
    shape[size_t(dimension)] += p.type().shape[size_t(dimension)];
    pointers.push_back(&p);
  }
  const ValueTypePtr type = SHLO_TRY(ResultType(call, 0, shape, declared));
  call.results[0] = SHLO_TRY(Concatenate(call.host, pointers, dimension, type));
  return {};
}

}  // namespace shlo
