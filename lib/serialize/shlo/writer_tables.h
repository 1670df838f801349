// Writes the tables of a `.shlo` file: strings, payloads, types and attributes, in the order of first
// reference by the program. Only referenced entries get a number.
#pragma once

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "serialize/shlo/format.h"
#include "serialize/varint.h"
#include "shlo/module.h"

namespace shlo::format {

// XXH3-128.
struct Hash {
  uint64_t low = 0;
  uint64_t high = 0;
  friend bool operator==(const Hash&, const Hash&) = default;
};
Hash HashOf(std::string_view bytes);
Hash HashOf(const StoredBytes& bytes);
// Returns a hash in hex.
std::string HashText(Hash hash);
uint64_t ChecksumOf(std::string_view bytes);

// The bytes of a chunk, and the boundaries of its columns: the compressor can treat them as different kinds
// of data.
struct ChunkOut {
  ByteBuffer bytes;
  std::vector<size_t> cuts;  // ascending, within bytes
};

class TableWriter {
 public:
  explicit TableWriter(const Module& module);

  // Returns the number of an entry in the file; adds it, and its references, if it is new. 0 stays 0.
  uint32_t String(StringId id);
  uint32_t Type(TypeId id) { return id && types_[id.v] ? types_[id.v] : NewType(id); }
  uint32_t Attr(AttrId id) { return id && attrs_[id.v] ? attrs_[id.v] : NewAttr(id); }
  uint32_t Payload(PayloadId id);
  uint32_t num_strings() const { return uint32_t(string_list_.size()); }
  uint32_t num_payloads() const { return uint32_t(payload_list_.size()); }
  uint32_t DepthOfType(uint32_t number) const { return type_depth_[number]; }
  uint32_t DepthOfAttr(uint32_t number) const { return attr_depth_[number]; }

  // Returns the sections with the entries added since the last call of the same function.
  ChunkOut TakeStrings();
  ChunkOut TakePayloads(bool may_be_external);
  ChunkOut TakeNodes(uint64_t next_string, uint64_t next_payload);

  // The constants that TakePayloads left out, in order.
  size_t num_externals() const { return externals_.size(); }
  PayloadId External(size_t i) const { return payload_list_[externals_[i]]; }
  // Their hashes, after HashExternals, which reads them in `threads` threads.
  void HashExternals(size_t threads);
  Hash HashOfExternal(size_t i) const { return payload_hashes_[externals_[i]].value_or(Hash()); }
  // Returns whether it has booleans, which may be stored as bits.
  bool IsBoolean(size_t i) const { return booleans_.contains(externals_[i]); }
  bool too_deep() const { return too_deep_; }

 private:
  static constexpr uint64_t kLarge = uint64_t(1) << 20;
  uint32_t NewType(TypeId id);
  uint32_t NewAttr(AttrId id);
  template <typename IdT>
  uint32_t New(IdT id, const auto& table, auto* out, std::vector<uint32_t>* numbers,
               std::vector<uint32_t>* depths);
  const Hash& HashOfPayload(size_t i);
  void NoteBoolean(AttrId elements);

  const Module& m_;
  std::vector<uint32_t> strings_, types_, attrs_, payloads_;  // numbers in the file, by id in the module
  std::vector<StringId> string_list_;
  std::vector<PayloadId> payload_list_;
  std::vector<std::optional<Hash>> payload_hashes_;  // of large ones, once they are needed
  IdIndex payload_index_;
  std::set<size_t> booleans_;  // places in payload_list_ of large constants of booleans
  // Nodes with the file's numbers in their words: equal ones, which only equal payloads can cause, are
  // merged.
  TypeTable out_types_;
  AttrTable out_attrs_;
  std::vector<uint32_t> nodes_;  // number times two, plus one for an attribute, in file order
  std::vector<uint32_t> type_depth_{0}, attr_depth_{0};  // levels of nesting, by number
  std::vector<uint32_t> externals_;                      // places in payload_list_
  size_t strings_done_ = 0, payloads_done_ = 0, nodes_done_ = 0;
  uint32_t attrs_done_ = 0, nesting_ = 0;
  bool too_deep_ = false;
};

// Appends header varints, sizes and columns.
void AppendColumns(std::span<const uint64_t> header, std::span<const ByteBuffer> columns, ChunkOut* out);

}  // namespace shlo::format
