// The attributes of an op: inherent ones, grouped into StableHLO's struct attributes or flat in VHLO
// spelling, and discardable ones, sorted by name.
#include <algorithm>

#include "ir/module/attr_names.h"
#include "ir/module/struct_words.h"
#include "ir/table/attr_class.h"
#include "ir/table/trait.h"
#include "serialize/text/writer_ops.h"

namespace shlo::text {

namespace {

bool StructAttrHas(const Cell& struct_attr, std::string_view slot) {
  for (const FieldRow& field : RowOf(struct_attr.attr_kind()).fields())
    if (field.name == slot) return true;
  return false;
}

}  // namespace

bool OpPrinter::StatesVersion(const Op& op) const {
  return m_.Has(op, Trait::kFunction) && m_.version.valid();
}

void OpPrinter::PutVersion(Spelling spelling) {
  if (spelling == Spelling::kVhlo) Put("#vhlo.integer_v1<");
  PutInt(out_, m_.version.n);
  Put(" : i64");
  if (spelling == Spelling::kVhlo) Put('>');
}

uint64_t OpPrinter::GroupedAttrs(RevisionId id) {
  constexpr uint64_t kComputed = uint64_t(1) << 63;
  if (grouped_.empty()) grouped_.resize(OpRevisions().size());
  uint64_t& mask = grouped_[id.v];
  if (mask) return mask;
  const OpRevision& revision = RevisionOf(id);
  mask = kComputed;
  for (size_t i = 0; i < revision.attrs.size() && i < 63; ++i)
    for (const Cell& struct_attr : revision.struct_attrs)
      if (StructAttrHas(struct_attr, revision.attrs[i].name)) mask |= uint64_t(1) << i;
  return mask;
}

bool OpPrinter::StructAttrWritten(const Op& op, const Cell& struct_attr) const {
  const OpRevision& revision = RevisionOf(m_.RevisionIdOf(op));
  const auto inherent_attrs = m_.InherentAttrsOf(op);
  for (const FieldRow& field : RowOf(struct_attr.attr_kind()).fields()) {
    const int slot = revision.FindSlot(field.name);
    if (slot >= 0 && inherent_attrs[size_t(slot)]) return true;
  }
  return false;
}

void OpPrinter::CollectInherentAttrs(const Op& op, Spelling spelling, Items& items) {
  const OpRevision& revision = RevisionOf(m_.RevisionIdOf(op));
  const auto inherent_attrs = m_.InherentAttrsOf(op);
  const bool vhlo = spelling == Spelling::kVhlo;
  const uint64_t grouped = revision.struct_attrs.empty() ? 0 : GroupedAttrs(m_.RevisionIdOf(op));
  for (size_t i = 0; i < inherent_attrs.size(); ++i) {
    if (!inherent_attrs[i]) continue;
    const Cell& cell = revision.attrs[i];
    if (vhlo) {
      if (cell.attr_default() == Default::kTextOnly) continue;
    } else {
      if (grouped >> i & 1) continue;
      bool value;
      // A flag that is false is omitted.
      if (cell.attr_class() == AttrClass::kFlag && m_.AsBool(inherent_attrs[i], &value) && !value) continue;
    }
    items.push_back({Item::kSlot, cell.name, inherent_attrs[i], &cell});
  }
  if (vhlo) return;
  for (const Cell& struct_attr : revision.struct_attrs)
    if (StructAttrWritten(op, struct_attr))
      items.push_back({Item::kStructAttr, struct_attr.name, {}, &struct_attr});
}

void OpPrinter::CollectDiscardableAttrs(const Op& op, bool properties, Items& items) {
  for (const NamedAttr& discardable : m_.DiscardableAttrsOf(op)) {
    const std::string_view name = m_.strings[discardable.name];
    if ((m_.RevisionIdOf(op) && IsSegmentSizes(name)) != properties) continue;
    if (name == kCompatVersion) {
      // If it states a different version, print the program's version instead.
      int64_t stated;
      if (StatesVersion(op) && !(m_.AsInteger(discardable.value, &stated) && stated == m_.version.n)) {
        items.push_back({Item::kVersion, name, discardable.value, nullptr});
        continue;
      }
      // ProgramStyle decides whether the top module states its version.
      if (&op == &m_.ops[m_.top.v]) continue;
    }
    items.push_back({Item::kAttr, name, discardable.value, nullptr});
  }
}

void OpPrinter::PutItems(const Op& op, Items& items, Spelling spelling, std::string_view open,
                         std::string_view close) {
  if (items.size() > 1)
    std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.name < b.name; });
  Put(open);
  List(items.size(), [&](size_t i) { PutItem(op, items[i], spelling); });
  Put(close);
}

void OpPrinter::PutAttrDict(const Op& op, Items& items, Spelling spelling) {
  if (!items.empty()) PutItems(op, items, spelling, " {", "}");
}

void OpPrinter::PutItem(const Op& op, const Item& item, Spelling spelling) {
  PutKeyword(out_, item.name);
  switch (item.kind) {
    case Item::kVersion:
      Put(" = ");
      return PutVersion(spelling);
    case Item::kStructAttr:
      Put(" = ");
      return StructAttr(op, *item.cell);
    case Item::kSlot: {
      bool value;
      if (spelling == Spelling::kStablehlo) {
        if (item.cell->attr_class() == AttrClass::kFlag && m_.AsBool(item.value, &value) && value) return;
        if (m_.attrs.KindOf(item.value) == AttrKind::kUnit) return;
      }
      Put(" = ");
      if (spelling == Spelling::kStablehlo && ProgramStyle::Has(style_.dense_lists, m_.RevisionIdOf(op)) &&
          DenseList(item.value))
        return;
      return attrs_.Slot(item.value, *item.cell, spelling);
    }
    case Item::kAttr:
      if (m_.attrs.KindOf(item.value) == AttrKind::kUnit) return;
      Put(" = ");
      return attrs_.Attr(item.value, spelling);
  }
}

template <typename PutT>
void OpPrinter::PutDenseList(size_t size, bool splat, std::string_view element, PutT&& put) {
  const bool brackets = size && !splat;
  Put(brackets ? "dense<[" : "dense<");
  List(splat ? 1 : size, put);
  Put(brackets ? "]> : tensor<" : "> : tensor<");
  PutInt(out_, int64_t(size));
  Put('x');
  Put(element);
  Put('>');
}

// Prints a list of integers or booleans as an older release or MHLO does; returns false for other attributes.
bool OpPrinter::DenseList(AttrId attr) {
  // MLIR prints equal elements as one.
  const auto splat = [&](const auto& values) {
    return style_.mhlo && !values.empty() &&
           std::ranges::all_of(values, [&](const auto& value) { return value == values[0]; });
  };
  if (const auto array = m_.As<I64ArrayAttr>(attr)) {
    const auto put = [&](size_t i) { PutInt(out_, array->values[i]); };
    PutDenseList(array->values.size(), splat(array->values), "i64", put);
    return true;
  }
  const auto array = m_.As<DenseArrayAttr>(attr);
  if (!array || m_.types.KindOf(array->element) != TypeKind::kI1) return false;
  const std::string_view bytes = m_.payloads[array->payload].bytes();
  PutDenseList(bytes.size(), splat(bytes), "i1", [&](size_t i) { Put(bytes[i] ? "true" : "false"); });
  return true;
}

// Prints a struct attribute from the inherent attributes named by its fields.
void OpPrinter::StructAttr(const Op& op, const Cell& struct_attr) {
  const AttrKind kind = struct_attr.attr_kind();
  Put('#');
  Put(attrs_.DialectOf(RowOf(kind)));
  Put('.');
  Put(RowOf(kind).mnemonic);
  attrs_.StructBody(kind, StructWordsOf(m_, op, kind).words());
}

}  // namespace shlo::text
