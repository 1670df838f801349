// Checked access to attributes, by name and with defaults, and to result types, for kernels.
#pragma once

#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "base/try.h"
#include "eval/kernel/kernel.h"

namespace shlo {

using Ints = std::vector<int64_t>;

// Return an attribute by name, or an error that names it. `missing` is the default of an absent attribute.
Result<Ints> IntsOf(const KernelCall& call, std::string_view name);
// Returns an empty list if the attribute is absent: older versions of an op do not have it.
Result<Ints> IntsIfAny(const KernelCall& call, std::string_view name);
Result<Ints> IntsOr(const KernelCall& call, std::string_view name, size_t size, int64_t missing);
// Like IntsOr, for `size` pairs (padding).
Result<Ints> PairsOr(const KernelCall& call, std::string_view name, size_t size);
Result<int64_t> IntOf(const KernelCall& call, std::string_view name, std::optional<int64_t> missing = {});
Result<bool> FlagOf(const KernelCall& call, std::string_view name, bool missing = false);
Result<std::string_view> StringOf(const KernelCall& call, std::string_view name,
                                  std::string_view missing = {});
Result<double> FloatOf(const KernelCall& call, std::string_view name);
// The 64-bit words of a float or integer attribute, little-endian.
std::optional<std::span<const int64_t>> BitsOfNumber(const Module& module, AttrId attr);
// The case of an enum attribute.
Result<int64_t> EnumOf(const KernelCall& call, std::string_view name, std::optional<int64_t> missing = {});

// Returns the elements of an integer tensor (unsigned ones above 2^63 become INT64_MAX).
Result<Ints> IndexOf(const Tensor& tensor);
// Likewise, for tensors of one element each.
Result<Ints> IndexOf(std::span<const Tensor* const> scalars);

// Returns lists one after the other, such as those whose dimensions must be distinct together.
Ints Joined(std::initializer_list<std::span<const int64_t>> lists);
// Checks that dimensions are distinct and in range.
Status CheckDimensions(std::string_view what, std::span<const int64_t> dimensions, int64_t rank);

// Checks the numbers of operands and results.
Status CheckArity(const KernelCall& call, size_t operands, size_t results = 1);
// Returns the declared type of a result. Invalid id if the op has no such result.
TypeId DeclaredType(const KernelCall& call, size_t i = 0);
// The declared element type (and quantization) of a result, even if its shape is not static.
struct DeclaredElement {
  ElementType element;
  QuantizationPtr quantization;
};
Result<DeclaredElement> ElementOfResult(const KernelCall& call, size_t i = 0);
// Returns the type of a result of this shape. Fails if it is too large.
Result<ValueTypePtr> ResultType(const KernelCall& call, size_t i, std::span<const int64_t> shape,
                                const DeclaredElement& element);
inline Result<ValueTypePtr> ResultType(const KernelCall& call, size_t i, std::span<const int64_t> shape,
                                       const Tensor& like) {
  return ResultType(call, i, shape, DeclaredElement{like.element(), like.type().quantization});
}
// Allocates result i with that type.
Status AllocateResult(KernelCall& call, size_t i, std::span<const int64_t> shape,
                      const DeclaredElement& element, bool splat = false);
inline Status AllocateResult(KernelCall& call, size_t i, std::span<const int64_t> shape, const Tensor& like,
                             bool splat = false) {
  return AllocateResult(call, i, shape, DeclaredElement{like.element(), like.type().quantization}, splat);
}
// Takes the results that a region returns.
Status TakeResults(KernelCall& call, Result<std::vector<Tensor>> values);
// Returns the declared shape of a result. Fails if it is not static.
Result<Ints> DeclaredShape(const KernelCall& call, size_t i = 0);

// Errors for invalid programs, and for element types that an op does not support.
tl::unexpected<Diagnostics> Invalid(std::string message);
tl::unexpected<Diagnostics> NoMeaning(ElementType element);

}  // namespace shlo
