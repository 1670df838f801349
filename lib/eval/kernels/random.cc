// Random numbers. rng_bit_generator returns the same bits as XLA for the same algorithm and state; DEFAULT is
// PHILOX. `rng` has no state and uses a fixed seed, so that runs are reproducible.
#include <array>
#include <bit>
#include <cmath>
#include <numbers>

#include "base/deadline.h"
#include "base/format.h"
#include "eval/kernel/move_elements.h"
#include "eval/kernels/contraction.h"
#include "eval/kernels/kernels.h"
#include "eval/loops/element_loop.h"

namespace shlo {
namespace {

// Threefry 2x32, 20 rounds (Salmon et al. 2011).
std::array<uint32_t, 2> Threefry(std::array<uint32_t, 2> key, std::array<uint32_t, 2> counter) {
  constexpr int kRotations[8] = {13, 15, 26, 6, 17, 29, 16, 24};
  const uint32_t keys[3] = {key[0], key[1], key[0] ^ key[1] ^ 0x1BD11BDA};
  uint32_t a = counter[0] + keys[0], b = counter[1] + keys[1];
  for (uint32_t group = 0; group < 5; ++group) {
    for (int r = 0; r < 4; ++r) {
      a += b;
      b = std::rotl(b, kRotations[group % 2 * 4 + uint32_t(r)]) ^ a;
    }
    a += keys[(group + 1) % 3];
    b += keys[(group + 2) % 3] + group + 1;
  }
  return {a, b};
}

// Philox 4x32, 10 rounds.
std::array<uint32_t, 4> Philox(std::array<uint32_t, 2> key, std::array<uint32_t, 4> counter) {
  for (int round = 0; round < 10; ++round) {
    const uint64_t p0 = uint64_t(0xD2511F53) * counter[0], p1 = uint64_t(0xCD9E8D57) * counter[2];
    counter = {uint32_t(p1 >> 32) ^ counter[1] ^ key[0], uint32_t(p1),
               uint32_t(p0 >> 32) ^ counter[3] ^ key[1], uint32_t(p0)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

std::array<uint32_t, 2> Halves(uint64_t v) { return {uint32_t(v), uint32_t(v >> 32)}; }

// Returns the dimension whose halves hold the two words of a block: the first of even size, or the largest.
size_t SplitDimension(std::span<const int64_t> shape) {
  size_t largest = 0;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] % 2 == 0) return d;
    if (shape[d] > shape[largest]) largest = d;
  }
  return largest;
}

}  // namespace

// Specification, "rng_bit_generator". THREE_FRY: the key is state[0], counters start at state[1]; 64-bit
// elements use one block each, in row-major order. Narrower elements use one word of a block and alternate
// between the words along SplitDimension; the state advances by the number of blocks. PHILOX: the key is
// state[0], a 128-bit counter starts at state[1] and state[2] (state[0] again if there is no third element);
// a block yields four words in order, or two of 64 bits.
Status EvaluateRngBitGenerator(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 1, 2));
  const Ints shape = SHLO_TRY(DeclaredShape(call, 1));
  return RngBits(call, shape);
}

Status RngBits(KernelCall& call, std::span<const int64_t> shape) {
  enum { kDefault, kThreeFry, kPhilox };
  const int64_t algorithm = SHLO_TRY(EnumOf(call, "rng_algorithm"));
  const Tensor state = Dense(call.host, call.operand(0));
  if (!state) return OutOfMemory();
  const bool words = state.element().bytes() == 4;
  if (!state.element().is_integer() || state.element().bytes() < 4)
    return Invalid("state must be a tensor of 64-bit integers");
  std::vector<uint64_t> in;
  for (uint64_t i = 0; i < state.count(); ++i) {
    if (!words)
      in.push_back(ElementBits(state, i));
    else if (i % 2 == 0)
      in.push_back(ElementBits(state, i));
    else
      in.back() |= ElementBits(state, i) << 32;
  }
  const DeclaredElement declared = SHLO_TRY(ElementOfResult(call, 1));
  SHLO_TRY(AllocateResult(call, 1, shape, declared));
  const uint32_t bytes = declared.element.part_bytes();
  const int unused = BitWidth(declared.element.kind) % 8;
  const uint64_t count = call.results[1].count() * (declared.element.complex ? 2 : 1);
  uint8_t* out = call.results[1].mutable_data();
  const auto put = [&](uint64_t i, uint64_t value) {
    Tick();
    std::memcpy(out + i * bytes, &value, bytes);
    if (unused) out[(i + 1) * bytes - 1] &= uint8_t((1 << unused) - 1);
  };
  std::vector<uint64_t> next = in;
  if (algorithm == kThreeFry) {
    if (in.size() != 2) return Invalid(StrFormat("expected a state of 2 elements, got {}", in.size()));
    const auto key = Halves(in[0]);
    if (bytes == 8) {
      for (uint64_t i = 0; i < count; ++i) {
        const auto block = Threefry(key, Halves(in[1] + i));
        put(i, block[0] | uint64_t(block[1]) << 32);
      }
      next[1] += count;
    } else {
      Ints half(shape.begin(), shape.end());
      const size_t split = SplitDimension(shape);
      if (!half.empty()) half[split] = (half[split] + 1) / 2;
      const Ints half_strides = StridesOf(half);
      uint64_t i = 0, blocks = half.empty() ? 1 : uint64_t(half[0]) * uint64_t(half_strides[0]);
      for (IndexWalk index(shape); !index.done(); index.Next(), ++i) {
        uint64_t block = 0;
        for (size_t d = 0; d < shape.size(); ++d)
          block += uint64_t((d == split ? index[d] / 2 : index[d]) * half_strides[d]);
        const size_t word = shape.empty() ? 0 : size_t(index[split] % 2);
        put(i, Threefry(key, Halves(in[1] + block))[word]);
      }
      next[1] += blocks;
    }
  } else {
    if (in.size() != 2 && in.size() != 3)
      return Invalid(StrFormat("expected a state of 2 or 3 elements, got {}", in.size()));
    const std::array<uint32_t, 2> key = Halves(in[0]);
    const uint64_t high = in.size() == 3 ? in[2] : in[0];
    const uint64_t per_block = bytes == 8 ? 2 : 4;
    const uint64_t blocks = (count + per_block - 1) / per_block;
    for (uint64_t b = 0; b < blocks; ++b) {
      const uint64_t low = in[1] + b, carry = low < in[1];
      const auto upper = Halves(high + carry);
      const auto words4 = Philox(key, {uint32_t(low), uint32_t(low >> 32), upper[0], upper[1]});
      for (uint64_t w = 0; w < per_block && b * per_block + w < count; ++w)
        put(b * per_block + w, bytes == 8 ? words4[2 * w] | uint64_t(words4[2 * w + 1]) << 32 : words4[w]);
    }
    next[1] += blocks;
    if (next.size() == 3 && next[1] < in[1]) ++next[2];
  }
  SHLO_TRY(AllocateResult(call, 0, state.type().shape, state));
  for (uint64_t i = 0; i < state.count(); ++i) {
    if (words)
      Store<uint32_t>(call.results[0].mutable_data(), i, Halves(next[i / 2])[i % 2]);
    else
      Store<uint64_t>(call.results[0].mutable_data(), i, next[i]);
  }
  return {};
}

// Specification, "rng": uniform in [a, b), or normal with mean a and standard deviation b. The numbers are
// implementation-defined; here they depend only on the position of the op in the program.
Status EvaluateRng(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 3));
  const int64_t distribution = SHLO_TRY(EnumOf(call, "rng_distribution"));
  const Ints shape = SHLO_TRY(IndexOf(call.operand(2)));
  const ElementType element = call.operand(0).element();
  if (call.operand(0).count() != 1 || call.operand(1).count() != 1 || element.complex ||
      call.operand(1).element() != element)
    return Invalid("a and b must be scalars of the same type");
  const ElementType wide{TypeKind::kF64};
  const Tensor a = SHLO_TRY(DenseAs(call.host, call.operand(0), wide));
  const Tensor b = SHLO_TRY(DenseAs(call.host, call.operand(1), wide));
  const double low = Load<double>(a.data(), 0), high = Load<double>(b.data(), 0);
  const ValueTypePtr type = SHLO_TRY(ResultType(call, 0, shape, DeclaredElement{wide, {}}));
  Tensor numbers = call.host.Allocate(type, false);
  if (!numbers) return OutOfMemory();
  const auto unit = [](uint32_t high_bits, uint32_t low_bits) {
    return double((uint64_t(high_bits) << 32 | low_bits) >> 11) * 0x1p-53;
  };
  for (uint64_t i = 0; i < numbers.count(); ++i) {
    Tick();
    const auto bits = Philox({call.id.v, 0x5EED}, {uint32_t(i), uint32_t(i >> 32), 0, 0});
    const double u = unit(bits[0], bits[1]);
    double value = low + (high - low) * u;
    if (distribution == 2)
      value = low + high * std::sqrt(-2 * std::log(1 - u)) *
                        std::cos(2 * std::numbers::pi * unit(bits[2], bits[3]));
    else if (!IsFloat(element.kind))
      value = std::floor(value);
    Store<double>(numbers.mutable_data(), i, value);
  }
  call.results[0] = SHLO_TRY(DenseAs(call.host, numbers, element));
  return {};
}

}  // namespace shlo
