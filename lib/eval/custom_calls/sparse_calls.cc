// jax's product of a sparse matrix in compressed rows and a dense vector or matrix on a CPU
// (jax/experimental/sparse/bcsr.py).
#include <algorithm>
#include <complex>
#include <cstring>

#include "base/format.h"
#include "base/try.h"
#include "eval/kernel/custom_call_args.h"
#include "eval/kernel/move_elements.h"
#include "eval/kernels/kernels.h"

namespace shlo {
namespace {

// The operands: row r has the values and columns at positions [starts[r], starts[r + 1]).
struct Rows {
  Ints starts, columns;
  Tensor values, dense;
  size_t width = 0;  // columns of the dense operand; 1 for a vector
};

template <typename T>
T Load(const Tensor& tensor, size_t i) {
  T value;
  std::memcpy(&value, tensor.data() + i * sizeof(T), sizeof(T));
  return value;
}

// Sums are in the element type, in the order of the stored values; those of integers wrap.
template <typename T>
void Multiply(const Rows& m, uint8_t* out) {
  std::vector<T> sums(m.width);
  for (size_t r = 0; r + 1 < m.starts.size(); ++r) {
    std::fill(sums.begin(), sums.end(), T(0));
    for (size_t i = size_t(m.starts[r]); i < size_t(m.starts[r + 1]); ++i) {
      const T value = Load<T>(m.values, i);
      for (size_t c = 0; c < m.width; ++c)
        sums[c] += value * Load<T>(m.dense, size_t(m.columns[i]) * m.width + c);
    }
    std::memcpy(out + r * m.width * sizeof(T), sums.data(), m.width * sizeof(T));
  }
}

Result<void (*)(const Rows&, uint8_t*)> MultiplyFor(ElementType element) {
  if (element == ElementType{TypeKind::kI32}) return Multiply<uint32_t>;
  if (element == ElementType{TypeKind::kI64}) return Multiply<uint64_t>;
  if (element == ElementType{TypeKind::kF32}) return Multiply<float>;
  if (element == ElementType{TypeKind::kF64}) return Multiply<double>;
  if (element == ElementType{TypeKind::kF32, true}) return Multiply<std::complex<float>>;
  if (element == ElementType{TypeKind::kF64, true}) return Multiply<std::complex<double>>;
  return NoMeaning(element);
}

Status CheckRowMajor(const KernelCall& call, std::string_view attribute, size_t i, size_t rank) {
  const Ints order = SHLO_TRY(MemoryOrder(call, attribute, i, rank));
  if (std::is_sorted(order.begin(), order.end())) return {};
  return Error(Code::kUnsupported, StrFormat("'{}' that are not row-major are not supported", attribute));
}

}  // namespace

// cpu_csr_sparse_dense_ffi: operands are the values, the start of each row and the end of the last one, the
// column of each value, and the dense vector or matrix. Values of a column that occurs twice add up.
Status EvaluateCsrProduct(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 4));
  const Ints &values = call.operand(0).type().shape, &starts = call.operand(1).type().shape,
             &columns = call.operand(2).type().shape, &dense = call.operand(3).type().shape;
  if (values.size() != 1 || starts.size() != 1 || columns != values || starts[0] < 1 || dense.empty() ||
      dense.size() > 2 || call.operand(0).element() != call.operand(3).element())
    return Invalid("operand shapes do not match");
  const auto multiply = SHLO_TRY(MultiplyFor(call.operand(0).element()));
  SHLO_TRY(CheckRowMajor(call, "operand_layouts", 3, dense.size()));
  Ints shape = dense;
  shape[0] = starts[0] - 1;
  SHLO_TRY(CheckRowMajor(call, "result_layouts", 0, shape.size()));
  Rows rows;
  rows.starts = SHLO_TRY(IndexOf(call.operand(1)));
  rows.columns = SHLO_TRY(IndexOf(call.operand(2)));
  if (rows.starts.front() < 0 || rows.starts.back() > values[0] ||
      !std::is_sorted(rows.starts.begin(), rows.starts.end()))
    return Invalid("starts of rows are not in order and in range");
  // Values that are in no row are padding, whose columns may be anything.
  for (int64_t i = rows.starts.front(); i < rows.starts.back(); ++i)
    if (const int64_t column = rows.columns[size_t(i)]; column < 0 || column >= dense[0])
      return Invalid(StrFormat("column {} is out of range, expected 0 to {}", column, dense[0] - 1));
  rows.values = Dense(call.host, call.operand(0));
  rows.dense = Dense(call.host, call.operand(3));
  if (!rows.values || !rows.dense) return OutOfMemory();
  rows.width = dense.size() == 2 ? size_t(dense[1]) : 1;
  const __int128 work = __int128(values[0]) * int64_t(rows.width);
  SHLO_TRY(call.host.CountSteps(uint64_t(std::min<__int128>(work / 1024, INT64_MAX))));
  SHLO_TRY(AllocateResult(call, 0, shape, call.operand(0)));
  if (call.results[0].count() > 0) multiply(rows, call.results[0].mutable_data());
  return {};
}

}  // namespace shlo
