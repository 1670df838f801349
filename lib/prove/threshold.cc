#include "prove/threshold.h"

#include <cstring>

#include "shlo/kinds.h"

namespace shlo {
namespace {

uint64_t SignBit(ElementType element) { return 1ull << (BitWidth(element.kind) - 1); }

// Maps bit patterns to integers in the order of the numbers: those with a sign come first.
uint64_t ToOrdered(ElementType element, uint64_t bits) {
  const uint64_t sign = SignBit(element);
  if (element.is_unsigned() || element.is_bool()) return bits;
  if (!IsFloat(element.kind)) return bits ^ sign;
  return bits & sign ? sign - 1 - (bits & (sign - 1)) : bits | sign;
}

uint64_t FromOrdered(ElementType element, uint64_t ordered) {
  const uint64_t sign = SignBit(element);
  if (element.is_unsigned() || element.is_bool()) return ordered;
  if (!IsFloat(element.kind)) return ordered ^ sign;
  return ordered & sign ? ordered & (sign - 1) : sign | (sign - 1 - ordered);
}

}  // namespace

std::optional<Threshold> Threshold::Between(std::vector<Tensor> low, const Tensor& high, size_t argument,
                                            uint64_t element) {
  if (argument >= low.size()) return std::nullopt;
  const Tensor& tensor = low[argument];
  if (!tensor.type().is_tensor() || tensor.type().quantization || tensor.element().is_bool() ||
      element >= tensor.count() || element >= high.count())
    return std::nullopt;
  Threshold out;
  out.low_ = ToOrdered(tensor.element(), ElementBits(tensor, element));
  out.high_ = ToOrdered(tensor.element(), ElementBits(high, element));
  out.args_ = std::move(low);
  out.argument_ = argument;
  out.element_ = element;
  return out;
}

std::vector<Tensor> Threshold::With(uint64_t ordered) const {
  std::vector<Tensor> out = args_;
  const Tensor& old = args_[argument_];
  const uint64_t bits = FromOrdered(old.element(), ordered);
  std::string bytes = old.ToBytes();
  std::memcpy(bytes.data() + element_ * old.element().bytes(), &bits, old.element().part_bytes());
  out[argument_] = Tensor::Copy(old.type_ptr(), bytes);
  if (!out[argument_]) out.clear();
  return out;
}

}  // namespace shlo
