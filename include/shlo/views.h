// Typed views: one struct per kind of type and attribute, with a member per field, generated from the rows
// of schema/kinds.inc and named as in MLIR (TensorType{element, encoding, shape}). Module::As and
// Module::Get decode a node, Module::Make interns one. Code that handles all kinds alike uses the rows
// instead (kinds.h).
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <span>
#include <type_traits>
#include <vector>

#include "shlo/ids.h"
#include "shlo/kinds.h"

namespace shlo {

// An attribute with its name, as in a dictionary.
struct NamedAttr {
  StringId name;  // key
  AttrId value;   // never none
  friend bool operator==(const NamedAttr&, const NamedAttr&) = default;
};

// Converts a list item to and from the words of a node.
template <typename Item>
struct ListItem {
  // Words per item, and conversion of one item.
  static constexpr size_t kWords = 1;
  static Item From(const uint64_t* word) { return Item(uint32_t(*word)); }
  static void Append(Item item, std::vector<uint64_t>* words) { words->push_back(item.v); }
};
// Floats are stored as their bits.
template <>
struct ListItem<double> {
  // As for ids.
  static constexpr size_t kWords = 1;
  static double From(const uint64_t* word) { return std::bit_cast<double>(*word); }
  static void Append(double item, std::vector<uint64_t>* words) {
    words->push_back(std::bit_cast<uint64_t>(item));
  }
};
// A named attribute takes two words.
template <>
struct ListItem<NamedAttr> {
  // As for ids.
  static constexpr size_t kWords = 2;
  static NamedAttr From(const uint64_t* word) {
    return {StringId(uint32_t(word[0])), AttrId(uint32_t(word[1]))};
  }
  static void Append(NamedAttr item, std::vector<uint64_t>* words) {
    words->push_back(item.name.v);
    words->push_back(item.value.v);
  }
};

// A list field, by value: a view either of a node's words, valid until its table grows, or of the caller's
// items, from which to make a node.
template <typename Item>
class NodeList {
  using Stored = ListItem<Item>;

 public:
  // A view of words or of the caller's items, which must outlive it unchanged; by default empty.
  constexpr NodeList() = default;
  constexpr NodeList(const uint64_t* words, size_t count) : words_(words), size_(count) {}
  constexpr NodeList(std::span<const Item> items) : items_(items.data()), size_(items.size()) {}
  constexpr NodeList(const std::vector<Item>& items) : NodeList(std::span<const Item>(items)) {}
  // A view of an array.
  template <size_t kSize>
  constexpr NodeList(const Item (&items)[kSize]) : NodeList(std::span<const Item>(items)) {}

  // As for std::vector, but items are returned by value.
  constexpr size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  Item operator[](size_t i) const { return items_ ? items_[i] : Stored::From(words_ + i * Stored::kWords); }
  Item front() const { return (*this)[0]; }
  Item back() const { return (*this)[size_ - 1]; }
  // Returns a copy that stays valid when the table grows.
  std::vector<Item> ToVector() const { return {begin(), end()}; }
  friend bool operator==(const NodeList& a, const NodeList& b) {
    if (a.size_ != b.size_) return false;
    for (size_t i = 0; i < a.size_; ++i)
      if (!(a[i] == b[i])) return false;
    return true;
  }

  // A random-access iterator that returns items by value.
  class iterator {
   public:
    // As for any iterator.
    using iterator_concept = std::random_access_iterator_tag;
    using iterator_category = std::input_iterator_tag;
    using value_type = Item;
    using difference_type = std::ptrdiff_t;
    using reference = Item;
    using pointer = void;
    constexpr iterator() = default;
    constexpr iterator(const uint64_t* words, const Item* items, std::ptrdiff_t at)
        : words_(words), items_(items), at_(at) {}
    Item operator*() const { return (*this)[0]; }
    Item operator[](std::ptrdiff_t i) const {
      return items_ ? items_[at_ + i] : Stored::From(words_ + (at_ + i) * std::ptrdiff_t(Stored::kWords));
    }
    iterator& operator++() { return *this += 1; }
    iterator& operator--() { return *this += -1; }
    iterator operator++(int) { return {words_, items_, at_++}; }
    iterator operator--(int) { return {words_, items_, at_--}; }
    iterator& operator+=(std::ptrdiff_t n) {
      at_ += n;
      return *this;
    }
    iterator& operator-=(std::ptrdiff_t n) { return *this += -n; }
    friend iterator operator+(iterator i, std::ptrdiff_t n) { return i += n; }
    friend iterator operator+(std::ptrdiff_t n, iterator i) { return i += n; }
    friend iterator operator-(iterator i, std::ptrdiff_t n) { return i -= n; }
    friend std::ptrdiff_t operator-(iterator a, iterator b) { return a.at_ - b.at_; }
    friend bool operator==(iterator a, iterator b) { return a.at_ == b.at_; }
    friend auto operator<=>(iterator a, iterator b) { return a.at_ <=> b.at_; }

   private:
    const uint64_t* words_ = nullptr;
    const Item* items_ = nullptr;
    std::ptrdiff_t at_ = 0;
  };
  // As for std::vector.
  iterator begin() const { return {words_, items_, 0}; }
  iterator end() const { return {words_, items_, std::ptrdiff_t(size_)}; }

 private:
  const uint64_t* words_ = nullptr;
  const Item* items_ = nullptr;
  size_t size_ = 0;
};
// A list field of ids.
template <typename IdT>
using IdList = NodeList<IdT>;

// clang-format off

// Maps a field type to the member type of views. An absent kOptAttr is AttrId().
template <FieldType kType> struct FieldMember;
template <> struct FieldMember<FieldType::kInt> { using type = int64_t; };
template <> struct FieldMember<FieldType::kFloat> { using type = double; };
template <> struct FieldMember<FieldType::kString> { using type = StringId; };
template <> struct FieldMember<FieldType::kType> { using type = TypeId; };
template <> struct FieldMember<FieldType::kAttr> { using type = AttrId; };
template <> struct FieldMember<FieldType::kOptAttr> { using type = AttrId; };
template <> struct FieldMember<FieldType::kPayload> { using type = PayloadId; };
template <> struct FieldMember<FieldType::kInts> { using type = std::span<const int64_t>; };
template <> struct FieldMember<FieldType::kFloats> { using type = NodeList<double>; };
template <> struct FieldMember<FieldType::kStrings> { using type = IdList<StringId>; };
template <> struct FieldMember<FieldType::kTypes> { using type = IdList<TypeId>; };
template <> struct FieldMember<FieldType::kAttrs> { using type = IdList<AttrId>; };
template <> struct FieldMember<FieldType::kNamed> { using type = NodeList<NamedAttr>; };

// clang-format on

// The view structs, one per kind.
#define SHLO_FIELD(name, field) FieldMember<FieldType::field>::type name{};
#define SHLO_TYPE(id, kind, View, dialect, mnemonic, vhlo, since, ...) \
  struct View {                                                        \
    using IdType = TypeId;                                             \
    static constexpr TypeKind kKind = TypeKind::kind;                  \
    __VA_ARGS__                                                        \
  };
#define SHLO_ATTR(id, kind, View, dialect, mnemonic, vhlo, since, ...) \
  struct View {                                                        \
    using IdType = AttrId;                                             \
    static constexpr AttrKind kKind = AttrKind::kind;                  \
    __VA_ARGS__                                                        \
  };
#include "schema/kinds.inc"

// Matches the view structs of types, of attributes, and of both.
template <typename T>
concept TypeView = std::same_as<typename T::IdType, TypeId>;
template <typename T>
concept AttrView = std::same_as<typename T::IdType, AttrId>;
template <typename T>
concept KindView = TypeView<T> || AttrView<T>;

// Calls `visit` with each member of a view, in row order. Decoding and encoding both use it, so they cannot
// disagree.
#define SHLO_FIELD(name, field) visit(view.name);
#define SHLO_TYPE(id, kind, View, dialect, mnemonic, vhlo, since, ...) \
  template <typename V, typename Visit>                                \
  requires std::same_as<std::remove_const_t<V>, View>                  \
  constexpr void VisitFields([[maybe_unused]] V& view, [[maybe_unused]] Visit&& visit) { __VA_ARGS__ }
#define SHLO_ATTR SHLO_TYPE
#include "schema/kinds.inc"

// Visitor that fills in a view from the words of a node of its kind.
class FieldDecoder {
 public:
  // Starts at the first field of a node.
  explicit FieldDecoder(const uint64_t* words) : p_(words) {}
  // Each reads the next field into a member of this type. Lists become views of the words.
  void operator()(int64_t& v) { v = int64_t(*p_++); }
  void operator()(double& v) { v = std::bit_cast<double>(*p_++); }
  template <typename Tag>
  void operator()(Id<Tag>& v) {
    v = Id<Tag>(uint32_t(*p_++));
  }
  void operator()(std::span<const int64_t>& v) {
    v = {reinterpret_cast<const int64_t*>(p_ + 1), size_t(*p_)};
    p_ += 1 + *p_;
  }
  template <typename Item>
  void operator()(NodeList<Item>& v) {
    v = {p_ + 1, size_t(*p_)};
    p_ += 1 + *p_ * ListItem<Item>::kWords;
  }

 private:
  const uint64_t* p_;
};
// Returns the view of a node from its words.
template <KindView V>
V Decode(std::span<const uint64_t> words) {
  V view;
  VisitFields(view, FieldDecoder(words.data()));
  return view;
}

// Visitor that appends the words of a view.
class FieldEncoder {
 public:
  // Appends to `words`, which must outlive the visitor.
  explicit FieldEncoder(std::vector<uint64_t>* words) : words_(*words) {}
  // Each appends a field, of the type of the member.
  void operator()(int64_t v) { words_.push_back(uint64_t(v)); }
  void operator()(double v) { words_.push_back(std::bit_cast<uint64_t>(v)); }
  template <typename Tag>
  void operator()(Id<Tag> v) {
    words_.push_back(v.v);
  }
  void operator()(std::span<const int64_t> v) {
    words_.push_back(v.size());
    words_.insert(words_.end(), v.begin(), v.end());
  }
  template <typename Item>
  void operator()(const NodeList<Item>& v) {
    words_.push_back(v.size());
    for (const Item item : v) ListItem<Item>::Append(item, &words_);
  }

 private:
  std::vector<uint64_t>& words_;
};
// Appends the words of a view.
template <KindView V>
void Encode(const V& view, std::vector<uint64_t>* words) {
  VisitFields(view, FieldEncoder(words));
}

}  // namespace shlo
