// Prints types, attributes and dense elements. print.h and the text writer are built on it;
// the text writer prints the ops.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/deadline.h"
#include "base/stack.h"
#include "ir/module/limits.h"
#include "ir/print/aliases.h"
#include "ir/print/large_constants.h"
#include "ir/print/numbers.h"
#include "ir/table/kind_text.h"
#include "shlo/module.h"
#include "shlo/print.h"

namespace shlo::text {

// The role of each dimension of a convolution, in the order of the attribute's fields.
struct ConvolutionRoles {
  int64_t named[6] = {};  // batch and feature of input, input and output feature of kernel, as of output
  std::span<const int64_t> spatial[3];
};
// Prints [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]: the role of each position. Returns false, and prints
// nothing, if the roles do not fill the positions exactly and so cannot be written as such lists.
bool PutConvolution(TextBuffer& out, const ConvolutionRoles& roles);

// Constants with more elements are printed as the hexadecimal digits of their bytes.
inline constexpr uint64_t kHexLimit = 100;

// Cuts text that was too long for a message, and says so.
inline void Shorten(std::string* text) {
  if (text->size() > kMaxShown) text->resize(kMaxShown);
  *text += "...";
}

// --- Types and attributes ---------------------------------------------------------------------------
class AttrPrinter {
 public:
  AttrPrinter(const Module& module, uint32_t elide_elements, TextBuffer* out)
      : m_(module), elide_(elide_elements), out_(*out) {}

  void Type(TypeId type, Spelling spelling);
  void StorageType(TypeId storage, int64_t flags, int64_t min, int64_t max);
  // `elide` omits the types that are implied inside arrays: i64, f64.
  void Attr(AttrId attr, Spelling spelling, bool elide = false);
  // Prints the value of an inherent attribute. Differs from Attr in VHLO spelling, where the lists, flags,
  // symbols and enums of the row's classes have forms that discardable attributes do not use.
  void Slot(AttrId attr, const Cell& cell, Spelling spelling);
  // Prints what follows the mnemonic of a struct attribute with these words.
  void StructBody(AttrKind kind, std::span<const uint64_t> words);
  // Prints the dimensions of a convolution as lists. Returns false, and prints nothing, if that cannot be
  // done.
  bool Convolution(std::span<const uint64_t> words);
  // Prints an integer or float attribute of one word without its type.
  void NumberWithoutType(AttrId attr);
  // Prints the inside of loc(...). `in_full`: without an alias for the location itself.
  void Location(AttrId loc, bool in_full = false);
  // Prints aliases by name; if `collecting`, visits what would be printed instead.
  void UseAliases(Aliases* aliases, bool collecting) {
    aliases_ = aliases;
    collecting_ = collecting;
  }
  // Prints constants of i1 as lists, whatever their size.
  void ListBooleans() { list_booleans_ = true; }
  // Prints the types and attributes of StableHLO as those of MHLO.
  void UseMhlo() { mhlo_ = true; }
  // Returns the dialect of a kind as it is printed.
  std::string_view DialectOf(const KindRow& row) const {
    return mhlo_ && row.dialect == "stablehlo" ? "mhlo" : row.dialect;
  }
  bool collecting() const { return collecting_; }
  // Prints "#name = value" for every alias that is defined before or after the program.
  void AliasDefinitions(bool deferred);
  void FunctionSignature(IdList<TypeId> inputs, IdList<TypeId> results, Spelling spelling);

  // Keeps large constants out of the text.
  void UseLargeConstants(LargeConstants* large) { large_ = large; }
  // Removes the end of the text.
  void Rewind(size_t size) {
    if (large_)
      large_->Rewind(&out_, size);
    else
      out_.Cut(size);
  }
  // Fails once the text is longer.
  void LimitOutput(uint64_t bytes) { max_output_ = bytes; }
  // Returns whether that happened.
  bool too_long() const { return out_.size() + (large_ ? large_->digits() : 0) > max_output_; }
  // Returns whether something could not be printed because it is too deep or too large. The text is then
  // incomplete.
  bool failed() const { return failed_; }
  void Fail() { failed_ = true; }
  // Forgets that, for another text.
  void Restart() {
    failed_ = false;
    visits_ = 0;
  }

 private:
  friend class Nesting;
  void Put(std::string_view text) { out_.append(text); }
  void Put(char c) { out_.push_back(c); }

  // fields.cc. `slot`: the node is, or is in, an inherent attribute.
  void Format(const TextFormat& format, const KindRow& row, std::span<const uint64_t> words,
              Spelling spelling, bool slot = false);
  void Field(char how, const FieldRow& field, const uint64_t* words, Spelling spelling, bool slot);
  void Bare(AttrId attr, Spelling spelling, const FieldRow& field);

  // types.cc
  void BuiltinType(TypeId type, Spelling nested);
  bool VhloType(TypeId type);
  void Vector(const VectorType& vector, Spelling spelling);
  void VhloFunction(const FunctionType& function);
  void QuantizedType(TypeId type);
  void SubChannels(const UniformQuantizedSubChannelType& blocks);
  void QuantParams(double scale, int64_t zero_point);
  void QuantParams(TypeId expressed, double scale, int64_t zero_point);
  void TypeListOf(IdList<TypeId> types, Spelling spelling);

  // attrs.cc
  void BuiltinAttr(AttrId attr, bool elide);
  void EnumCase(const KindRow& row, int64_t value);
  void CaseName(AttrKind kind, int64_t value);
  void Float(const shlo::FloatAttr& number, bool elide);
  void I64s(std::span<const int64_t> values);
  void Distinct(AttrId attr);
  void StructAttr(AttrId attr);
  void Integer(AttrId attr, bool with_type, bool elide);
  void Dict(AttrId attr, Spelling spelling);

  // vhlo.cc
  bool VhloAttr(AttrId attr, bool slot);
  bool VhloValue(AttrId attr, bool slot);
  void VhloCase(AttrKind kind, int64_t value);
  void VhloI64s(std::span<const int64_t> values);
  void VhloString(std::string_view string);
  void VhloList(IdList<AttrId> items, bool slot);
  void VhloDict(AttrId attr);
  bool VhloDenseArray(const DenseArrayAttr& array);
  template <typename ItemT, typename ElementT>
  void VhloTensor(uint64_t count, bool splat, ItemT&& item, ElementT&& element);

  // elements.cc
  void Digits(const StoredBytes& bytes);
  void Elements(AttrId attr, bool bare = false);
  void StringElements(AttrId attr, bool bare = false);
  void SparseElements(AttrId attr);
  void DenseArray(AttrId attr);
  void OneElement(TypeId element, const uint8_t* bytes);
  template <typename Item>
  void NestedList(std::span<const int64_t> shape, Item&& item);

  // Returns whether an alias was printed, or visited, in place of the value.
  template <typename IdT>
  bool Aliased(IdT id) {
    if (!aliases_) return false;
    if (collecting_) {
      if constexpr (std::is_same_v<IdT, AttrId>)
        aliases_->Visit(id, false);
      else
        aliases_->Visit(id);
      return true;
    }
    const std::string_view name = aliases_->NameOf(id);
    Put(name);
    return !name.empty();
  }

  // Texts printed before, by id: offset and size in cached_; size 0 if not printed yet.
  using PrintedTexts = std::vector<std::pair<uint32_t, uint32_t>>;
  template <typename IdT, typename PrintT>
  void Once(IdT id, PrintedTexts& printed, PrintT&& print);

  const Module& m_;
  const uint32_t elide_;
  TextBuffer& out_;
  LargeConstants* large_ = nullptr;
  Aliases* aliases_ = nullptr;
  bool collecting_ = false;
  bool failed_ = false;
  uint64_t max_output_ = ~uint64_t(0);
  bool list_booleans_ = false;
  bool mhlo_ = false;
  uint32_t depth_ = 0;
  uint64_t visits_ = 0;
  std::unordered_map<uint32_t, uint64_t> distinct_;  // assigned numbers, by id
  std::string cached_;
  PrintedTexts type_cache_[2];     // by spelling
  PrintedTexts attr_cache_[2][2];  // by elision first
};

// Counts the nesting of types and attributes. Printing fails if it exceeds the limit of every reader, or if
// a graph would unfold without bound.
class Nesting {
 public:
  explicit Nesting(AttrPrinter& p) : p_(p) {
    CheckStack();
    Tick();
    if (++p_.depth_ > kMaxNesting || ++p_.visits_ > (1ull << 26) || p_.too_long()) p_.failed_ = true;
  }
  ~Nesting() {
    if (--p_.depth_ == 0) p_.visits_ = 0;
  }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

 private:
  AttrPrinter& p_;
};

}  // namespace shlo::text
