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

// One bundle from the slots named by its fields. A field that is absent while others are present counts as
// an empty list, zero, false or none.
void OpPrinter::Bundle(const Op& op, const Cell& bundle) {
  const AttrKind kind = bundle.attr_kind();
  const KindRow& row = RowOf(kind);
  const ShapeRow& shape = ShapeOf(op.shape);
  const auto slots = m_.SlotsOf(op);
  const auto value_of = [&](std::string_view name) {
    const int slot = shape.FindSlot(name);
    return slot < 0 ? AttrId() : slots[size_t(slot)];
  };
  std::vector<int64_t> values;
  // Valid until the next list is asked for.
  const auto list_of = [&](std::string_view name) -> std::span<const int64_t> {
    const AttrId attr = value_of(name);
    if (!attr) return {};
    const auto node = m_.attrs[attr];
    if (node.kind == AttrKind::kI64Array) return FieldReader(node.words).Ints();
    values.clear();
    m_.AsI64s(attr, &values);
    return values;
  };
  const auto int_of = [&](std::string_view name) {
    int64_t value = 0;
    if (const AttrId attr = value_of(name)) m_.AsInteger(attr, &value);
    return value;
  };
  const auto put_list = [&](std::span<const int64_t> list) {
    Put('[');
    for (size_t i = 0; i < list.size(); ++i) {
      if (i) Put(", ");
      PutInt(out_, list[i]);
    }
    Put(']');
  };
  Put('#');
  Put(row.dialect);
  Put('.');
  Put(row.mnemonic);
  if (kind == AttrKind::kConvDimensionNumbers) {
    // [b, 0, 1, f]: at each position of the list its role. Roles that do not fill the positions exactly
    // have no such picture; the fields are then written one by one.
    std::string picture;
    bool fits = true;
    const auto side = [&](std::string_view first, char c1, std::string_view second, char c2,
                          std::string_view spatial) {
      const auto dims = list_of(spatial);
      std::vector<std::string> roles(dims.size() + 2);
      const auto place = [&](int64_t at, std::string role) {
        if (at < 0 || uint64_t(at) >= roles.size() || !roles[size_t(at)].empty())
          fits = false;
        else
          roles[size_t(at)] = std::move(role);
      };
      place(int_of(first), std::string(1, c1));
      place(int_of(second), std::string(1, c2));
      for (size_t i = 0; i < dims.size(); ++i) place(dims[i], std::to_string(i));
      picture += '[';
      for (size_t i = 0; i < roles.size(); ++i) {
        if (i) picture += ", ";
        picture += roles[i];
      }
      picture += ']';
    };
    side("input_batch_dimension", 'b', "input_feature_dimension", 'f', "input_spatial_dimensions");
    picture += 'x';
    side("kernel_input_feature_dimension", 'i', "kernel_output_feature_dimension", 'o',
         "kernel_spatial_dimensions");
    picture += "->";
    side("output_batch_dimension", 'b', "output_feature_dimension", 'f', "output_spatial_dimensions");
    if (fits) {
      Put('<');
      Put(picture);
      return Put('>');
    }
    Put("<raw ");
  } else {
    Put('<');
  }
  const bool every_field = kind == AttrKind::kDotAlgorithm || kind == AttrKind::kChannelHandle ||
                           kind == AttrKind::kConvDimensionNumbers;
  bool first = true;
  for (const FieldRow& field : row.fields()) {
    const AttrId value = value_of(field.name);
    if (!every_field) {
      if (!value) continue;
      if (field.type == FieldType::kInts && list_of(field.name).empty()) continue;
      if (field.type == FieldType::kInt && int_of(field.name) == 0) continue;
    }
    if (!first) Put(", ");
    first = false;
    Put(field.text.empty() ? field.name : field.text);
    Put(" = ");
    switch (field.type) {
      case FieldType::kInts:
        put_list(list_of(field.name));
        break;
      case FieldType::kType:
        if (value && m_.attrs.KindOf(value) == AttrKind::kTypeAttr)
          attrs_.Attr(value, Spelling::kStablehlo);
        else
          Put("none");
        break;
      default: {
        bool flag = false;
        if (field.name == "allow_imprecise_accumulation") {
          Put(value && m_.AsBool(value, &flag) && flag ? "true" : "false");
          break;
        }
        PutInt(out_, int_of(field.name));
      }
    }
  }
  Put('>');
}

}  // namespace shlo::text
