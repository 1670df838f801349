#include "shlo/random_tensor.h"

#include <cstring>

#include "eval/input_generator.h"
#include "ir/table/float_format.h"

namespace shlo {

Tensor RandomTensor(const ValueTypePtr& type, uint64_t seed) {
  if (!type->is_tensor()) return {};
  Tensor tensor = Tensor::Uninitialized(type);
  if (!tensor) return {};
  const ElementType element = type->element;
  const size_t size = element.part_bytes();
  const uint64_t parts = type->count * (element.complex ? 2 : 1);
  const int width = BitWidth(element.kind);
  int64_t least = 0, most = 1;
  if (type->quantization) {
    least = type->quantization->storage_min;
    most = type->quantization->storage_max;
  } else if (!element.is_bool()) {
    const int magnitude_bits = width - !element.is_unsigned();
    most = magnitude_bits < 4 ? (1 << magnitude_bits) - 1 : 9;
  }
  const uint64_t mask = width >= 64 ? ~0ull : (1ull << width) - 1;
  const bool is_float = IsFloat(element.kind) && !type->quantization;
  const uint64_t numbers = uint64_t(most) - uint64_t(least) + 1;  // 0: all of 64 bits
  SplitMix64 random(seed);
  uint8_t* out = tensor.mutable_data();
  for (uint64_t i = 0; i < parts; ++i, out += size) {
    const uint64_t r = random.Next();
    if (is_float && element.kind == TypeKind::kF32) {
      const float value = float(int64_t(r >> 40) - (1 << 23)) / float(1 << 23);
      std::memcpy(out, &value, sizeof value);
      continue;
    }
    const uint64_t bits =
        is_float ? EncodeFloat(element.kind, double(int64_t(r >> 11) - (1ll << 52)) / double(1ll << 52))
                 : (uint64_t(least) + (numbers ? r % numbers : r)) & mask;
    std::memcpy(out, &bits, size);
  }
  return tensor;
}

}  // namespace shlo
