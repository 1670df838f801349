// The operands and results of a custom call of LAPACK, in the order of their elements in memory. Internal to
// lib/eval/custom_calls.
#pragma once

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "base/format.h"
#include "base/stack.h"
#include "base/try.h"
#include "eval/kernel/custom_call_args.h"
#include "eval/kernel/move_elements.h"
#include "eval/lapack/lapack.h"

namespace shlo {

using lapack::Int, lapack::Real, lapack::kIsComplex;

// The numbers of half the size, in which a program may have matrices.
template <typename T>
using Narrow = std::conditional_t<kIsComplex<T>, std::complex<float>, float>;

// A batch of matrices or vectors in memory order.
template <typename T>
struct Stack {
  Tensor memory;
  Ints shape;              // as the program sees it
  size_t inner = 0;        // dimensions of one matrix or vector
  Int rows = 0, cols = 0;  // the last two dimensions
  uint64_t batch = 0;      // matrices; 0 if they are empty
  T* data = nullptr;
  uint64_t step = 0;  // elements from one matrix to the next
  T* operator[](uint64_t i) const { return data + i * step; }
  std::span<const int64_t> outer() const { return std::span(shape).first(shape.size() - 2); }
};

// The operands and results of a call. Routines compute in f64 (T is double or its complex numbers); matrices
// of f32 are widened before and rounded after.
template <typename T>
class LapackCall {
 public:
  // `scalars`: leading operands of the older form.
  LapackCall(KernelCall& call, size_t scalars) : call_(call) {
    CheckStack(32 << 10);  // frames of its routines
    std::string_view target;
    call.module.AsString(call.module.AttributeOf(call.op, "call_target_name"), &target);
    by_layout_ = target.starts_with("lapack_") || target.starts_with("blas_");
    older_ = by_layout_ && !target.ends_with("_ffi");
    first_ = older_ ? scalars : 0;
    // lapack_sgetrf, lapack_cgetrf; other targets have no letter for the type.
    if (by_layout_)
      narrow_ = std::string_view("sc").find(target[target.find('_') + 1]) != std::string_view::npos;
    else
      narrow_ = call.operands.size() > first_ && call.operand(first_).element().kind == TypeKind::kF32;
  }

  bool older() const { return older_; }
  // Checks the number of matrices among the operands.
  Status CheckOperands(size_t matrices) const {
    const size_t values = SHLO_TRY(CountValues(call_));
    if (values == first_ + matrices) return {};
    return Invalid(StrFormat("expected {}, got {}", Count(first_ + matrices, "operand"), values));
  }
  // Returns a leading operand of the older form.
  Result<int64_t> Scalar(size_t i) const {
    const Ints value = SHLO_TRY(IndexOf(call_.operands.subspan(i, 1)));
    return value[0];
  }
  // Returns a character, which the configuration holds as its code; it must be one of `allowed`.
  Result<char> Option(std::string_view name, std::string_view allowed) const {
    const int64_t code = SHLO_TRY(ConfigInt(call_, name));
    for (char c : allowed)
      if (code == c) return c;
    return Invalid(StrFormat("option '{}' has the unknown value {}", name, code));
  }
  // Returns 'L' for a lower triangle, 'U' for an upper one; scalar `i` of the older form.
  Result<char> Triangle(size_t i) const {
    if (!older_) return Option("uplo", "LU");
    const int64_t lower = SHLO_TRY(Scalar(i));
    return lower ? 'L' : 'U';
  }

  // Returns a copy of operand `i` in memory order, with the last two dimensions as a matrix, or the last one
  // as a column.
  template <typename U = T>
  Result<Stack<U>> Read(size_t i, bool vectors = false) const {
    const Tensor& operand = call_.operand(first_ + i);
    Stack<U> stack;
    stack.shape = operand.type().shape;
    const size_t inner = vectors ? 1 : 2;
    if (!operand.type().is_tensor() || operand.element() != ElementOf<U>() || stack.shape.size() < inner)
      return Invalid(StrFormat("operand {} has type {}, expected {} of {}", first_ + i,
                               TypeName(operand.type()), vectors ? "vectors" : "matrices",
                               ElementName(ElementOf<U>())));
    const Ints order = SHLO_TRY(Order("operand_layouts", first_ + i, stack.shape.size(), inner));
    Tensor source = Dense(call_.host, operand);
    if (!source) return OutOfMemory();
    if (!InOrder(order)) {
      source =
          SHLO_TRY(Transpose(call_.host, source, order, MemoryType(operand.element(), stack.shape, order)));
    }
    stack.memory = call_.host.Allocate(MakeTensorType(WideElement<U>(), source.type().shape), false);
    if (!stack.memory) return OutOfMemory();
    if (narrow_ && !std::is_same_v<U, Int>)
      std::copy_n(Data<Narrow<U>>(source), source.count(), MutableData<U>(stack.memory));
    else
      std::copy_n(Data<U>(source), source.count(), MutableData<U>(stack.memory));
    SHLO_TRY(Measure(&stack, inner));
    return stack;
  }
  // Returns zeros for result `i`, of the shape `outer` and `inner`.
  template <typename U = T>
  Result<Stack<U>> New(size_t i, std::span<const int64_t> outer, std::initializer_list<int64_t> inner) const {
    Stack<U> stack;
    stack.shape.assign(outer.begin(), outer.end());
    stack.shape.insert(stack.shape.end(), inner.begin(), inner.end());
    const Ints order = SHLO_TRY(Order("result_layouts", i, stack.shape.size(), inner.size()));
    stack.memory = call_.host.Allocate(MemoryType(WideElement<U>(), stack.shape, order), false);
    if (!stack.memory) return OutOfMemory();
    std::memset(stack.memory.mutable_data(), 0, stack.memory.stored_bytes());
    SHLO_TRY(Measure(&stack, inner.size()));
    return stack;
  }

  // Counts the work on a matrix before it begins, and stops at the deadline: `factor` times as much as a
  // product of the matrix and a square one.
  void CountMatrix(double factor, Int rows, Int cols) const {
    const double products = double(rows) * double(cols) * double(std::min(rows, cols));
    constexpr double kNanoseconds = 1, kPerMatrix = 500;
    CountWork(call_.host, kPerMatrix + factor * products * (kIsComplex<T> ? 4 : 1) * kNanoseconds);
  }

  // Sets result `i`.
  template <typename U>
  Status Return(size_t i, const Stack<U>& stack) {
    if (i >= call_.results.size()) return Invalid(StrFormat("expected more than {}", Count(i, "result")));
    const Ints order = SHLO_TRY(Order("result_layouts", i, stack.shape.size(), stack.inner));
    const ValueTypePtr type =
        SHLO_TRY(ResultType(call_, i, stack.shape, DeclaredElement{ElementOf<U>(), {}}));
    Tensor memory = stack.memory;
    if (ElementOf<U>() != WideElement<U>()) {
      memory = call_.host.Allocate(MakeTensorType(ElementOf<U>(), memory.type().shape), false);
      if (!memory) return OutOfMemory();
      std::transform(Data<U>(stack.memory), Data<U>(stack.memory) + memory.count(),
                     MutableData<Narrow<U>>(memory), [](U value) { return Narrow<U>(value); });
    }
    if (InOrder(order)) {
      call_.results[i] = memory.As(type);
      return {};
    }
    Ints back(order.size());
    for (size_t d = 0; d < order.size(); ++d) back[size_t(order[d])] = int64_t(d);
    // A result with the layout of an operand reuses its memory, whose extents may be in a different order.
    memory = memory.As(MemoryType(ElementOf<U>(), stack.shape, order));
    call_.results[i] = SHLO_TRY(Transpose(call_.host, memory, back, type));
    return {};
  }
  // Sets all results that have no value yet, such as workspace, to zeros.
  Status Finish() {
    for (size_t i = 0; i < call_.results.size(); ++i) {
      if (call_.results[i]) continue;
      const Ints shape = SHLO_TRY(ShapeOfResult(call_, i));
      const DeclaredElement element = SHLO_TRY(ElementOfResult(call_, i));
      SHLO_TRY(AllocateResult(call_, i, shape, element));
      std::memset(call_.results[i].mutable_data(), 0, call_.results[i].stored_bytes());
    }
    return {};
  }

 private:
  // The elements that a routine sees, and those that the program has.
  template <typename U>
  static constexpr ElementType WideElement() {
    if constexpr (std::is_same_v<U, Int>) return {TypeKind::kI32, false};
    return {TypeKind::kF64, kIsComplex<U>};
  }
  template <typename U>
  ElementType ElementOf() const {
    if (std::is_same_v<U, Int> || !narrow_) return WideElement<U>();
    return {TypeKind::kF32, kIsComplex<U>};
  }
  template <typename U>
  static const U* Data(const Tensor& tensor) {
    return reinterpret_cast<const U*>(tensor.data());
  }
  template <typename U>
  static U* MutableData(Tensor& tensor) {
    return reinterpret_cast<U*>(tensor.mutable_data());
  }

  // Returns the order of the dimensions in the memory that the routine sees.
  Result<Ints> Order(std::string_view attribute, size_t i, size_t rank, size_t inner) const {
    if (by_layout_) return MemoryOrder(call_, attribute, i, rank);
    Ints order(rank);
    for (size_t d = 0; d < rank; ++d) order[d] = int64_t(d);
    if (inner == 2) std::swap(order[rank - 2], order[rank - 1]);
    return order;
  }
  static bool InOrder(std::span<const int64_t> order) { return std::is_sorted(order.begin(), order.end()); }
  static ValueTypePtr MemoryType(ElementType element, std::span<const int64_t> shape,
                                 std::span<const int64_t> order) {
    Ints extents;
    for (int64_t d : order) extents.push_back(shape[size_t(d)]);
    return MakeTensorType(element, extents);
  }
  // Sets the extents of a stack whose memory is allocated. LAPACK computes in 32-bit integers, workspaces of
  // several times the matrix included.
  template <typename U>
  static Status Measure(Stack<U>* stack, size_t inner) {
    constexpr int64_t kMost = 1 << 27;
    const Ints& shape = stack->shape;
    const size_t rank = shape.size();
    const int64_t rows = inner == 0 ? 1 : shape[rank - inner], cols = inner == 2 ? shape[rank - 1] : 1;
    if (rows > kMost || cols > kMost || (rows > 0 && cols > kMost / rows))
      return Error(Code::kLimit, StrFormat("a matrix exceeds the limit of {} elements", kMost));
    stack->inner = inner;
    stack->rows = Int(rows), stack->cols = Int(cols);
    stack->step = uint64_t(rows) * uint64_t(cols);
    // There may be any number of empty matrices, of which nothing is computed.
    stack->batch = stack->step == 0 ? 0 : stack->memory.count() / stack->step;
    stack->data = reinterpret_cast<U*>(stack->memory.mutable_data());
    return {};
  }

  KernelCall& call_;
  bool by_layout_ = true;  // the target sees memory as the layouts of the call say; otherwise, matrices
  bool older_ = false;
  bool narrow_ = false;  // the program's matrices are of f32
  size_t first_ = 0;
};

}  // namespace shlo
