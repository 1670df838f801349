// Slots of ops: normalization of written attributes, values of absent ones, and moving between shapes.
#include <algorithm>
#include <cstring>

#include "ir/module.h"

namespace shlo {
namespace {

// A bool or flag: a unit attribute means true.
AttrId NormalizeBool(Module& m, AttrId value) {
  return m.attrs.KindOf(value) == AttrKind::kUnit ? m.Bool(true) : value;
}

// array<i1: ...> from one-dimensional dense elements of i1.
AttrId NormalizeBools(Module& m, AttrId value) {
  Module::ElementsView elements;
  Module::TensorView tensor;
  uint64_t count;
  if (!m.AsElements(value, &elements) || !m.AsTensor(elements.type, &tensor) || tensor.shape.size() != 1 ||
      m.types.KindOf(tensor.element) != TypeKind::kI1 || !Module::ElementCount(tensor.shape, &count) ||
      count > (1u << 24))
    return value;
  std::string bytes;
  if (elements.splat)
    bytes.assign(count, elements.payload.size ? char(elements.payload.data[0]) : '\0');
  else
    bytes = std::string(elements.payload.bytes());
  return m.attrs.Intern(AttrKind::kDenseArray,
                        FieldWriter().Type(tensor.element).PayloadRef(m.payloads.AddCopy(bytes)));
}

AttrId NormalizeI64s(Module& m, AttrId value) {
  Module::ElementsView elements;
  Module::TensorView tensor;
  std::vector<int64_t> values;
  // Drafts of the specification write a list of one as a scalar.
  if (m.AsElements(value, &elements) && m.AsTensor(elements.type, &tensor) && tensor.shape.size() <= 1 &&
      m.AsI64s(value, &values))
    return m.I64s(values);
  return value;
}

// Dense elements from array<i64: ...>: an older or newer spelling of the same list.
AttrId NormalizeI64Elements(Module& m, AttrId value) {
  std::vector<int64_t> values;
  if (m.attrs.KindOf(value) != AttrKind::kI64Array || !m.AsI64s(value, &values)) return value;
  const int64_t shape[] = {int64_t(values.size())};
  return m.I64Elements(shape, values);
}

AttrId NormalizeSymbol(Module& m, AttrId value) {
  std::string_view name;
  if (m.attrs.KindOf(value) == AttrKind::kString && m.AsString(value, &name)) return m.Symbol(name);
  return value;
}

AttrId NormalizeSymbols(Module& m, AttrId value) {
  auto node = m.attrs[value];
  if (node.kind != AttrKind::kArray) return value;
  std::vector<AttrId> symbols;
  for (uint64_t word : FieldReader(node.words).List()) symbols.push_back(AttrId(uint32_t(word)));
  for (AttrId& symbol : symbols) symbol = NormalizeSymbol(m, symbol);
  return m.Array(symbols);
}

AttrId NormalizeApiVersion(Module& m, AttrId value) {
  auto node = m.attrs[value];
  if (node.kind != AttrKind::kCustomCallApiVersion) return value;
  return m.I32(int32_t(node.words[0]));
}

// Whether an attribute is a written "none": the portable spelling of an absent optional.
bool IsNoneType(const Module& m, AttrId value) {
  auto node = m.attrs[value];
  return node.kind == AttrKind::kTypeAttr &&
         m.types.KindOf(TypeId(uint32_t(node.words[0]))) == TypeKind::kNone;
}

// Number of spatial dimensions of a convolution, or of window dimensions of a windowed op.
size_t WindowRank(const Module& m, const Op& op) {
  std::vector<int64_t> dims;
  for (std::string_view name : {"input_spatial_dimensions", "window_dimensions"})
    if (AttrId attr = m.SlotOf(op, name); attr && m.AsI64s(attr, &dims)) return dims.size();
  return 0;
}

}  // namespace

AttrId Module::NormalizeSlot(const Cell& attr, AttrId value) {
  if (!value) return value;
  // The portable spelling writes "none" for what is absent.
  if (attr.attr_default() == Default::kNoneType && IsNoneType(*this, value)) return {};
  switch (attr.attr_class()) {
    case AttrClass::kBool:
    case AttrClass::kFlag:
      return NormalizeBool(*this, value);
    case AttrClass::kI64s:
      return NormalizeI64s(*this, value);
    case AttrClass::kBools:
      return NormalizeBools(*this, value);
    case AttrClass::kI64Elements:
    case AttrClass::kReplicaGroups:
      return NormalizeI64Elements(*this, value);
    case AttrClass::kSymbol:
      return NormalizeSymbol(*this, value);
    case AttrClass::kSymbols:
      return NormalizeSymbols(*this, value);
    case AttrClass::kApiVersion:
      return NormalizeApiVersion(*this, value);
    default:
      return value;
  }
}

AttrId Module::DefaultOf(const Op& op, int slot) {
  const Cell& cell = ShapeOf(op.shape).attrs[size_t(slot)];
  const auto integer = [&](int64_t v) {
    switch (cell.attr_class()) {
      case AttrClass::kI32:
      case AttrClass::kApiVersion:
        return I32(int32_t(v));
      case AttrClass::kUI32:
        return Integer(Type(TypeKind::kUI32), v);
      case AttrClass::kUI64:
        return Integer(Type(TypeKind::kUI64), v);
      default:
        return I64(v);
    }
  };
  switch (cell.attr_default()) {
    case Default::kRequired:
    case Default::kOptional:
    case Default::kTextOnly:
      return {};
    case Default::kFalse:
      return Bool(false);
    case Default::kTrue:
      return Bool(true);
    case Default::kZero:
      return integer(0);
    case Default::kOne:
      return integer(1);
    case Default::kMinusOne:
      return integer(-1);
    case Default::kEmptyString:
      return String("");
    case Default::kEmptyI64s: {
      if (cell.attr_class() == AttrClass::kI64s) return I64s({});
      const int64_t shape[] = {0};
      return I64Elements(shape, {});
    }
    case Default::kEmptyArray:
      return Array({});
    case Default::kEmptyDict:
      return Dict({});
    case Default::kNoneType:
      return TypeAttr(Type(TypeKind::kNone));
    case Default::kFirstCase:
      return Enum(cell.attr_kind(), CasesOf(cell.attr_kind()).front().value);
    case Default::kOnes:
      return I64s(std::vector<int64_t>(WindowRank(*this, op), 1));
    case Default::kZeroPairs: {
      const size_t rank = WindowRank(*this, op);
      const int64_t shape[] = {int64_t(rank), 2};
      return I64Elements(shape, std::vector<int64_t>(rank * 2, 0));
    }
    case Default::kFalses:
      return attrs.Intern(AttrKind::kDenseArray,
                          FieldWriter()
                              .Type(Type(TypeKind::kI1))
                              .PayloadRef(payloads.AddCopy(std::string(WindowRank(*this, op), '\0'))));
    case Default::kDefaultPrecisions: {
      const AttrId one = Enum(AttrKind::kPrecision, 0);
      return Array({{one, one}});
    }
    case Default::kDefaultAccuracy:
      return attrs.Intern(AttrKind::kResultAccuracy, FieldWriter().Float(0).Float(0).Int(0).Attr(
                                                         Enum(AttrKind::kResultAccuracyMode, 0)));
    case Default::kEmptyConfig: {
      int64_t api_version = 1;
      AsInteger(SlotOf(op, "api_version"), &api_version);
      return api_version == 4 ? Dict({}) : String("");
    }
  }
  return {};
}

bool Module::IsDefault(const Op& op, int slot) {
  const AttrId written = slots[op.first_slot + size_t(slot)];
  if (!written) return true;
  const AttrId value = DefaultOf(op, slot);
  if (value == written) return true;
  if (ShapeOf(op.shape).attrs[size_t(slot)].attr_default() != Default::kDefaultAccuracy) return false;
  // Negative zero is a zero tolerance too.
  auto node = attrs[written];
  if (node.kind != AttrKind::kResultAccuracy) return false;
  FieldReader r(node.words);
  const double atol = r.Float(), rtol = r.Float();
  const int64_t ulps = r.Int();
  return atol == 0 && rtol == 0 && ulps == 0 && r.Attr() == Enum(AttrKind::kResultAccuracyMode, 0);
}

void Module::SetVersion(Version target) {
  version = target;
  std::vector<AttrId> moved;
  std::vector<NamedAttr> kept;
  for (size_t i = 1; i < ops.size(); ++i) {
    Op& op = ops[i];
    if (!op.shape || ShapeOf(op.shape).LegalAt(target)) continue;
    const ShapeId to = ShapeAt(ShapeOf(op.shape).row, target);
    if (!to) continue;
    const ShapeRow& from_row = ShapeOf(op.shape);
    const ShapeRow& to_row = ShapeOf(to);
    moved.assign(to_row.attrs.size(), {});
    kept.clear();
    for (const NamedAttr& extra : ExtrasOf(op)) {
      const int slot = to_row.FindSlot(strings[extra.name]);
      if (slot < 0)
        kept.push_back(extra);
      else
        moved[size_t(slot)] = NormalizeSlot(to_row.attrs[size_t(slot)], extra.value);
    }
    for (size_t k = 0; k < from_row.attrs.size(); ++k) {
      const AttrId value = slots[op.first_slot + k];
      if (!value) continue;
      const int slot = to_row.FindSlot(from_row.attrs[k].name);
      if (slot >= 0)
        moved[size_t(slot)] = value;
      else if (!IsDefault(op, int(k)))
        kept.push_back({strings.Intern(from_row.attrs[k].name), value});
    }
    op.shape = to;
    op.first_slot = uint32_t(slots.size());
    slots.insert(slots.end(), moved.begin(), moved.end());
    std::sort(kept.begin(), kept.end(),
              [&](const NamedAttr& a, const NamedAttr& b) { return strings[a.name] < strings[b.name]; });
    op.extra = {uint32_t(extras.size()), uint32_t(kept.size())};
    extras.insert(extras.end(), kept.begin(), kept.end());
  }
}

}  // namespace shlo
