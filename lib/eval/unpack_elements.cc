#include "eval/unpack_elements.h"

#include <algorithm>
#include <cstring>

namespace shlo {

Result<Tensor> UnpackElements(const ValueTypePtr& type, std::string_view bytes, bool swapped,
                              const Buffer& owner) {
  const ElementType element = type->element;
  const uint32_t part = element.part_bytes();
  const int used = BitWidth(element.kind) % 8;
  swapped = swapped && part > 1;
  if (owner && !swapped && used == 0)
    return Tensor::View(type, reinterpret_cast<const uint8_t*>(bytes.data()), owner);
  Tensor tensor = Tensor::Copy(type, bytes);
  if (!tensor) return Error(Code::kLimit, "not enough memory for the array");
  uint8_t* data = tensor.mutable_data();
  if (swapped)
    for (uint64_t i = 0; i + part <= bytes.size(); i += part) std::reverse(data + i, data + i + part);
  if (element.is_bool())
    for (uint64_t i = 0; i < bytes.size(); ++i) data[i] = bytes[i] != 0;  // all bits count
  else if (used != 0)
    for (uint64_t i = part - 1; i < bytes.size(); i += part) data[i] &= uint8_t((1 << used) - 1);
  return tensor;
}

}  // namespace shlo
