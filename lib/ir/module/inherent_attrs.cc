// Inherent attributes of ops: normalization of written ones, values of absent ones, and moving between
// revisions.
#include <algorithm>
#include <bit>
#include <cstring>

#include "ir/table/attr_class.h"
#include "shlo/module.h"

namespace shlo {
namespace {

// A bool or flag: a unit attribute means true.
AttrId NormalizeBool(Module& m, AttrId value) {
  return m.attrs.KindOf(value) == AttrKind::kUnit ? m.Bool(true) : value;
}

// array<i1: ...> from one-dimensional dense elements of i1.
AttrId NormalizeBools(Module& m, AttrId value) {
  const auto elements = m.As<ElementsAttr>(value);
  if (!elements) return value;
  const auto tensor = m.As<TensorType>(elements->type);
  uint64_t count;
  if (!tensor || tensor->shape.size() != 1 || m.types.KindOf(tensor->element) != TypeKind::kI1 ||
      !Module::ElementCount(tensor->shape, &count) || count > (1u << 24))
    return value;
  const Payload payload = m.payloads[elements->payload];
  std::string bytes(payload.bytes());
  if (elements->splat) bytes.assign(count, payload.size ? bytes[0] : '\0');
  return m.Make(DenseArrayAttr{.element = tensor->element, .payload = m.payloads.AddCopy(bytes)});
}

AttrId NormalizeI64s(Module& m, AttrId value) {
  const auto elements = m.As<ElementsAttr>(value);
  const auto tensor = elements ? m.As<TensorType>(elements->type) : std::nullopt;
  std::vector<int64_t> values;
  // Drafts of the specification write a list of one item as a scalar.
  if (tensor && tensor->shape.size() <= 1 && m.AsI64s(value, &values)) return m.I64s(values);
  return value;
}

// Dense elements from array<i64: ...>, the older or newer notation for the same list.
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
  const auto array = m.As<ArrayAttr>(value);
  if (!array) return value;
  std::vector<AttrId> symbols = array->elements.ToVector();
  for (AttrId& symbol : symbols) symbol = NormalizeSymbol(m, symbol);
  return m.Array(symbols);
}

AttrId NormalizeApiVersion(Module& m, AttrId value) {
  const auto version = m.EnumValue(value, AttrKind::kCustomCallApiVersion);
  return version ? m.I32(int32_t(*version)) : value;
}

// Returns whether an attribute is a written "none", which means an absent optional attribute in VHLO.
bool IsNoneType(const Module& m, AttrId value) {
  const auto type = m.As<TypeAttr>(value);
  return type && m.types.KindOf(type->type) == TypeKind::kNone;
}

AttrId Named(const OpRevision& revision, std::span<const AttrId> attrs, std::string_view name) {
  const int slot = revision.FindSlot(name);
  return slot < 0 ? AttrId() : attrs[size_t(slot)];
}

// Number of spatial dimensions of a convolution, or of window dimensions of a windowed op.
size_t WindowRank(const Module& m, const OpRevision& revision, std::span<const AttrId> attrs) {
  std::vector<int64_t> dims;
  for (std::string_view name : {"input_spatial_dimensions", "window_dimensions"})
    if (AttrId attr = Named(revision, attrs, name); attr && m.AsI64s(attr, &dims)) return dims.size();
  return 0;
}

}  // namespace

AttrId Module::NormalizeInherentAttr(const Cell& attr, AttrId value) {
  if (!value) return value;
  // VHLO writes "none" for an absent attribute.
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
    case AttrClass::kI32:
      // VHLO writes the default of an absent one as i64.
      return attr.attr_default() == Default::kZero && value == I64(0) ? AttrId() : value;
    default:
      return value;
  }
}

void Module::ExpandStructAttr(const Cell& struct_attr, const OpRevision& revision, AttrId value,
                              std::vector<SlotValue>* out) {
  // Interning moves the words of attributes, so they are copied.
  const std::vector<uint64_t> words(attrs[value].words.begin(), attrs[value].words.end());
  FieldReader r(words);
  const std::span<const FieldRow> fields = RowOf(struct_attr.attr_kind()).fields();
  out->reserve(out->size() + fields.size());
  for (const FieldRow& field : fields) {
    const int slot = revision.FindSlot(field.name);
    const Cell* cell = slot < 0 ? nullptr : &revision.attrs[size_t(slot)];
    AttrId attr;
    switch (field.type) {
      case FieldType::kInts: {
        const auto ints = r.Ints();
        if (!ints.empty() || (cell && cell->attr_default() == Default::kRequired)) attr = I64s(ints);
        break;
      }
      case FieldType::kInt: {
        const int64_t n = r.Int();
        if (cell && cell->attr_class() == AttrClass::kBool)
          attr = Bool(n != 0);
        else if (n != 0 || !cell || cell->attr_default() != Default::kTextOnly)
          attr = I64(n);
        break;
      }
      case FieldType::kType:
        attr = TypeAttr(r.Type());
        break;
      default:
        r.Int();
        break;
    }
    if (cell && attr) out->push_back({slot, attr});
  }
}

AttrId Module::DefaultOf(const OpRevision& revision, std::span<const AttrId> siblings, int slot) {
  const Cell& cell = revision.attrs[size_t(slot)];
  // VHLO writes the default of an i32 as i64.
  const auto integer = [&](int64_t v) {
    const TypeKind type = NumberTypeOf(cell.attr_class());
    return cell.attr_class() == AttrClass::kI32 ? I64(v) : Integer(Type(type), v);
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
      return I64s(std::vector<int64_t>(WindowRank(*this, revision, siblings), 1));
    case Default::kZeroPairs: {
      const size_t rank = WindowRank(*this, revision, siblings);
      const int64_t shape[] = {int64_t(rank), 2};
      return I64Elements(shape, std::vector<int64_t>(rank * 2, 0));
    }
    case Default::kFalses:
      return Make(DenseArrayAttr{
          .element = Type(TypeKind::kI1),
          .payload = payloads.AddCopy(std::string(WindowRank(*this, revision, siblings), '\0'))});
    case Default::kDefaultPrecisions: {
      const AttrId one = Enum(AttrKind::kPrecision, 0);
      return Array({{one, one}});
    }
    case Default::kDefaultAccuracy:
      return Make(ResultAccuracyAttr{.mode = Enum(AttrKind::kResultAccuracyMode, 0)});
    case Default::kNoOverflow:
      return Opaque("arith", ".overflow<none>");
    case Default::kNoFastMath:
      return Opaque("arith", ".fastmath<none>");
    case Default::kEmptyConfig: {
      int64_t api_version = 1;
      AsInteger(Named(revision, siblings, "api_version"), &api_version);
      return api_version == 4 ? Dict({}) : String("");
    }
  }
  return {};
}

bool Module::IsDefault(RevisionId revision, std::span<const AttrId> siblings, int slot) {
  const AttrId written = siblings[size_t(slot)];
  if (!written) return true;
  const Cell& cell = RevisionOf(revision).attrs[size_t(slot)];
  const AttrId value = DefaultOf(RevisionOf(revision), siblings, slot);
  if (value == written) return true;
  // Other defaults are recognized only in this notation, so that attributes written otherwise are preserved.
  const bool any_spelling =
      cell.attr_class() == AttrClass::kI32 || cell.attr_default() == Default::kDefaultAccuracy;
  return any_spelling && IsDefaultValue(cell, written);
}

namespace {

// Layouts of operands and results are either both present or both absent.
bool BothLayoutsEmpty(const Module& m, const OpRevision& revision, std::span<const AttrId> attrs) {
  for (std::string_view name : {"operand_layouts", "result_layouts"}) {
    const AttrId layouts = Named(revision, attrs, name);
    if (layouts && (m.attrs.KindOf(layouts) != AttrKind::kArray || !m.ElementsOf(layouts).empty()))
      return false;
  }
  return true;
}

// Returns whether a VHLO attribute means absence; older producers write more notations than one.
bool SaysNothing(Module& m, const EditedSignature& op, const Cell& cell, AttrId value) {
  const Default d = cell.attr_default();
  if (d != Default::kDefaultPrecisions && d != Default::kEmptyConfig && d != Default::kEmptyArray)
    return false;
  // Of precisions also none, which a text may state.
  const bool none = d == Default::kDefaultPrecisions && m.attrs.KindOf(value) == AttrKind::kArray &&
                    m.ElementsOf(value).empty();
  if (!none && !m.IsDefaultValue(cell, value)) return false;
  return cell.attr_class() != AttrClass::kLayouts ||
         BothLayoutsEmpty(m, RevisionOf(op.revision), op.inherent_attrs);
}

}  // namespace

void Module::DropDefaults() {
  std::vector<size_t> dropped;
  RewriteSignatures([&](SignatureId, EditedSignature* op) {
    if (!op->revision || VhloName(op->revision).empty()) return;
    const auto cells = RevisionOf(op->revision).attrs;
    dropped.clear();
    // Decide for all attributes before any is erased: a default may depend on another attribute.
    for (size_t slot = 0; slot < cells.size(); ++slot) {
      const AttrId value = op->inherent_attrs[slot];
      if (!value || cells[slot].filled() || cells[slot].attr_default() <= Default::kTextOnly) continue;
      const bool layouts = cells[slot].attr_class() == AttrClass::kLayouts;
      if (SaysNothing(*this, *op, cells[slot], value) ||
          (!layouts && IsDefault(op->revision, op->inherent_attrs, int(slot))))
        dropped.push_back(slot);
    }
    for (const size_t slot : dropped) op->inherent_attrs[slot] = {};
  });
}

void Module::DropWrittenDefaults(RevisionId id, std::span<AttrId> values) {
  const OpRevision& revision = RevisionOf(id);
  // Drop them together, because one default may depend on another attribute.
  uint64_t drop = 0;  // by slot; steps.h limits their number to fewer
  for (size_t slot = 0; slot < values.size(); ++slot) {
    const Cell& cell = revision.attrs[slot];
    if (!values[slot] || cell.filled() || cell.attr_default() <= Default::kTextOnly) continue;
    if (cell.attr_class() == AttrClass::kLayouts && !BothLayoutsEmpty(*this, revision, values)) continue;
    if (values[slot] == DefaultOf(revision, values, int(slot))) drop |= 1ull << slot;
  }
  for (; drop; drop &= drop - 1) values[size_t(std::countr_zero(drop))] = {};
}

void Module::SetVersion(Version target) {
  version = target;
  std::vector<AttrId> moved;
  std::vector<NamedAttr> kept;
  RewriteSignatures([&](SignatureId, EditedSignature* op) {
    if (!op->revision || RevisionOf(op->revision).LegalAt(target)) return;
    const RevisionId to = RevisionAt(RevisionOf(op->revision).row, target);
    if (!to) return;
    const OpRevision& from_row = RevisionOf(op->revision);
    const OpRevision& to_row = RevisionOf(to);
    moved.assign(to_row.attrs.size(), {});
    kept.clear();
    for (const NamedAttr& discardable : op->discardable_attrs) {
      const std::string_view name = strings[discardable.name];
      const int slot = to_row.FindSlot(name);
      // An attribute with the name of a field of a struct attribute is discardable in every revision.
      if (slot < 0 || from_row.FindSlot(name) >= 0)
        kept.push_back(discardable);
      else
        moved[size_t(slot)] = NormalizeInherentAttr(to_row.attrs[size_t(slot)], discardable.value);
    }
    for (size_t k = 0; k < from_row.attrs.size(); ++k) {
      const AttrId value = op->inherent_attrs[k];
      if (!value) continue;
      const int slot = to_row.FindSlot(from_row.attrs[k].name);
      if (slot >= 0)
        moved[size_t(slot)] = value;
      else if (!IsDefault(op->revision, op->inherent_attrs, int(k)))
        kept.push_back({strings.Intern(from_row.attrs[k].name), value});
    }
    SortByName(kept);
    op->revision = to;
    op->inherent_attrs = moved;
    op->discardable_attrs = kept;
  });
}

}  // namespace shlo
