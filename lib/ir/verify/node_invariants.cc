#include "ir/verify/node_invariants.h"

#include <algorithm>

#include "shlo/types.h"

namespace shlo {
namespace {

NodeFault FaultIf(bool wrong, NodeFault fault) { return wrong ? fault : NodeFault::kNone; }

bool HasNegative(std::span<const int64_t> shape) {
  return std::ranges::any_of(shape, [](int64_t d) { return d < 0 && d != kDynamic; });
}

bool IsLocationId(const Module& m, AttrId attr) { return IsLocation(m.attrs.KindOf(attr)); }

// Returns the number of 64-bit words of an integer of this type; 0 if the type is not an integer.
size_t LimbsOf(const Module& m, TypeId type) {
  const auto node = m.types[type];
  if (IsInteger(node.kind)) return 1;
  const auto integer = node.As<IntegerType>();
  return integer ? size_t((integer->width + 63) / 64) : 0;
}

bool HasDedicatedKind(const IntegerType& integer) {
  return integer.signedness != 1 &&
         FindElementType(integer.signedness == 0 ? KindClass::kSignless : KindClass::kUnsigned,
                         integer.width) != TypeKind::kInvalid;
}

// Computes the number of elements of a tensor or vector type; false if the shape is not static.
bool CountOf(const ShapedType& type, uint64_t* count) {
  return type.IsTensorOrVector() && Module::ElementCount(type.shape, count);
}

bool IsFlag(int64_t value) { return value == 0 || value == 1; }

NodeFault CheckStorage(const Module& m, TypeId storage, int64_t flags) {
  if (LimbsOf(m, storage) == 0 && !RowOf(m.types.KindOf(storage)).quantized_storage)
    return NodeFault::kStorageType;
  return FaultIf(!IsFlag(flags), NodeFault::kStorageFlag);
}

bool IsLarge(int64_t line_or_column) { return uint64_t(line_or_column) > UINT32_MAX; }

NodeFault CheckElements(const Module& m, const ElementsAttr& elements) {
  const ShapedType type(m, elements.type);
  uint64_t count = 0;
  if (!CountOf(type, &count)) return NodeFault::kNoStaticShape;
  const uint64_t bytes = m.ElementBytes(type.element);
  if (bytes == 0) return NodeFault::kNoElements;
  if (!IsFlag(elements.splat)) return NodeFault::kSplatFlag;
  const uint64_t size = m.payloads.SizeOf(elements.payload);
  return FaultIf(elements.splat ? size != bytes : size / bytes != count || size % bytes,
                 NodeFault::kElementsPayload);
}

}  // namespace

NodeFault CheckNode(const Module& m, TypeKind kind, std::span<const uint64_t> words) {
  const NodeView<TypeKind> node{kind, words};
  switch (kind) {
    case TypeKind::kInteger: {
      const auto integer = node.Get<IntegerType>();
      if (integer.width < 1 || integer.width > kMaxIntegerWidth || integer.signedness < 0 ||
          integer.signedness > 2)
        return NodeFault::kNoSuchInteger;
      return FaultIf(HasDedicatedKind(integer), NodeFault::kIntegerHasKind);
    }
    case TypeKind::kTensor:
      return FaultIf(HasNegative(node.Get<TensorType>().shape), NodeFault::kNegativeDimension);
    case TypeKind::kMemref:
      return FaultIf(HasNegative(node.Get<MemRefType>().shape), NodeFault::kNegativeDimension);
    case TypeKind::kVector: {
      const auto vector = node.Get<VectorType>();
      if (HasNegative(vector.shape)) return NodeFault::kNegativeDimension;
      if (vector.scalable.size() != vector.shape.size()) return NodeFault::kScalableCount;
      return FaultIf(!std::ranges::all_of(vector.scalable, IsFlag), NodeFault::kScalableFlag);
    }
    case TypeKind::kUniformQuantized: {
      const auto quant = node.Get<UniformQuantizedType>();
      return CheckStorage(m, quant.storage, quant.flags);
    }
    case TypeKind::kUniformQuantizedPerAxis: {
      const auto quant = node.Get<UniformQuantizedPerAxisType>();
      const NodeFault storage = CheckStorage(m, quant.storage, quant.flags);
      if (storage != NodeFault::kNone) return storage;
      return FaultIf(quant.scales.size() != quant.zero_points.size(), NodeFault::kScaleCount);
    }
    case TypeKind::kUniformQuantizedSubChannel: {
      const auto quant = node.Get<UniformQuantizedSubChannelType>();
      const NodeFault storage = CheckStorage(m, quant.storage, quant.flags);
      if (storage != NodeFault::kNone) return storage;
      if (quant.quantized_dimensions.size() != quant.block_sizes.size()) return NodeFault::kBlockCount;
      uint64_t count = 0;
      return FaultIf(quant.zero_points.size() != quant.scales.size() ||
                         !Module::ElementCount(quant.scale_shape, &count) || count != quant.scales.size(),
                     NodeFault::kScaleCount);
    }
    default:
      return NodeFault::kNone;
  }
}

NodeFault CheckNode(const Module& m, AttrKind kind, std::span<const uint64_t> words) {
  const NodeView<AttrKind> node{kind, words};
  switch (kind) {
    case AttrKind::kIntegerAttr: {
      const auto integer = node.Get<IntegerAttr>();
      const size_t limbs = LimbsOf(m, integer.type);
      return FaultIf(limbs == 0 || integer.value.size() != limbs, NodeFault::kIntegerLimbs);
    }
    case AttrKind::kFloatAttr: {
      const auto number = node.Get<FloatAttr>();
      const TypeKind type = m.types.KindOf(number.type);
      const size_t limbs = size_t(BitWidth(type) + 63) / 64;
      return FaultIf(!IsFloat(type) || number.bits.size() != limbs, NodeFault::kFloatLimbs);
    }
    case AttrKind::kDict: {
      const auto entries = node.Get<DictionaryAttr>().entries;
      for (size_t i = 1; i < entries.size(); ++i)
        if (m.strings[entries[i - 1].name] >= m.strings[entries[i].name]) return NodeFault::kDictOrder;
      return NodeFault::kNone;
    }
    case AttrKind::kElements:
      return CheckElements(m, node.Get<ElementsAttr>());
    case AttrKind::kDenseArray: {
      const auto array = node.Get<DenseArrayAttr>();
      const uint64_t bytes = m.ElementBytes(array.element);
      return FaultIf(bytes == 0 || m.payloads.SizeOf(array.payload) % bytes, NodeFault::kArrayPayload);
    }
    case AttrKind::kStringElements: {
      const auto elements = node.Get<StringElementsAttr>();
      uint64_t count = 0;
      if (!CountOf(ShapedType(m, elements.type), &count)) return NodeFault::kNoStaticShape;
      if (!IsFlag(elements.splat)) return NodeFault::kSplatFlag;
      return FaultIf(elements.values.size() != (elements.splat ? 1 : count), NodeFault::kStringCount);
    }
    case AttrKind::kResourceElements:
      return FaultIf(!ShapedType(m, node.Get<ResourceElementsAttr>().type).IsTensorOrVector(),
                     NodeFault::kNoShape);
    case AttrKind::kSparseElements:
      return FaultIf(!ShapedType(m, node.Get<SparseElementsAttr>().type).IsTensorOrVector(),
                     NodeFault::kNoShape);
    case AttrKind::kNameLoc: {
      const AttrId child = node.Get<NameLoc>().child;
      return FaultIf(child && !IsLocationId(m, child), NodeFault::kNamedChild);
    }
    case AttrKind::kCallSiteLoc: {
      const auto call = node.Get<CallSiteLoc>();
      return FaultIf(!IsLocationId(m, call.callee) || !IsLocationId(m, call.caller),
                     NodeFault::kCallSitePart);
    }
    case AttrKind::kFusedLoc:
      return FaultIf(!std::ranges::all_of(node.Get<FusedLoc>().locations,
                                          [&](AttrId part) { return IsLocationId(m, part); }),
                     NodeFault::kFusedPart);
    case AttrKind::kFileLineColLoc: {
      const auto at = node.Get<FileLineColLoc>();
      return FaultIf(IsLarge(at.line) || IsLarge(at.column), NodeFault::kLineTooLarge);
    }
    case AttrKind::kFileRangeLoc: {
      const auto range = node.Get<FileRangeLoc>();
      return FaultIf(IsLarge(range.start_line) || IsLarge(range.start_column) || IsLarge(range.end_line) ||
                         IsLarge(range.end_column),
                     NodeFault::kLineTooLarge);
    }
    case AttrKind::kResultAccuracy:
      return FaultIf(m.attrs.KindOf(node.Get<ResultAccuracyAttr>().mode) != AttrKind::kResultAccuracyMode,
                     NodeFault::kAccuracyMode);
    case AttrKind::kAxisRef: {
      const AttrId part = node.Get<AxisRefAttr>().sub_axis_info;
      return FaultIf(part && m.attrs.KindOf(part) != AttrKind::kSubAxisInfo, NodeFault::kSubAxis);
    }
    case AttrKind::kMesh:
      return FaultIf(
          !std::ranges::all_of(node.Get<MeshAttr>().axes,
                               [&](AttrId axis) { return m.attrs.KindOf(axis) == AttrKind::kMeshAxis; }),
          NodeFault::kMeshAxis);
    default:
      return NodeFault::kNone;
  }
}

std::string_view Describe(NodeFault fault) {
  switch (fault) {
    case NodeFault::kNone:
      return "";
    case NodeFault::kNoSuchInteger:
      return "invalid width or signedness of an integer type";
    case NodeFault::kIntegerHasKind:
      return "integer type has a dedicated type kind";
    case NodeFault::kNegativeDimension:
      return "negative dimension";
    case NodeFault::kScalableCount:
      return "numbers of dimensions and scalable flags differ";
    case NodeFault::kScalableFlag:
      return "scalable flag is not 0 or 1";
    case NodeFault::kStorageFlag:
      return "flag of a quantized type is not 0 or 1";
    case NodeFault::kStorageType:
      return "the storage type of a quantized type must be an integer type";
    case NodeFault::kScaleCount:
      return "numbers of scales and zero points differ";
    case NodeFault::kBlockCount:
      return "numbers of dimensions and block sizes differ";
    case NodeFault::kIntegerLimbs:
      return "integer value has the wrong number of words for its type";
    case NodeFault::kFloatLimbs:
      return "float value has the wrong number of words for its type";
    case NodeFault::kDictOrder:
      return "dictionary is not sorted by name";
    case NodeFault::kNoStaticShape:
      return "elements attribute has no static shape";
    case NodeFault::kNoElements:
      return "element type cannot be stored in an elements attribute";
    case NodeFault::kSplatFlag:
      return "splat flag is not 0 or 1";
    case NodeFault::kElementsPayload:
      return "payload size does not match the elements type";
    case NodeFault::kArrayPayload:
      return "payload size is not a multiple of the array's element size";
    case NodeFault::kStringCount:
      return "number of strings does not match the elements type";
    case NodeFault::kNoShape:
      return "elements attribute has no shape";
    case NodeFault::kLineTooLarge:
      return "line or column exceeds 32 bits";
    case NodeFault::kNamedChild:
    case NodeFault::kCallSitePart:
    case NodeFault::kFusedPart:
      return "not a location";
    case NodeFault::kAccuracyMode:
      return "not an accuracy mode";
    case NodeFault::kSubAxis:
      return "not a sub-axis";
    case NodeFault::kMeshAxis:
      return "not a mesh axis";
  }
  return "";
}

}  // namespace shlo
