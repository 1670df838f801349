// What a type or attribute promises beyond valid references (docs/shlo-format.md section 4, nodes).
#include "serialize/shlo/reader_tables.h"

namespace shlo::format {
namespace {

bool AreDimensions(std::span<const int64_t> shape) {
  for (int64_t d : shape)
    if (d < 0 && d != kDynamic) return false;
  return true;
}

// The shape of a tensor or vector type.
bool ShapeOfType(const Module& m, TypeId type, std::span<const int64_t>* shape, TypeId* element) {
  const auto view = m.types[type];
  if (view.kind != TypeKind::kTensor && view.kind != TypeKind::kVector) return false;
  FieldReader r(view.words);
  *element = r.Type();
  if (view.kind == TypeKind::kTensor) r.Attr();
  *shape = r.Ints();
  return true;
}

bool ElementCountOf(const Module& m, TypeId type, uint64_t* count, TypeId* element) {
  std::span<const int64_t> shape;
  return ShapeOfType(m, type, &shape, element) && Module::ElementCount(shape, count);
}

bool IsLocationId(const Module& m, AttrId attr) { return IsLocation(m.attrs.KindOf(attr)); }

bool AllOfKind(const Module& m, std::span<const uint64_t> list, AttrKind kind) {
  for (uint64_t word : list)
    if (m.attrs.KindOf(AttrId(uint32_t(word))) != kind) return false;
  return true;
}

// 64-bit limbs of an integer of this type; 0 when the type is no integer.
size_t LimbsOf(const Module& m, TypeId type) {
  const auto view = m.types[type];
  if (IsInteger(view.kind)) return 1;
  if (view.kind == TypeKind::kInteger) return size_t((view.words[0] + 63) / 64);
  return 0;
}

bool HasKindOfItsOwn(int64_t width, int64_t signedness) {
  return signedness != 1 && FindElementType(signedness == 0 ? KindClass::kSignless : KindClass::kUnsigned,
                                            width) != TypeKind::kInvalid;
}

}  // namespace

std::string_view CheckType(const Module& m, TypeKind kind, std::span<const uint64_t> words) {
  FieldReader r(words);
  switch (kind) {
    case TypeKind::kInteger: {
      const int64_t width = r.Int(), signedness = r.Int();
      if (width < 1 || width > kMaxIntegerWidth || signedness < 0 || signedness > 2)
        return "no such integer type";
      if (HasKindOfItsOwn(width, signedness)) return "an integer type that has a kind of its own";
      return {};
    }
    case TypeKind::kTensor:
      r.Type();
      r.Attr();
      if (!AreDimensions(r.Ints())) return "a negative dimension";
      return {};
    case TypeKind::kVector: {
      r.Type();
      const auto shape = r.Ints(), scalable = r.Ints();
      if (!AreDimensions(shape)) return "a negative dimension";
      if (scalable.size() != shape.size()) return "dimensions and scalable flags do not agree in number";
      for (int64_t s : scalable)
        if (s != 0 && s != 1) return "a scalable flag is not 0 or 1";
      return {};
    }
    case TypeKind::kMemref:
      r.Type();
      r.Attr();
      r.Attr();
      if (!AreDimensions(r.Ints())) return "a negative dimension";
      return {};
    case TypeKind::kUniformQuantizedPerAxis: {
      for (int i = 0; i < 6; ++i) r.Int();
      const size_t scales = r.List().size(), zero_points = r.List().size();
      if (scales != zero_points) return "scales and zero points do not agree in number";
      return {};
    }
    case TypeKind::kUniformQuantizedSubChannel: {
      for (int i = 0; i < 5; ++i) r.Int();
      const size_t dimensions = r.List().size(), blocks = r.List().size();
      if (dimensions != blocks) return "dimensions and block sizes do not agree in number";
      const auto shape = r.Ints();
      uint64_t count = 0;
      const size_t scales = r.List().size();
      if (r.List().size() != scales || !Module::ElementCount(shape, &count) || count != scales)
        return "scales and zero points do not agree in number";
      return {};
    }
    default:
      (void)m;
      return {};
  }
}

std::string_view CheckAttr(const Module& m, AttrKind kind, std::span<const uint64_t> words) {
  FieldReader r(words);
  switch (kind) {
    case AttrKind::kIntegerAttr: {
      const size_t limbs = LimbsOf(m, r.Type());
      if (limbs == 0 || r.List().size() != limbs) return "an integer does not have the limbs of its type";
      return {};
    }
    case AttrKind::kFloatAttr: {
      const TypeKind type = m.types.KindOf(r.Type());
      const size_t limbs = size_t(BitWidth(type) + 63) / 64;
      if (!IsFloat(type) || r.List().size() != limbs) return "a float does not have the limbs of its type";
      return {};
    }
    case AttrKind::kDict: {
      const auto entries = r.List(/*named=*/true);
      for (size_t i = 2; i < entries.size(); i += 2)
        if (m.strings[StringId(uint32_t(entries[i - 2]))] >= m.strings[StringId(uint32_t(entries[i]))])
          return "a dictionary is not sorted by name";
      return {};
    }
    case AttrKind::kElements: {
      const TypeId type = r.Type();
      const int64_t splat = r.Int();
      const uint64_t size = m.payloads[r.PayloadRef()].size;
      uint64_t count = 0;
      TypeId element;
      if (!ElementCountOf(m, type, &count, &element)) return "elements without a static shape";
      const uint64_t bytes = m.ElementBytes(element);
      if (bytes == 0) return "elements of a type that has none";
      if (splat != 0 && splat != 1) return "a splat flag is not 0 or 1";
      if (splat ? size != bytes : size / bytes != count || size % bytes)
        return "elements and payload do not agree";
      return {};
    }
    case AttrKind::kDenseArray: {
      const uint64_t bytes = m.ElementBytes(r.Type());
      if (bytes == 0 || m.payloads[r.PayloadRef()].size % bytes) return "array and payload do not agree";
      return {};
    }
    case AttrKind::kStringElements: {
      const TypeId type = r.Type();
      const int64_t splat = r.Int();
      uint64_t count = 0;
      TypeId element;
      if (!ElementCountOf(m, type, &count, &element)) return "elements without a static shape";
      if (splat != 0 && splat != 1) return "a splat flag is not 0 or 1";
      if (r.List().size() != (splat ? 1 : count)) return "elements and strings do not agree in number";
      return {};
    }
    case AttrKind::kResourceElements:
    case AttrKind::kSparseElements: {
      TypeId element;
      std::span<const int64_t> shape;
      return ShapeOfType(m, r.Type(), &shape, &element) ? std::string_view() : "elements without a shape";
    }
    case AttrKind::kNameLoc: {
      r.String();
      const AttrId child = r.Attr();
      return !child || IsLocationId(m, child) ? std::string_view() : "not a location";
    }
    case AttrKind::kCallSiteLoc: {
      const AttrId callee = r.Attr(), caller = r.Attr();
      return IsLocationId(m, callee) && IsLocationId(m, caller) ? std::string_view() : "not a location";
    }
    case AttrKind::kFusedLoc: {
      r.Attr();
      for (uint64_t word : r.List())
        if (!IsLocationId(m, AttrId(uint32_t(word)))) return "not a location";
      return {};
    }
    case AttrKind::kResultAccuracy:
      for (int i = 0; i < 3; ++i) r.Int();
      return m.attrs.KindOf(r.Attr()) == AttrKind::kResultAccuracyMode ? std::string_view()
                                                                       : "not an accuracy mode";
    case AttrKind::kAxisRef: {
      r.String();
      const AttrId sub = r.Attr();
      return !sub || m.attrs.KindOf(sub) == AttrKind::kSubAxisInfo ? std::string_view() : "not a sub-axis";
    }
    case AttrKind::kMesh:
      return AllOfKind(m, r.List(), AttrKind::kMeshAxis) ? std::string_view() : "not a mesh axis";
    case AttrKind::kReplicaGroupMeshAxes: {
      r.Attr();
      const auto axes = r.List();
      // A list of axes may itself be one attribute.
      for (uint64_t word : axes) {
        const AttrKind axis = m.attrs.KindOf(AttrId(uint32_t(word)));
        if (axis != AttrKind::kAxisRef && axis != AttrKind::kArray) return "not an axis";
      }
      return {};
    }
    default:
      return {};
  }
}

}  // namespace shlo::format
