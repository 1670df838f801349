// Attributes and locations as text, in the builtin/StableHLO spelling.
#include "ir/print/attr_printer.h"
#include "shlo/types.h"

namespace shlo::text {

void AttrPrinter::AliasDefinitions(bool deferred) {
  if (!aliases_ || collecting_) return;
  for (const Aliases::Entry* entry : aliases_->Definitions(deferred)) {
    Put(entry->name);
    Put(" = ");
    if (entry->is_type) {
      BuiltinType(TypeId(entry->id), Spelling::kStablehlo);
    } else {
      BuiltinAttr(AttrId(entry->id), /*elide=*/false);
    }
    Put('\n');
  }
}

void AttrPrinter::Attr(AttrId attr, Spelling spelling, bool elide) {
  if (Aliased(attr)) return;
  auto& cache = attr_cache_[elide][size_t(spelling)];
  if (attr.v < cache.size() && cache[attr.v].second != 0) {
    out_.append(std::string_view(cached_).substr(cache[attr.v].first, cache[attr.v].second));
    if (too_long()) failed_ = true;
    return;
  }
  Nesting nesting(*this);
  if (failed_) return;
  const Begun begin = Begin();
  if (spelling == Spelling::kStablehlo) {
    BuiltinAttr(attr, elide);
  } else if (!VhloAttr(attr, false)) {
    BuiltinAttr(attr, elide);
  }
  Cache(cache, attr.v, begin);
  if (trace_) {
    std::string line = "writeAttribute ";
    line += RowOf(m_.attrs.KindOf(attr)).name;
    line += ' ';
    line.append(out_.view().substr(begin.size));
    (*trace_)(line);
  }
}

void AttrPrinter::Ints(std::span<const int64_t> values) {
  Put('[');
  for (size_t i = 0; i < values.size(); ++i) {
    if (i) Put(", ");
    PutInt(out_, values[i]);
  }
  Put(']');
}

void AttrPrinter::Bounds(std::span<const int64_t> bounds) {
  for (size_t i = 0; i < bounds.size(); ++i) {
    if (i) Put(", ");
    if (bounds[i] == kDynamic)
      Put('?');
    else
      PutInt(out_, bounds[i]);
  }
}

// `elide`: an integer without a type is an i64.
void AttrPrinter::Integer(AttrId attr, bool with_type, bool elide) {
  const auto integer = m_.Get<IntegerAttr>(attr);
  const TypeId type = integer.type;
  const auto limbs = integer.value;
  const auto node = m_.types[type];
  if (node.kind == TypeKind::kI1) return Put(!limbs.empty() && (limbs[0] & 1) ? "true" : "false");
  bool is_unsigned = IsUnsignedInteger(node.kind);
  if (const auto odd = node.As<IntegerType>()) is_unsigned = odd->signedness == 2;
  // Unsigned values are stored sign-extended; ignore the bits above their width.
  const int64_t width = ElementWidth(m_, type);
  if (is_unsigned && limbs.size() == 1 && width > 0 && width < 64)
    PutUnsigned(out_, uint64_t(limbs[0]) & ((uint64_t(1) << width) - 1));
  else
    PutBigInt(out_, limbs, is_unsigned);
  if (!with_type || (elide && node.kind == TypeKind::kI64)) return;
  Put(" : ");
  Type(type, Spelling::kStablehlo);
}

void AttrPrinter::NumberWithoutType(AttrId attr) {
  const auto node = m_.attrs[attr];
  if (node.kind == AttrKind::kIntegerAttr) return Integer(attr, /*with_type=*/false, /*elide=*/false);
  const auto number = node.Get<FloatAttr>();
  PutFloat(out_, m_.types.KindOf(number.type), uint64_t(number.bits[0]));
}

void AttrPrinter::Dict(AttrId attr, Spelling spelling) {
  Put('{');
  bool first = true;
  for (const auto [name, value] : m_.Get<DictionaryAttr>(attr).entries) {
    if (!first) Put(", ");
    first = false;
    PutKeyword(out_, m_.strings[name]);
    if (m_.attrs.KindOf(value) == AttrKind::kUnit) continue;
    Put(" = ");
    Attr(value, spelling);
  }
  Put('}');
}

void AttrPrinter::BuiltinAttr(AttrId attr, bool elide) {
  const auto node = m_.attrs[attr];
  const KindRow& row = RowOf(node.kind);
  constexpr Spelling kS = Spelling::kStablehlo;
  if (IsLocation(node.kind)) {
    Put("loc(");
    Location(attr, /*in_full=*/true);
    return Put(')');
  }
  if (const auto value = m_.EnumValue(attr)) {
    const EnumCase* found = FindCase(node.kind, *value);
    Put('#');
    Put(DialectOf(row));
    const bool dotted =
        node.kind == AttrKind::kResultAccuracyMode ||
        (mhlo_ && (node.kind == AttrKind::kRngAlgorithm || node.kind == AttrKind::kRngDistribution));
    Put(dotted ? '.' : '<');
    Put(row.mnemonic);
    Put(dotted ? '<' : ' ');
    if (found)
      Put(found->name);
    else
      PutInt(out_, *value);
    return Put('>');
  }
  switch (node.kind) {
    case AttrKind::kInvalid:
      return Put("<<none>>");
    case AttrKind::kUnit:
      return Put("unit");
    case AttrKind::kIntegerAttr:
      return Integer(attr, /*with_type=*/true, elide);
    case AttrKind::kFloatAttr: {
      const TypeId type = node.Get<FloatAttr>().type;
      const auto bits = node.Get<FloatAttr>().bits;
      const TypeKind kind = m_.types.KindOf(type);
      const size_t begin = out_.size();
      if (bits.size() == 1) {
        PutFloat(out_, kind, uint64_t(bits[0]));
      } else {
        Put("0x");
        std::string bytes;
        for (size_t i = bits.size(); i-- > 0;)
          for (int shift = 56; shift >= 0; shift -= 8) bytes.push_back(char(uint64_t(bits[i]) >> shift));
        const size_t width = size_t(BitWidth(kind)) / 8;
        PutHex(out_, width < bytes.size() ? std::string_view(bytes).substr(bytes.size() - width) : bytes);
      }
      // Hexadecimal digits alone would read back as an integer.
      if (elide && kind == TypeKind::kF64 && !out_.view().substr(begin).starts_with("0x")) return;
      Put(" : ");
      return Type(type, kS);
    }
    case AttrKind::kString:
      return PutQuoted(out_, m_.strings[node.Get<StringAttr>().value]);
    case AttrKind::kTypedString:
      PutQuoted(out_, m_.strings[node.Get<TypedStringAttr>().value]);
      Put(" : ");
      return Type(node.Get<TypedStringAttr>().type, kS);
    case AttrKind::kArray: {
      Put('[');
      bool first = true;
      for (const AttrId element : node.Get<ArrayAttr>().elements) {
        if (!first) Put(", ");
        first = false;
        Attr(element, kS, /*elide=*/true);
      }
      return Put(']');
    }
    case AttrKind::kDict:
      return Dict(attr, kS);
    case AttrKind::kTypeAttr:
      return Type(node.Get<TypeAttr>().type, kS);
    case AttrKind::kSymbolRef:
      PutSymbol(out_, m_.strings[node.Get<SymbolRefAttr>().root]);
      for (const StringId name : node.Get<SymbolRefAttr>().nested) {
        Put("::");
        PutSymbol(out_, m_.strings[name]);
      }
      return;
    case AttrKind::kElements:
      return Elements(attr);
    case AttrKind::kStringElements:
      return StringElements(attr);
    case AttrKind::kSparseElements:
      return SparseElements(attr);
    case AttrKind::kDenseArray:
      return DenseArray(attr);
    case AttrKind::kI64Array: {
      const auto values = node.Get<I64ArrayAttr>().values;
      Put("array<i64");
      for (size_t i = 0; i < values.size(); ++i) {
        Put(i ? ", " : ": ");
        PutInt(out_, values[i]);
      }
      return Put('>');
    }
    case AttrKind::kResourceElements: {
      Put("dense_resource<");
      PutKeyword(out_, m_.strings[node.Get<ResourceElementsAttr>().key]);
      Put("> : ");
      return Type(node.Get<ResourceElementsAttr>().type, kS);
    }
    case AttrKind::kAffineMap:
    case AttrKind::kIntegerSet:
    case AttrKind::kStridedLayout: {
      // The text is the part between the angle brackets.
      const StringId id = node.kind == AttrKind::kAffineMap    ? node.Get<AffineMapAttr>().text
                          : node.kind == AttrKind::kIntegerSet ? node.Get<IntegerSetAttr>().text
                                                               : node.Get<StridedLayoutAttr>().text;
      Put(row.mnemonic);
      Put('<');
      Put(m_.strings[id]);
      return Put('>');
    }
    case AttrKind::kDistinct: {
      // Ids of distinct attributes are numbered in the order of the text.
      const auto number = distinct_.emplace(attr.v, distinct_.size()).first->second;
      Put("distinct[");
      PutUnsigned(out_, number);
      Put("]<");
      const AttrId inner = node.Get<DistinctAttr>().attribute;
      if (m_.attrs.KindOf(inner) != AttrKind::kUnit) Attr(inner, kS);
      return Put('>');
    }
    case AttrKind::kOpaqueAttr:
      Put('#');
      Put(m_.strings[node.Get<OpaqueAttr>().dialect]);
      return Put(m_.strings[node.Get<OpaqueAttr>().text]);
    default:
      return StructAttr(attr);
  }
}

bool PutConvolution(TextBuffer& out, const ConvolutionRoles& roles) {
  static constexpr const char* kLetters[] = {"bf", "io", "bf"};
  static constexpr const char* kBetween[] = {"", "x", "->"};
  const size_t mark = out.size();
  std::vector<int64_t> at;
  for (size_t side = 0; side < 3; ++side) {
    // The dimension at each position; -1 and -2 are the two with a letter.
    const auto spatial = roles.spatial[side];
    // Unused positions print as a question mark. There are few of them.
    int64_t last = std::max(roles.named[2 * side], roles.named[2 * side + 1]);
    for (int64_t position : spatial) last = std::max(last, position);
    at.assign(size_t(std::clamp<int64_t>(last, -1, 4095) + 1), INT64_MIN);
    const auto place = [&](int64_t position, int64_t role) {
      if (position < 0 || uint64_t(position) >= at.size() || at[size_t(position)] != INT64_MIN) return false;
      at[size_t(position)] = role;
      return true;
    };
    bool fits = place(roles.named[2 * side], -1) && place(roles.named[2 * side + 1], -2);
    for (size_t i = 0; i < spatial.size(); ++i) fits = fits && place(spatial[i], int64_t(i));
    if (!fits) {
      out.Cut(mark);
      return false;
    }
    out += kBetween[side];
    out += '[';
    for (size_t i = 0; i < at.size(); ++i) {
      if (i) out += ", ";
      if (at[i] == INT64_MIN)
        out += '?';
      else if (at[i] < 0)
        out += kLetters[side][-1 - at[i]];
      else
        PutInt(out, at[i]);
    }
    out += ']';
  }
  return true;
}

// Struct kinds. Empty lists and zeros are omitted where MLIR omits them.
void AttrPrinter::StructAttr(AttrId attr) {
  const auto node = m_.attrs[attr];
  const KindRow& row = RowOf(node.kind);
  constexpr Spelling kS = Spelling::kStablehlo;
  if (const auto part = node.As<SubAxisInfoAttr>()) {
    Put('(');
    PutInt(out_, part->pre_size);
    Put(')');
    return PutInt(out_, part->size);
  }
  Put('#');
  Put(DialectOf(row));
  Put('.');
  if (const auto extensions = node.As<TypeExtensionsAttr>()) {
    Put(mhlo_ ? "type_extensions<bounds = [" : "bounds<");
    Bounds(extensions->bounds);
    return Put(mhlo_ ? "]>" : ">");
  }
  Put(row.mnemonic);
  if (const auto conv = node.As<ConvDimensionNumbersAttr>()) {
    const ConvolutionRoles roles = {
        {conv->input_batch_dimension, conv->input_feature_dimension, conv->kernel_input_feature_dimension,
         conv->kernel_output_feature_dimension, conv->output_batch_dimension, conv->output_feature_dimension},
        {conv->input_spatial_dimensions, conv->kernel_spatial_dimensions, conv->output_spatial_dimensions}};
    const size_t mark = out_.size();
    Put('<');
    if (PutConvolution(out_, roles)) return Put('>');
    Rewind(mark);
    Put("<raw ");
  } else {
    Put('<');
  }
  // These kinds have a default for every field and print only the fields that differ.
  const bool only_others =
      node.kind == AttrKind::kGatherDimensionNumbers || node.kind == AttrKind::kScatterDimensionNumbers;
  const bool every_list = node.kind == AttrKind::kConvDimensionNumbers;
  switch (node.kind) {
    case AttrKind::kOutputOperandAlias: {
      const auto alias = node.Get<OutputOperandAliasAttr>();
      Put("output_tuple_indices = ");
      Ints(alias.output_tuple_indices);
      Put(", operand_index = ");
      PutInt(out_, alias.operand_index);
      Put(", operand_tuple_indices = ");
      Ints(alias.operand_tuple_indices);
      break;
    }
    case AttrKind::kResultAccuracy: {
      const auto accuracy = node.Get<ResultAccuracyAttr>();
      const double atol = accuracy.atol, rtol = accuracy.rtol;
      const int64_t ulps = accuracy.ulps;
      if (std::bit_cast<uint64_t>(atol) != 0) {
        Put("atol = ");
        PutDouble(out_, atol);
        Put(", ");
      }
      if (std::bit_cast<uint64_t>(rtol) != 0) {
        Put("rtol = ");
        PutDouble(out_, rtol);
        Put(", ");
      }
      if (ulps != 0) {
        Put("ulps = ");
        PutInt(out_, ulps);
        Put(", ");
      }
      Put("mode = ");
      Attr(accuracy.mode, kS);
      break;
    }
    case AttrKind::kAxisRef: {
      Put("name = ");
      PutQuoted(out_, m_.strings[node.Get<AxisRefAttr>().name]);
      if (const AttrId info = node.Get<AxisRefAttr>().sub_axis_info) {
        Put(", sub_axis_info = ");
        Attr(info, kS);
      }
      break;
    }
    case AttrKind::kMeshAxis: {
      Put("name = ");
      PutQuoted(out_, m_.strings[node.Get<MeshAxisAttr>().name]);
      Put(", size = ");
      PutInt(out_, node.Get<MeshAxisAttr>().size);
      break;
    }
    case AttrKind::kMesh: {
      Put("axes=[");
      bool first = true;
      for (const AttrId axis_attr : node.Get<MeshAttr>().axes) {
        if (!first) Put(", ");
        first = false;
        const auto axis = m_.As<MeshAxisAttr>(axis_attr);
        if (!axis) return Fail();
        // The kind is implied, so it is not printed.
        Put("<name = ");
        PutQuoted(out_, m_.strings[axis->name]);
        Put(", size = ");
        PutInt(out_, axis->size);
        Put('>');
      }
      Put(']');
      if (const AttrId ids = node.Get<MeshAttr>().device_ids) {
        Put(", device_ids=");
        Attr(ids, kS);
      }
      break;
    }
    case AttrKind::kReplicaGroupMeshAxes: {
      Put("mesh = ");
      Attr(node.Get<ReplicaGroupMeshAxesAttr>().mesh, kS);
      Put(", axes = [");
      bool first = true;
      for (const AttrId axis : node.Get<ReplicaGroupMeshAxesAttr>().axes) {
        if (!first) Put(", ");
        first = false;
        Attr(axis, kS);
      }
      Put(']');
      break;
    }
    default: {
      // Numbers and lists by name, as in ragged_dot and in standalone struct attributes.
      bool first = true;
      FieldReader r(node.words);
      for (const FieldRow& field : row.fields()) {
        const std::string_view name = field.text.empty() ? field.name : field.text;
        const auto begin_field = [&] {
          if (!first) Put(", ");
          first = false;
          Put(name);
          Put(" = ");
        };
        switch (field.type) {
          case FieldType::kInts: {
            const auto values = r.Ints();
            if (values.empty() && !every_list) break;
            begin_field();
            Ints(values);
            break;
          }
          case FieldType::kInt: {
            const int64_t value = r.Int();
            if (value == 0 && only_others) break;
            begin_field();
            if (field.name == "allow_imprecise_accumulation")
              Put(value ? "true" : "false");
            else
              PutInt(out_, value);
            break;
          }
          case FieldType::kType: {
            begin_field();
            Type(r.Type(), kS);
            break;
          }
          default:
            return Fail();
        }
      }
    }
  }
  Put('>');
}

void AttrPrinter::Location(AttrId loc, bool in_full) {
  if (!in_full && Aliased(loc)) return;
  Nesting nesting(*this);
  if (failed_) return;
  const auto node = m_.attrs[loc];
  switch (node.kind) {
    case AttrKind::kFileLineColLoc: {
      const auto at = node.Get<FileLineColLoc>();
      PutQuoted(out_, m_.strings[at.file]);
      Put(':');
      PutInt(out_, at.line);
      Put(':');
      return PutInt(out_, at.column);
    }
    case AttrKind::kFileRangeLoc: {
      const auto range = node.Get<FileRangeLoc>();
      PutQuoted(out_, m_.strings[range.file]);
      Put(':');
      PutInt(out_, range.start_line);
      Put(':');
      PutInt(out_, range.start_column);
      if (range.start_line == range.end_line && range.start_column == range.end_column) return;
      Put(" to ");
      if (range.end_line != range.start_line) PutInt(out_, range.end_line);
      Put(':');
      return PutInt(out_, range.end_column);
    }
    case AttrKind::kNameLoc: {
      const auto named = node.Get<NameLoc>();
      PutQuoted(out_, m_.strings[named.name]);
      if (!named.child) return;
      Put('(');
      Location(named.child);
      return Put(')');
    }
    case AttrKind::kCallSiteLoc: {
      const auto call = node.Get<CallSiteLoc>();
      Put("callsite(");
      Location(call.callee);
      Put(" at ");
      Location(call.caller);
      return Put(')');
    }
    case AttrKind::kFusedLoc: {
      const auto fused = node.Get<FusedLoc>();
      Put("fused");
      if (fused.metadata) {
        Put('<');
        Attr(fused.metadata, Spelling::kStablehlo);
        Put('>');
      }
      Put('[');
      bool first = true;
      for (const AttrId location : fused.locations) {
        if (!first) Put(", ");
        first = false;
        Location(location);
      }
      return Put(']');
    }
    default:
      return Put("unknown");
  }
}

}  // namespace shlo::text

namespace shlo {

std::string AttrText(const Module& module, AttrId attr, Spelling spelling) {
  std::string out;
  if (!PrintAttr(module, attr, spelling, kMaxShown, &out)) text::Shorten(&out);
  return out;
}

bool PrintAttr(const Module& module, AttrId attr, Spelling spelling, uint64_t max_bytes, std::string* out) {
  text::TextBuffer buffer;
  text::AttrPrinter printer(module, 0, nullptr, &buffer);
  printer.LimitOutput(max_bytes);
  printer.Attr(attr, spelling);
  out->append(buffer.view());
  return !printer.failed() && !printer.too_long();
}

}  // namespace shlo
