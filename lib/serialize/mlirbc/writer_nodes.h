// Types and attributes to be written: their dialect (VHLO or their own), numbers and bytes. Numbers are part
// of the bytes that users compare: they depend on how often, and how early, a node is used.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "serialize/mlirbc/format.h"
#include "serialize/mlirbc/out.h"
#include "serialize/opaque.h"
#include "shlo/module.h"
#include "shlo/trace.h"

namespace shlo::mlirbc {

// A type or attribute to be written. One node may be encoded twice, as builtin and as VHLO: the string "x" is
// a builtin attribute in the dictionary of a module and a VHLO attribute in that of a VHLO op.
enum class KeySpace : uint8_t {
  kOwn,     // of its own dialect
  kVhlo,    // VHLO
  kOpDict,  // the dictionary of an op, an index into op dictionaries
};
struct Key {
  uint32_t id = 0;
  KeySpace space = KeySpace::kOwn;
  explicit operator bool() const { return id != 0; }
  friend bool operator==(Key, Key) = default;
};

// Strings in order of first use.
class StringsOut {
 public:
  uint32_t Add(std::string_view text);
  void Write(BytesOut* out) const;

 private:
  std::vector<std::string_view> strings_;
  IdIndex index_;
};

// Assigns numbers: to dialects by first use; to attributes, types and op names by number of uses.
class NodesOut {
 public:
  // `writer`: the release of the reference whose bytes to reproduce.
  NodesOut(Module* module, Version writer) : m_(*module), writer_(writer) {}

  // --- Pass 1: collect everything in program order. ----------------------------------------------
  void CollectAttr(Key key, uint32_t uses = 1) { Collect(attrs_, key, uses); }
  void CollectType(Key key) { Collect(types_, key, 1); }
  void CollectName(uint32_t name, uint32_t uses = 1);
  // --- Pass 2: assign numbers. -------------------------------------------------------------------
  void Number();

  // Returns the key of a node inside or outside of VHLO ops. May intern.
  Key AttrKey(AttrId attr, bool vhlo);
  Key TypeKey(TypeId type, bool vhlo) {
    if (!vhlo) return {type.v, KeySpace::kOwn};
    if (type.v < vhlo_types_.size() && vhlo_types_[type.v])
      return {type.v, vhlo_types_[type.v] == 1 ? KeySpace::kVhlo : KeySpace::kOwn};
    return VhloTypeKey(type);
  }
  // Returns the key of an op's dictionary: entries sorted by name.
  struct OpDictEntry {
    StringId name;
    Key value;
    friend bool operator==(const OpDictEntry&, const OpDictEntry&) = default;
  };
  Key OpDict(std::span<const OpDictEntry> entries);
  // An op name: "dialect.name".
  uint32_t Name(std::string_view full, bool registered);

  uint32_t NumberOf(Key attr) const { return attrs_.NumberOf(attr); }
  uint32_t TypeNumberOf(Key type) const { return types_.NumberOf(type); }
  uint32_t NameNumber(uint32_t name) const { return names_[name].number; }

  void WriteDialects(uint64_t format, StringsOut* strings, BytesOut* out) const;
  // Sections of offsets and of contents.
  void WriteNodes(StringsOut* strings, BytesOut* offsets, BytesOut* contents, const Trace* trace);
  void WriteResources(StringsOut* strings, BytesOut* offsets, BytesOut* contents) const;

  // Returns the text of a node that has no encoding. Fails if it is too long.
  template <typename PrintT, typename IdT>
  std::string WholeText(PrintT print, IdT id);

  bool failed() const { return failed_; }
  const std::string& failure() const { return failure_; }
  Code failure_code() const { return failure_code_; }
  const std::string& failure_hint() const { return failure_hint_; }
  void Fail(std::string why, Code code = Code::kLimit, std::string hint = {}) {
    if (failed_) return;
    failed_ = true;
    failure_ = std::move(why);
    failure_hint_ = std::move(hint);
    failure_code_ = code;
  }
  // Returns whether a VHLO op holds an attribute or type that has no VHLO equivalent.
  bool has_non_vhlo() const { return has_non_vhlo_; }
  // First attribute or type that a VHLO op cannot hold, even with other dialects allowed.
  const std::string& has_refused() const { return has_refused_; }

 private:
  struct Node {
    Key key;
    uint32_t dialect = 0;
    uint32_t uses = 1;
    uint32_t number = 0;
  };
  struct NameNode {
    std::string_view name;
    uint32_t dialect = 0;
    uint32_t uses = 0;
    uint32_t number = 0;
    bool registered = true;
    std::string_view dialect_name;
  };
  // The types, or the attributes, in the order of their first use.
  struct Table {
    std::vector<Node> nodes;
    std::vector<uint32_t> order;        // of the file
    std::vector<uint32_t> by_space[3];  // index into nodes + 1
    uint32_t IndexOf(Key key) const {
      const auto& indexes = by_space[size_t(key.space)];
      return key.id < indexes.size() ? indexes[key.id] : 0;
    }
    uint32_t NumberOf(Key key) const { return nodes[by_space[size_t(key.space)][key.id] - 1].number; }
  };
  struct NumberingSink;
  struct WritingSink;
  template <typename SinkT>
  class FieldsOut;

  void Collect(Table& table, Key key, uint32_t uses) {
    if (const uint32_t found = table.IndexOf(key))
      table.nodes[found - 1].uses += uses;
    else
      CollectNew(table, key);
  }
  void CollectNew(Table& table, Key key);
  bool IsAttr(const Table& table) const { return &table == &attrs_; }
  Key VhloTypeKey(TypeId type);
  uint32_t CollectDialect(std::string_view name);
  std::string_view DialectOf(Key attr) const;
  std::string_view TypeDialectOf(Key type) const;
  // Passes the data after a node's code to a sink. Returns false if it has no encoding and is text.
  template <typename SinkT>
  bool EncodeAttr(Key key, SinkT& sink);
  template <typename SinkT>
  bool EncodeType(Key key, SinkT& sink);
  template <typename SinkT>
  bool EncodeOpaque(AttrId attr, SinkT& sink);
  template <typename SinkT>
  bool EncodeAffineAttr(const WireAttr& row, AttrId attr, SinkT& sink);
  template <typename SinkT, typename RowT>
  void EncodeFields(const RowT& row, std::span<const FieldRow> fields, std::span<const uint64_t> words,
                    bool vhlo, SinkT& sink);
  template <typename RowT>
  const RowT* ChooseRow(std::span<const RowT> rows, std::span<const FieldRow> fields,
                        std::span<const uint64_t> words) const;
  bool IsRefused(TypeId type) const;
  void NoteNonVhlo(AttrId attr);
  AttrId QuantizationElements(const UniformQuantizedSubChannelType& quant, bool scales);
  bool HasQuantizationElements(const UniformQuantizedSubChannelType& quant) const;
  AttrId IdentityLayout(size_t rank);
  AttrId Canonical(AttrId elements);

  Module& m_;
  const Version writer_;
  Table attrs_, types_;
  std::vector<uint32_t> name_order_;
  std::vector<Key> vhlo_keys_;       // of attributes; none: not known yet
  std::vector<uint8_t> vhlo_types_;  // 0 not known yet, 1 VHLO, 2 not
  std::vector<NameNode> names_;      // from 1
  std::unordered_map<std::string_view, uint32_t> name_index_;
  std::vector<std::string_view> dialects_;
  std::vector<std::vector<OpDictEntry>> op_dicts_;  // from 1
  IdIndex op_dict_index_;
  IdIndex large_index_;              // large constants by a sample of their bytes
  std::vector<StringId> resources_;  // in order of first use
  uint32_t depth_ = 0;
  bool failed_ = false;
  bool has_non_vhlo_ = false;
  std::string has_refused_;
  std::string failure_, failure_hint_;
  Code failure_code_ = Code::kLimit;
};

}  // namespace shlo::mlirbc
