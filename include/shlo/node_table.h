// Interned types, attributes and strings. A node is a kind and a run of 64-bit words in the order of the
// kind's fields (kinds.h): a scalar is one word, a list is a count and its items. Equal nodes have equal
// ids, so comparing ids compares values. Payloads are the bytes of constants: views into their origin,
// never copied in order to be read.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "shlo/bytes.h"
#include "shlo/ids.h"
#include "shlo/kinds.h"
#include "shlo/views.h"

namespace shlo {

// Open-addressing index from a hash to dense ids. The caller defines what the ids refer to.
class IdIndex {
 public:
  // Returns an id with this hash for which `equal(id)` holds, or 0.
  template <typename Equal>
  uint32_t Find(uint64_t hash, Equal&& equal) const {
    if (slots_.empty()) return 0;
    const size_t mask = slots_.size() - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
      const Slot& slot = slots_[i];
      if (slot.id == 0) return 0;
      if (slot.tag == uint32_t(hash >> 32) && equal(slot.id)) return slot.id;
    }
  }
  void Insert(uint64_t hash, uint32_t id);

 private:
  struct Slot {
    uint32_t tag = 0;
    uint32_t id = 0;
  };
  void Grow();
  std::vector<Slot> slots_;
  std::vector<uint64_t> hashes_;  // by insertion order, for growing
  std::vector<uint32_t> ids_;
};

// Append-only storage for small byte strings with stable addresses.
class Arena {
 public:
  // Returns a copy of the bytes that lives as long as the arena or a copy of it.
  std::string_view Copy(std::string_view bytes);

 private:
  std::vector<std::shared_ptr<char[]>> chunks_;  // shared, so that copies of a Module may share them
  char* next_ = nullptr;
  size_t left_ = 0;

 public:
  // Keeps the bytes of another arena alive as long as this one.
  void Share(const Arena& other) {
    chunks_.insert(chunks_.end(), other.chunks_.begin(), other.chunks_.end());
  }
  // A copy shares the bytes of the original, and keeps new ones in separate chunks.
  Arena() = default;
  Arena(const Arena& other) : chunks_(other.chunks_) {}
  Arena& operator=(const Arena& other) {
    chunks_ = other.chunks_;
    next_ = nullptr;
    left_ = 0;
    return *this;
  }
  Arena(Arena&&) = default;
  Arena& operator=(Arena&&) = default;
};

// Interned strings: equal strings have equal ids.
class StringTable {
 public:
  StringTable() : strings_(1) {}
  // Returns the id of a string, which is copied if it is new.
  StringId Intern(std::string_view text);
  // Returns the id of an interned string, or none.
  StringId Find(std::string_view text) const;
  std::string_view operator[](StringId id) const { return strings_[id.v]; }
  uint32_t size() const { return uint32_t(strings_.size()); }

 private:
  std::vector<std::string_view> strings_;
  Arena arena_;
  IdIndex index_;
};

// The bytes of a constant.
struct Payload {
  const uint8_t* data = nullptr;  // valid as long as the table or a copy of it
  uint64_t size = 0;              // in bytes
  // Returns both members as a view.
  std::string_view bytes() const { return {reinterpret_cast<const char*>(data), size}; }
};

// Payloads by id.
class PayloadTable {
 public:
  PayloadTable() : payloads_(1) {}
  // Adds a view of bytes that `owner` keeps alive. Equal payloads of up to kDeduplicate bytes share an id.
  PayloadId AddView(const void* data, uint64_t size, const Buffer& owner);
  // Adds the bytes of upper-case hexadecimal digits, more than kDeduplicate. `owner` keeps the digits alive.
  // The first operator[] for the bytes decodes them.
  PayloadId AddHex(std::string_view digits, const Buffer& owner);
  // Adds a copy, for small constants that exist nowhere else.
  PayloadId AddCopy(std::string_view bytes);
  // Adds the payloads of another table, in order, and returns what their ids became.
  std::vector<PayloadId> Absorb(PayloadTable&& other);
  // Returns the bytes, in memory. May be called by several threads; throws std::bad_alloc.
  Payload operator[](PayloadId id) const {
    const Payload& payload = payloads_[id.v];
    return payload.data || !payload.size ? payload : Decoded(id);
  }
  // Returns the number of bytes.
  uint64_t SizeOf(PayloadId id) const { return payloads_[id.v].size; }
  // Returns the bytes without decoding them, for code that needs each once, in order (ir/hex.h).
  StoredBytes StoredOf(PayloadId id) const;
  uint32_t size() const { return uint32_t(payloads_.size()); }
  static constexpr uint64_t kDeduplicate = 4096;

 private:
  struct Digits;
  PayloadId Find(uint64_t hash, const void* data, uint64_t size) const;
  Digits& DigitsOf(PayloadId id) const;
  Payload Decoded(PayloadId id) const;
  std::vector<Payload> payloads_;  // of digits: without data
  std::vector<Buffer> owners_;
  std::vector<std::shared_ptr<Digits>> digits_;  // by id; shared by copies, so that they are decoded once
  Arena arena_;
  IdIndex index_;
};

// A node, read-only. Its words are valid until the table grows.
template <typename KindT>
struct NodeView {
  KindT kind = KindT(0);            // TypeKind or AttrKind
  std::span<const uint64_t> words;  // the fields, in the order of the kind's row

  // Returns the view of kind V, or nullopt if the node has a different kind.
  template <KindView V>
  std::optional<V> As() const {
    if (kind != V::kKind) return std::nullopt;
    return Decode<V>(words);
  }
  // Returns the view of a node that is known to have kind V.
  template <KindView V>
  V Get() const {
    return Decode<V>(words);
  }
};

// Reads the fields of a node of any kind in row order, for code driven by rows.
class FieldReader {
 public:
  // Starts at the first field of a node, which must outlive the reader unchanged.
  explicit FieldReader(std::span<const uint64_t> words) : p_(words.data()), end_(p_ + words.size()) {}
  // Each reads the next field, which must have the type of the name: nothing is checked.
  int64_t Int() { return int64_t(*p_++); }
  double Float() { return std::bit_cast<double>(*p_++); }
  StringId String() { return StringId(uint32_t(*p_++)); }
  TypeId Type() { return TypeId(uint32_t(*p_++)); }
  AttrId Attr() { return AttrId(uint32_t(*p_++)); }
  PayloadId PayloadRef() { return PayloadId(uint32_t(*p_++)); }
  // Reads a list of any type; kNamed has two words per item.
  std::span<const uint64_t> List(bool named = false) {
    const uint64_t n = *p_++ * (named ? 2 : 1);
    std::span<const uint64_t> items(p_, n);
    p_ += n;
    return items;
  }
  std::span<const int64_t> Ints() {
    auto list = List();
    return {reinterpret_cast<const int64_t*>(list.data()), list.size()};
  }
  // Returns whether all fields were read.
  bool done() const { return p_ == end_; }

 private:
  const uint64_t* p_;
  const uint64_t* end_;
};

// Builds the words of a node of any kind, field by field in row order, for code driven by rows.
class FieldWriter {
 public:
  // Each appends a field, and returns the writer.
  FieldWriter& Int(int64_t v) { return Word(uint64_t(v)); }
  FieldWriter& Float(double v) { return Word(std::bit_cast<uint64_t>(v)); }
  FieldWriter& String(StringId v) { return Word(v.v); }
  FieldWriter& Type(TypeId v) { return Word(v.v); }
  FieldWriter& Attr(AttrId v) { return Word(v.v); }
  FieldWriter& PayloadRef(PayloadId v) { return Word(v.v); }
  FieldWriter& Ints(std::span<const int64_t> v) {
    Word(v.size());
    words_.insert(words_.end(), v.begin(), v.end());
    return *this;
  }
  FieldWriter& Floats(std::span<const double> v) {
    Word(v.size());
    for (double d : v) Float(d);
    return *this;
  }
  template <typename IdT>
  FieldWriter& Ids(std::span<const IdT> v) {
    Word(v.size());
    for (IdT id : v) Word(id.v);
    return *this;
  }
  // Appends one word as it is.
  FieldWriter& Word(uint64_t w) {
    words_.push_back(w);
    return *this;
  }
  std::span<const uint64_t> words() const { return words_; }  // valid until the next call
  void clear() { words_.clear(); }                            // to build another node

 private:
  std::vector<uint64_t> words_;
};

// Interns the types or the attributes of a module: equal nodes have equal ids.
template <typename KindT, typename IdT>
class NodeTable {
 public:
  NodeTable() : nodes_(1) {}
  // Interns a node whose words match the fields of its kind. Does not check the words: readers must do so
  // first.
  IdT Intern(KindT kind, std::span<const uint64_t> words) {
    const uint64_t hash = HashBytes(words.data(), words.size_bytes(), uint64_t(kind));
    const uint32_t found = index_.Find(hash, [&](uint32_t id) {
      const Node& n = nodes_[id];
      return n.kind == kind && n.count == words.size() &&
             (n.count == 0 || std::memcmp(&words_[n.first], words.data(), words.size_bytes()) == 0);
    });
    if (found) return IdT(found);
    const uint32_t id = uint32_t(nodes_.size());
    nodes_.push_back({kind, uint32_t(words.size()), words_.size()});
    words_.insert(words_.end(), words.begin(), words.end());
    index_.Insert(hash, id);
    return IdT(id);
  }
  IdT Intern(KindT kind, const FieldWriter& fields) { return Intern(kind, fields.words()); }
  template <KindView V>
  IdT Intern(const V& view) {
    encoded_.clear();  // a view may refer to this table's words, which move when it grows
    Encode(view, &encoded_);
    return Intern(V::kKind, std::span<const uint64_t>(encoded_));
  }
  NodeView<KindT> operator[](IdT id) const {
    const Node& n = nodes_[id.v];
    return {n.kind, std::span<const uint64_t>(words_.data() + n.first, n.count)};
  }
  KindT KindOf(IdT id) const { return nodes_[id.v].kind; }
  // Returns the number of ids, including the empty id 0. A node refers to smaller ids only.
  uint32_t size() const { return uint32_t(nodes_.size()); }

 private:
  struct Node {
    KindT kind = KindT(0);
    uint32_t count = 0;
    uint64_t first = 0;
  };
  std::vector<Node> nodes_;
  std::vector<uint64_t> words_;
  std::vector<uint64_t> encoded_;
  IdIndex index_;
};

// The tables of types and of attributes.
using TypeTable = NodeTable<TypeKind, TypeId>;
using AttrTable = NodeTable<AttrKind, AttrId>;

}  // namespace shlo
