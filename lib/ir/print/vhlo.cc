// Prints attributes in VHLO spelling, and in StableHLO spelling if they have no VHLO form.
#include "ir/print/attr_printer.h"
#include "ir/table/attr_class.h"

namespace shlo::text {

// Prints an attribute that has a VHLO form; returns false, and prints nothing, for others. `slot`: the
// value is an inherent attribute, whose class tells readers how to interpret a string or a tensor.
bool AttrPrinter::VhloAttr(AttrId attr, bool slot) {
  const auto node = m_.attrs[attr];
  const KindRow& row = RowOf(node.kind);
  if (row.vhlo.empty()) return false;
  const auto open = [&](std::string_view mnemonic) {
    Put("#vhlo.");
    Put(mnemonic);
    Put('<');
  };
  const auto nested = [&](AttrId value) {
    if (!slot || !VhloAttr(value, true)) Attr(value, Spelling::kVhlo);
  };
  const auto string = [&](StringId id) {
    Put("#vhlo.string_v1<");
    PutQuoted(out_, m_.strings[id]);
    Put('>');
  };
  const auto list = [&](IdList<AttrId> items) {
    Put("#vhlo.array_v1<[");
    for (size_t i = 0; i < items.size(); ++i) {
      if (i) Put(", ");
      nested(items[i]);
    }
    Put("]>");
  };
  Nesting nesting(*this);
  if (failed_) return true;

  if (const auto value = m_.EnumValue(attr)) {
    const EnumCase* found = FindCase(node.kind, *value);
    Put("#vhlo<");
    Put(row.vhlo);
    Put(' ');
    if (found)
      Put(found->name);
    else
      PutInt(out_, *value);
    Put('>');
    return true;
  }
  switch (node.kind) {
    case AttrKind::kIntegerAttr: {
      const TypeId type = node.Get<IntegerAttr>().type;
      if (RowOf(m_.types.KindOf(type)).vhlo.empty()) return false;
      const bool boolean = m_.types.KindOf(type) == TypeKind::kI1;
      open(boolean ? "bool_v1" : row.vhlo);
      Integer(attr, /*with_type=*/!boolean, /*elide=*/false);
      break;
    }
    case AttrKind::kFloatAttr: {
      const TypeId type = node.Get<FloatAttr>().type;
      const auto bits = node.Get<FloatAttr>().bits;
      const TypeKind kind = m_.types.KindOf(type);
      if (RowOf(kind).vhlo.empty() || bits.size() != 1) return false;
      open(row.vhlo);
      PutFloat(out_, kind, uint64_t(bits[0]));
      Put(" : ");
      Type(type, Spelling::kVhlo);
      break;
    }
    case AttrKind::kString:
      string(node.Get<StringAttr>().value);
      return true;
    case AttrKind::kArray:
      list(node.Get<ArrayAttr>().elements);
      return true;
    case AttrKind::kDict: {
      open(row.vhlo);
      Put('{');
      bool first = true;
      for (const NamedAttr entry : node.Get<DictionaryAttr>().entries) {
        if (!first) Put(", ");
        first = false;
        string(entry.name);
        Put(" = ");
        Attr(entry.value, Spelling::kVhlo);
      }
      Put('}');
      break;
    }
    case AttrKind::kTypeAttr: {
      const TypeId type = node.Get<TypeAttr>().type;
      if (RowOf(m_.types.KindOf(type)).vhlo.empty()) return false;
      open(row.vhlo);
      Type(type, Spelling::kVhlo);
      break;
    }
    case AttrKind::kSymbolRef: {
      if (!slot) return false;
      const auto symbol = node.Get<SymbolRefAttr>();
      if (!symbol.nested.empty()) return false;
      string(symbol.root);
      return true;
    }
    case AttrKind::kElements:
      open(row.vhlo);
      Elements(attr);
      break;
    case AttrKind::kI64Array: {
      if (!slot) return false;
      const auto values = node.Get<I64ArrayAttr>().values;
      open(row.vhlo);
      Put("dense<");
      bool same = true;
      for (int64_t v : values) same &= v == values[0];
      if (values.empty()) {
        // dense<>
      } else if (same) {
        PutInt(out_, values[0]);
      } else if (values.size() > kHexLimit) {
        Put("\"0x");
        PutHex(out_, {reinterpret_cast<const char*>(values.data()), values.size_bytes()});
        Put('"');
      } else {
        Ints(values);
      }
      Put("> : tensor<");
      PutUnsigned(out_, values.size());
      Put("xi64>");
      break;
    }
    case AttrKind::kDenseArray: {
      if (!slot) return false;
      const TypeId element = node.Get<DenseArrayAttr>().element;
      const Payload payload = m_.payloads[node.Get<DenseArrayAttr>().payload];
      const uint64_t size = m_.ElementBytes(element);
      if (size == 0) return false;
      const uint64_t count = payload.size / size;
      open(row.vhlo);
      Put("dense<");
      const std::string_view bytes = payload.bytes();
      const bool same = count > 0 && bytes.substr(size) == bytes.substr(0, bytes.size() - size);
      if (same) {
        OneElement(element, payload.data);
      } else if (count > 0) {
        for (uint64_t i = 0; i < count; ++i) {
          Put(i ? ", " : "[");
          OneElement(element, payload.data + i * size);
        }
        Put(']');
      }
      Put("> : tensor<");
      PutUnsigned(out_, count);
      Put('x');
      Type(element, Spelling::kStablehlo);
      Put('>');
      break;
    }
    case AttrKind::kOutputOperandAlias: {
      const auto alias = node.Get<OutputOperandAliasAttr>();
      open(row.vhlo);
      Put("outputTupleIndices = ");
      Ints(alias.output_tuple_indices);
      Put(", operandIndex = ");
      PutInt(out_, alias.operand_index);
      Put(", operandTupleIndices = ");
      Ints(alias.operand_tuple_indices);
      break;
    }
    case AttrKind::kTypeExtensions:
      open(row.vhlo);
      Put("bounds = [");
      Bounds(node.Get<TypeExtensionsAttr>().bounds);
      Put(']');
      break;
    case AttrKind::kResultAccuracy: {
      const auto accuracy = node.Get<ResultAccuracyAttr>();
      open(row.vhlo);
      Put("atol = ");
      PutDouble(out_, accuracy.atol);
      Put(", rtol = ");
      PutDouble(out_, accuracy.rtol);
      Put(", ulps = ");
      PutInt(out_, accuracy.ulps);
      Put(", mode = ");
      Attr(accuracy.mode, Spelling::kVhlo);
      break;
    }
    case AttrKind::kSubAxisInfo:
      open(row.vhlo);
      Put("pre_size = ");
      PutInt(out_, node.Get<SubAxisInfoAttr>().pre_size);
      Put(", size = ");
      PutInt(out_, node.Get<SubAxisInfoAttr>().size);
      break;
    case AttrKind::kAxisRef: {
      const auto axis = node.Get<AxisRefAttr>();
      open(row.vhlo);
      Put("name = ");
      string(axis.name);
      if (axis.sub_axis_info) {
        Put(", sub_axis_info = ");
        Attr(axis.sub_axis_info, Spelling::kVhlo);
      }
      break;
    }
    case AttrKind::kMeshAxis:
      open(row.vhlo);
      Put("name = ");
      string(node.Get<MeshAxisAttr>().name);
      Put(", size = ");
      PutInt(out_, node.Get<MeshAxisAttr>().size);
      break;
    case AttrKind::kMesh: {
      const auto mesh = node.Get<MeshAttr>();
      open(row.vhlo);
      Put("axes = ");
      list(mesh.axes);
      if (mesh.device_ids) {
        Put(", device_ids = ");
        Attr(mesh.device_ids, Spelling::kVhlo);
      }
      break;
    }
    case AttrKind::kReplicaGroupMeshAxes: {
      const auto groups = node.Get<ReplicaGroupMeshAxesAttr>();
      open(row.vhlo);
      Put("mesh = ");
      std::string_view symbol;
      if (m_.AsSymbol(groups.mesh, &symbol)) {
        Put("#vhlo.string_v1<");
        PutQuoted(out_, symbol);
        Put('>');
      } else {
        Attr(groups.mesh, Spelling::kVhlo);
      }
      Put(", axes = ");
      list(groups.axes);
      break;
    }
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
    if (const EnumCase* found = FindCase(AttrKind::kCustomCallApiVersion, value)) {
      Put("#vhlo<api_version_v1 ");
      Put(found->name);
      return Put('>');
    }
  }
  if (kind == AttrKind::kUnit) return Put("#vhlo.bool_v1<true>");
  // A dictionary's entries are not inherent attributes.
  const bool own = cell.attr_class() != AttrClass::kConfig && cell.attr_class() != AttrClass::kDict &&
                   !IsOfAnyDialect(cell.attr_class()) && cell.attr_class() != AttrClass::kArray;
  if (!VhloAttr(attr, own)) Attr(attr, spelling);
}

}  // namespace shlo::text
