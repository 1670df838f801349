#include "shlo/module.h"

#include <algorithm>
#include <cstring>

#include "base/hex.h"
#include "base/stack.h"
#include "ir/table/trait.h"
#include "shlo/types.h"

namespace shlo {

AttrId Module::InherentAttrOf(const Op& op, std::string_view name) const {
  const OpSignature signature = SignatureOf(op);
  const int slot = signature.revision ? RevisionOf(signature.revision).FindSlot(name) : -1;
  return slot < 0 ? AttrId() : signature.inherent_attrs[size_t(slot)];
}

AttrId Module::AttributeOf(const Op& op, std::string_view name) const {
  if (AttrId slot = InherentAttrOf(op, name)) return slot;
  const StringId id = strings.Find(name);
  if (!id) return {};
  for (const NamedAttr& discardable : DiscardableAttrsOf(op))
    if (discardable.name == id) return discardable.value;
  return {};
}

std::vector<OpId> Module::BodyOpsOf(const Op& op) const {
  std::vector<OpId> body;
  for (const RegionId region : RegionsOf(op))
    for (const BlockId block : BlocksOf(region)) {
      const auto list = OpsOf(block);
      body.insert(body.end(), list.begin(), list.end());
    }
  return body;
}

std::vector<OpId> Module::OpsIn(OpId root) const {
  std::vector<OpId> found, todo;
  if (root) todo.push_back(root);
  while (!todo.empty()) {
    const OpId op = todo.back();
    todo.pop_back();
    found.push_back(op);
    const std::vector<OpId> body = BodyOpsOf(ops[op.v]);
    todo.insert(todo.end(), body.rbegin(), body.rend());
  }
  return found;
}

std::string_view Module::SymbolOf(const Op& op) const {
  std::string_view name;
  AsString(AttributeOf(op, "sym_name"), &name);
  return name;
}

std::string_view Module::VisibilityOf(const Op& op) const {
  std::string_view visibility;
  AsString(AttributeOf(op, "sym_visibility"), &visibility);
  return visibility.empty() ? "public" : visibility;
}

std::string_view Module::FunctionOf(OpId id) const {
  // The parent chain is as long as the program is nested.
  while (id && id.v < ops.size()) {
    const Op& op = ops[id.v];
    const RevisionId revision = RevisionIdOf(op);
    if (revision && RowOf(revision).Has(Trait::kFunction)) return SymbolOf(op);
    if (!op.parent || op.parent.v >= blocks.size()) break;
    const RegionId region = blocks[op.parent.v].parent;
    if (!region || region.v >= regions.size()) break;
    id = regions[region.v].parent;
  }
  return {};
}

// --- Changes of signatures ---------------------------------------------------------------------------

void Module::SetSignature(OpId id, const OpSignature& signature) {
  Op& op = ops[id.v];
  op.signature = signatures.Intern(signature);
  const auto types = signatures[op.signature].result_types;
  for (uint32_t i = 0; i < types.size(); ++i) values[op.first_result + i].type = types[i];
}

void Module::SetInherentAttr(OpId op, int slot, AttrId value) {
  EditSignature(op, [&](EditedSignature& s) { s.inherent_attrs[size_t(slot)] = value; });
}

void Module::SetAttr(OpId op, std::string_view name, AttrId value) {
  EditSignature(op, [&](EditedSignature& s) {
    const OpRevision& revision = RevisionOf(s.revision);
    if (const int slot = revision.FindSlot(name); slot >= 0) {
      s.inherent_attrs[size_t(slot)] =
          value ? NormalizeInherentAttr(revision.attrs[size_t(slot)], value) : value;
      return;
    }
    std::erase_if(s.discardable_attrs, [&](const NamedAttr& a) { return strings[a.name] == name; });
    if (!value) return;
    s.discardable_attrs.push_back({strings.Intern(name), value});
    SortByName(s.discardable_attrs);
  });
}

void Module::SetDiscardableAttrs(OpId op, std::vector<NamedAttr> attrs) {
  SortByName(attrs);
  EditSignature(op, [&](EditedSignature& s) { s.discardable_attrs = std::move(attrs); });
}

std::vector<uint64_t> Module::NumOpsBySignature() const {
  std::vector<uint64_t> counts(signatures.size());
  for (const Op& op : std::span(ops).subspan(1)) ++counts[op.signature.v];
  return counts;
}

void Module::RewriteSignatures(const std::function<void(SignatureId, EditedSignature*)>& change) {
  SignatureTable rewritten;
  std::vector<SignatureId> ids(signatures.size());
  EditedSignature edited;
  bool moved = false;
  for (uint32_t i = 1; i < ids.size(); ++i) {
    edited.Assign(signatures[SignatureId(i)]);
    change(SignatureId(i), &edited);
    ids[i] = rewritten.Intern(edited.view());
    moved |= ids[i].v != i;
  }
  signatures = std::move(rewritten);
  if (!moved) return;
  for (Op& op : ops) op.signature = ids[op.signature.v];
}

// --- Interning ---------------------------------------------------------------------------------------

TypeId Module::IntegerType(int64_t width, int signedness) {
  if (signedness != 1) {
    const TypeKind kind =
        FindElementType(signedness == 0 ? KindClass::kSignless : KindClass::kUnsigned, width);
    if (kind != TypeKind::kInvalid) return Type(kind);
  }
  return Make(shlo::IntegerType{.width = width, .signedness = signedness});
}

TypeId Module::ComplexType(TypeId element) { return Make(shlo::ComplexType{.element = element}); }

TypeId Module::TensorType(std::span<const int64_t> shape, TypeId element, AttrId encoding) {
  return Make(shlo::TensorType{.element = element, .encoding = encoding, .shape = shape});
}

TypeId Module::TupleType(std::span<const TypeId> members) { return Make(shlo::TupleType{.types = members}); }

TypeId Module::FunctionType(std::span<const TypeId> inputs, std::span<const TypeId> results) {
  return Make(shlo::FunctionType{.inputs = inputs, .results = results});
}

AttrId Module::Bool(bool value) { return Integer(Type(TypeKind::kI1), value ? 1 : 0); }

AttrId Module::Integer(TypeId type, int64_t value) {
  return Make(IntegerAttr{.type = type, .value = {&value, 1}});
}
AttrId Module::I64(int64_t value) { return Integer(Type(TypeKind::kI64), value); }
AttrId Module::I32(int32_t value) { return Integer(Type(TypeKind::kI32), value); }

AttrId Module::Float(TypeId type, uint64_t bits) {
  const int64_t limb = int64_t(bits);
  return Make(FloatAttr{.type = type, .bits = {&limb, 1}});
}

AttrId Module::String(std::string_view value) { return Make(StringAttr{.value = strings.Intern(value)}); }

AttrId Module::Opaque(std::string_view dialect, std::string_view text) {
  return Make(OpaqueAttr{.dialect = strings.Intern(dialect), .text = strings.Intern(text)});
}

AttrId Module::Array(std::span<const AttrId> elements) { return Make(ArrayAttr{.elements = elements}); }

AttrId Module::Dict(std::vector<NamedAttr> entries) {
  SortByName(entries);
  return Make(DictionaryAttr{.entries = entries});
}

void Module::SortByName(std::span<NamedAttr> attrs) const {
  std::sort(attrs.begin(), attrs.end(),
            [&](const NamedAttr& a, const NamedAttr& b) { return strings[a.name] < strings[b.name]; });
}

AttrId Module::TypeAttr(TypeId type) { return Make(shlo::TypeAttr{.type = type}); }

AttrId Module::Symbol(std::string_view root) { return Make(SymbolRefAttr{.root = strings.Intern(root)}); }

AttrId Module::I64s(std::span<const int64_t> values) { return Make(I64ArrayAttr{.values = values}); }

AttrId Module::Enum(AttrKind kind, int64_t value) {
  const uint64_t word = uint64_t(value);  // the one field of every enum
  return attrs.Intern(kind, {&word, 1});
}

AttrId Module::FusedLoc(std::span<const AttrId> locations, AttrId metadata) {
  std::vector<AttrId> parts;
  const auto add = [&](AttrId part) {
    if (std::ranges::find(parts, part) == parts.end()) parts.push_back(part);
  };
  for (const AttrId location : locations) {
    const auto node = attrs[location];
    if (node.kind == AttrKind::kUnknownLoc) continue;
    const auto fused = node.As<shlo::FusedLoc>();
    if (fused && fused->metadata == metadata)
      std::ranges::for_each(fused->locations, add);
    else
      add(location);
  }
  if (parts.size() == 1 && !metadata) return parts[0];
  if (parts.empty()) {
    parts.push_back(Make(UnknownLoc{}));
    if (!metadata) return parts[0];
  }
  return Make(shlo::FusedLoc{.metadata = metadata, .locations = parts});
}

AttrId Module::Elements(TypeId type, PayloadId payload, bool splat) {
  const ShapedType tensor(*this, type);
  if (!splat && tensor.IsTensorOrVector()) {
    const uint64_t size = ElementBytes(tensor.element);
    const StoredBytes bytes = payloads.StoredOf(payload);
    // All elements equal: each byte, or digit, equals the one an element further on.
    const StoredBytes first = bytes.First(size);
    const std::string_view stored = bytes.stored;
    if (size && bytes.size() >= size && bytes.size() % size == 0 &&
        std::memcmp(stored.data(), stored.data() + first.stored.size(),
                    stored.size() - first.stored.size()) == 0) {
      splat = true;
      if (bytes.size() > size) payload = payloads.AddCopy(CopyOf(first));
    }
  }
  return Make(ElementsAttr{.type = type, .splat = splat, .payload = payload});
}

AttrId Module::I64Elements(std::span<const int64_t> shape, std::span<const int64_t> values) {
  const TypeId type = TensorType(shape, Type(TypeKind::kI64));
  const std::string_view bytes(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  return Elements(type, payloads.AddCopy(bytes), false);
}

// --- Reading -----------------------------------------------------------------------------------------

bool Module::AsInteger(AttrId attr, int64_t* out) const {
  const auto integer = As<IntegerAttr>(attr);
  if (!integer || integer->value.size() != 1) return false;
  *out = integer->value[0];
  return true;
}

bool Module::AsBool(AttrId attr, bool* out) const {
  int64_t value;
  if (!AsInteger(attr, &value) || types.KindOf(Get<IntegerAttr>(attr).type) != TypeKind::kI1) return false;
  *out = value != 0;
  return true;
}

bool Module::AsString(AttrId attr, std::string_view* out) const {
  const auto node = attrs[attr];
  if (const auto string = node.As<StringAttr>())
    *out = strings[string->value];
  else if (const auto typed = node.As<TypedStringAttr>())
    *out = strings[typed->value];
  else
    return false;
  return true;
}

bool Module::AsSymbol(AttrId attr, std::string_view* out) const {
  const auto node = attrs[attr];
  if (node.kind == AttrKind::kString) return AsString(attr, out);
  const auto symbol = node.As<SymbolRefAttr>();
  if (!symbol || !symbol->nested.empty()) return false;
  *out = strings[symbol->root];
  return true;
}

bool Module::AsI64s(AttrId attr, std::vector<int64_t>* out) const {
  const auto node = attrs[attr];
  if (const auto array = node.As<I64ArrayAttr>()) {
    out->assign(array->values.begin(), array->values.end());
    return true;
  }
  const auto elements = node.As<ElementsAttr>();
  if (!elements) return false;
  const auto tensor = As<shlo::TensorType>(elements->type);
  uint64_t count;
  if (!tensor || types.KindOf(tensor->element) != TypeKind::kI64 || !ElementCount(tensor->shape, &count))
    return false;
  const Payload payload = payloads[elements->payload];
  if (elements->splat) {
    // A splat may stand for more elements than memory holds; no list of dimensions is that long.
    if (count > (1u << 24) || payload.size != 8) return false;
    int64_t value;
    std::memcpy(&value, payload.data, 8);
    out->assign(count, value);
    return true;
  }
  if (payload.size != count * 8) return false;
  out->resize(count);
  if (count) std::memcpy(out->data(), payload.data, count * 8);
  return true;
}

std::optional<int64_t> Module::EnumValue(AttrId attr) const {
  const auto node = attrs[attr];
  if (!IsEnum(node.kind)) return std::nullopt;
  return int64_t(node.words[0]);  // the one field of every enum
}

std::optional<int64_t> Module::EnumValue(AttrId attr, AttrKind kind) const {
  return attrs.KindOf(attr) == kind ? EnumValue(attr) : std::nullopt;
}

IdList<AttrId> Module::ElementsOf(AttrId attr) const {
  const auto array = As<ArrayAttr>(attr);
  return array ? array->elements : IdList<AttrId>();
}

TypeId Module::TypeOf(AttrId attr) const {
  const auto node = attrs[attr];
  switch (node.kind) {
    case AttrKind::kIntegerAttr:
      return node.Get<IntegerAttr>().type;
    case AttrKind::kFloatAttr:
      return node.Get<FloatAttr>().type;
    case AttrKind::kElements:
      return node.Get<ElementsAttr>().type;
    case AttrKind::kResourceElements:
      return node.Get<ResourceElementsAttr>().type;
    case AttrKind::kStringElements:
      return node.Get<StringElementsAttr>().type;
    case AttrKind::kSparseElements:
      return node.Get<SparseElementsAttr>().type;
    case AttrKind::kTypedString:
      return node.Get<TypedStringAttr>().type;
    default:
      return {};
  }
}

std::optional<FunctionType> Module::FunctionTypeOf(const Op& op) const {
  const auto type = As<shlo::TypeAttr>(InherentAttrOf(op, "function_type"));
  return type ? As<shlo::FunctionType>(type->type) : std::nullopt;
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
  CheckStack();
  const auto node = types[element];
  if (const auto complex = node.As<shlo::ComplexType>()) return 2 * ElementBytes(complex->element);
  if (const auto integer = node.As<shlo::IntegerType>()) return (uint64_t(integer->width) + 7) / 8;
  return uint64_t(BitWidth(node.kind) + 7) / 8;
}

}  // namespace shlo
