#include "shlo/module.h"

#include <algorithm>
#include <cstring>

namespace shlo {

Module::Module(PoolCache* cache)
    : ops(cache),
      values(cache),
      blocks(cache),
      regions(cache),
      operands(cache),
      inherent_attrs(cache),
      discardable_attrs(cache),
      region_lists(cache),
      block_lists(cache),
      op_lists(cache),
      successors(cache) {
  // The records that no id names.
  ops.resize(1);
  values.resize(1);
  blocks.resize(1);
  regions.resize(1);
}

Module Module::ViewOfProgram() const {
  Module view;
  view.version = version;
  view.strings = strings;
  view.types = types;
  view.attrs = attrs;
  view.payloads = payloads;
  view.resources = resources;
  view.ops = Pool<Op>::View(ops);
  view.values = Pool<Value>::View(values);
  view.blocks = Pool<Block>::View(blocks);
  view.regions = Pool<Region>::View(regions);
  view.top = top;
  view.operands = Pool<ValueId>::View(operands);
  view.inherent_attrs = Pool<AttrId>::View(inherent_attrs);
  view.discardable_attrs = Pool<NamedAttr>::View(discardable_attrs);
  view.region_lists = Pool<RegionId>::View(region_lists);
  view.block_lists = Pool<BlockId>::View(block_lists);
  view.op_lists = Pool<OpId>::View(op_lists);
  view.successors = Pool<BlockId>::View(successors);
  return view;
}

AttrId Module::InherentAttrOf(const Op& op, std::string_view name) const {
  if (!op.revision) return {};
  const int slot = RevisionOf(op.revision).FindSlot(name);
  return slot < 0 ? AttrId() : inherent_attrs[op.first_slot + size_t(slot)];
}

AttrId Module::AttributeOf(const Op& op, std::string_view name) const {
  if (AttrId slot = InherentAttrOf(op, name)) return slot;
  const StringId id = strings.Find(name);
  if (!id) return {};
  for (const NamedAttr& discardable : DiscardableAttrsOf(op))
    if (discardable.name == id) return discardable.value;
  return {};
}

std::string_view Module::SymbolOf(const Op& op) const {
  std::string_view name;
  AsString(AttributeOf(op, "sym_name"), &name);
  return name;
}

std::string_view Module::FunctionOf(OpId id) const {
  // The parent chain is as long as the program is nested.
  while (id && id.v < ops.size()) {
    const Op& op = ops[id.v];
    if (op.revision && RowOf(op.revision).Has(Trait::kFunction)) return SymbolOf(op);
    if (!op.parent || op.parent.v >= blocks.size()) break;
    const RegionId region = blocks[op.parent.v].parent;
    if (!region || region.v >= regions.size()) break;
    id = regions[region.v].parent;
  }
  return {};
}

// --- Interning ---------------------------------------------------------------------------------------

TypeId Module::IntegerType(int64_t width, int signedness) {
  if (signedness == 0) {
    for (TypeKind kind : {TypeKind::kI1, TypeKind::kI2, TypeKind::kI4, TypeKind::kI8, TypeKind::kI16,
                          TypeKind::kI32, TypeKind::kI64})
      if (BitWidth(kind) == width) return Type(kind);
  } else if (signedness == 2) {
    for (TypeKind kind :
         {TypeKind::kUI2, TypeKind::kUI4, TypeKind::kUI8, TypeKind::kUI16, TypeKind::kUI32, TypeKind::kUI64})
      if (BitWidth(kind) == width) return Type(kind);
  }
  return types.Intern(TypeKind::kInteger, FieldWriter().Int(width).Int(signedness));
}

TypeId Module::ComplexType(TypeId element) {
  return types.Intern(TypeKind::kComplex, FieldWriter().Type(element));
}

TypeId Module::TensorType(std::span<const int64_t> shape, TypeId element, AttrId encoding) {
  return types.Intern(TypeKind::kTensor, FieldWriter().Type(element).Attr(encoding).Ints(shape));
}

TypeId Module::TupleType(std::span<const TypeId> members) {
  return types.Intern(TypeKind::kTuple, FieldWriter().Ids(members));
}

TypeId Module::FunctionType(std::span<const TypeId> inputs, std::span<const TypeId> results) {
  return types.Intern(TypeKind::kFunction, FieldWriter().Ids(inputs).Ids(results));
}

AttrId Module::Bool(bool value) { return Integer(Type(TypeKind::kI1), value ? 1 : 0); }

AttrId Module::Integer(TypeId type, int64_t value) {
  return attrs.Intern(AttrKind::kIntegerAttr, FieldWriter().Type(type).Ints({{value}}));
}
AttrId Module::I64(int64_t value) { return Integer(Type(TypeKind::kI64), value); }
AttrId Module::I32(int32_t value) { return Integer(Type(TypeKind::kI32), value); }

AttrId Module::Float(TypeId type, uint64_t bits) {
  return attrs.Intern(AttrKind::kFloatAttr, FieldWriter().Type(type).Ints({{int64_t(bits)}}));
}

AttrId Module::String(std::string_view value) {
  return attrs.Intern(AttrKind::kString, FieldWriter().String(strings.Intern(value)));
}

AttrId Module::Opaque(std::string_view dialect, std::string_view text) {
  return attrs.Intern(AttrKind::kOpaqueAttr,
                      FieldWriter().String(strings.Intern(dialect)).String(strings.Intern(text)));
}

AttrId Module::Array(std::span<const AttrId> elements) {
  return attrs.Intern(AttrKind::kArray, FieldWriter().Ids(elements));
}

AttrId Module::Dict(std::vector<NamedAttr> entries) {
  std::sort(entries.begin(), entries.end(),
            [&](const NamedAttr& a, const NamedAttr& b) { return strings[a.name] < strings[b.name]; });
  FieldWriter fields;
  fields.Word(entries.size());
  for (const NamedAttr& entry : entries) fields.String(entry.name).Attr(entry.value);
  return attrs.Intern(AttrKind::kDict, fields);
}

AttrId Module::TypeAttr(TypeId type) { return attrs.Intern(AttrKind::kTypeAttr, FieldWriter().Type(type)); }

AttrId Module::Symbol(std::string_view root) {
  return attrs.Intern(AttrKind::kSymbolRef, FieldWriter().String(strings.Intern(root)).Word(0));
}

AttrId Module::I64s(std::span<const int64_t> values) {
  return attrs.Intern(AttrKind::kI64Array, FieldWriter().Ints(values));
}

AttrId Module::Enum(AttrKind kind, int64_t value) { return attrs.Intern(kind, FieldWriter().Int(value)); }

AttrId Module::FusedLoc(std::span<const AttrId> locations, AttrId metadata) {
  std::vector<AttrId> parts;
  const auto add = [&](AttrId part) {
    if (std::ranges::find(parts, part) == parts.end()) parts.push_back(part);
  };
  for (const AttrId location : locations) {
    const auto node = attrs[location];
    if (node.kind == AttrKind::kUnknownLoc) continue;
    if (node.kind == AttrKind::kFusedLoc && AttrId(uint32_t(node.words[0])) == metadata)
      for (uint64_t word : node.words.subspan(2)) add(AttrId(uint32_t(word)));
    else
      add(location);
  }
  if (parts.size() == 1 && !metadata) return parts[0];
  if (parts.empty()) {
    parts.push_back(attrs.Intern(AttrKind::kUnknownLoc, FieldWriter()));
    if (!metadata) return parts[0];
  }
  return attrs.Intern(AttrKind::kFusedLoc, FieldWriter().Attr(metadata).Ids(std::span<const AttrId>(parts)));
}

AttrId Module::Elements(TypeId type, PayloadId payload, bool splat) {
  TensorView tensor;
  if (!splat && AsTensorOrVector(type, &tensor)) {
    const uint64_t size = ElementBytes(tensor.element);
    const Payload p = payloads[payload];
    // All elements equal: each byte equals the one an element further on.
    if (size && p.size >= size && p.size % size == 0 &&
        std::memcmp(p.data, p.data + size, p.size - size) == 0) {
      splat = true;
      if (p.size > size) payload = payloads.AddCopy(p.bytes().substr(0, size));
    }
  }
  return attrs.Intern(AttrKind::kElements, FieldWriter().Type(type).Int(splat).PayloadRef(payload));
}

AttrId Module::I64Elements(std::span<const int64_t> shape, std::span<const int64_t> values) {
  const TypeId type = TensorType(shape, Type(TypeKind::kI64));
  const std::string_view bytes(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  return Elements(type, payloads.AddCopy(bytes), false);
}

// --- Reading -----------------------------------------------------------------------------------------

bool Module::TensorView::IsStatic() const {
  return std::find(shape.begin(), shape.end(), kDynamic) == shape.end();
}

bool Module::AsTensor(TypeId type, TensorView* out) const {
  auto node = types[type];
  if (node.kind != TypeKind::kTensor) return false;
  FieldReader r(node.words);
  out->element = r.Type();
  out->encoding = r.Attr();
  out->shape = r.Ints();
  return true;
}

bool Module::AsTensorOrVector(TypeId type, TensorView* out) const {
  const auto node = types[type];
  if (node.kind != TypeKind::kVector) return AsTensor(type, out);
  FieldReader r(node.words);
  out->element = r.Type();
  out->encoding = {};
  out->shape = r.Ints();
  return true;
}

bool Module::AsInteger(AttrId attr, int64_t* out) const {
  auto node = attrs[attr];
  if (node.kind != AttrKind::kIntegerAttr || node.words.size() != 3) return false;
  *out = int64_t(node.words[2]);
  return true;
}

bool Module::AsBool(AttrId attr, bool* out) const {
  int64_t value;
  if (!AsInteger(attr, &value) || types.KindOf(TypeId(uint32_t(attrs[attr].words[0]))) != TypeKind::kI1)
    return false;
  *out = value != 0;
  return true;
}

bool Module::AsString(AttrId attr, std::string_view* out) const {
  auto node = attrs[attr];
  if (node.kind != AttrKind::kString && node.kind != AttrKind::kTypedString) return false;
  *out = strings[StringId(uint32_t(node.words[0]))];
  return true;
}

bool Module::AsSymbol(AttrId attr, std::string_view* out) const {
  auto node = attrs[attr];
  if (node.kind == AttrKind::kString) return AsString(attr, out);
  if (node.kind != AttrKind::kSymbolRef || node.words[1] != 0) return false;
  *out = strings[StringId(uint32_t(node.words[0]))];
  return true;
}

bool Module::AsI64s(AttrId attr, std::vector<int64_t>* out) const {
  auto node = attrs[attr];
  if (node.kind == AttrKind::kI64Array) {
    const auto values = FieldReader(node.words).Ints();
    out->assign(values.begin(), values.end());
    return true;
  }
  ElementsView elements;
  TensorView tensor;
  uint64_t count;
  if (!AsElements(attr, &elements) || !AsTensor(elements.type, &tensor) ||
      types.KindOf(tensor.element) != TypeKind::kI64 || !ElementCount(tensor.shape, &count))
    return false;
  if (elements.splat) {
    // A splat may stand for more elements than memory holds; no list of dimensions is that long.
    if (count > (1u << 24) || elements.payload.size != 8) return false;
    int64_t value;
    std::memcpy(&value, elements.payload.data, 8);
    out->assign(count, value);
    return true;
  }
  if (elements.payload.size != count * 8) return false;
  out->resize(count);
  if (count) std::memcpy(out->data(), elements.payload.data, count * 8);
  return true;
}

bool Module::AsFunction(TypeId type, std::span<const uint64_t>* inputs,
                        std::span<const uint64_t>* results) const {
  auto node = types[type];
  if (node.kind != TypeKind::kFunction) return false;
  FieldReader r(node.words);
  *inputs = r.List();
  *results = r.List();
  return true;
}

bool Module::AsElements(AttrId attr, ElementsView* out) const {
  auto node = attrs[attr];
  if (node.kind != AttrKind::kElements) return false;
  FieldReader r(node.words);
  out->type = r.Type();
  out->splat = r.Int() != 0;
  out->payload = payloads[r.PayloadRef()];
  return true;
}

bool Module::ElementCount(std::span<const int64_t> shape, uint64_t* out) {
  constexpr uint64_t kMax = 1ull << 62;
  uint64_t count = 1;
  bool empty = false;
  for (int64_t dim : shape) {
    if (dim < 0) return false;
    if (dim == 0) empty = true;
    // A zero dimension makes the product zero, but the others must still be sane together.
    else if (count > kMax / uint64_t(dim))
      return false;
    else
      count *= uint64_t(dim);
  }
  *out = empty ? 0 : count;
  return true;
}

uint64_t Module::ElementBytes(TypeId element) const {
  auto node = types[element];
  if (node.kind == TypeKind::kComplex) return 2 * ElementBytes(TypeId(uint32_t(node.words[0])));
  if (node.kind == TypeKind::kInteger) return (node.words[0] + 7) / 8;
  return uint64_t(BitWidth(node.kind) + 7) / 8;
}

}  // namespace shlo
