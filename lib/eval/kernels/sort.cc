// Sorting: sort and CHLO's top_k.
#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>

#include "base/deadline.h"
#include "eval/kernel/kernel_args.h"
#include "eval/kernel/move_elements.h"
#include "eval/kernels/kernels.h"
#include "eval/loops/comparison.h"
#include "eval/loops/element_loop.h"
#include "eval/region_body.h"
#include "ir/table/float_format.h"
#include "ir/table/ops.h"
#include "ir/table/trait.h"

namespace shlo {
namespace {

// A comparator that compares the elements of one operand.
struct SimpleOrder {
  size_t operand = 0;
  bool descending = false;
  int64_t compare_type = 0;
};
std::optional<SimpleOrder> SimpleOrderOf(const Module& module, RegionId region) {
  const auto blocks = module.BlocksOf(region);
  if (blocks.size() != 1) return std::nullopt;
  const auto ops = module.OpsOf(blocks[0]);
  if (ops.size() != 2 || !module.Is(module.ops[ops[0].v], ops::kCompare)) return std::nullopt;
  const Op& compare = module.ops[ops[0].v];
  const Op& end = module.ops[ops[1].v];
  if (!module.Has(end, Trait::kTerminator) || module.OperandsOf(end).size() != 1 ||
      module.OperandsOf(end)[0] != module.ResultOf(compare, 0) || module.OperandsOf(compare).size() != 2)
    return std::nullopt;
  const auto argument = [&](ValueId v) -> int64_t {
    const Value& value = module.values[v.v];
    return value.block == blocks[0] ? int64_t(value.index) : -1;
  };
  const int64_t a = argument(module.OperandsOf(compare)[0]), b = argument(module.OperandsOf(compare)[1]);
  if (a < 0 || b < 0 || a / 2 != b / 2 || a == b) return std::nullopt;
  const auto number = [&](std::string_view name) -> int64_t {
    return module.EnumValue(module.AttributeOf(compare, name)).value_or(0);
  };
  const int64_t direction = number("comparison_direction");
  if (direction != kGt && direction != kLt) return std::nullopt;
  return SimpleOrder{size_t(a / 2), (direction == kGt) == (a < b), number("compare_type")};
}

// A key for an element, ordered as unsigned integers; false for NaN, unless the comparison orders it.
bool KeyOf(ElementType element, uint64_t bits, int64_t compare_type, uint64_t* key) {
  if (element.is_unsigned() || element.is_bool()) {
    *key = bits;
    return true;
  }
  const uint64_t sign = 1ull << (BitWidth(element.kind) - 1);
  if (!IsFloat(element.kind)) {
    *key = bits ^ sign;
    return true;
  }
  if (compare_type != kTotalOrder) {
    if (IsNan(element.kind, bits)) {
      *key = ~0ull;  // after all others
      return compare_type == kWeakOrder;
    }
    if ((bits & (sign - 1)) == 0) bits = 0;  // zeros are equal
  }
  *key = bits & sign ? sign - 1 - (bits & (sign - 1)) : bits | sign;
  return true;
}

// Nanoseconds to sort an element by its key, for each time that the number of elements can be halved.
constexpr double kNanosecondsPerKey = 7;
// Nanoseconds of a comparison by a comparator, apart from its ops.
constexpr double kPerComparison = 25;

}  // namespace

bool IsDescending(const Module& module, RegionId comparator) {
  const auto simple = SimpleOrderOf(module, comparator);
  return simple && simple->descending;
}

// Specification, "sort": sorts the slices of all operands along a dimension by a comparator. The sort is
// always stable. If the comparator is not an order, the result is some permutation.
Status EvaluateSort(KernelCall& call) {
  const auto regions = call.module.RegionsOf(call.op);
  if (regions.size() != 1) return Invalid("wrong number of operands or results");
  const int64_t dimension = SHLO_TRY(IntOf(call, "dimension", -1));
  return SortBy(call, regions[0], dimension);
}

Status SortBy(KernelCall& call, RegionId region, int64_t dimension, std::optional<int64_t> order_of_floats) {
  constexpr size_t kMaxInputs = 16;
  const size_t count = call.operands.size();
  if (count == 0 || count > kMaxInputs || call.results.size() != count)
    return Invalid("wrong number of operands or results");
  const std::vector<int64_t>& shape = call.operand(0).type().shape;
  if (dimension < 0) dimension += int64_t(shape.size());
  if (dimension < 0 || dimension >= int64_t(shape.size())) return Invalid("dimension is out of range");
  const std::vector<ValueTypePtr> types = SHLO_TRY(RegionBody::ArgumentTypes(call, region));
  std::vector<Tensor> inputs;
  for (size_t i = 0; i < count; ++i) {
    if (types.size() != 2 * count || call.operand(i).type().shape != shape ||
        call.operand(i).element() != types[2 * i]->element ||
        call.operand(i).element() != types[2 * i + 1]->element)
      return Invalid("comparator arguments do not match the operands");
    inputs.push_back(Dense(call.host, call.operand(i)));
    if (!inputs.back()) return OutOfMemory();
    SHLO_TRY(AllocateResult(call, i, shape, call.operand(i)));
  }
  const ValueTypePtr boolean[1] = {MakeTensorType({TypeKind::kI1}, {})};
  RegionBody comparator = SHLO_TRY(RegionBody::Make(call, region, boolean));
  const int64_t extent = shape[size_t(dimension)];
  // A dimension of one element needs no comparison.
  if (inputs[0].count() > 0) comparator.MarkRun();
  const int64_t step = StridesOf(shape)[size_t(dimension)];
  Ints others = shape;
  others[size_t(dimension)] = std::min<int64_t>(extent, 1);
  const Ints strides = StridesOf(shape);
  std::vector<uint64_t> order(static_cast<size_t>(extent));
  std::optional<SimpleOrder> simple = SimpleOrderOf(call.module, region);
  if (simple) {
    const FloatFormat* format = FloatFormatOf(inputs[simple->operand].element().kind);
    const bool odd = format && (format->flavor == FloatFormat::kFnu || format->flavor == FloatFormat::kFnuz);
    if (format && order_of_floats) simple->compare_type = *order_of_floats;
    if (odd || inputs[simple->operand].element().complex) simple.reset();
  }
  struct Keyed {
    uint64_t key, index;
  };
  std::vector<Keyed> keyed(simple ? order.size() : 0);
  const double levels = std::bit_width(uint64_t(extent));
  if (simple) CountWork(call.host, double(inputs[0].count()) * levels * kNanosecondsPerKey);
  Status failed;
  for (IndexWalk walk(others); !walk.done(); walk.Next()) {
    uint64_t base = 0;
    for (size_t d = 0; d < shape.size(); ++d) base += uint64_t(walk[d] * strides[d]);
    bool by_keys = simple.has_value();
    for (uint64_t i = 0; by_keys && i < keyed.size(); ++i) {
      if (i % 1024 == 0) Tick(100);
      const Tensor& input = inputs[simple->operand];
      by_keys = KeyOf(input.element(), ElementBits(input, base + i * uint64_t(step)), simple->compare_type,
                      &keyed[i].key);
      if (simple->descending) keyed[i].key = ~keyed[i].key;
      keyed[i].index = i;
    }
    if (by_keys) {
      // Sorting many takes seconds; few are compared without a tick, which would take as long as the
      // comparison.
      constexpr size_t kMany = 1 << 20;
      const auto before = [](const Keyed& a, const Keyed& b) { return a.key < b.key; };
      const auto ticking = [&](const Keyed& a, const Keyed& b) {
        Tick();
        return before(a, b);
      };
      keyed.size() < kMany ? std::stable_sort(keyed.begin(), keyed.end(), before)
                           : std::stable_sort(keyed.begin(), keyed.end(), ticking);
      for (size_t i = 0; i < keyed.size(); ++i) order[i] = keyed[i].index;
    } else {
      std::iota(order.begin(), order.end(), 0);
      comparator.CountWork(call.host, double(extent) * levels);
      CountWork(call.host, double(extent) * levels * kPerComparison);
    }
    if (!by_keys)
      std::stable_sort(order.begin(), order.end(), [&](uint64_t a, uint64_t b) {
        if (!failed) return false;
        const uint8_t* args[2 * kMaxInputs];
        for (size_t i = 0; i < count; ++i) {
          args[2 * i] = inputs[i].at(base + a * uint64_t(step));
          args[2 * i + 1] = inputs[i].at(base + b * uint64_t(step));
        }
        uint8_t before = 0;
        uint8_t* results[1] = {&before};
        failed = comparator.Run(args, results, 1);
        return failed && before != 0;
      });
    SHLO_TRY(failed);
    SHLO_TRY(call.host.CountSteps(1 + uint64_t(extent)));
    for (size_t i = 0; i < count; ++i) {
      const size_t bytes = inputs[i].element().bytes();
      uint8_t* out = call.results[i].mutable_data();
      for (uint64_t k = 0; k < order.size(); ++k) {
        if (k % 1024 == 0) Tick(100);
        std::memcpy(out + (base + k * uint64_t(step)) * bytes, inputs[i].at(base + order[k] * uint64_t(step)),
                    bytes);
      }
    }
  }
  return {};
}

// CHLO, "top_k": the k largest elements of the last dimension and their indices, the first of equal
// ones first. Floats are in total order, so positive NaN is the largest.
Status EvaluateTopK(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 1, 2));
  const int64_t k = SHLO_TRY(IntOf(call, "k"));
  return TopK(call, k);
}

Status TopK(KernelCall& call, int64_t k) {
  const Tensor operand = Dense(call.host, call.operand(0));
  if (!operand) return OutOfMemory();
  Ints shape = operand.type().shape;
  const ElementType element = operand.element();
  if (shape.empty() || k < 0 || k > shape.back() || element.complex)
    return Invalid("k is out of range for the operand");
  const uint64_t extent = uint64_t(shape.back());
  shape.back() = k;
  SHLO_TRY(AllocateResult(call, 0, shape, operand));
  SHLO_TRY(AllocateResult(call, 1, shape, DeclaredElement{{TypeKind::kI32}, {}}));
  // Keys whose integer order is the order of the values.
  const FloatFormat* const format = FloatFormatOf(element.kind);
  const bool is_unsigned = element.is_unsigned() || element.is_bool() || (format && !format->is_signed());
  const uint64_t sign = 1ull << (BitWidth(element.kind) - 1);
  const auto key = [&](uint64_t i) -> uint64_t {
    const uint64_t v = ElementBits(operand, i);
    if (is_unsigned) return v;
    if (!IsFloat(element.kind)) return (v ^ sign);
    return v & sign ? sign - 1 - (v & (sign - 1)) : v | sign;
  };
  std::vector<std::pair<uint64_t, uint64_t>> keys(extent);
  const uint64_t rows = extent == 0 ? 0 : operand.count() / extent;
  CountWork(call.host, double(operand.count()) * kNanosecondsPerKey * 2 +
                           double(rows) * double(k) * std::bit_width(uint64_t(k)) * kNanosecondsPerKey);
  for (uint64_t row = 0; row < rows; ++row) {
    for (uint64_t i = 0; i < extent; ++i) keys[i] = {key(row * extent + i), i};
    const auto before = [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    };
    const auto ticking = [&](const auto& a, const auto& b) {
      Tick();
      return before(a, b);
    };
    if (uint64_t(k) < extent) std::nth_element(keys.begin(), keys.begin() + k, keys.end(), ticking);
    std::sort(keys.begin(), keys.begin() + k, ticking);
    for (int64_t i = 0; i < k; ++i) {
      const uint64_t to = row * uint64_t(k) + uint64_t(i);
      std::memcpy(call.results[0].mutable_data() + to * element.bytes(),
                  operand.at(row * extent + keys[size_t(i)].second), element.bytes());
      Store<int32_t>(call.results[1].mutable_data(), to, int32_t(keys[size_t(i)].second));
    }
  }
  return {};
}

}  // namespace shlo
