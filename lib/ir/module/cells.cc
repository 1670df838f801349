#include "ir/module/cells.h"

#include <algorithm>
#include <cstring>

#include "ir/module/attr_names.h"
#include "ir/table/inference.h"
#include "ir/table/trait.h"
#include "ir/table/type_class.h"
#include "shlo/types.h"

namespace shlo {

bool IsI1Of(const Module& m, TypeId type, TypeId model) {
  const ShapedType a(m, type), b(m, model);
  if (m.types.KindOf(a.element) != TypeKind::kI1 || a.encoding != b.encoding) return false;
  const auto x = m.As<VectorType>(type), y = m.As<VectorType>(model);
  if (bool(x) != bool(y) || (x && !std::ranges::equal(x->scalable, y->scalable))) return false;
  return !b.shaped ? !a.shaped
                   : m.types.KindOf(type) == m.types.KindOf(model) && std::ranges::equal(a.shape, b.shape);
}

namespace {

// Returns the size of a segment of operands, from an attribute that may be anything.
uint32_t SegmentAt(const Module& m, const Op& op, size_t index) {
  const std::vector<int32_t> sizes = I32sOf(m, m.AttributeOf(op, kOperandSegmentSizes));
  return index < sizes.size() && sizes[index] > 0 ? uint32_t(sizes[index]) : 0;
}

size_t NumLists(std::span<const Cell> cells) { return size_t(std::ranges::count_if(cells, &Cell::variadic)); }

bool CountsFit(std::span<const Cell> cells, uint32_t count) {
  const size_t lists = NumLists(cells);
  return lists == 0 ? count == cells.size() : lists == 1 && count + 1 >= cells.size();
}

bool HasSegments(const OpRevision& shape) {
  return RowOf(shape.row).Has(Trait::kOperandSegments) && NumLists(shape.operands) > 1;
}

bool IsNamed(const Module& m, TypeId type, std::string_view name) {
  if (name == "i1") return m.types.KindOf(type) == TypeKind::kI1;
  const auto opaque = m.As<OpaqueType>(type);
  const size_t dot = name.find('.');
  return opaque && m.strings[opaque->dialect] == name.substr(1, dot - 1) &&
         m.strings[opaque->text] == name.substr(dot);
}

bool IsInferred(const Module& m, std::string_view function, TypeId source, TypeId type) {
  if (function.empty()) return type == source;
  if (function == "i1") return IsI1Of(m, type, source);
  const ShapedType shaped(m, source);
  if (function == "element") return shaped.shaped && shaped.element == type;
  const auto complex = m.As<ComplexType>(source);
  return complex && complex->element == type;
}

}  // namespace

std::vector<int32_t> I32sOf(const Module& m, AttrId attr) {
  const auto array = m.As<DenseArrayAttr>(attr);
  if (!array || m.types.KindOf(array->element) != TypeKind::kI32) return {};
  const Payload payload = m.payloads[array->payload];
  std::vector<int32_t> values(size_t(payload.size / 4));
  if (!values.empty()) std::memcpy(values.data(), payload.data, values.size() * 4);
  return values;
}

AttrId MakeI32s(Module* m, std::span<const int32_t> values) {
  const std::string_view bytes(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  return m->Make(DenseArrayAttr{.element = m->Type(TypeKind::kI32), .payload = m->payloads.AddCopy(bytes)});
}

CellValues ValuesOf(std::span<const Cell> cells, size_t index, uint32_t count) {
  uint32_t first = 0;
  for (size_t i = 0; i < cells.size(); ++i) {
    const uint32_t size = cells[i].variadic ? count + 1 - uint32_t(cells.size()) : 1;
    if (i == index) return {first, size};
    first += size;
  }
  return {0, 0};
}

CellValues OperandsOf(const Module& m, const Op& op, const OpRevision& shape, size_t index) {
  if (!HasSegments(shape)) return ValuesOf(shape.operands, index, m.NumOperands(op));
  uint64_t first = 0;
  for (size_t i = 0; i < index; ++i) first += SegmentAt(m, op, i);
  const uint64_t size = SegmentAt(m, op, index);
  return first + size > m.NumOperands(op) ? CellValues() : CellValues{uint32_t(first), uint32_t(size)};
}

bool FitsCells(const Module& m, const Op& op, const OpRevision& shape) {
  if (!CountsFit(shape.results, m.NumResults(op))) return false;
  if (!HasSegments(shape)) return CountsFit(shape.operands, m.NumOperands(op));
  uint64_t sum = 0;
  for (size_t i = 0; i < shape.operands.size(); ++i) {
    const uint32_t size = SegmentAt(m, op, i);
    if (!shape.operands[i].variadic && size != 1) return false;
    sum += size;
  }
  return sum == m.NumOperands(op);
}

const Cell* BrokenInference(const Module& m, const Op& op, const OpRevision& shape) {
  std::vector<TypeId> types, sources;
  const auto find = [&](std::string_view name, std::vector<TypeId>* out) {
    out->clear();
    for (size_t i = 0; i < shape.operands.size(); ++i) {
      if (shape.operands[i].name != name) continue;
      const auto [first, count] = OperandsOf(m, op, shape, i);
      for (uint32_t k = 0; k < count; ++k) out->push_back(m.TypeOf(m.OperandsOf(op)[first + k]));
      return true;
    }
    for (size_t i = 0; i < shape.results.size(); ++i) {
      if (shape.results[i].name != name) continue;
      const auto [first, count] = ValuesOf(shape.results, i, m.NumResults(op));
      for (uint32_t k = 0; k < count; ++k) out->push_back(m.TypeOf(m.ResultOf(op, first + k)));
      return true;
    }
    return false;
  };
  for (const Cell& cell : shape.inferences) {
    const TypeRelation infer = TypeRelationOf(cell.name);
    find(infer.name, &types);
    bool holds = true;
    if (find(infer.source, &sources)) {
      holds = types.size() == sources.size();
      for (size_t i = 0; holds && i < types.size(); ++i)
        holds = IsInferred(m, infer.function, sources[i], types[i]);
    } else {
      for (TypeId type : types) holds = holds && IsNamed(m, type, infer.source);
    }
    if (!holds) return &cell;
  }
  return nullptr;
}

}  // namespace shlo
