#include "serialize/mlirbc/writer_nodes.h"

#include <algorithm>
#include <bit>

#include "base/deadline.h"
#include "base/format.h"
#include "base/stack.h"
#include "ir/module/limits.h"
#include "ir/table/float_format.h"
#include "serialize/mlirbc/affine.h"
#include "shlo/print.h"
#include "shlo/types.h"

namespace shlo::mlirbc {
namespace {

// Sets the index of the first word of each field.
void FieldStarts(std::span<const FieldRow> fields, std::span<const uint64_t> words, size_t* starts) {
  size_t at = 0;
  for (size_t i = 0; i < fields.size(); ++i) {
    starts[i] = at;
    if (!IsList(fields[i].type))
      ++at;
    else
      at += 1 + words[at] * (fields[i].type == FieldType::kNamed ? 2 : 1);
  }
}

// Returns the number of fields that an item of an encoding covers.
size_t FieldsOf(char letter, size_t num_fields, size_t field) {
  switch (letter) {
    case 'B':
    case 'p':
    case 'w':
    case 'W':
      return 2;
    case 'g':
      return num_fields - field;
    default:
      return 1;
  }
}

// Runs of nodes of one dialect: its number, the number of nodes, then each.
template <typename NodeT, typename WriteT>
void WriteRuns(const std::vector<uint32_t>& order, const std::vector<NodeT>& nodes, BytesOut* out,
               WriteT&& write) {
  for (size_t i = 0; i < order.size();) {
    const uint32_t dialect = nodes[order[i]].dialect;
    size_t end = i + 1;
    while (end < order.size() && nodes[order[end]].dialect == dialect) ++end;
    out->Varint(dialect);
    out->Varint(end - i);
    for (; i < end; ++i) write(nodes[order[i]]);
  }
}

}  // namespace

// --- Numbers -------------------------------------------------------------------------------------

// Numbering only follows references.
struct NodesOut::NumberingSink {
  NodesOut& nodes;
  void Varint(uint64_t) {}
  void SignedVarint(int64_t) {}
  void Byte(uint8_t) {}
  void String(std::string_view) {}
  void Blob(const StoredBytes&) {}
  void Bits(const std::string&) {}
  void Raw(std::string_view) {}
  void Attr(Key key) { nodes.CollectAttr(key); }
  void OptionalAttr(Key key) {
    if (key) nodes.CollectAttr(key);
  }
  void Type(Key key) { nodes.CollectType(key); }
  void Resource(StringId key) {
    auto& list = nodes.resources_;
    if (std::find(list.begin(), list.end(), key) == list.end()) list.push_back(key);
  }
};

uint32_t NodesOut::CollectDialect(std::string_view name) {
  for (uint32_t i = 0; i < dialects_.size(); ++i)
    if (dialects_[i] == name) return i;
  dialects_.push_back(name);
  return uint32_t(dialects_.size() - 1);
}

void NodesOut::CollectNewAttr(Key key) {
  CheckStack();
  Tick();
  auto& indexes = attrs_by_space_[size_t(key.space)];
  if (indexes.size() <= key.id)
    indexes.resize(key.space == KeySpace::kOpDict ? op_dicts_.size() : m_.attrs.size());
  if (failed_ || ++depth_ > kMaxNesting)
    return Fail(StrFormat("nesting of attributes and types exceeds the limit of {}", kMaxNesting));
  attrs_.push_back({key, CollectDialect(DialectOf(key))});
  indexes[key.id] = uint32_t(attrs_.size());
  NumberingSink sink{*this};
  EncodeAttr(key, sink);
  --depth_;
}

void NodesOut::CollectNewType(Key key) {
  CheckStack();
  auto& indexes = types_by_space_[size_t(key.space)];
  if (indexes.size() <= key.id) indexes.resize(m_.types.size());
  if (failed_ || ++depth_ > kMaxNesting)
    return Fail(StrFormat("nesting of attributes and types exceeds the limit of {}", kMaxNesting));
  types_.push_back({key, CollectDialect(TypeDialectOf(key))});
  indexes[key.id] = uint32_t(types_.size());
  NumberingSink sink{*this};
  EncodeType(key, sink);
  --depth_;
}

// --- Encoding ------------------------------------------------------------------------------------

struct NodesOut::WritingSink {
  NodesOut& nodes;
  StringsOut& strings;
  BytesOut& out;
  void Varint(uint64_t v) { out.Varint(v); }
  void SignedVarint(int64_t v) { out.SignedVarint(v); }
  void Byte(uint8_t v) { out.Byte(v); }
  void String(std::string_view v) { out.Varint(strings.Add(v)); }
  void Blob(const StoredBytes& v) {
    out.Varint(v.size());
    out.Blob(v);
  }
  void Raw(std::string_view v) { out.Bytes(v); }
  void Bits(const std::string& v) {
    out.Varint(v.size());
    out.Bytes(v);
  }
  void Attr(Key key) { out.Varint(nodes.NumberOf(key)); }
  void OptionalAttr(Key key) {
    if (key)
      out.VarintWithFlag(nodes.NumberOf(key), true);
    else
      out.Varint(0);
  }
  void Type(Key key) { out.Varint(nodes.TypeNumberOf(key)); }
  void Resource(StringId key) {
    const auto& list = nodes.resources_;
    out.Varint(uint64_t(std::find(list.begin(), list.end(), key) - list.begin()));
  }
};

template <typename RowT>
const RowT* NodesOut::ChooseRow(std::span<const RowT> rows, std::span<const FieldRow> fields,
                                std::span<const uint64_t> words) const {
  if (rows.empty()) return nullptr;
  if (rows.size() == 1) return &rows[0];
  size_t starts[std::tuple_size_v<decltype(KindRow::field_rows)>];
  FieldStarts(fields, words, starts);
  for (const RowT& row : rows) {
    uint32_t named = 0;
    bool fits = true;
    for (const char* item = row.encoding; *item; item += 2) {
      const size_t field = size_t(item[1] - '0');
      for (size_t i = 0; i < FieldsOf(*item, fields.size(), field); ++i) named |= 1u << (field + i);
      if (*item == 'B') fits = m_.types.KindOf(Decode<IntegerAttr>(words).type) == TypeKind::kI1;
      // The second encoding is for nodes that need it.
      if (*item == 'D')
        fits = std::any_of(words.begin() + ptrdiff_t(starts[field]) + 1, words.end(),
                           [](uint64_t w) { return w != 0; });
    }
    for (size_t i = 0; i < fields.size(); ++i) {
      if (named >> i & 1) continue;
      if constexpr (std::is_same_v<RowT, WireType>) {
        // One flag per dimension: the list is empty in the format if no flag is set.
        if (row.kind == TypeKind::kVector) {
          const auto scalable = Decode<VectorType>(words).scalable;
          fits &= std::ranges::all_of(scalable, [](int64_t flag) { return flag == 0; });
          continue;
        }
      }
      fits &= words[starts[i]] == 0;
    }
    if (fits) return &row;
  }
  return &rows.back();
}

AttrId NodesOut::IdentityLayout(size_t rank) {
  std::string dims = "(";
  for (size_t i = 0; i < rank; ++i) dims += StrFormat("{}d{}", i ? ", " : "", i);
  dims += ')';
  return m_.Make(AffineMapAttr{.text = m_.strings.Intern(dims + " -> " + dims)});
}

// Returns scales or zero points of a type as an attribute: elements of the expressed type or of the storage
// type.
AttrId NodesOut::QuantizationElements(const UniformQuantizedSubChannelType& quant, bool scales) {
  const TypeId element = scales ? quant.expressed : quant.storage;
  const TypeKind kind = m_.types.KindOf(element);
  const uint64_t size = m_.ElementBytes(element);
  const int64_t width = ElementWidth(m_, element);
  std::string bytes;
  for (size_t i = 0; i < (scales ? quant.scales.size() : quant.zero_points.size()); ++i) {
    uint64_t bits = scales ? EncodeFloat(kind, quant.scales[i]) : uint64_t(quant.zero_points[i]);
    if (width < 64) bits &= (uint64_t(1) << width) - 1;
    bytes.append(reinterpret_cast<const char*>(&bits), size);
  }
  return m_.Elements(m_.TensorType(quant.scale_shape, element), m_.payloads.AddCopy(bytes), false);
}

// Returns whether the scales and zero points of a type can be elements.
bool NodesOut::HasQuantizationElements(const UniformQuantizedSubChannelType& quant) const {
  const int64_t width = ElementWidth(m_, quant.storage);
  return FloatFormatOf(m_.types.KindOf(quant.expressed)) && !IsFloat(m_.types.KindOf(quant.storage)) &&
         width > 0 && width <= 64;
}

template <typename SinkT, typename RowT>
void NodesOut::EncodeFields(const RowT& row, std::span<const FieldRow> fields, std::vector<uint64_t>& words,
                            bool vhlo, SinkT& sink) {
  size_t starts[std::tuple_size_v<decltype(KindRow::field_rows)>];
  FieldStarts(fields, words, starts);
  const auto attr = [&](uint64_t word) -> Key {
    // A type holds its encoding, which TypeKey has checked.
    if (std::is_same_v<RowT, WireType> && vhlo) return {uint32_t(word), KeySpace::kVhlo};
    return AttrKey(AttrId(uint32_t(word)), vhlo);
  };
  const auto type = [&](uint64_t word) { return TypeKey(TypeId(uint32_t(word)), vhlo); };
  const auto text = [&](uint64_t word) { return m_.strings[StringId(uint32_t(word))]; };
  const auto string_attr = [&](uint64_t word) { return AttrKey(m_.String(text(word)), vhlo); };
  TypeId last_type;
  sink.Varint(row.code);
  for (const char* item = row.encoding; *item; item += 2) {
    const size_t field = size_t(item[1] - '0');
    const size_t at = starts[field];
    const uint64_t word = words[at];
    const auto each = [&](auto&& write) {
      sink.Varint(word);
      for (uint64_t i = 0; i < word; ++i) write(words[at + 1 + i]);
    };
    switch (*item) {
      case 'v':
        sink.Varint(word);
        break;
      case 's':
      case 'f':
        sink.SignedVarint(int64_t(word));
        break;
      case 'b':
        sink.Byte(word != 0);
        break;
      case 'S':
      case 'F':
        each([&](uint64_t w) { sink.SignedVarint(int64_t(w)); });
        break;
      case 'D':
        each([&](uint64_t w) { sink.Byte(w != 0); });
        break;
      case 't':
        last_type = TypeId(uint32_t(word));
        sink.Type(type(word));
        break;
      case 'T':
        each([&](uint64_t w) { sink.Type(type(w)); });
        break;
      case 'a':
      case 'm':
        sink.Attr(attr(word));
        break;
      case 'A':
        each([&](uint64_t w) { sink.Attr(attr(w)); });
        break;
      case 'o':
        sink.OptionalAttr(word ? attr(word) : Key());
        break;
      case 'h':
        sink.Varint(word != 0);
        if (word) sink.Attr(attr(word));
        break;
      case 'y':
        sink.Byte(word != 0);
        if (word) sink.Attr(attr(word));
        break;
      case 'l': {
        const IdList<AttrId> items(words.data() + at + 1, word);
        sink.Attr(AttrKey(m_.Array(items.ToVector()), vhlo));
        break;
      }
      case 'q':
        sink.String(text(word));
        break;
      case 'n':
        sink.Attr(string_attr(word));
        break;
      case 'N':
        each([&](uint64_t w) { sink.Attr({m_.Symbol(text(w)).v, KeySpace::kOwn}); });
        break;
      case 'u':
        sink.Attr({(word ? AttrId(uint32_t(word)) : m_.Make(UnknownLoc{})).v, KeySpace::kOwn});
        break;
      case 'j':
        sink.Attr({(word ? AttrId(uint32_t(word)) : IdentityLayout(Decode<MemRefType>(words).shape.size())).v,
                   KeySpace::kOwn});
        break;
      case 'd':
        sink.Varint(word);
        for (const NamedAttr entry : NodeList<NamedAttr>(words.data() + at + 1, word)) {
          sink.Attr(string_attr(entry.name.v));
          sink.Attr(attr(entry.value.v));
        }
        break;
      case 'i':
      case 'e': {
        const uint64_t width = uint64_t(ElementWidth(m_, last_type));
        const uint64_t value = words[at + 1];
        if (width <= 64) {
          const uint64_t bits = width == 64 ? value : value & ((uint64_t(1) << width) - 1);
          if (width <= 8)
            sink.Byte(uint8_t(bits));
          else
            sink.SignedVarint(int64_t(bits));
          break;
        }
        // The words up to the highest nonzero one, at least one.
        uint64_t used = word;
        std::vector<uint64_t> limbs(words.begin() + ptrdiff_t(at) + 1,
                                    words.begin() + ptrdiff_t(at) + 1 + ptrdiff_t(word));
        if (width % 64 && word * 64 > width) limbs.back() &= (uint64_t(1) << width % 64) - 1;
        while (used > 1 && limbs[used - 1] == 0) --used;
        sink.Varint(used);
        for (uint64_t i = 0; i < used; ++i) sink.SignedVarint(int64_t(limbs[i]));
        break;
      }
      case 'B':
        sink.Varint(uint64_t(Decode<IntegerAttr>(words).value[0]));
        break;
      case 'p': {
        const PayloadId id = Decode<ElementsAttr>(words).payload;
        const ShapedType tensor(m_, last_type);
        uint64_t count = 0;
        if (!tensor.IsTensorOrVector() || ElementWidth(m_, tensor.element) != 1 ||
            !Module::ElementCount(tensor.shape, &count)) {
          sink.Blob(m_.payloads.StoredOf(id));
          break;
        }
        const Payload payload = m_.payloads[id];
        // Booleans are stored as bits, or a splat as one byte; a single one as either.
        std::string bits;
        if (count > 1 ? word != 0 : count == 1 && !vhlo) {
          bits.push_back(payload.size && payload.data[0] ? char(0xFF) : '\0');
        } else {
          bits.resize((count + 7) / 8);
          for (uint64_t i = 0; i < std::min<uint64_t>(count, payload.size); ++i)
            if (payload.data[i]) bits[i / 8] = char(uint8_t(bits[i / 8]) | 1u << (i % 8));
        }
        sink.Bits(bits);
        break;
      }
      case 'Q':
        sink.Attr(AttrKey(
            QuantizationElements(Decode<UniformQuantizedSubChannelType>(words), field == kScales), false));
        break;
      case 'k': {
        const StoredBytes bytes = m_.payloads.StoredOf(PayloadId(uint32_t(word)));
        const uint64_t size = m_.ElementBytes(last_type);
        sink.Varint(size ? bytes.size() / size : 0);
        sink.Blob(bytes);
        break;
      }
      case 'K':
        sink.Type(TypeKey(m_.Type(TypeKind::kI64), vhlo));
        sink.Varint(word);
        sink.Bits(std::string(reinterpret_cast<const char*>(words.data() + at + 1), word * 8));
        break;
      case 'w': {
        sink.Varint(word);
        for (const StringId value : Decode<StringElementsAttr>(words).values) sink.String(m_.strings[value]);
        break;
      }
      case 'g': {
        const auto range = Decode<FileRangeLoc>(words);
        const uint64_t start_line = uint64_t(range.start_line), start_column = uint64_t(range.start_column),
                       end_line = uint64_t(range.end_line), end_column = uint64_t(range.end_column);
        if (!start_line && !start_column && !end_line && !end_column) {
          sink.Varint(0);
        } else if (start_column == 0 && start_line == end_line) {
          sink.Varint(1);
          sink.Varint(start_line);
        } else {
          const bool one_line = start_line == end_line;
          const bool point = one_line && start_column == end_column;
          sink.Varint(point ? 2 : one_line ? 3 : 4);
          sink.Varint(start_line);
          sink.Varint(start_column);
          if (!one_line) sink.Varint(end_line);
          if (!point) sink.Varint(end_column);
        }
        break;
      }
      case 'z':
        sink.Resource(StringId(uint32_t(word)));
        break;
      case 'W':
        sink.Varint(word << 2 | uint64_t(Decode<IntegerType>(words).signedness));
        break;
      default:
        break;
    }
  }
}

// Writes an attribute that the module keeps as text. Returns false if it has no encoding: it stays text.
template <typename SinkT>
bool NodesOut::EncodeOpaque(AttrId attr, SinkT& sink) {
  const auto opaque = m_.Get<OpaqueAttr>(attr);
  const auto parsed = ParseOpaque(m_.strings[opaque.dialect], m_.strings[opaque.text]);
  if (!parsed) return false;
  const auto part = [&](const OpaqueItem& item, const std::string& body) -> Key {
    const StringId joined = m_.strings.Intern(JoinOpaque(item.mnemonic, body));
    return {m_.Make(OpaqueAttr{.dialect = opaque.dialect, .text = joined}).v, KeySpace::kOwn};
  };
  sink.Varint(parsed->row->code);
  for (const OpaqueItem& item : parsed->row->items) {
    const OpaqueField& field = parsed->fields[item.field];
    switch (item.letter) {
      case 'q':
        sink.String(m_.strings[m_.strings.Intern(field.parts[0])]);
        break;
      case 'N':
        sink.Varint(field.parts.size());
        for (const std::string& string : field.parts) sink.Attr({m_.String(string).v, KeySpace::kOwn});
        break;
      case 'm':
        sink.Attr(field.symbol ? Key{m_.Symbol(field.parts[0]).v, KeySpace::kOwn}
                               : part(item, field.parts[0]));
        break;
      case 'A':
      case 'U':
        sink.Varint(field.parts.size());
        for (const std::string& body : field.parts) sink.Attr(part(item, body));
        break;
      case 'o':
        sink.OptionalAttr(field.parts.empty() ? Key() : part(item, field.parts[0]));
        break;
      case 'c':
      case 'x':
        sink.Byte(field.numbers[0] != 0);
        break;
      case 'p':
        sink.Varint(field.numbers.empty() ? 0 : uint64_t(field.numbers[0]) << 1 | 1);
        break;
      case 's':
      case 'r':
        sink.SignedVarint(field.numbers[0]);
        break;
      default:
        sink.Varint(field.numbers.size());
        for (int64_t number : field.numbers) sink.SignedVarint(number);
        break;
    }
  }
  return true;
}

// Writes an affine map, set or layout. Returns false if the reproduced release writes it as text.
template <typename SinkT>
bool NodesOut::EncodeAffineAttr(const WireAttr& row, AttrId attr, SinkT& sink) {
  if (writer_ < kEncodedAffine) return false;
  const auto node = m_.attrs[attr];
  StringId text;
  if (const auto map = node.As<AffineMapAttr>()) text = map->text;
  if (const auto set = node.As<IntegerSetAttr>()) text = set->text;
  if (const auto layout = node.As<StridedLayoutAttr>()) text = layout->text;
  const auto bytes = EncodeAffine(node.kind, m_.strings[text]);
  if (!bytes) return false;
  sink.Varint(row.code);
  sink.Raw(*bytes);
  return true;
}

template <typename SinkT>
bool NodesOut::EncodeAttr(Key key, SinkT& sink) {
  if (key.space == KeySpace::kOpDict) {
    sink.Varint(1);  // a builtin dictionary
    const size_t count = op_dicts_[key.id].size();
    sink.Varint(count);
    for (size_t i = 0; i < count; ++i) {
      const OpDictEntry entry = op_dicts_[key.id][i];
      sink.Attr({m_.String(m_.strings[entry.name]).v, KeySpace::kOwn});
      sink.Attr(entry.value);
    }
    return true;
  }
  const bool vhlo = key.space == KeySpace::kVhlo;
  const auto node = m_.attrs[AttrId(key.id)];
  const Dialect dialect = vhlo ? Dialect::kVhlo : FindDialect(DialectOf(key));
  const auto fields = RowOf(node.kind).fields();
  const WireAttr* row = ChooseRow(WireRowsOf(dialect, node.kind), fields, node.words);
  if (!row) return node.kind == AttrKind::kOpaqueAttr && EncodeOpaque(AttrId(key.id), sink);
  if (IsAffine(node.kind)) return EncodeAffineAttr(*row, AttrId(key.id), sink);
  // Interning moves the words of attributes, so they are copied.
  std::vector<uint64_t> words(node.words.begin(), node.words.end());
  EncodeFields(*row, fields, words, vhlo, sink);
  return true;
}

template <typename SinkT>
bool NodesOut::EncodeType(Key key, SinkT& sink) {
  const bool vhlo = key.space == KeySpace::kVhlo;
  const auto node = m_.types[TypeId(key.id)];
  const Dialect dialect = vhlo ? Dialect::kVhlo : FindDialect(TypeDialectOf(key));
  const auto fields = RowOf(node.kind).fields();
  const WireType* row = ChooseRow(WireRowsOf(dialect, node.kind), fields, node.words);
  if (!row) {
    if (dialect != Dialect::kBuiltin) return false;
    const bool is_unsigned = IsUnsignedInteger(node.kind);
    if (!IsSignlessInteger(node.kind) && !is_unsigned) return false;
    sink.Varint(0);  // a builtin integer
    sink.Varint(uint64_t(BitWidth(node.kind)) << 2 | (is_unsigned ? 2u : 0u));
    return true;
  }
  std::vector<uint64_t> words(node.words.begin(), node.words.end());
  if (const auto quant = node.As<UniformQuantizedSubChannelType>(); quant && !HasQuantizationElements(*quant))
    return false;
  EncodeFields(*row, fields, words, vhlo, sink);
  return true;
}

// --- Sections ------------------------------------------------------------------------------------

void NodesOut::WriteDialects(uint64_t format, StringsOut* strings, BytesOut* out) const {
  out->Varint(dialects_.size());
  for (std::string_view dialect : dialects_) {
    const uint32_t name = strings->Add(dialect);
    if (format < kDialectVersions)
      out->Varint(name);
    else
      out->VarintWithFlag(name, false);
  }
  if (format >= kElidedLocations) out->Varint(name_order_.size());
  WriteRuns(name_order_, names_, out, [&](const NameNode& node) {
    const uint32_t name = strings->Add(node.name);
    if (format < kProperties)
      out->Varint(name);
    else
      out->VarintWithFlag(name, node.registered);
  });
}

template <typename PrintT, typename IdT>
std::string NodesOut::WholeText(PrintT print, IdT id) {
  constexpr uint64_t kMost = 64ull << 20;
  std::string text;
  if (!print(m_, id, Spelling::kStablehlo, kMost, &text))
    Fail(StrFormat("the text of a type or attribute exceeds the limit of {}", Count(kMost, "byte")));
  return text;
}

void NodesOut::WriteNodes(StringsOut* strings, BytesOut* offsets, BytesOut* contents, const Trace* trace) {
  offsets->Varint(attrs_.size());
  offsets->Varint(types_.size());
  WritingSink sink{*this, *strings, *contents};
  uint64_t begin = 0;
  const auto finish = [&](bool encoded) {
    offsets->VarintWithFlag(contents->size() - begin, encoded);
    begin = contents->size();
  };
  WriteRuns(attr_order_, attrs_, offsets, [&](const Node& node) {
    const bool encoded = EncodeAttr(node.key, sink);
    if (!encoded) {
      contents->Bytes(WholeText(PrintAttr, AttrId(node.key.id)));
      contents->Byte(0);
    }
    if (trace && node.key.space != KeySpace::kOpDict)
      (*trace)("writeAttribute " +
               AttrText(m_, AttrId(node.key.id),
                        node.key.space == KeySpace::kVhlo ? Spelling::kVhlo : Spelling::kStablehlo));
    finish(encoded);
  });
  WriteRuns(type_order_, types_, offsets, [&](const Node& node) {
    const bool encoded = EncodeType(node.key, sink);
    if (!encoded) {
      contents->Bytes(WholeText(PrintType, TypeId(node.key.id)));
      contents->Byte(0);
    }
    if (trace)
      (*trace)("writeType " +
               TypeText(m_, TypeId(node.key.id),
                        node.key.space == KeySpace::kVhlo ? Spelling::kVhlo : Spelling::kStablehlo));
    finish(encoded);
  });
}

}  // namespace shlo::mlirbc
