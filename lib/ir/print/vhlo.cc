// Attributes in the portable spelling. What it has no form for prints as is.
#include "ir/print/attr_printer.h"

namespace shlo::text {

namespace {
constexpr Spelling kP = Spelling::kVhlo;
}

// Prints an attribute that has a portable form; false, and nothing printed, for others. `slot`: the value is
// an op's own attribute, whose class tells readers what a string or a tensor stands for.
bool AttrPrinter::VhloAttr(AttrId attr, bool slot) {
  const auto node = m_.attrs[attr];
  const KindRow& row = RowOf(node.kind);
  if (row.vhlo.empty()) return false;
  FieldReader r(node.words);
  const auto open = [&](std::string_view mnemonic) {
    Put("#vhlo.");
    Put(mnemonic);
    Put('<');
  };
  const auto nested = [&](AttrId value) {
    if (!slot || !VhloAttr(value, true)) Attr(value, kP);
  };
  const auto string = [&](StringId id) {
    Put("#vhlo.string_v1<");
    PutQuoted(out_, m_.strings[id]);
    Put('>');
  };
  const auto list = [&](std::span<const uint64_t> items) {
    Put("#vhlo.array_v1<[");
    for (size_t i = 0; i < items.size(); ++i) {
      if (i) Put(", ");
      nested(AttrId(uint32_t(items[i])));
    }
    Put("]>");
  };
  Nesting nesting(*this);
  if (failed_) return true;

  if (IsEnum(node.kind)) {
    const int64_t value = r.Int();
    const EnumCase* found = FindCase(node.kind, value);
    Put("#vhlo<");
    Put(row.vhlo);
    Put(' ');
    if (found)
      Put(found->name);
    else
      PutInt(out_, value);
    Put('>');
    return true;
  }
  switch (node.kind) {
    case AttrKind::kIntegerAttr: {
      const TypeId type = r.Type();
      if (RowOf(m_.types.KindOf(type)).vhlo.empty()) return false;
      const bool boolean = m_.types.KindOf(type) == TypeKind::kI1;
      open(boolean ? "bool_v1" : row.vhlo);
      Integer(attr, /*with_type=*/!boolean, /*elide=*/false);
      break;
    }
    case AttrKind::kFloatAttr: {
      const TypeId type = r.Type();
      const auto bits = r.Ints();
      const TypeKind kind = m_.types.KindOf(type);
      if (RowOf(kind).vhlo.empty() || bits.size() != 1) return false;
      open(row.vhlo);
      PutFloat(out_, kind, uint64_t(bits[0]));
      Put(" : ");
      Type(type, kP);
      break;
    }
    case AttrKind::kString:
      string(r.String());
      return true;
    case AttrKind::kArray:
      list(r.List());
      return true;
    case AttrKind::kDict: {
      open(row.vhlo);
      const auto entries = r.List(/*named=*/true);
      Put('{');
      for (size_t i = 0; i < entries.size(); i += 2) {
        if (i) Put(", ");
        string(StringId(uint32_t(entries[i])));
        Put(" = ");
        Attr(AttrId(uint32_t(entries[i + 1])), kP);
      }
      Put('}');
      break;
    }
    case AttrKind::kTypeAttr: {
      const TypeId type = r.Type();
      if (RowOf(m_.types.KindOf(type)).vhlo.empty()) return false;
      open(row.vhlo);
      Type(type, kP);
      break;
    }
    case AttrKind::kSymbolRef: {
      if (!slot) return false;
      const StringId root = r.String();
      if (!r.List().empty()) return false;
      string(root);
      return true;
    }
    case AttrKind::kElements:
      open(row.vhlo);
      Elements(attr);
      break;
    case AttrKind::kI64Array: {
      if (!slot) return false;
      const auto values = r.Ints();
      open(row.vhlo);
      Put("dense<");
      bool same = true;
      for (int64_t v : values) same &= v == values[0];
      if (values.empty()) {
        // dense<>
      } else if (same) {
        PutInt(out_, values[0]);
      } else if (values.size() > 100) {
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
      const TypeId element = r.Type();
      const Payload payload = m_.payloads[r.PayloadRef()];
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
    case AttrKind::kOutputOperandAlias:
      open(row.vhlo);
      Put("outputTupleIndices = ");
      Ints(r.Ints());
      Put(", operandIndex = ");
      PutInt(out_, r.Int());
      Put(", operandTupleIndices = ");
      Ints(r.Ints());
      break;
    case AttrKind::kTypeExtensions:
      open(row.vhlo);
      Put("bounds = [");
      Bounds(r.Ints());
      Put(']');
      break;
    case AttrKind::kResultAccuracy: {
      open(row.vhlo);
      Put("atol = ");
      PutDouble(out_, r.Float());
      Put(", rtol = ");
      PutDouble(out_, r.Float());
      Put(", ulps = ");
      PutInt(out_, r.Int());
      Put(", mode = ");
      Attr(r.Attr(), kP);
      break;
    }
    case AttrKind::kSubAxisInfo:
      open(row.vhlo);
      Put("pre_size = ");
      PutInt(out_, r.Int());
      Put(", size = ");
      PutInt(out_, r.Int());
      break;
    case AttrKind::kAxisRef:
      open(row.vhlo);
      Put("name = ");
      string(r.String());
      if (const AttrId info = r.Attr()) {
        Put(", sub_axis_info = ");
        Attr(info, kP);
      }
      break;
    case AttrKind::kMeshAxis:
      open(row.vhlo);
      Put("name = ");
      string(r.String());
      Put(", size = ");
      PutInt(out_, r.Int());
      break;
    case AttrKind::kMesh:
      open(row.vhlo);
      Put("axes = ");
      list(r.List());
      if (const AttrId ids = r.Attr()) {
        Put(", device_ids = ");
        Attr(ids, kP);
      }
      break;
    case AttrKind::kReplicaGroupMeshAxes: {
      open(row.vhlo);
      Put("mesh = ");
      const AttrId mesh = r.Attr();
      std::string_view symbol;
      if (m_.AsSymbol(mesh, &symbol)) {
        Put("#vhlo.string_v1<");
        PutQuoted(out_, symbol);
        Put('>');
      } else {
        Attr(mesh, kP);
      }
      Put(", axes = ");
      list(r.List());
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
  // A dictionary's entries are not the op's own.
  const bool own = cell.attr_class() != AttrClass::kConfig && cell.attr_class() != AttrClass::kDict &&
                   cell.attr_class() != AttrClass::kAny && cell.attr_class() != AttrClass::kArray;
  if (!VhloAttr(attr, own)) Attr(attr, spelling);
}

}  // namespace shlo::text
