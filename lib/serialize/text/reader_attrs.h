// Reads types and attributes, which need no program around them.
#pragma once

#include <unordered_map>
#include <vector>

#include "ir/table/attr_class.h"
#include "ir/table/kind_text.h"
#include "serialize/text/reader_base.h"
#include "serialize/text/reader_cache.h"

namespace shlo::text {

// Returns an affine map or a sparse tensor encoding as MLIR prints it: on one line, with dimensions named
// d0, d1, ... and symbols s0, s1, ...
std::string CanonicalMap(std::string_view text);
// Converts a dialect's "<name>" and "<name<...>>" to ".name" and ".name<...>", as MLIR prints them, where
// that can be read again.
std::string CanonicalOpaque(std::string_view dialect, std::string_view text);

class AttrReader : public ReaderBase {
 public:
  AttrReader(std::string_view text, Buffer owner, const TextReadOptions& options)
      : ReaderBase(text, std::move(owner), options) {}
  // The text is one attribute or type of an existing module (reader_fragments.h).
  Result<AttrId> ReadAttrInto(Module* module);
  Result<TypeId> ReadTypeInto(Module* module);

 protected:
  // --- Types (reader_types.cc) -----------------------------------------------------------------
  bool ReadType(TypeId* type);
  bool ReadTypeSlow(TypeId* type);
  bool ReadNamedType(TypeId* type);
  bool ReadIntegerType(std::string_view word, TypeId* type);
  bool ReadTypeList(char open, char close, std::vector<TypeId>* types);
  bool ReadTypeOrList(std::vector<TypeId>* types);  // "t" or "(t, t)"
  bool ReadFunctionType(TypeId* type);
  bool ReadDims(std::vector<int64_t>* shape, std::vector<int64_t>* scalable = nullptr);
  bool ReadShaped(TypeKind kind, TypeId* type);  // a tensor or memref
  bool ReadMemrefAttrs(bool ranked, AttrId* layout, AttrId* space);
  bool ReadVector(TypeId* type);
  bool CheckComplex(const char* at, TypeId type);  // a type that may be complex
  bool ReadDialectType(TypeId* type);              // after '!'
  bool ReadVhloType(std::string_view mnemonic, const char* at, TypeId* type);
  bool ReadVhloFunction(TypeId* type);
  bool ReadUniformQuantized(TypeId* type);
  bool ReadScale(double* scale, int64_t* zero_point);
  bool ReadSubChannel(TypeId storage, TypeId expressed, int64_t flags, int64_t min, int64_t max,
                      TypeId* type);

  // --- Attributes (reader_attrs.cc) ------------------------------------------------------------
  bool ReadAttr(AttrId* attr);
  bool ReadNewAttr(AttrId* attr);
  bool ReadNumberAttr(AttrId* attr);
  bool ReadWordAttr(AttrId* attr);
  bool ReadString(std::string_view* value);
  bool ReadSymbol(std::string_view* name);  // "@x" or "@"x y""
  bool ReadSymbolRef(AttrId* attr);
  bool ReadArrayAttr(AttrId* attr);
  bool ReadAttrDict();  // reads "{...}" onto attrs_
  bool ReadNewAttrDict();
  bool ReadOptionalAttrDict() { return c_.Peek() != '{' || ReadAttrDict(); }
  void PushAttr(std::string_view name, AttrId value, const char* at) { attrs_.push_back({name, value, at}); }
  bool ReadDictAttr(AttrId* attr);
  bool ReadDictEntries(std::vector<NamedAttr>* entries);
  bool ReadOpaqueBody(AttrKind kind, AttrId* attr);
  bool ReadDenseArray(AttrId* attr);
  bool ReadSparse(AttrId* attr);
  bool ReadDistinct(AttrId* attr);
  bool ReadHashAttr(AttrId* attr);
  bool ReadLoc(AttrId* attr);  // "loc(...)", at the word
  bool ReadOptionalLoc(AttrId* loc);
  bool ReadLocBody(AttrId* attr);
  bool ReadLocNumber(std::string_view what, int64_t* value);
  bool IntegerAttr(const Number& number, TypeId type, AttrId* attr);
  // Context of a number, for MLIR's message if it does not fit its type.
  enum class NumberIn : uint8_t { kAttr, kElements, kArray };
  bool FitInteger(const Number& number, TypeId type, NumberIn in, std::vector<uint64_t>* limbs);
  bool FitSmall(const Number& number, int width, int signedness, NumberIn in, uint64_t* value);
  bool FailNumber(const Number& number, NumberIn in, int width, int signedness);
  // Converts a number to the bits of a float kind.
  bool FloatBits(const Number& number, TypeKind kind, uint64_t* bits, uint64_t* high);
  bool FloatAttr(const Number& number, TypeId type, AttrId* attr);
  bool ReadInt64(int64_t* value);
  bool ReadDouble(double* value);
  bool IntegerShape(TypeId type, int* width, int* signedness) const;  // of integer, index, bool types

  // --- Dialect attributes (reader_dialects.cc) -------------------------------------------------
  bool ReadDialectAttr(std::string_view dialect, std::string_view mnemonic, const char* at, AttrId* attr);
  bool ReadTextAttr(const TextClass& text, AttrId* attr);
  // Makes an attribute that the module keeps as text, from what follows "#dialect".
  bool ReplaceAliases(const char* at, std::string* text);
  bool KeepText(std::string_view dialect, std::string text, const char* at, AttrId* attr);
  bool ReadVhloAttr(std::string_view mnemonic, const char* at, AttrId* attr);
  // Returns nullopt, with the cursor where it was, for an attribute that is kept as text.
  std::optional<bool> ReadMhloAttr(std::string_view mnemonic, AttrId* attr);
  bool mhlo_nodes_ = false;  // types or attributes of MHLO were read
  bool ReadVhloDict(AttrId* attr);
  // `op` is the name of the op whose custom form contains the case; empty in an attribute.
  bool ReadEnumCase(AttrKind kind, AttrId* attr, std::string_view op = {});
  bool FailCase(std::string_view op, const char* at, std::string why, std::string_view attr,
                std::string_view type);
  bool ReadArithFlags(std::string_view word, std::string_view op, AttrId* attr);  // form_upstream.cc
  bool ReadConvolution(AttrId* attr);
  bool ReadInts(std::vector<int64_t>* values, char open, char close);

  // --- Fields (reader_fields.cc) -----------------------------------------------------------------
  bool ReadByFormat(const KindRow& row, const TextFormat& format, FieldWriter* out);
  bool ReadTypeFields(TypeKind kind, const TextFormat& format, TypeId* type);
  bool ReadAttrFields(AttrKind kind, const TextFormat& format, AttrId* attr);
  bool ReadValue(char how, const FieldRow& field, char end, FieldWriter* out);
  bool ReadItem(char how, const FieldRow& field, FieldWriter* out);
  bool FailFormat(char missing, const KindRow& row, int after);
  bool ReadStruct(AttrKind kind, AttrId* attr, bool vhlo = false);  // "<field = value, ...>"
  bool ReadField(AttrKind kind, const FieldRow& field, bool vhlo, FieldWriter* out);
  bool ReadMeshAxes(FieldWriter* out);
  bool FailDimensionNumbers(AttrKind kind);

  // --- Dense elements (reader_dense.cc) --------------------------------------------------------
  bool ReadDense(AttrId* attr);
  bool ReadDenseResource(AttrId* attr);
  struct ElementFormat {
    TypeKind kind = TypeKind::kInvalid;
    TypeId type;
    bool real = false;  // a float
    bool complex = false;
    int width = 0;  // bits, of one part
    int signedness = 0;
    size_t bytes = 0;  // of one part
    NumberIn in = NumberIn::kElements;
  };
  bool FormatFor(TypeId element, ElementFormat* format) const;
  bool ReadElements(const ElementFormat& format, std::span<const int64_t> shape, std::vector<uint8_t>* bytes,
                    bool* splat);
  bool FailShape(const char* literal, const char* at, std::span<const int64_t> shape);
  bool ReadElement(const ElementFormat& format, std::vector<uint8_t>* bytes);
  bool ReadPart(const ElementFormat& format, std::vector<uint8_t>* bytes);
  bool ReadHexElements(const ElementFormat& format, const RawText& literal, TypeId type, uint64_t count,
                       AttrId* attr);
  bool ReadStringElements(TypeId type, std::span<const int64_t> shape, AttrId* attr);
  AttrId ElementsOf(TypeId type, std::string_view bytes, bool splat);

  // --- Dictionaries and aliases (reader_dicts.cc) ----------------------------------------------
  struct ParsedAttr {
    std::string_view name;
    AttrId value;
    const char* at;
    const char* dictionary = nullptr;  // start of the dictionary that contains it
  };
  // A dictionary read before: its entries in cached_attrs_.
  struct CachedDict {
    uint32_t first = 0;
    uint32_t count = 0;
  };
  std::vector<ParsedAttr> attrs_;  // a stack: of the dictionaries and ops being read

  // Aliases by sigil and name ("#map", "!t").
  struct Alias {
    TypeId type;
    AttrId attr;
    const char* defined_at = nullptr;
    bool open = false;  // being read: a use at this time is a cycle
  };
  bool ReadAliasDefinition();
  bool ReadAliasAt(std::string_view name, const char* at, Alias* out);
  bool UseAlias(std::string_view sigil_and_name, const char* at, Alias* out);

  TypeId unsound_;  // first invalid type, and its place (ir/type_invariants.h)
  const char* unsound_at_ = nullptr;

 private:
  template <typename IdT, typename ReadT>
  Result<IdT> ReadFragment(Module* module, ReadT&& read);

  std::unordered_map<std::string_view, Alias> aliases_;
  std::unordered_map<std::string_view, const char*> later_aliases_;
  bool scanned_aliases_ = false;

  // Parsed fragments that programs repeat, by their text (reader_cache.h).
  TextCache<TypeId> type_cache_;
  TextCache<TypeId>::Entry last_type_;  // read from that cache
  TextCache<AttrId> attr_cache_;
  TextCache<CachedDict> dict_cache_;
  std::vector<ParsedAttr> cached_attrs_;  // of the dictionaries in dict_cache_; `at`: the first place
};

}  // namespace shlo::text
