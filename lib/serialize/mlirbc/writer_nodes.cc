#include "serialize/mlirbc/writer_nodes.h"

#include <algorithm>
#include <bit>

#include "base/deadline.h"
#include "base/format.h"
#include "base/stack.h"
#include "ir/module/limits.h"
#include "ir/table/float_format.h"
#include "serialize/mlirbc/affine.h"
#include "serialize/mlirbc/writer_items.h"
#include "shlo/print.h"
#include "shlo/types.h"

namespace shlo::mlirbc {
namespace {

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

void NodesOut::CollectNew(Table& table, Key key) {
  CheckStack();
  Tick();
  const bool is_attr = IsAttr(table);
  auto& indexes = table.by_space[size_t(key.space)];
  if (indexes.size() <= key.id)
    indexes.resize(key.space == KeySpace::kOpDict ? op_dicts_.size()
                   : is_attr                      ? m_.attrs.size()
                                                  : m_.types.size());
  if (failed_ || ++depth_ > kMaxNesting)
    return Fail(StrFormat("nesting of attributes and types exceeds the limit of {}", kMaxNesting));
  table.nodes.push_back({key, CollectDialect(is_attr ? DialectOf(key) : TypeDialectOf(key))});
  indexes[key.id] = uint32_t(table.nodes.size());
  NumberingSink sink{*this};
  is_attr ? EncodeAttr(key, sink) : EncodeType(key, sink);
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
  const FieldStarts starts(fields, words);
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
void NodesOut::EncodeFields(const RowT& row, std::span<const FieldRow> fields,
                            std::span<const uint64_t> words, bool vhlo, SinkT& sink) {
  // Interning moves the words of nodes, so they are copied.
  const std::vector<uint64_t> copy(words.begin(), words.end());
  FieldsOut<SinkT> codec(*this, fields, copy, vhlo, vhlo && std::is_same_v<RowT, WireType>, sink);
  sink.Varint(row.code);
  WalkItems(row.encoding, codec);
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
  EncodeFields(*row, fields, node.words, vhlo, sink);
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
  if (const auto quant = node.As<UniformQuantizedSubChannelType>(); quant && !HasQuantizationElements(*quant))
    return false;
  EncodeFields(*row, fields, node.words, vhlo, sink);
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
  offsets->Varint(attrs_.nodes.size());
  offsets->Varint(types_.nodes.size());
  WritingSink sink{*this, *strings, *contents};
  uint64_t begin = 0;
  const auto write = [&](const Table& table, auto id, const char* what, auto encode, auto print, auto text) {
    using IdT = decltype(id);
    WriteRuns(table.order, table.nodes, offsets, [&](const Node& node) {
      const Key key = node.key;
      const bool encoded = encode(key);
      if (!encoded) {
        contents->Bytes(WholeText(print, IdT(key.id)));
        contents->Byte(0);
      }
      const Spelling spelling = key.space == KeySpace::kVhlo ? Spelling::kVhlo : Spelling::kStablehlo;
      if (trace && key.space != KeySpace::kOpDict) (*trace)(what + text(m_, IdT(key.id), spelling));
      offsets->VarintWithFlag(contents->size() - begin, encoded);
      begin = contents->size();
    });
  };
  write(
      attrs_, AttrId(), "writeAttribute ", [&](Key key) { return EncodeAttr(key, sink); }, PrintAttr,
      AttrText);
  write(
      types_, TypeId(), "writeType ", [&](Key key) { return EncodeType(key, sink); }, PrintType, TypeText);
}

}  // namespace shlo::mlirbc
