// Prints attributes in VHLO spelling, and in StableHLO spelling if they have no VHLO form.
#include <algorithm>

#include "ir/print/attr_printer.h"
#include "ir/table/attr_class.h"

namespace shlo::text {

// Prints an attribute that has a VHLO form; returns false, and prints nothing, for others. `slot`: the
// value is an inherent attribute, whose class tells readers how to interpret a string or a tensor.
bool AttrPrinter::VhloAttr(AttrId attr, bool slot) {
  const auto node = m_.attrs[attr];
  const KindRow& row = RowOf(node.kind);
  if (row.vhlo.empty()) return false;
  Nesting nesting(*this);
  if (failed_) return true;
  if (IsEnum(node.kind)) {
    VhloCase(node.kind, int64_t(node.words[0]));
    return true;
  }
  const TextFormat& format = TextOf(node.kind).vhlo;
  if (format.view().empty()) return VhloValue(attr, slot);
  Put("#vhlo.");
  Put(row.vhlo);
  Format(format, row, node.words, Spelling::kVhlo, slot);
  return true;
}

void AttrPrinter::VhloCase(AttrKind kind, int64_t value) {
  Put("#vhlo<");
  Put(RowOf(kind).vhlo);
  Put(' ');
  CaseName(kind, value);
  Put('>');
}

void AttrPrinter::VhloString(std::string_view string) {
  Put("#vhlo.string_v1<");
  PutQuoted(out_, string);
  Put('>');
}

void AttrPrinter::VhloList(IdList<AttrId> items, bool slot) {
  Put("#vhlo.array_v1<[");
  PutList(out_, items.size(), [&](size_t i) {
    if (!slot || !VhloAttr(items[i], true)) Attr(items[i], Spelling::kVhlo);
  });
  Put("]>");
}

void AttrPrinter::VhloDict(AttrId attr) {
  Put("#vhlo.dict_v1<{");
  const auto entries = m_.Get<DictionaryAttr>(attr).entries;
  PutList(out_, entries.size(), [&](size_t i) {
    VhloString(m_.strings[entries[i].name]);
    Put(" = ");
    Attr(entries[i].value, Spelling::kVhlo);
  });
  Put("}>");
}

// Prints a list of numbers as a tensor: item(i) prints one, element() their type.
template <typename ItemT, typename ElementT>
void AttrPrinter::VhloTensor(uint64_t count, bool splat, ItemT&& item, ElementT&& element) {
  Put("#vhlo.tensor_v1<dense<");
  if (splat) {
    item(0);
  } else if (count) {
    for (uint64_t i = 0; i < count; ++i) {
      Put(i ? ", " : "[");
      item(i);
    }
    Put(']');
  }
  Put("> : tensor<");
  PutUnsigned(out_, count);
  Put('x');
  element();
  Put(">>");
}

bool AttrPrinter::VhloDenseArray(const DenseArrayAttr& array) {
  const std::string_view bytes = m_.payloads[array.payload].bytes();
  const uint64_t size = m_.ElementBytes(array.element);
  if (size == 0) return false;
  const uint64_t count = bytes.size() / size;
  VhloTensor(
      count, count && bytes.substr(size) == bytes.substr(0, bytes.size() - size),
      [&](uint64_t i) {
        OneElement(array.element, reinterpret_cast<const uint8_t*>(bytes.data()) + i * size);
      },
      [&] { Type(array.element, Spelling::kStablehlo); });
  return true;
}

void AttrPrinter::VhloI64s(std::span<const int64_t> values) {
  const bool splat =
      !values.empty() && std::ranges::count(values, values[0]) == std::ptrdiff_t(values.size());
  const bool hex = !splat && values.size() > kHexLimit;
  if (!hex)
    return VhloTensor(
        values.size(), splat, [&](uint64_t i) { PutInt(out_, values[i]); }, [&] { Put("i64"); });
  Put("#vhlo.tensor_v1<dense<\"0x");
  PutHex(out_, {reinterpret_cast<const char*>(values.data()), values.size_bytes()});
  Put("\"> : tensor<");
  PutUnsigned(out_, values.size());
  Put("xi64>>");
}

// Attributes whose text depends on more than their fields.
bool AttrPrinter::VhloValue(AttrId attr, bool slot) {
  const auto node = m_.attrs[attr];
  const TypeId type = m_.TypeOf(attr);
  switch (node.kind) {
    case AttrKind::kIntegerAttr: {
      if (RowOf(m_.types.KindOf(type)).vhlo.empty()) return false;
      const bool boolean = m_.types.KindOf(type) == TypeKind::kI1;
      Put(boolean ? "#vhlo.bool_v1<" : "#vhlo.integer_v1<");
      Integer(attr, /*with_type=*/!boolean, /*elide=*/false);
      break;
    }
    case AttrKind::kFloatAttr: {
      const auto bits = node.Get<FloatAttr>().bits;
      if (RowOf(m_.types.KindOf(type)).vhlo.empty() || bits.size() != 1) return false;
      Put("#vhlo.float_v1<");
      PutFloat(out_, m_.types.KindOf(type), uint64_t(bits[0]));
      Put(" : ");
      Type(type, Spelling::kVhlo);
      break;
    }
    case AttrKind::kString:
      return VhloString(m_.strings[node.Get<StringAttr>().value]), true;
    case AttrKind::kArray:
      return VhloList(node.Get<ArrayAttr>().elements, slot), true;
    case AttrKind::kDict:
      return VhloDict(attr), true;
    case AttrKind::kTypeAttr:
      if (RowOf(m_.types.KindOf(node.Get<TypeAttr>().type)).vhlo.empty()) return false;
      Put("#vhlo.type_v1<");
      Type(node.Get<TypeAttr>().type, Spelling::kVhlo);
      break;
    case AttrKind::kSymbolRef: {
      const auto symbol = node.Get<SymbolRefAttr>();
      if (!slot || !symbol.nested.empty()) return false;
      return VhloString(m_.strings[symbol.root]), true;
    }
    case AttrKind::kElements:
      Put("#vhlo.tensor_v1<");
      Elements(attr);
      break;
    case AttrKind::kI64Array:
      if (slot) VhloI64s(node.Get<I64ArrayAttr>().values);
      return slot;
    case AttrKind::kDenseArray:
      return slot && VhloDenseArray(node.Get<DenseArrayAttr>());
    default:
      return false;
  }
  Put('>');
  return true;
}

void AttrPrinter::Slot(AttrId attr, const Cell& cell, Spelling spelling) {
  if (spelling == Spelling::kStablehlo) return Attr(attr, spelling);
  int64_t value;
  const AttrKind kind = m_.attrs.KindOf(attr);
  if (cell.attr_class() == AttrClass::kApiVersion && kind == AttrKind::kIntegerAttr &&
      m_.AsInteger(attr, &value)) {
    if (FindCase(AttrKind::kCustomCallApiVersion, value))
      return VhloCase(AttrKind::kCustomCallApiVersion, value);
  }
  if (kind == AttrKind::kUnit) return Put("#vhlo.bool_v1<true>");
  // A dictionary's entries are not inherent attributes.
  const bool own = cell.attr_class() != AttrClass::kConfig && cell.attr_class() != AttrClass::kDict &&
                   !IsOfAnyDialect(cell.attr_class()) && cell.attr_class() != AttrClass::kArray;
  if (!VhloAttr(attr, own)) Attr(attr, spelling);
}

}  // namespace shlo::text
