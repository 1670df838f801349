#include "serialize/shlo/writer_tables.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <memory>
#include <new>
#include <optional>

#include "base/format.h"
#include "base/hex.h"
#include "base/mapped_bytes.h"
#include "base/stack.h"
#include "base/workers.h"
#include "shlo/types.h"

namespace shlo::format {
namespace {

// Reads fields from the words of a node.
struct WordSource {
  std::span<const uint64_t> words;
  size_t at = 0;
  uint64_t Next() { return words[at++]; }
};

// Rewrites the references in the words of a node to the numbers of the file.
struct Translator {
  TableWriter& tables;
  WordSource in;
  FieldWriter& out;
  uint32_t depth = 0;  // of the deepest child
  bool Count(uint64_t* n) { return out.Word(*n = in.Next()), true; }
  bool Int() { return out.Word(in.Next()), true; }
  bool Item() { return Int(); }
  bool Float() { return Int(); }
  bool String() { return out.Word(tables.String(StringId(uint32_t(in.Next())))), true; }
  bool Type() {
    const uint32_t number = tables.Type(TypeId(uint32_t(in.Next())));
    depth = std::max(depth, tables.DepthOfType(number));
    return out.Word(number), true;
  }
  bool Attr(bool) {
    const uint32_t number = tables.Attr(AttrId(uint32_t(in.Next())));
    depth = std::max(depth, tables.DepthOfAttr(number));
    return out.Word(number), true;
  }
  bool Payload() { return out.Word(tables.Payload(PayloadId(uint32_t(in.Next())))), true; }
};

// Moves the translated words of a node to the columns.
struct ColumnWriter {
  ByteBuffer* columns;
  WordSource in;
  TrackedSteps& next_string;
  Tracked& next_payload;
  uint64_t next_attr;
  bool Count(uint64_t* n) { return columns[node::kCounts].Varint(*n = in.Next()), true; }
  bool Int() { return columns[node::kInts].Varint(ZigZag(int64_t(in.Next()))), true; }
  bool Item() { return columns[node::kItems].Varint(ZigZag(int64_t(in.Next()))), true; }
  bool Float() { return columns[node::kFloats].Word(in.Next()), true; }
  bool String() { return columns[node::kStrings].Varint(next_string.Encode(in.Next())), true; }
  bool Type() { return columns[node::kTypes].Varint(in.Next()), true; }
  bool Attr(bool) {
    const uint64_t number = in.Next();
    return columns[node::kAttrs].Varint(number ? next_attr - number : 0), true;
  }
  bool Payload() { return columns[node::kPayloads].Varint(next_payload.Encode(in.Next())), true; }
};

}  // namespace

Hash HashOf(std::string_view bytes) { return HashOf(StoredBytes{bytes}); }

Hash HashOf(const StoredBytes& bytes) {
  XXH128_hash_t h;
  if (!bytes.hex && bytes.size() <= kPieceBytes) {
    h = XXH3_128bits(bytes.stored.data(), bytes.stored.size());
  } else {
    // Large constants are read piece by piece, so that their pages can be given back.
    const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(XXH3_createState(),
                                                                                XXH3_freeState);
    if (!state) throw std::bad_alloc();
    XXH3_128bits_reset(state.get());
    VisitBytes(bytes, [&](std::string_view piece) {
      return XXH3_128bits_update(state.get(), piece.data(), piece.size()) == XXH_OK;
    });
    h = XXH3_128bits_digest(state.get());
  }
  return {h.low64, h.high64};
}

namespace {

// Returns a number that equal constants share, from a few places of a large one.
uint64_t SampleOf(const StoredBytes& bytes) {
  constexpr uint64_t kSamples = 8, kSample = 256;
  std::string samples = std::to_string(bytes.size());
  for (uint64_t i = 0; i < kSamples; ++i)
    samples += CopyOf(bytes.Part((bytes.size() - kSample) / (kSamples - 1) * i, kSample));
  return ChecksumOf(samples);
}

}  // namespace

std::string HashText(Hash hash) { return StrFormat("{:016x}{:016x}", hash.high, hash.low); }

uint64_t ChecksumOf(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

void AppendColumns(std::span<const uint64_t> header, std::span<const ByteBuffer> columns, ChunkOut* out) {
  for (uint64_t x : header) out->bytes.Varint(x);
  size_t total = out->bytes.size() + 10 * columns.size();
  for (const ByteBuffer& column : columns) {
    out->bytes.Varint(column.size());
    total += column.size();
  }
  out->bytes.Reserve(total);
  for (const ByteBuffer& column : columns) {
    out->cuts.push_back(out->bytes.size());
    out->bytes.Bytes(column.view());
  }
}

TableWriter::TableWriter(const Module& module)
    : m_(module),
      strings_(module.strings.size()),
      types_(module.types.size()),
      attrs_(module.attrs.size()),
      payloads_(module.payloads.size()) {}

uint32_t TableWriter::String(StringId id) {
  if (!id) return 0;
  uint32_t& number = strings_[id.v];
  if (number == 0) {
    string_list_.push_back(id);
    number = uint32_t(string_list_.size());
  }
  return number;
}

uint32_t TableWriter::Payload(PayloadId id) {
  if (!id) return 0;
  uint32_t& number = payloads_[id.v];
  if (number) return number;
  const StoredBytes bytes = m_.payloads.StoredOf(id);
  // Large ones are hashed here only if there is one that looks like them; otherwise later, in threads.
  const bool large = bytes.size() >= kLarge;
  std::optional<Hash> hash;
  if (!large) hash = HashOf(bytes);
  const uint64_t key = large ? SampleOf(bytes) : hash->low;
  const auto is_equal = [&](uint32_t other) {
    const StoredBytes others = m_.payloads.StoredOf(payload_list_[other - 1]);
    if (others.size() != bytes.size()) return false;
    if (!hash) hash = HashOf(bytes);
    return HashOfPayload(other - 1) == *hash && EqualStored(others, bytes);
  };
  number = payload_index_.Find(key, is_equal);
  if (number) return number;
  payload_list_.push_back(id);
  payload_hashes_.push_back(hash);
  number = uint32_t(payload_list_.size());
  payload_index_.Insert(key, number);
  return number;
}

void TableWriter::NoteBoolean(AttrId id) {
  const auto elements = m_.Get<ElementsAttr>(id);
  if (m_.payloads.SizeOf(elements.payload) >= kExternalPayload &&
      ElementWidth(m_, ShapedType(m_, elements.type).element) == 1)
    booleans_.insert(payloads_[elements.payload.v] - 1);
}

const Hash& TableWriter::HashOfPayload(size_t i) {
  std::optional<Hash>& hash = payload_hashes_[i];
  if (!hash) hash = HashOf(m_.payloads.StoredOf(payload_list_[i]));
  return *hash;
}

void TableWriter::HashExternals(size_t threads) {
  RunParts(externals_.size(), threads, [&](size_t i) { HashOfPayload(externals_[i]); });
}

template <typename IdT>
uint32_t TableWriter::New(IdT id, const auto& table, auto* out, std::vector<uint32_t>* numbers,
                          std::vector<uint32_t>* depths) {
  constexpr bool kIsAttr = std::is_same_v<IdT, AttrId>;
  CheckStack();
  if (!id) return 0;
  if (++nesting_ > kMaxDepth) too_deep_ = true;
  uint32_t number = 0;
  if (!too_deep_) {
    const auto view = table[id];
    FieldWriter words;
    Translator translator{*this, {view.words}, words};
    WalkFields(RowOf(view.kind), translator);
    number = out->Intern(view.kind, words).v;
    if constexpr (kIsAttr)
      if (view.kind == AttrKind::kElements) NoteBoolean(id);
    if (number > depths->size() - 1) {
      depths->push_back(translator.depth + 1);
      if (translator.depth >= kMaxDepth) too_deep_ = true;
      nodes_.push_back(number * 2 + kIsAttr);
    }
    (*numbers)[id.v] = number;
  }
  --nesting_;
  return number;
}

uint32_t TableWriter::NewType(TypeId id) { return New(id, m_.types, &out_types_, &types_, &type_depth_); }
uint32_t TableWriter::NewAttr(AttrId id) { return New(id, m_.attrs, &out_attrs_, &attrs_, &attr_depth_); }

ChunkOut TableWriter::TakeStrings() {
  ByteBuffer columns[2];
  ChunkOut out;
  const uint64_t count = string_list_.size() - strings_done_;
  for (; strings_done_ < string_list_.size(); ++strings_done_) {
    const std::string_view text = m_.strings[string_list_[strings_done_]];
    columns[0].Varint(text.size());
    columns[1].Bytes(text);
  }
  AppendColumns(std::array{count}, columns, &out);
  return out;
}

ChunkOut TableWriter::TakePayloads(bool may_be_external) {
  ByteBuffer columns[payload::kNumColumns];
  ChunkOut out;
  std::vector<std::string_view> small[payload::kNumColumns];
  const uint64_t count = payload_list_.size() - payloads_done_;
  for (; payloads_done_ < payload_list_.size(); ++payloads_done_) {
    const PayloadId id = payload_list_[payloads_done_];
    const uint64_t size = m_.payloads.SizeOf(id);
    const bool external = may_be_external && size >= kExternalPayload;
    columns[payload::kSizes].Varint(size * 2 + external);
    if (external) {
      externals_.push_back(uint32_t(payloads_done_));
      continue;
    }
    const std::string_view bytes = m_.payloads[id].bytes();
    if (const int column = payload::PlanesOf(bytes.size()); column != payload::kBytes) {
      small[column].push_back(bytes);
    } else {
      columns[payload::kBytes].Bytes(bytes);
    }
  }
  for (int column = 0; column < payload::kNumColumns; ++column)
    for (size_t plane = 0; plane < payload::PlanesIn(column); ++plane)
      for (std::string_view bytes : small[column]) columns[column].Byte(uint8_t(bytes[plane]));
  AppendColumns(std::array{count}, columns, &out);
  // Every plane is a different kind of data.
  std::vector<size_t> cuts;
  for (int column = 0; column < payload::kNumColumns; ++column)
    for (size_t plane = 0; plane < std::max<size_t>(1, payload::PlanesIn(column)); ++plane)
      cuts.push_back(out.cuts[size_t(column)] + plane * small[column].size());
  out.cuts = std::move(cuts);
  return out;
}

ChunkOut TableWriter::TakeNodes(uint64_t next_string, uint64_t next_payload) {
  TrackedSteps strings(next_string);
  Tracked payloads(next_payload);
  ByteBuffer columns[node::kNumColumns];
  ChunkOut out;
  uint64_t counts[2] = {};
  for (; nodes_done_ < nodes_.size(); ++nodes_done_) {
    const uint32_t number = nodes_[nodes_done_] >> 1;
    const bool is_attr = nodes_[nodes_done_] & 1;
    const auto [kind, words] =
        is_attr ? std::pair(uint16_t(out_attrs_[AttrId(number)].kind), out_attrs_[AttrId(number)].words)
                : std::pair(uint16_t(out_types_[TypeId(number)].kind), out_types_[TypeId(number)].words);
    const KindRow& row = is_attr ? RowOf(AttrKind(kind)) : RowOf(TypeKind(kind));
    columns[node::kKinds].Varint(row.id * 2u + is_attr);
    ColumnWriter writer{columns, {words}, strings, payloads, uint64_t(attrs_done_) + 1};
    WalkFields(row, writer);
    attrs_done_ += is_attr;
    ++counts[is_attr];
  }
  AppendColumns(counts, columns, &out);
  return out;
}

}  // namespace shlo::format
