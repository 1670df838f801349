// Attributes and locations as text, in the builtin/StableHLO spelling.
#include "ir/print/attr_printer.h"
#include "shlo/types.h"

namespace shlo::text {

std::string_view EnumeratorName(AttrKind kind) {
  switch (kind) {
#define SHLO_ATTR(id, name, ...) \
  case AttrKind::name:           \
    return #name;
#include "schema/kinds.inc"
    default:
      return "kInvalid";
  }
}

TypeId TypeOfAttr(const Module& m, AttrId attr) {
  const auto node = m.attrs[attr];
  switch (node.kind) {
    case AttrKind::kIntegerAttr:
    case AttrKind::kFloatAttr:
    case AttrKind::kElements:
    case AttrKind::kResourceElements:
    case AttrKind::kStringElements:
    case AttrKind::kSparseElements:
      return FieldReader(node.words).Type();
    default:
      return {};
  }
}

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
  auto& cache = attr_cache_[size_t(spelling)];
  if (!elide && attr.v < cache.size() && cache[attr.v].second != 0) {
    out_.append(cached_, cache[attr.v].first, cache[attr.v].second);
    return;
  }
  Nesting nesting(*this);
  if (failed_) return;
  const size_t begin = out_.size();
  if (spelling == Spelling::kStablehlo) {
    BuiltinAttr(attr, elide);
  } else if (!VhloAttr(attr, false)) {
    BuiltinAttr(attr, elide);
  }
  if (!elide) Cache(attr_cache_[size_t(spelling)], attr.v, begin);
  if (trace_) {
    std::string line = "writeAttribute ";
    line += EnumeratorName(m_.attrs.KindOf(attr));
    line += ' ';
    line.append(out_, begin);
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

// `elide`: i64 is what an integer without a type means.
void AttrPrinter::Integer(AttrId attr, bool with_type, bool elide) {
  FieldReader r(m_.attrs[attr].words);
  const TypeId type = r.Type();
  const auto limbs = r.Ints();
  const auto node = m_.types[type];
  if (node.kind == TypeKind::kI1) return Put(!limbs.empty() && (limbs[0] & 1) ? "true" : "false");
  bool is_unsigned = IsUnsignedInteger(node.kind);
  if (node.kind == TypeKind::kInteger) is_unsigned = FieldReader(node.words.subspan(1)).Int() == 2;
  // Unsigned values are stored sign-extended; what is above their width is not theirs.
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
  FieldReader r(node.words);
  const TypeKind kind = m_.types.KindOf(r.Type());
  PutFloat(out_, kind, uint64_t(r.Ints()[0]));
}

void AttrPrinter::Dict(AttrId attr, Spelling spelling) {
  const auto entries = FieldReader(m_.attrs[attr].words).List(/*named=*/true);
  Put('{');
  for (size_t i = 0; i < entries.size(); i += 2) {
    if (i) Put(", ");
    PutKeyword(out_, m_.strings[StringId(uint32_t(entries[i]))]);
    const AttrId value{uint32_t(entries[i + 1])};
    if (m_.attrs.KindOf(value) == AttrKind::kUnit) continue;
    Put(" = ");
    Attr(value, spelling);
  }
  Put('}');
}

void AttrPrinter::BuiltinAttr(AttrId attr, bool elide) {
  const auto node = m_.attrs[attr];
  const KindRow& row = RowOf(node.kind);
  FieldReader r(node.words);
  constexpr Spelling kS = Spelling::kStablehlo;
  if (IsLocation(node.kind)) {
    Put("loc(");
    Location(attr, /*in_full=*/true);
    return Put(')');
  }
  if (IsEnum(node.kind)) {
    const int64_t value = r.Int();
    const EnumCase* found = FindCase(node.kind, value);
    Put('#');
    Put(row.dialect);
    Put(node.kind == AttrKind::kResultAccuracyMode ? '.' : '<');
    Put(row.mnemonic);
    Put(node.kind == AttrKind::kResultAccuracyMode ? '<' : ' ');
    if (found)
      Put(found->name);
    else
      PutInt(out_, value);
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
      const TypeId type = r.Type();
      const auto bits = r.Ints();
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
      // Digits in hexadecimal alone would be an integer.
      if (elide && kind == TypeKind::kF64 && out_.compare(begin, 2, "0x") != 0) return;
      Put(" : ");
      return Type(type, kS);
    }
    case AttrKind::kString:
      return PutQuoted(out_, m_.strings[r.String()]);
    case AttrKind::kTypedString:
      PutQuoted(out_, m_.strings[r.String()]);
      Put(" : ");
      return Type(r.Type(), kS);
    case AttrKind::kArray: {
      Put('[');
      bool first = true;
      for (uint64_t word : r.List()) {
        if (!first) Put(", ");
        first = false;
        Attr(AttrId(uint32_t(word)), kS, /*elide=*/true);
      }
      return Put(']');
    }
    case AttrKind::kDict:
      return Dict(attr, kS);
    case AttrKind::kTypeAttr:
      return Type(r.Type(), kS);
    case AttrKind::kSymbolRef:
      PutSymbol(out_, m_.strings[r.String()]);
      for (uint64_t word : r.List()) {
        Put("::");
        PutSymbol(out_, m_.strings[StringId(uint32_t(word))]);
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
      const auto values = r.Ints();
      Put("array<i64");
      for (size_t i = 0; i < values.size(); ++i) {
        Put(i ? ", " : ": ");
        PutInt(out_, values[i]);
      }
      return Put('>');
    }
    case AttrKind::kResourceElements: {
      const TypeId type = r.Type();
      Put("dense_resource<");
      PutKeyword(out_, m_.strings[r.String()]);
      Put("> : ");
      return Type(type, kS);
    }
    case AttrKind::kAffineMap:
    case AttrKind::kIntegerSet:
    case AttrKind::kStridedLayout: {
      // The text is what stands between the angle brackets, or the whole spelling.
      const std::string_view text = m_.strings[r.String()];
      if (text.substr(0, row.mnemonic.size()) == row.mnemonic) return Put(text);
      Put(row.mnemonic);
      Put('<');
      Put(text);
      return Put('>');
    }
    case AttrKind::kDistinct: {
      // Numbers are only names: they are given in the order of the text.
      const auto number = distinct_.emplace(attr.v, distinct_.size()).first->second;
      Put("distinct[");
      PutUnsigned(out_, number);
      Put("]<");
      r.Int();
      const AttrId inner = r.Attr();
      if (m_.attrs.KindOf(inner) != AttrKind::kUnit) Attr(inner, kS);
      return Put('>');
    }
    case AttrKind::kOpaqueAttr:
      Put('#');
      Put(m_.strings[r.String()]);
      return Put(m_.strings[r.String()]);
    default:
      return StructAttr(attr);
  }
}

bool PutConvolution(std::string& out, const ConvolutionRoles& roles) {
  static constexpr const char* kLetters[] = {"bf", "io", "bf"};
  static constexpr const char* kBetween[] = {"", "x", "->"};
  const size_t mark = out.size();
  std::vector<int64_t> at;
  for (size_t side = 0; side < 3; ++side) {
    // Which dimension stands at each position; -1 and -2 are the two with a letter.
    const auto spatial = roles.spatial[side];
    // Positions that nothing stands at are a question mark; there are not many of them.
    int64_t last = std::max(roles.named[2 * side], roles.named[2 * side + 1]);
    for (int64_t position : spatial) last = std::max(last, position);
    at.assign(size_t(std::clamp<int64_t>(last + 1, 0, 4096)), INT64_MIN);
    const auto place = [&](int64_t position, int64_t role) {
      if (position < 0 || uint64_t(position) >= at.size() || at[size_t(position)] != INT64_MIN) return false;
      at[size_t(position)] = role;
      return true;
    };
    bool fits = place(roles.named[2 * side], -1) && place(roles.named[2 * side + 1], -2);
    for (size_t i = 0; i < spatial.size(); ++i) fits = fits && place(spatial[i], int64_t(i));
    if (!fits) {
      out.resize(mark);
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

// Struct kinds. Lists that are empty and numbers that are zero are left out where the reference does.
void AttrPrinter::StructAttr(AttrId attr) {
  const auto node = m_.attrs[attr];
  const KindRow& row = RowOf(node.kind);
  FieldReader r(node.words);
  constexpr Spelling kS = Spelling::kStablehlo;
  if (node.kind == AttrKind::kSubAxisInfo) {
    Put('(');
    PutInt(out_, r.Int());
    Put(')');
    return PutInt(out_, r.Int());
  }
  Put('#');
  Put(row.dialect);
  Put('.');
  if (node.kind == AttrKind::kTypeExtensions) {
    Put("bounds<");
    Bounds(r.Ints());
    return Put('>');
  }
  Put(row.mnemonic);
  if (node.kind == AttrKind::kConvDimensionNumbers) {
    ConvolutionRoles roles;
    FieldReader fields(node.words);
    for (int64_t& named : roles.named) named = fields.Int();
    for (auto& spatial : roles.spatial) spatial = fields.Ints();
    const size_t mark = out_.size();
    Put('<');
    if (PutConvolution(out_, roles)) return Put('>');
    out_.resize(mark);
    Put("<raw ");
  } else {
    Put('<');
  }
  // These have a default for every field, and write what differs.
  const bool only_others =
      node.kind == AttrKind::kGatherDimensionNumbers || node.kind == AttrKind::kScatterDimensionNumbers;
  const bool every_list = node.kind == AttrKind::kConvDimensionNumbers;
  switch (node.kind) {
    case AttrKind::kOutputOperandAlias: {
      Put("output_tuple_indices = ");
      Ints(r.Ints());
      Put(", operand_index = ");
      PutInt(out_, r.Int());
      Put(", operand_tuple_indices = ");
      Ints(r.Ints());
      break;
    }
    case AttrKind::kResultAccuracy: {
      const double atol = r.Float(), rtol = r.Float();
      const int64_t ulps = r.Int();
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
      Attr(r.Attr(), kS);
      break;
    }
    case AttrKind::kAxisRef: {
      Put("name = ");
      PutQuoted(out_, m_.strings[r.String()]);
      if (const AttrId info = r.Attr()) {
        Put(", sub_axis_info = ");
        Attr(info, kS);
      }
      break;
    }
    case AttrKind::kMeshAxis: {
      Put("name = ");
      PutQuoted(out_, m_.strings[r.String()]);
      Put(", size = ");
      PutInt(out_, r.Int());
      break;
    }
    case AttrKind::kMesh: {
      Put("axes=[");
      bool first = true;
      for (uint64_t word : r.List()) {
        if (!first) Put(", ");
        first = false;
        // The kind is known: it is not named.
        FieldReader axis(m_.attrs[AttrId(uint32_t(word))].words);
        Put("<name = ");
        PutQuoted(out_, m_.strings[axis.String()]);
        Put(", size = ");
        PutInt(out_, axis.Int());
        Put('>');
      }
      Put(']');
      if (const AttrId ids = r.Attr()) {
        Put(", device_ids=");
        Attr(ids, kS);
      }
      break;
    }
    case AttrKind::kReplicaGroupMeshAxes: {
      Put("mesh = ");
      Attr(r.Attr(), kS);
      Put(", axes = [");
      bool first = true;
      for (uint64_t word : r.List()) {
        if (!first) Put(", ");
        first = false;
        Attr(AttrId(uint32_t(word)), kS);
      }
      Put(']');
      break;
    }
    default: {
      // Numbers and lists by name, as ragged_dot and bundles that stand alone write them.
      bool first = true;
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
  FieldReader r(node.words);
  switch (node.kind) {
    case AttrKind::kFileLineColLoc:
      PutQuoted(out_, m_.strings[r.String()]);
      Put(':');
      PutInt(out_, r.Int());
      Put(':');
      return PutInt(out_, r.Int());
    case AttrKind::kFileRangeLoc: {
      PutQuoted(out_, m_.strings[r.String()]);
      const int64_t line = r.Int(), column = r.Int(), end_line = r.Int(), end_column = r.Int();
      Put(':');
      PutInt(out_, line);
      Put(':');
      PutInt(out_, column);
      if (line == end_line && column == end_column) return;
      Put(" to ");
      if (end_line != line) PutInt(out_, end_line);
      Put(':');
      return PutInt(out_, end_column);
    }
    case AttrKind::kNameLoc: {
      PutQuoted(out_, m_.strings[r.String()]);
      const AttrId child = r.Attr();
      if (!child) return;
      Put('(');
      Location(child);
      return Put(')');
    }
    case AttrKind::kCallSiteLoc: {
      Put("callsite(");
      Location(r.Attr());
      Put(" at ");
      Location(r.Attr());
      return Put(')');
    }
    case AttrKind::kFusedLoc: {
      Put("fused");
      if (const AttrId metadata = r.Attr()) {
        Put('<');
        Attr(metadata, Spelling::kStablehlo);
        Put('>');
      }
      Put('[');
      bool first = true;
      for (uint64_t word : r.List()) {
        if (!first) Put(", ");
        first = false;
        Location(AttrId(uint32_t(word)));
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
  text::AttrPrinter(module, 0, nullptr, &out).Attr(attr, spelling);
  return out;
}

}  // namespace shlo
