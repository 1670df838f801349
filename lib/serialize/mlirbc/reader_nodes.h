// Types and attributes of an MLIR bytecode file: decoded on first reference, by the rows of
// schema/bytecode.inc. Also reads resources, which attributes refer to.
#pragma once

#include <vector>

#include "serialize/mlirbc/reader_file.h"
#include "serialize/opaque.h"

namespace shlo::mlirbc {

class NodesIn {
 public:
  static constexpr const char* kWrongFlag = "flag of an optional attribute is neither 0 nor 1";

  NodesIn(Module* module, FileIn* file, Failure* failure, Buffer owner,
          const MlirBytecodeReadOptions& options)
      : m_(*module), file_(*file), failure_(failure), owner_(std::move(owner)), options_(options) {}

  // Reads the place of every attribute and type; decodes nothing yet.
  bool ReadOffsets();
  bool ReadResources();

  uint64_t num_attrs() const { return attrs_.size(); }
  uint64_t num_types() const { return types_.size(); }
  // Returns whether types or attributes of MHLO were read.
  bool has_mhlo() const { return has_mhlo_; }

  // Returns the node of a number below num_attrs() or num_types(); none after a failure. `from` is the place
  // that refers to it.
  AttrId Attr(uint32_t number) {
    const Entry& entry = attrs_[number];
    return entry.state >= State::kRead ? AttrId(entry.id) : ReadAttr(number);
  }
  TypeId Type(uint32_t number) {
    const Entry& entry = types_[number];
    return entry.state == State::kRead ? TypeId(entry.id) : ReadType(number);
  }
  // Reads a number at a cursor, and returns its node.
  AttrId AttrAt(InCursor& c) {
    const uint32_t number = c.Index(attrs_.size(), "attribute");
    return c.ok() ? Attr(number) : AttrId();
  }
  // The same for a number with a flag, `given`, that there is an attribute.
  AttrId FlaggedAttrAt(InCursor& c, bool* given);
  TypeId TypeAt(InCursor& c) {
    const uint32_t number = c.Index(types_.size(), "type");
    return c.ok() ? Type(number) : TypeId();
  }
  // Returns a type that has been read, otherwise none.
  TypeId KnownType(uint64_t number) const {
    const bool known = number < types_.size() && types_[number].state == State::kRead;
    return known ? TypeId(types_[number].id) : TypeId();
  }
  bool KnownLocation(uint64_t number, AttrId* location) const {
    if (number >= attrs_.size()) return false;
    const Entry& entry = attrs_[number];
    *location = entry.state == State::kLocation ? AttrId(entry.id) : AttrId();
    return entry.state >= State::kLocation;
  }
  // Reads a location attribute. Unknown locations become none.
  AttrId LocationAt(InCursor& c) {
    const char* at = c.position();
    const uint64_t number = c.Varint();
    AttrId location;
    return KnownLocation(number, &location) ? location : ReadLocation(c, number, at);
  }
  StringId String(uint64_t number);

 private:
  // A known location has also been read.
  enum class State : uint8_t { kUnread, kOpen, kRead, kLocation, kUnknownLocation };
  struct Entry {
    const char* at = nullptr;
    uint64_t size = 0;
    uint32_t id = 0;
    uint16_t dialect = 0;
    bool encoded = false;
    State state = State::kUnread;
  };
  // The words of one field while a node is decoded; they are on scratch_.
  struct FieldRun {
    uint32_t first = 0;
    uint32_t count = 0;
    bool given = false;
  };

  AttrId ReadAttr(uint32_t number);
  AttrId ReadLocation(InCursor& c, uint64_t number, const char* at);
  TypeId ReadType(uint32_t number);
  bool ReadEntries(InCursor& c, std::vector<Entry>& entries, uint64_t count, uint64_t* offset,
                   const char* what);
  bool Begin(Entry& entry, const char* what);
  class FieldsIn;
  struct AttrNode;
  struct TypeNode;
  template <typename NodeT>
  typename NodeT::Id Read(Entry& entry, uint32_t number);
  template <typename NodeT>
  typename NodeT::Id Decode(const Entry& entry, std::string_view* kind);
  void NameNode(const char* what, uint32_t number, std::string_view kind);
  AttrId Finish(InCursor& c, const WireAttr& row, std::span<const uint64_t> words);
  TypeId Finish(InCursor& c, const WireType& row, std::span<const uint64_t> words);
  bool DecodeWords(InCursor& c, const char* encoding, std::span<const FieldRow> fields, size_t* first);
  AttrId DecodeOpaque(InCursor& c, const OpaqueRow& row);
  // Decodes a type of the dialect quant that no op of StableHLO takes, as text: its codes 1 to 3. None for
  // others.
  TypeId DecodeQuantizedAny(InCursor& c, uint64_t code);
  // Decode an attribute or type of MHLO that StableHLO lacks, as text. None for unknown codes.
  AttrId DecodeMhloText(InCursor& c, uint64_t code, AttrId);
  TypeId DecodeMhloText(InCursor& c, uint64_t code, TypeId);
  bool DecodeQuantization(InCursor& c, AttrId attr, TypeId element, bool is_signed,
                          std::vector<int64_t>* shape, std::vector<uint64_t>* values);
  bool DecodeInteger(InCursor& c, TypeId type);
  bool DecodeFloat(InCursor& c, TypeId type);
  bool DecodeElements(InCursor& c, TypeId type);
  bool DecodeString(InCursor& c, AttrId attr, StringId* string);

  Module& m_;
  FileIn& file_;
  Failure* failure_;
  Buffer owner_;
  const MlirBytecodeReadOptions& options_;
  std::vector<Entry> attrs_;
  std::vector<Entry> types_;
  std::vector<StringId> strings_;
  struct ResourceEntry {
    StringId key;
    uint32_t dialect;
  };
  std::vector<ResourceEntry> resources_;
  std::vector<uint64_t> scratch_;
  uint32_t depth_ = 0;
  int named_ = 0;  // nodes that the failure names
  int64_t distinct_ = 0;
  bool has_mhlo_ = false;
  uint64_t unpacked_ = 0;
  uint64_t opaque_text_ = 0;  // bytes of attributes that are kept as text
};

}  // namespace shlo::mlirbc
