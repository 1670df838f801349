#include "eval/input_generator.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "ir/table/float_format.h"

namespace shlo {
namespace {

uint64_t Mask(int bits) { return bits >= 64 ? ~0ull : (1ull << bits) - 1; }

// Products saturate here, far above any number of inputs that is evaluated.
constexpr uint64_t kMany = 1ull << 40;
uint64_t Times(uint64_t a, uint64_t b) { return b != 0 && a > kMany / b ? kMany : a * b; }

void Put(uint8_t* out, uint64_t bits, uint32_t bytes) { std::memcpy(out, &bits, bytes); }

// Values of each distribution below come from integer arithmetic and products, which are the same on every
// machine; functions of the C library are not.

// Uniform in [0, 1), with 53 bits.
double Uniform(SplitMix64& random) { return double(random.Next() >> 11) * 0x1p-53; }

// Nearly normal, with mean 0 and variance 1: the sum of four uniform numbers.
double Normal(SplitMix64& random) {
  const uint64_t r = random.Next();
  const int64_t sum = int64_t(r & 0xFFFF) + int64_t(r >> 16 & 0xFFFF) + int64_t(r >> 32 & 0xFFFF) +
                      int64_t(r >> 48) - 2 * 0xFFFF;
  return double(sum) * (1.7320508075688772 / 0x1p16);
}

int64_t Between(int64_t low, int64_t high, SplitMix64& random) {
  const uint64_t span = uint64_t(high) - uint64_t(low) + 1;
  return int64_t(uint64_t(low) + (span == 0 ? random.Next() : random.Next() % span));
}

// Range of stored integers.
std::pair<int64_t, int64_t> RangeOf(const ValueType& type) {
  if (type.quantization) return {type.quantization->storage_min, type.quantization->storage_max};
  const int width = BitWidth(type.element.kind);
  if (type.element.is_bool()) return {0, 1};
  if (type.element.is_unsigned()) return {0, width >= 64 ? INT64_MAX : int64_t(Mask(width))};
  return {-int64_t(Mask(width - 1)) - 1, int64_t(Mask(width - 1))};
}

// Elements of a set of constants that are constants; every fourth one is ordinary.
uint64_t ConstantsPerSet(const ValueType& type) {
  const uint64_t parts = type.count * (type.element.complex ? 2 : 1);
  return parts <= 1 ? 1 : parts - parts / 4;
}

bool IsSquare(const ValueType& type) {
  const size_t rank = type.shape.size();
  return rank >= 2 && type.shape[rank - 1] == type.shape[rank - 2] && type.shape[rank - 1] > 0 &&
         IsFloat(type.element.kind);
}

// Appends the patterns of a constant and its neighbors in the type of an argument.
void AddNeighbors(const ValueType& type, const Number& number, std::vector<uint64_t>* out) {
  const TypeKind kind = type.element.kind;
  const uint64_t mask = Mask(BitWidth(kind));
  if (!IsFloat(kind)) {
    if (type.element.is_bool() || type.quantization) return;
    if (number.is_float && (std::abs(number.real) > 0x1p62 || number.real != std::trunc(number.real))) return;
    const uint64_t value = uint64_t(number.is_float ? int64_t(number.real) : number.integer);
    const auto [low, high] = RangeOf(type);
    if (int64_t(value) < low || int64_t(value) > high) return;
    for (uint64_t v : {value, value - 1, value + 1}) out->push_back(v & mask);
    return;
  }
  if (!FloatFormatOf(kind)) return;
  const double value = number.is_float ? number.real : double(number.integer);
  const uint64_t bits = EncodeFloat(kind, value);
  out->push_back(bits);
  if (IsNan(kind, bits) || IsInf(kind, bits)) return;
  for (uint64_t v : {bits - 1, bits + 1, EncodeFloat(kind, value - 1), EncodeFloat(kind, value + 1)})
    out->push_back(v & mask);
}

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

InputGenerator::InputGenerator(std::vector<ValueTypePtr> args, uint64_t seed, std::vector<ArgumentUse> uses,
                               std::span<const Number> numbers)
    : seed_(seed) {
  uint64_t first = 1, second = 1;  // the two largest Argument::choices
  bool any = false;
  uses.resize(args.size());
  for (size_t a = 0; a < args.size(); ++a) {
    ValueTypePtr& type = args[a];
    Argument arg{type, {}, 1, std::move(uses[a]), {}};
    if (!type->is_tensor()) {  // a token
      args_.push_back(std::move(arg));
      continue;
    }
    if (type->quantization)
      for (int64_t v : {type->quantization->storage_min, int64_t(0), type->quantization->storage_max})
        arg.values.push_back(uint64_t(v) & Mask(BitWidth(type->element.kind)));
    else
      arg.values = BoundaryValues(type->element.kind);
    arg.choices = Times(arg.values.size(), type->element.complex ? arg.values.size() : 1);
    for (const Number& number : arg.use.compared) AddNeighbors(*type, number, &arg.constants);
    for (const Number& number : numbers) AddNeighbors(*type, number, &arg.constants);
    elements_ = std::max(elements_, type->count);
    const uint64_t bits = Times(type->count, type->element.width());
    total_bits_ = bits >= kMany || total_bits_ >= kMany ? ~0ull : total_bits_ + bits;
    if (type->count > 0) {
      any = true;
      uniform_ = std::max<uint64_t>(uniform_, arg.values.size());
      // Even rounds show some of them each, odd rounds one of the first.
      constexpr uint64_t kAlone = 48;
      const uint64_t shown = ConstantsPerSet(*type);
      const uint64_t even = (arg.constants.size() + shown - 1) / shown;
      const uint64_t odd = shown > 1 ? std::min<uint64_t>(arg.constants.size(), kAlone) : even;
      constants_ = std::max(constants_, 2 * std::max(even, odd));
    }
    any_square_ = any_square_ || IsSquare(*type);
    if (arg.choices > first) {
      second = first;
      first = arg.choices;
    } else {
      second = std::max(second, arg.choices);
    }
    args_.push_back(std::move(arg));
  }
  const uint64_t combinations = Times(first, second);
  // With more than two arguments, each turn combines a different pair of adjacent arguments.
  const uint64_t turns = args_.size() > 2 ? args_.size() : 1;
  boundary_sets_ = any ? Times((combinations + elements_ - 1) / elements_, turns) : 1;
}

uint64_t InputGenerator::rounds(Temper temper) const {
  if (uniform_ == 0) return temper == Temper::kOrdinary ? 1 : 0;  // no elements: there is one input
  switch (temper) {
    case Temper::kConstants:
      return constants_;
    case Temper::kUniform:
      return args_.size() == 1 ? uniform_ : uniform_ * (1 + args_.size());
    case Temper::kPairs:
      return boundary_sets_;
    case Temper::kMatrix:
      return any_square_ ? ~0ull : 0;
    default:
      return ~0ull;
  }
}

uint64_t InputGenerator::Float(const Argument& arg, Temper temper, double scale, SplitMix64& random) const {
  const TypeKind kind = arg.type->element.kind;
  double value = 0;
  switch (temper) {
    case Temper::kSmallIntegers:
      value = double(arg.use.positive ? Between(1, 5, random) : Between(-4, 4, random));
      if (value == 0 && random.Next() % 2 == 0) value = -0.0;
      break;
    case Temper::kPositive:
      value = (0.05 + 2 * Uniform(random)) * scale;
      break;
    case Temper::kUnit:
      value = 0x1p-12 + Uniform(random) * (1 - 0x1p-11);
      break;
    case Temper::kWide: {
      // The exponents of small formats are few, and products of large numbers should not all be infinite.
      const FloatFormat* format = FloatFormatOf(kind);
      const int64_t most = std::min<int64_t>(12, format ? format->bias / 2 : 12);
      value = std::ldexp(Normal(random), int(Between(-most, most, random)));
      if (arg.use.positive) value = std::abs(value);
      break;
    }
    default:
      if (arg.use.probability)
        value = 0x1p-12 + Uniform(random) * (1 - 0x1p-11);
      else if (arg.use.unit)
        value = Uniform(random) * 1.998 - 0.999;
      else
        value = Normal(random) * scale;
      if (arg.use.positive) value = std::abs(value) + 0.05;
      break;
  }
  return EncodeFloat(kind, value);
}

uint64_t InputGenerator::Integer(const Argument& arg, Temper temper, uint64_t element,
                                 SplitMix64& random) const {
  const auto [least, greatest] = RangeOf(*arg.type);
  const int64_t low = least, high = greatest;  // clang 14 captures no structured bindings
  const auto within = [&](int64_t from, int64_t to) {
    return Between(std::clamp(from, low, high), std::clamp(to, low, high), random);
  };
  const ArgumentUse& use = arg.use;
  if (arg.type->element.is_bool()) {
    // Mostly true, mostly false, or even.
    const uint64_t r = random.Next() % 8;
    if (temper == Temper::kSmallIntegers) return r != 0;
    if (temper == Temper::kPositive) return r == 0;
    return r & 1;
  }
  if (arg.type->quantization) return uint64_t(Between(low, high, random));
  if (!use.extents.empty()) {
    const int64_t extent = use.extents[element % use.extents.size()];
    if (extent != kDynamic && temper != Temper::kSmallIntegers) return uint64_t(extent);
    return uint64_t(within(temper == Temper::kSmallIntegers ? 0 : 1, 4));
  }
  if (!use.bounds.empty()) {
    const int64_t bound = std::max<int64_t>(1, use.bounds[random.Next() % use.bounds.size()]);
    const int64_t least = *std::min_element(use.bounds.begin(), use.bounds.end());
    // Mixing valid indices with those at and beyond the bounds keeps some results apart.
    if (temper == Temper::kSmallIntegers && random.Next() % 2 == 0) {
      const int64_t edges[] = {0, bound - 1, bound, bound + 1, -1, -bound, -bound - 1, bound / 2};
      const int64_t edge = edges[random.Next() % std::size(edges)];
      return uint64_t(std::clamp(edge, low, high));
    }
    // An index that is valid for all dimensions, mostly.
    return uint64_t(within(0, std::max<int64_t>(1, random.Next() % 4 == 0 ? bound : least) - 1));
  }
  if (use.count) return uint64_t(temper == Temper::kSmallIntegers ? within(-1, 3) : within(0, 7));
  switch (temper) {
    case Temper::kSmallIntegers:
      return uint64_t(within(-4, 4));
    case Temper::kPositive:
      return uint64_t(within(1, 100));
    case Temper::kUnit:
      return uint64_t(within(0, 1));
    case Temper::kWide: {
      const int width = BitWidth(arg.type->element.kind);
      const uint64_t r = random.Next();
      const uint64_t magnitude = random.Next() >> (64 - width) >> 1 >> r % uint64_t(width);
      return r >> 63 && low < 0 ? ~magnitude : magnitude;
    }
    default:
      return uint64_t(within(-100, 100));
  }
}

void InputGenerator::FillUniform(const Argument& arg, uint64_t value, uint8_t* out) const {
  const ElementType element = arg.type->element;
  const uint64_t n = arg.values.size();
  // The parts of a complex number are different boundary values in most sets.
  const uint64_t choice = element.complex ? value % n + n * (value * 7 % n) : value % n;
  for (uint64_t i = 0; i < arg.type->count; ++i) PutChoice(arg, choice, out + i * element.bytes());
}

// Symmetric (Hermitian but for the imaginary part), with a dominant diagonal: it can be inverted, and has a
// Cholesky decomposition.
void InputGenerator::FillMatrix(const Argument& arg, SplitMix64& random, uint8_t* out) const {
  const ElementType element = arg.type->element;
  const uint32_t size = element.part_bytes();
  const uint64_t n = uint64_t(arg.type->shape.back()), parts = element.complex ? 2 : 1;
  for (uint64_t first = 0; first < arg.type->count; first += n * n) {
    for (uint64_t i = 0; i < n; ++i) {
      for (uint64_t j = 0; j <= i; ++j) {
        double value = Normal(random) / double(n);
        if (i == j) value = 1.5 + std::abs(value);
        const uint64_t bits = EncodeFloat(element.kind, value);
        for (const uint64_t at : {i * n + j, j * n + i}) {
          Put(out + (first + at) * parts * size, bits, size);
          if (parts == 2) Put(out + (first + at) * parts * size + size, 0, size);
        }
      }
    }
  }
}

void InputGenerator::Fill(const Argument& arg, Temper temper, uint64_t round, SplitMix64& random,
                          uint8_t* out) const {
  const ElementType element = arg.type->element;
  const uint32_t size = element.part_bytes();
  const uint64_t parts = arg.type->count * (element.complex ? 2 : 1);
  const uint64_t mask = Mask(BitWidth(element.kind));
  if (parts == 0) return;
  if (temper == Temper::kMixed) {
    constexpr Temper kChoices[] = {
        Temper::kOrdinary, Temper::kOrdinary, Temper::kSmallIntegers, Temper::kPositive,  Temper::kUnit,
        Temper::kWide,     Temper::kSparse,   Temper::kUniform,       Temper::kConstants, Temper::kFew};
    temper = kChoices[random.Next() % std::size(kChoices)];
    round = random.Next() % 1024;
  }
  // Extreme sizes and numbers of iterations only take time and memory.
  const bool is_size = arg.use.count || !arg.use.extents.empty();
  if (is_size && (temper == Temper::kUniform || temper == Temper::kFew || temper == Temper::kBits ||
                  temper == Temper::kConstants))
    temper = Temper::kOrdinary;
  if (temper == Temper::kUniform) return FillUniform(arg, round, out);
  if (temper == Temper::kMatrix && IsSquare(*arg.type)) return FillMatrix(arg, random, out);
  if (temper == Temper::kFew && parts > 1) {
    const uint64_t n = 2 + random.Next() % 2;
    uint64_t few[3];
    for (uint64_t& bits : few) {
      const uint64_t r = random.Next();
      if (r % 4 != 0)
        bits = arg.values[(r >> 8) % arg.values.size()];
      else
        bits = IsFloat(element.kind) ? Float(arg, Temper::kOrdinary, 1, random)
                                     : Integer(arg, Temper::kSmallIntegers, 0, random);
    }
    // A value and its negative, such as zeros of both signs, are next to each other.
    if (IsFloat(element.kind) && random.Next() % 4 == 0)
      few[1] = few[0] ^ 1ull << (BitWidth(element.kind) - 1);
    for (uint64_t i = 0; i < parts; ++i) Put(out + i * size, few[random.Next() % n] & mask, size);
    return;
  }
  // A constant that an intermediate sum is compared with is met by a single element.
  const bool alone = temper == Temper::kConstants && round % 2 == 1 && parts > 1 && IsFloat(element.kind) &&
                     !arg.constants.empty();
  if (alone) {
    const uint64_t sign = random.Next() % 2 << (BitWidth(element.kind) - 1);
    const uint64_t zero = EncodeFloat(element.kind, 0);
    for (uint64_t i = 0; i < parts; ++i) Put(out + i * size, zero, size);
    Put(out + random.Next() % parts * size, (arg.constants[round / 2 % arg.constants.size()] ^ sign) & mask,
        size);
    return;
  }
  // Later rounds are smaller and larger: what saturates at one scale may not at another.
  constexpr double kScales[] = {1, 1, 0.125, 4, 0x1p-6, 1, 16, 0x1p-10};
  double scale = kScales[round % std::size(kScales)];
  if (arg.use.fan_in > 1) scale /= std::sqrt(double(arg.use.fan_in));
  const bool is_float = IsFloat(element.kind);
  const uint64_t offset = (arg.type->count > 1 && is_float ? round / 2 : round) * ConstantsPerSet(*arg.type);
  for (uint64_t i = 0; i < parts; ++i) {
    uint64_t bits;
    if (temper == Temper::kBits && !arg.type->quantization)
      bits = random.Next();
    else if (temper == Temper::kConstants && !arg.constants.empty() && (parts == 1 || i % 4 != 3))
      bits = arg.constants[(offset + i - i / 4) % arg.constants.size()];
    else
      bits = is_float ? Float(arg, temper, scale, random) : Integer(arg, temper, i, random);
    Put(out + i * size, bits & mask, size);
  }
  if (temper == Temper::kSparse && !is_size && (parts > 1 || random.Next() % 2 == 0))
    Put(out + random.Next() % parts * size, arg.values[random.Next() % arg.values.size()], size);
}

std::vector<Tensor> InputGenerator::Set(Temper temper, uint64_t round) const {
  if (temper == Temper::kPairs) return BoundarySet(round);
  std::vector<Tensor> out;
  SplitMix64 random(seed_ ^ (uint64_t(temper) + 1) * 0xD1B54A32D192ED03ull ^
                    (round + 1) * 0x9FB21C651E98DF25ull);
  for (size_t a = 0; a < args_.size(); ++a) {
    const Argument& arg = args_[a];
    if (!arg.type->is_tensor()) {
      out.push_back(Tensor::Token());
      continue;
    }
    Tensor tensor = Tensor::Uninitialized(arg.type);
    if (!tensor) return {};
    Temper own = temper;
    uint64_t value = round;
    if (temper == Temper::kUniform && round >= uniform_) {  // one argument at a time
      const uint64_t turn = round - uniform_;
      own = turn % args_.size() == a ? Temper::kUniform : Temper::kOrdinary;
      value = own == Temper::kUniform ? turn / args_.size() : 0;
    }
    Fill(arg, own, value, random, tensor.mutable_data());
    out.push_back(std::move(tensor));
  }
  return out;
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
    // A counter whose first digit is argument `turn` and whose second digit is the next argument; the rest
    // get pseudo-random boundary values.
    const size_t digit = (a + args_.size() - turn) % args_.size();
    const uint64_t stride = digit == 1 ? args_[turn].choices : 1;
    const auto choice = [&](uint64_t n) {
      if (digit >= 2) n = SplitMix64(n * args_.size() + digit).Next();
      return n / stride % arg.choices;
    };
    if (!arg.type->is_tensor()) {
      out.push_back(Tensor::Token());
      continue;
    }
    Tensor tensor = Tensor::Uninitialized(arg.type);
    if (!tensor) return {};
    const uint32_t size = arg.type->element.bytes();
    if (arg.use.count || !arg.use.extents.empty()) {
      SplitMix64 random(seed_ ^ set);
      Fill(arg, Temper::kOrdinary, 0, random, tensor.mutable_data());
      out.push_back(std::move(tensor));
      continue;
    }
    for (uint64_t i = 0; i < arg.type->count; ++i)
      PutChoice(arg, choice(start + i), tensor.mutable_data() + i * size);
    out.push_back(std::move(tensor));
  }
  return out;
}

std::vector<Tensor> InputGenerator::ExhaustiveSet(uint64_t index) const {
  std::vector<Tensor> out;
  for (const Argument& arg : args_) {
    if (!arg.type->is_tensor()) {
      out.push_back(Tensor::Token());
      continue;
    }
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
