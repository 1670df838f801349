#include "eval/input_generator.h"

#include <algorithm>
#include <cstring>

#include "ir/table/float_format.h"

namespace shlo {
namespace {

uint64_t Mask(int bits) { return bits >= 64 ? ~0ull : (1ull << bits) - 1; }

// Reachable input counts are small; a product beyond this is as good as any other.
constexpr uint64_t kMany = 1ull << 40;
uint64_t Times(uint64_t a, uint64_t b) { return b != 0 && a > kMany / b ? kMany : a * b; }

void Put(uint8_t* out, uint64_t bits, uint32_t bytes) { std::memcpy(out, &bits, bytes); }

}  // namespace

std::vector<uint64_t> BoundaryValues(TypeKind kind) {
  std::vector<uint64_t> values;
  const int width = BitWidth(kind);
  if (width <= 8) {
    for (uint64_t v = 0; v < 1ull << width; ++v) values.push_back(v);
    return values;
  }
  const uint64_t mask = Mask(width), sign = 1ull << (width - 1);
  const FloatFormat* format = FloatFormatOf(kind);
  if (!format) {
    const std::initializer_list<uint64_t> integers = {0,        1,        mask,     sign - 1, sign,        2,
                                                      mask - 1, sign - 2, sign + 1, mask / 3, mask / 3 * 2};
    values.assign(integers);
    return values;
  }
  const int m = format->mantissa_bits;
  const uint64_t infinity = Mask(format->exponent_bits) << m;
  const uint64_t one = uint64_t(format->bias) << m;
  const std::initializer_list<uint64_t> magnitudes = {0,
                                                      one,
                                                      1,
                                                      Mask(m),
                                                      1ull << m,
                                                      infinity - 1,
                                                      infinity,
                                                      infinity | 1ull << (m - 1),
                                                      infinity | 1,
                                                      one + 1,
                                                      one - 1,
                                                      one + (1ull << (m - 1))};
  for (uint64_t v : magnitudes) {
    values.push_back(v);
    values.push_back(v | sign);
  }
  return values;
}

InputGenerator::InputGenerator(std::vector<ValueTypePtr> args, uint64_t seed) : seed_(seed) {
  uint64_t first = 1, second = 1;  // the two largest numbers of choices
  bool any = false;
  for (ValueTypePtr& type : args) {
    Argument arg{type, BoundaryValues(type->element.kind), 1};
    arg.choices = Times(arg.values.size(), type->element.complex ? arg.values.size() : 1);
    elements_ = std::max(elements_, type->count);
    const uint64_t bits = Times(type->count, type->element.width());
    total_bits_ = bits >= kMany || total_bits_ >= kMany ? ~0ull : total_bits_ + bits;
    if (type->count > 0) any = true;
    if (arg.choices > first) {
      second = first;
      first = arg.choices;
    } else {
      second = std::max(second, arg.choices);
    }
    args_.push_back(std::move(arg));
  }
  const uint64_t combinations = Times(first, second);
  // With more than two arguments each turn pairs other neighbours.
  const uint64_t turns = args_.size() > 2 ? args_.size() : 1;
  boundary_sets_ = any ? Times((combinations + elements_ - 1) / elements_, turns) : 1;
}

void InputGenerator::PutChoice(const Argument& arg, uint64_t choice, uint8_t* out) const {
  const ElementType element = arg.type->element;
  Put(out, arg.values[choice % arg.values.size()], element.part_bytes());
  if (element.complex)
    Put(out + element.part_bytes(), arg.values[choice / arg.values.size() % arg.values.size()],
        element.part_bytes());
}

std::vector<Tensor> InputGenerator::BoundarySet(uint64_t set) const {
  std::vector<Tensor> out;
  const size_t turns = args_.size() > 2 ? args_.size() : 1;
  const size_t turn = set % turns;
  const uint64_t start = (set / turns) * elements_;
  for (size_t a = 0; a < args_.size(); ++a) {
    const Argument& arg = args_[a];
    // A counter whose first digit is the argument `turn` and whose second is its neighbour; the arguments
    // after those take boundary values as they come.
    const size_t digit = (a + args_.size() - turn) % args_.size();
    const uint64_t stride = digit == 1 ? args_[turn].choices : 1;
    const auto choice = [&](uint64_t n) {
      if (digit >= 2) n = SplitMix64(n * args_.size() + digit).Next();
      return n / stride % arg.choices;
    };
    Tensor tensor = Tensor::Uninitialized(arg.type);
    if (!tensor) return {};
    const uint32_t size = arg.type->element.bytes();
    for (uint64_t i = 0; i < arg.type->count; ++i)
      PutChoice(arg, choice(start + i), tensor.mutable_data() + i * size);
    out.push_back(std::move(tensor));
  }
  return out;
}

std::vector<Tensor> InputGenerator::RandomSet(uint64_t set) const {
  std::vector<Tensor> out;
  SplitMix64 random(seed_ + 0xD1B54A32D192ED03ull * (set + 1));
  for (const Argument& arg : args_) {
    Tensor tensor = Tensor::Uninitialized(arg.type);
    if (!tensor) return {};
    const ElementType element = arg.type->element;
    const uint32_t size = element.part_bytes();
    const uint64_t parts = arg.type->count * (element.complex ? 2 : 1);
    const uint64_t mask = Mask(BitWidth(element.kind));
    for (uint64_t i = 0; i < parts; ++i) {
      const uint64_t r = random.Next();
      uint64_t bits;
      switch (r >> 62) {
        case 0:
          bits = arg.values[(r & 0xFFFFFFFF) % arg.values.size()];
          break;
        case 1: {
          // Small numbers, which meet and cancel: -8 to 7, in quarters for floats.
          const int64_t small = int64_t(r & 63) - 32;
          bits = IsFloat(element.kind) ? EncodeFloat(element.kind, double(small) / 4) : uint64_t(small / 4);
          break;
        }
        default:
          bits = random.Next();
          break;
      }
      Put(tensor.mutable_data() + i * size, bits & mask, size);
    }
    out.push_back(std::move(tensor));
  }
  return out;
}

std::vector<Tensor> InputGenerator::ExhaustiveSet(uint64_t index) const {
  std::vector<Tensor> out;
  for (const Argument& arg : args_) {
    Tensor tensor = Tensor::Uninitialized(arg.type);
    if (!tensor) return {};
    const ElementType element = arg.type->element;
    const int width = BitWidth(element.kind);
    const uint32_t size = element.part_bytes();
    for (uint64_t i = 0; i < arg.type->count * (element.complex ? 2 : 1); ++i) {
      Put(tensor.mutable_data() + i * size, index & Mask(width), size);
      index = width >= 64 ? 0 : index >> width;
    }
    out.push_back(std::move(tensor));
  }
  return out;
}

}  // namespace shlo
