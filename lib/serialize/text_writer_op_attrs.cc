// The attributes of an op: slots, back in their StableHLO bundles or flat in the portable spelling, and
// discardable attributes, sorted by name.
#include <algorithm>

#include "serialize/text_writer_ops.h"

namespace shlo::text {

namespace {

constexpr bool IsSegmentSizes(std::string_view name) {
  return name == "operandSegmentSizes" || name == "resultSegmentSizes";
}

bool BundleHas(const Cell& bundle, std::string_view slot) {
  for (const FieldRow& field : RowOf(bundle.attr_kind()).fields())
    if (field.name == slot) return true;
  return false;
}

}  // namespace

bool OpPrinter::StatesVersion(const Op& op) const {
  return op.shape && RowOf(op.shape).Has(Trait::kFunction) && m_.version.valid();
}

void OpPrinter::PutVersion(Spelling spelling) {
  if (spelling == Spelling::kPortable) Put("#vhlo.integer_v1<");
  PutInt(out_, m_.version.n);
  Put(" : i64");
  if (spelling == Spelling::kPortable) Put('>');
}

uint64_t OpPrinter::BundledSlots(ShapeId id) {
  constexpr uint64_t kComputed = uint64_t(1) << 63;
  if (bundled_.empty()) bundled_.resize(ShapeRows().size());
  uint64_t& mask = bundled_[id.v];
  if (mask) return mask;
  const ShapeRow& shape = ShapeOf(id);
  mask = kComputed;
  for (size_t i = 0; i < shape.attrs.size() && i < 63; ++i)
    for (const Cell& bundle : shape.bundles)
      if (BundleHas(bundle, shape.attrs[i].name)) mask |= uint64_t(1) << i;
  return mask;
}

bool OpPrinter::BundleWritten(const Op& op, const Cell& bundle) const {
  const ShapeRow& shape = ShapeOf(op.shape);
  const auto slots = m_.SlotsOf(op);
  for (const FieldRow& field : RowOf(bundle.attr_kind()).fields()) {
    const int slot = shape.FindSlot(field.name);
    if (slot >= 0 && slots[size_t(slot)]) return true;
  }
  return false;
}

void OpPrinter::CollectSlots(const Op& op, Spelling spelling, Items& items) {
  const ShapeRow& shape = ShapeOf(op.shape);
  const auto slots = m_.SlotsOf(op);
  const bool portable = spelling == Spelling::kPortable;
  const uint64_t bundled = shape.bundles.empty() ? 0 : BundledSlots(op.shape);
  for (size_t i = 0; i < slots.size(); ++i) {
    if (!slots[i]) continue;
    const Cell& cell = shape.attrs[i];
    if (portable) {
      if (cell.attr_default() == Default::kTextOnly) continue;
    } else {
      if (bundled >> i & 1) continue;
      bool value;
      // A flag that is false is one that is not there.
      if (cell.attr_class() == AttrClass::kFlag && m_.AsBool(slots[i], &value) && !value) continue;
    }
    items.push_back({Item::kSlot, cell.name, slots[i], &cell});
  }
  if (portable) return;
  for (const Cell& bundle : shape.bundles)
    if (BundleWritten(op, bundle)) items.push_back({Item::kBundle, bundle.name, {}, &bundle});
}

void OpPrinter::CollectExtras(const Op& op, bool properties, Items& items) {
  for (const NamedAttr& extra : m_.ExtrasOf(op)) {
    const std::string_view name = m_.strings[extra.name];
    if ((op.shape && IsSegmentSizes(name)) != properties) continue;
    if (name == kCompatVersion) {
      // Written for another version, it is brought up to the program's own.
      int64_t stated;
      if (StatesVersion(op) && !(m_.AsInteger(extra.value, &stated) && stated == m_.version.n)) {
        items.push_back({Item::kVersion, name, extra.value, nullptr});
        continue;
      }
      // The top module states its version by its own rules.
      if (&op == &m_.ops[m_.top.v]) continue;
    }
    items.push_back({Item::kAttr, name, extra.value, nullptr});
  }
}

void OpPrinter::PutItems(const Op& op, Items& items, Spelling spelling, std::string_view open,
                         std::string_view close) {
  if (items.size() > 1)
    std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.name < b.name; });
  Put(open);
  for (size_t i = 0; i < items.size(); ++i) {
    if (i) Put(", ");
    PutItem(op, items[i], spelling);
  }
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
    case Item::kBundle:
      Put(" = ");
      return Bundle(op, *item.cell);
    case Item::kSlot: {
      bool value;
      if (spelling == Spelling::kStablehlo) {
        if (item.cell->attr_class() == AttrClass::kFlag && m_.AsBool(item.value, &value) && value) return;
        if (m_.attrs.KindOf(item.value) == AttrKind::kUnit) return;
      }
      Put(" = ");
      return attrs_.Slot(item.value, *item.cell, spelling);
    }
    case Item::kAttr:
      if (m_.attrs.KindOf(item.value) == AttrKind::kUnit) return;
      Put(" = ");
      return attrs_.Attr(item.value, spelling);
  }
}

// One bundle from the slots named by its fields.
void OpPrinter::Bundle(const Op& op, const Cell& bundle) {
  const KindRow& row = RowOf(bundle.attr_kind());
  Put('#');
  Put(row.dialect);
  Put('.');
  Put(row.mnemonic);
  if (bundle.attr_kind() == AttrKind::kConvDimensionNumbers) {
    const size_t mark = out_.size();
    Put('<');
    if (ConvolutionPicture(op)) return Put('>');
    out_.resize(mark);
  }
  BundleBody(op, bundle);
}

namespace {

// The integers of a slot: a list, or the elements of a constant, which `storage` then holds.
std::span<const int64_t> ListOf(const Module& m, AttrId attr, std::vector<int64_t>& storage) {
  if (!attr) return {};
  const auto node = m.attrs[attr];
  if (node.kind == AttrKind::kI64Array) return FieldReader(node.words).Ints();
  storage.clear();
  m.AsI64s(attr, &storage);
  return storage;
}

int64_t IntOf(const Module& m, AttrId attr) {
  int64_t value = 0;
  if (attr) m.AsInteger(attr, &value);
  return value;
}

}  // namespace

// [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]: at each position of the list its role. False for roles that do not
// fill the positions exactly: they have no such picture.
bool OpPrinter::ConvolutionPicture(const Op& op) {
  struct Side {
    std::string_view first, second, spatial, between;
    char roles[2];
  };
  static constexpr Side kSides[] = {
      {"input_batch_dimension", "input_feature_dimension", "input_spatial_dimensions", "", {'b', 'f'}},
      {"kernel_input_feature_dimension",
       "kernel_output_feature_dimension",
       "kernel_spatial_dimensions",
       "x",
       {'i', 'o'}},
      {"output_batch_dimension", "output_feature_dimension", "output_spatial_dimensions", "->", {'b', 'f'}},
  };
  std::vector<int64_t> storage, at;
  for (const Side& side : kSides) {
    const auto spatial = ListOf(m_, m_.SlotOf(op, side.spatial), storage);
    // Which dimension stands at each position; -1 and -2 are the two with a letter.
    at.assign(spatial.size() + 2, INT64_MIN);
    const auto place = [&](int64_t position, int64_t role) {
      if (position < 0 || uint64_t(position) >= at.size() || at[size_t(position)] != INT64_MIN) return false;
      at[size_t(position)] = role;
      return true;
    };
    bool fits =
        place(IntOf(m_, m_.SlotOf(op, side.first)), -1) && place(IntOf(m_, m_.SlotOf(op, side.second)), -2);
    for (size_t i = 0; i < spatial.size(); ++i) fits = fits && place(spatial[i], int64_t(i));
    if (!fits) return false;
    Put(side.between);
    Put('[');
    for (size_t i = 0; i < at.size(); ++i) {
      if (i) Put(", ");
      if (at[i] < 0)
        Put(side.roles[-1 - at[i]]);
      else
        PutInt(out_, at[i]);
    }
    Put(']');
  }
  return true;
}

// <field = value, ...>. A field that is absent while others are present counts as an empty list, zero, false
// or none.
bool OpPrinter::BundleBody(const Op& op, const Cell& bundle) {
  const AttrKind kind = bundle.attr_kind();
  const bool every_field = kind == AttrKind::kDotAlgorithm || kind == AttrKind::kChannelHandle ||
                           kind == AttrKind::kConvDimensionNumbers;
  std::vector<int64_t> storage;
  Put(kind == AttrKind::kConvDimensionNumbers ? "<raw " : "<");
  bool first = true;
  for (const FieldRow& field : RowOf(kind).fields()) {
    const AttrId value = m_.SlotOf(op, field.name);
    if (!every_field) {
      if (!value) continue;
      if (field.type == FieldType::kInts && ListOf(m_, value, storage).empty()) continue;
      if (field.type == FieldType::kInt && IntOf(m_, value) == 0) continue;
    }
    if (!first) Put(", ");
    first = false;
    Put(field.text.empty() ? field.name : field.text);
    Put(" = ");
    bool flag = false;
    switch (field.type) {
      case FieldType::kInts:
        PutInts(ListOf(m_, value, storage));
        break;
      case FieldType::kType:
        if (value && m_.attrs.KindOf(value) == AttrKind::kTypeAttr)
          attrs_.Attr(value, Spelling::kStablehlo);
        else
          Put("none");
        break;
      default:
        if (field.name == "allow_imprecise_accumulation")
          Put(value && m_.AsBool(value, &flag) && flag ? "true" : "false");
        else
          PutInt(out_, IntOf(m_, value));
    }
  }
  Put('>');
  return true;
}

}  // namespace shlo::text
