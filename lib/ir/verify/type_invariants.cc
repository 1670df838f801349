#include "ir/verify/type_invariants.h"

#include <cmath>

#include "base/format.h"
#include "ir/module/node_versions.h"
#include "ir/table/float_format.h"
#include "shlo/print.h"
#include "shlo/types.h"

namespace shlo {
namespace {

// Smallest and largest positive value of a float kind.
struct FloatRange {
  double smallest = 0, largest = HUGE_VAL;
};
FloatRange RangeOf(TypeKind kind) {
  const FloatFormat* format = FloatFormatOf(kind);
  if (!format || kind == TypeKind::kF64) return {};
  return {DecodeFloat(kind, format->is_signed() ? 1 : 0), DecodeFloat(kind, MaxFinite(*format))};
}

bool CanBeElement(TypeKind kind) {
  switch (kind) {
    case TypeKind::kNone:
    case TypeKind::kTensor:
    case TypeKind::kUnrankedTensor:
    case TypeKind::kTuple:
    case TypeKind::kFunction:
    case TypeKind::kMemref:
    case TypeKind::kUnrankedMemref:
    case TypeKind::kToken:
    case TypeKind::kFuture:
    case TypeKind::kWitness:
      return false;
    default:
      return true;
  }
}

// Without `spell` the message contains no types: their text can be much larger than the types themselves.
std::string Why(const Module& m, TypeId type, bool spell) {
  const auto text = [&](TypeId id) { return spell ? TypeText(m, id) : std::string(); };
  const auto t = [&](TypeId id) { return StrFormat("'{}'", text(id)); };
  // The shape without the invalid bounds.
  const auto unbounded = [&] {
    const ShapedType tensor(m, type);
    std::string out = "'tensor<";
    for (int64_t d : tensor.shape) out += d == kDynamic ? std::string("?x") : StrFormat("{}x", d);
    return StrFormat("{}{}>'", out, text(tensor.element));
  };
  const auto node = m.types[type];
  switch (node.kind) {
    case TypeKind::kUnrankedTensor:
    case TypeKind::kTensor: {
      if (const TypeId element = ElementOf(m, type); !CanBeElement(m.types.KindOf(element)))
        return StrFormat("invalid tensor element type: {}", t(element));
      const auto tensor = node.As<TensorType>();
      const auto extensions = tensor ? m.As<TypeExtensionsAttr>(tensor->encoding) : std::nullopt;
      if (!extensions) return "";
      const auto shape = tensor->shape, bounds = extensions->bounds;
      if (bounds.size() != shape.size())
        return StrFormat("Bounds length is {}, expected to be equal to rank({}) of the tensor {}",
                         bounds.size(), shape.size(), unbounded());
      for (size_t i = 0; i < shape.size(); ++i)
        if (bounds[i] != kDynamic && shape[i] != kDynamic)
          return StrFormat(
              "Static dimension {} cannot have a bound, use ShapedType::kDynamic to indicate a missing bound "
              "in tensor {}",
              i, unbounded());
      return "";
    }
    case TypeKind::kFuture:
      for (const TypeId held : node.Get<FutureType>().types)
        if (m.types.KindOf(held) != TypeKind::kTensor)
          return StrFormat("future element type must be a ranked tensor, but got {}", t(held));
      return "";
    case TypeKind::kUniformQuantized:
    case TypeKind::kUniformQuantizedPerAxis: {
      const QuantizedType quant(m, type);
      const TypeKind expressed = m.types.KindOf(quant.expressed);
      if (!IsFloat(expressed)) return "expressed type must be floating point";
      const int64_t width = ElementWidth(m, quant.storage);
      if (width == 0 || width > 32) return StrFormat("illegal storage type size: {}", width);
      const bool is_float = RowOf(m.types.KindOf(quant.storage)).quantized_storage;
      const bool is_signed = quant.flags & 1;
      const int64_t largest = (int64_t(1) << (is_signed ? width - 1 : width)) - 1;
      const int64_t least = is_signed ? -largest - 1 : 0;
      if (!is_float && (quant.storage_max <= quant.storage_min || quant.storage_min < least ||
                        quant.storage_max > largest))
        return StrFormat("illegal storage min and storage max: ({}:{})", quant.storage_min,
                         quant.storage_max);
      const FloatRange range = RangeOf(expressed);
      for (const double scale : quant.scales) {
        if (!(scale >= range.smallest && scale <= range.largest))
          return StrFormat("scale {:e} out of expressed type range [{:e}, {:e}]", scale, range.smallest,
                           range.largest);
      }
      if (quant.scales.size() != quant.zero_points.size())
        return StrFormat("illegal number of scales and zeroPoints: {}, {}", quant.scales.size(),
                         quant.zero_points.size());
      if (quant.per_axis && quant.dimension < 0)
        return StrFormat("illegal quantized dimension: {}", quant.dimension);
      return "";
    }
    default:
      return "";
  }
}

}  // namespace

bool IsSound(const Module& module, TypeId type) { return Why(module, type, /*spell=*/false).empty(); }

std::string WhyUnsound(const Module& module, TypeId type) { return Why(module, type, /*spell=*/true); }

TypeInvariants::TypeInvariants(const Module& m) {
  for (uint32_t id = 1; id < m.types.size(); ++id) {
    TypeId unsound;
    if (!IsSound(m, TypeId(id))) unsound = TypeId(id);
    if (!unsound && any()) {
      const auto node = m.types[TypeId(id)];
      ForEachChild(
          RowOf(node.kind), node.words,
          [&](TypeId part) {
            if (unsound_[part.v]) unsound = unsound_[part.v];
          },
          [](AttrId) {});
    }
    if (!unsound) continue;
    unsound_.resize(m.types.size());
    unsound_[id] = unsound;
  }
}

}  // namespace shlo
