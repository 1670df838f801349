#include "shlo/strided.h"

#include "base/format.h"
#include "base/guarded.h"
#include "base/try.h"
#include "eval/kernel/move_elements.h"

namespace shlo {
namespace {

Result<void> CheckStrides(const ValueType& type, std::span<const int64_t> strides) {
  if (!type.is_tensor()) return Error(Code::kUsage, "expected a tensor, got a token or tuple");
  if (!strides.empty() && strides.size() != type.shape.size())
    return Error(Code::kUsage,
                 StrFormat("expected {}, got {}", Count(type.shape.size(), "stride"), strides.size()));
  return {};
}

Result<Tensor> ReadAt(const ValueTypePtr& type, const void* data, std::span<const int64_t> strides) {
  if (!type) return Error(Code::kUsage, "expected a tensor type");
  SHLO_TRY(CheckStrides(*type, strides));
  const uint8_t* from = static_cast<const uint8_t*>(data);
  const Ints own = StridesOf(type->shape);
  bool row_major = true;
  for (size_t d = 0; d < strides.size(); ++d)
    row_major = row_major && (type->shape[d] == 1 || strides[d] == own[d]);
  if (row_major) return Tensor::View(type, from, nullptr);
  Tensor tensor = Tensor::Uninitialized(type);
  if (!tensor) return Error(Code::kLimit, "not enough memory to copy the tensor");
  if (type->count > 0)
    CopyStrided(type->shape, from, strides, tensor.mutable_data(), own, type->element.bytes());
  return tensor;
}

Result<void> WriteAt(const Tensor& tensor, void* data, std::span<const int64_t> strides) {
  if (!tensor) return Error(Code::kUsage, "expected a tensor");
  const ValueType& type = tensor.type();
  SHLO_TRY(CheckStrides(type, strides));
  if (type.count == 0) return {};
  const Ints own = StridesOf(type.shape), none(type.shape.size(), 0);
  CopyStrided(type.shape, tensor.data(), tensor.splat() ? none : own, static_cast<uint8_t*>(data),
              strides.empty() ? std::span<const int64_t>(own) : strides, type.element.bytes());
  return {};
}

}  // namespace

Result<Tensor> TensorAt(const ValueTypePtr& type, const void* data, std::span<const int64_t> strides) {
  return Guarded([&] { return ReadAt(type, data, strides); });
}

Result<void> CopyTo(const Tensor& tensor, void* data, std::span<const int64_t> strides) {
  return Guarded([&] { return WriteAt(tensor, data, strides); });
}

}  // namespace shlo
