// The text reader's class, shared by its files: a recursive-descent parser over one cursor. Every parsing
// function returns false after reporting the error. The public interface is text_reader.h.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "serialize/text/forms.h"
#include "serialize/text/lexer.h"
#include "serialize/text/reader_cache.h"
#include "shlo/module.h"
#include "shlo/source.h"
#include "shlo/text_reader.h"

namespace shlo::text {

// An op name, looked up once per name.
struct OpName {
  std::string_view name;  // as written
  RowId row;
  RevisionId revision;  // none for an op without a row
  StringId string;      // set for an op without a row
  Form form{};
  bool vhlo = false;  // written in VHLO spelling
  bool used = false;
  const char* first_use = nullptr;
  Version since, until;  // versions that have it
};

// Returns an affine map or a sparse tensor encoding as MLIR prints it: on one line, with dimensions named
// d0, d1, ... and symbols s0, s1, ...
std::string CanonicalMap(std::string_view text);
// Converts a dialect's "<name>" and "<name<...>>" to ".name" and ".name<...>", as MLIR prints them.
std::string CanonicalOpaque(std::string_view text);

class Reader {
 public:
  // If `source` is not null, Run fills it in.
  Reader(std::string_view text, Buffer owner, const TextReadOptions& options, bool wrap,
         Source* source = nullptr);
  Result<Module> Run();
  // True if the text has a module and other ops: then it must be read again with `wrap`.
  bool needs_wrapping() const { return needs_wrapping_; }
  // The text is one attribute or type of an existing module (reader_fragments.h).
  Result<AttrId> ReadAttrInto(Module* module);
  Result<TypeId> ReadTypeInto(Module* module);

 private:
  template <typename IdT, typename ReadT>
  Result<IdT> ReadFragment(Module* module, ReadT&& read);
  friend struct Directives;

  // --- Diagnostics (reader.cc) -----------------------------------------------------------------
  // A message for an error that MLIR's parser reports as well has MLIR's words, byte for byte.
  bool Fail(const char* at, std::string message, std::string hint = {}, Code code = Code::kSyntax);
  bool FailExpected(std::string_view what);  // "expected <what>" at the cursor
  Place PlaceAt(const char* at) const;
  // Returns the place as a location attribute if implicit locations are requested, otherwise none.
  AttrId LocationAt(const char* at) {
    return options_.implicit_locations.empty() ? AttrId() : NewLocation(at);
  }
  AttrId NewLocation(const char* at);
  AttrId NowhereInFile();
  bool Expect(char ch, std::string_view context) { return c_.Eat(ch) || FailExpect(ch, context); }
  bool FailExpect(char ch, std::string_view context);
  bool ExpectWord(std::string_view word);
  const char* EndOfLineBefore(const char* token) const;
  bool ExpectArrow(std::string_view context = {});

  // Counts nesting; converts to false above the limit.
  class Nest {
   public:
    explicit Nest(Reader* r) : r_(r), ok_(++r->depth_ <= r->options_.max_depth) {
      if (ok_) return;
      r->Fail(r->c_.p, "nesting is deeper than the limit of " + std::to_string(r->options_.max_depth), {},
              Code::kLimit);
      r->stop_ = true;  // enclosing constructs cannot continue
    }
    Nest(const Nest&) = delete;
    Nest& operator=(const Nest&) = delete;
    ~Nest() { --r_->depth_; }
    explicit operator bool() const { return ok_; }

   private:
    Reader* r_;
    bool ok_;
  };

  // --- Program (reader.cc) -----------------------------------------------------------------------
  void ReadTopLevel();
  void AddImplicitModule(RegionId region);
  void ReadOps(bool top);  // up to a '}' or '^' or the end of the text
  bool ReadAliasDefinition();
  bool ReadFileMetadata();
  bool ReadResources();
  bool SkipMetadataSection();
  void Recover(const char* op_start);
  void DecideVersion();
  void NoteWrittenVersion(AttrId attr, const char* at);

  // --- Names of values and blocks (reader_names.cc) -----------------------------------------------
  struct NameSlot {
    uint32_t value = 0;  // first ValueId; kPoisoned if its definition has an error
    uint32_t count = 0;
    uint32_t scope = 0;    // isolated scope in which it is visible; 0: not defined
    uint32_t forward = 0;  // head of the chain of uses before the definition, in forwards_
  };
  static constexpr uint32_t kPoisoned = UINT32_MAX;
  using NameRef = uint32_t;  // numeric names are even, others odd
  struct Use {
    NameRef name;
    uint32_t number;  // the n of %x#n
    const char* at;
  };
  struct Forward {
    NameRef name;
    uint32_t number;
    const char* at;
    uint32_t operand;  // index in Module::operands
    TypeId type;
    uint32_t next;   // chain of the same name
    uint32_t outer;  // the chain this one shadows
    uint32_t scope;
    bool resolved;
  };
  struct Undo {
    NameRef name;
    NameSlot old;
  };
  NameSlot& InherentAttrOf(NameRef name) { return name & 1 ? named_[name >> 1] : numbered_[name >> 1]; }
  NameRef NameOf(std::string_view text);
  bool ReadValueName(NameRef* name, const char** at);  // "%x"
  bool ReadUse(Use* use);                              // "%x" or "%x#2"
  bool Define(NameRef name, uint32_t value, uint32_t count, const char* at, bool of_entry = false);
  // Resolves a use. A use before the definition yields no value; NoteForward records it once the operand
  // has its index.
  bool Resolve(const Use& use, TypeId type, ValueId* value);
  std::string_view NameAt(const char* at) const;
  bool FailTypeOfUse(const char* at, TypeId type, ValueId value);
  bool FailTypeOfDefinition(const char* at, const Forward& use, ValueId value);
  bool FailUndeclared(const char* at);
  void NoteForward(const Use& use, TypeId type, uint32_t operand);
  struct Scope {
    size_t undo;
    size_t forwards;
    uint32_t isolated;
    bool opens;  // opened an isolated scope
  };
  Scope EnterScope(bool isolated);
  void LeaveScope(const Scope& scope);

  struct Label {
    std::string_view name;
    RegionId region;
    BlockId block;
    bool defined;
    const char* at;
  };
  Label& LabelFor(std::string_view name, const char* at);  // in the open region
  bool CheckLabels(size_t first);  // checks that every label from `first` on has its block

  // --- Ops (reader_ops.cc) -------------------------------------------------------------------------
  struct ResultName {
    NameRef name;
    uint32_t count;
    const char* at;
  };
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
  // An op being read. Its parts are on the scratch stacks, from the marks on.
  struct Draft {
    const char* name_at = nullptr;  // place of its name
    OpName* name = nullptr;
    size_t names, uses, types, results, attrs, regions, successors;  // marks; results counts in types_
    AttrId loc;
    RevisionId revision;
    const char* types_at = nullptr;  // place of the types of its operands and results
  };
  // Context for ops inside a region.
  struct Context {
    std::string_view dialect;   // prefix of op names without one
    RowId function;             // row of the enclosing op when it is a function
    bool old_function = false;  // written stablehlo.func
    bool module = false;        // directly in a module, or at top level
  };
  Draft NewDraft();
  void Drop(const Draft& draft);
  bool ReadOp();
  bool ReadResultNames();
  bool ReadGenericOp(Draft& d);
  bool ReadCustomOp(Draft& d);
  OpName* FindName(std::string_view name, const char* at);
  RevisionId RevisionFor(const Draft& d) const;
  bool ReadUses();  // a comma separated list of uses, perhaps empty
  bool ReadSuccessors();
  bool ReadAttrDict();  // reads "{...}" onto attrs_
  bool ReadNewAttrDict();
  bool ReadOptionalAttrDict() { return c_.Peek() != '{' || ReadAttrDict(); }
  bool ReadOptionalLoc(AttrId* loc);
  // Parses "(types) -> types"; pushes the inputs on types_, then the results.
  bool ReadFunctionalType(Draft& d);
  struct BlockArg {
    NameRef name;
    TypeId type;
    AttrId loc;
    const char* at;
    const char* type_at = nullptr;  // of an explicit type; implied ones follow from the types of the op
  };
  // Reads a region in braces; `args` are the arguments of its entry block if the op names them itself.
  bool ReadRegion(const Draft& d, std::span<const BlockArg> args, bool has_args, RegionId* region);
  bool ReadRegionBody(RegionId region, std::span<const BlockArg> args, bool has_args);
  bool ReadBlockLabel(BlockId* block);
  bool ReadBlockArgs(std::vector<BlockArg>* args);
  bool AddBlockArgs(BlockId block, std::span<const BlockArg> args, bool of_entry);
  // Resolves operands, assigns attributes, adds the op and names its results.
  bool Finish(Draft& d);
  void NotePlaces(const Draft& d, OpId op);
  uint64_t OffsetAt(const char* at) const { return uint64_t(at - text_.data()); }
  // Notes that the types of the op being read begin at the cursor, unless they began before.
  void BeginTypes(Draft& d) {
    if (!d.types_at) d.types_at = (c_.Skip(), c_.p);
  }
  bool PlaceAttrs(const Draft& d);
  bool PlaceStructAttr(const Cell& struct_attr, const OpRevision& revision, AttrId value, const char* at);
  bool InStructAttr(const Draft& d, const OpRevision& revision, std::string_view name) const;
  bool PlaceInherentAttr(const OpRevision& revision, int slot, AttrId value, const char* at);
  void PushAttr(std::string_view name, AttrId value, const char* at) { attrs_.push_back({name, value, at}); }

  // --- Forms by their description (forms_reader.cc) ---------------------------------------------------
  bool FailCustom(const Draft& d, const char* at, std::string_view message);
  bool ReadForm(Draft& d);
  bool ReadSteps(Draft& d, const RevisionForm& form, size_t from, size_t to);
  bool ReadLiteral(const Draft& d, std::string_view text);
  bool GroupFollows(const RevisionForm& form, size_t first);
  bool ReadNamed(Draft& d, const OpRevision& revision, FormRef ref);
  bool ReadInherentAttr(const Draft& d, const Cell& cell, AttrId* value);
  bool ReadFormInts(const Draft& d, std::vector<int64_t>* values);
  void BeginResultTypes(Draft& d);
  bool ReadTypeRun();  // a comma separated list of types onto types_
  bool ReadSameType(Draft& d, bool functional);
  bool CheckFunctionalType(const Draft& d, const char* at);
  bool ReadWhile(Draft& d);
  bool ReadScan(Draft& d);
  bool ReadFor(Draft& d);

  // --- Custom forms (reader_forms.cc) ----------------------------------------------------------------
  bool ReadModule(Draft& d);
  bool ReadFunction(Draft& d);
  bool ReadFunctionArgs(std::vector<BlockArg>* args, std::vector<AttrId>* dicts, bool* named);
  bool ReadFunctionResults(std::vector<TypeId>* results, std::vector<AttrId>* dicts);
  bool ReadConstant(Draft& d);
  bool ReadReduce(Draft& d);
  bool ReadReducerArg(BlockArg* arg);
  bool ReadAppliedReducer(Draft& d, const OpName& inner, RegionId* region);
  bool ReadOneLine(Draft& d);
  bool FailForm(const Draft& d);

  // --- Types (reader_types.cc) -----------------------------------------------------------------
  bool ReadType(TypeId* type);
  bool ReadTypeSlow(TypeId* type);
  bool ReadNamedType(TypeId* type);
  bool ReadIntegerType(std::string_view word, TypeId* type);
  bool ReadTypeList(char open, char close, std::vector<TypeId>* types);
  bool ReadTypeOrList(std::vector<TypeId>* types);  // "t" or "(t, t)"
  bool ReadFunctionType(TypeId* type);
  bool ReadDims(std::vector<int64_t>* shape, std::vector<int64_t>* scalable, bool* unranked);
  bool ReadTensor(TypeId* type);
  bool ReadVector(TypeId* type);
  bool ReadMemref(TypeId* type);
  bool ReadDialectType(TypeId* type);  // after '!'
  bool ReadVhloType(std::string_view mnemonic, const char* at, TypeId* type);
  bool ReadVhloQuantized(bool per_axis, TypeId* type);
  bool ReadUniformQuantized(TypeId* type);
  bool ReadScale(double* scale, int64_t* zero_point);
  bool ReadSubChannel(TypeId storage, TypeId expressed, int64_t flags, int64_t min, int64_t max,
                      TypeId* type);
  void TraceType(TypeId type, const char* from);

  // --- Attributes (reader_attrs.cc) ------------------------------------------------------------
  bool ReadAttr(AttrId* attr);
  bool ReadAttrUntraced(AttrId* attr);
  bool ReadNewAttr(AttrId* attr);
  bool ReadNumberAttr(AttrId* attr);
  bool ReadWordAttr(AttrId* attr);
  bool ReadString(std::string_view* value);
  bool ReadSymbol(std::string_view* name);  // "@x" or "@"x y""
  bool ReadSymbolRef(AttrId* attr);
  bool ReadArrayAttr(AttrId* attr);
  bool ReadDictAttr(AttrId* attr);
  bool ReadDictEntries(std::vector<NamedAttr>* entries);
  bool ReadOpaqueBody(AttrKind kind, AttrId* attr);
  bool ReadDenseArray(AttrId* attr);
  bool ReadSparse(AttrId* attr);
  bool ReadDistinct(AttrId* attr);
  bool ReadHashAttr(AttrId* attr);
  bool ReadLoc(AttrId* attr);  // "loc(...)", at the word
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
  void TraceAttr(AttrId attr, const char* from);

  // --- Dialect attributes (reader_dialects.cc) -------------------------------------------------
  bool ReadDialectAttr(std::string_view dialect, std::string_view mnemonic, const char* at, AttrId* attr);
  bool ReadVhloAttr(std::string_view mnemonic, const char* at, AttrId* attr);
  bool ReadVhloDict(AttrId* attr);
  // `op` is the op whose custom form contains the case, or null in an attribute.
  bool ReadEnumCase(AttrKind kind, AttrId* attr, const Draft* op = nullptr);
  bool FailCase(const Draft* op, const char* at, std::string why, std::string_view attr,
                std::string_view type);
  bool ReadArithFlags(std::string_view word, const Draft* op, AttrId* attr);  // form_upstream.cc
  bool ReadStruct(AttrKind kind, AttrId* attr, bool vhlo = false);            // "<field = value, ...>"
  bool ReadField(AttrKind kind, const FieldRow& field, bool vhlo, FieldWriter* out);
  bool ReadMeshAxes(FieldWriter* out);
  bool ReadConvolution(AttrId* attr);
  bool FailDimensionNumbers(AttrKind kind);
  bool ReadInts(std::vector<int64_t>* values, char open, char close);

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
  bool ReadHexElements(const ElementFormat& format, TypeId type, uint64_t count, AttrId* attr);
  bool ReadStringElements(TypeId type, std::span<const int64_t> shape, AttrId* attr);
  AttrId ElementsOf(TypeId type, std::string_view bytes, bool splat);

  // --- State ----------------------------------------------------------------------------------------
  Module m_;
  Builder builder_;
  std::string_view text_;
  Buffer owner_;
  const TextReadOptions& options_;
  // Places of ops are always recorded, for the reader's messages; those of their parts only if requested.
  Source* const source_;
  SourcePlaces places_;
  TextCache<StringId> name_ids_{64};  // of attributes, in places_
  bool implicit_module_ = false;
  Cursor c_;
  bool wrap_;
  bool needs_wrapping_ = false;
  bool stop_ = false;
  TypeId unsound_;  // first invalid type, and its place (ir/type_invariants.h)
  const char* unsound_at_ = nullptr;
  uint32_t depth_ = 0;
  Diagnostics diagnostics_;
  const char* failed_at_ = nullptr;  // furthest place of the last message
  // The place of the last implicit location, from which to count the line of the next one.
  const char* located_ = nullptr;
  int64_t located_line_ = 1;

  // Values.
  std::vector<NameSlot> numbered_;
  std::vector<NameSlot> named_;
  std::vector<std::string_view> name_texts_;
  IdIndex name_index_;
  std::vector<Undo> undo_;
  std::vector<Forward> forwards_;  // from 1
  uint32_t scope_ = 0;             // the isolated scope that is open
  uint32_t scopes_ = 0;            // scopes opened so far
  std::vector<Label> labels_;
  IdIndex label_index_;  // by region and name
  RegionId region_;      // the open region

  // Op names.
  std::deque<OpName> op_names_;
  IdIndex op_name_index_;
  std::vector<Context> contexts_;

  // Scratch stacks of the ops being read, and lists that only Finish uses.
  std::vector<ResultName> names_;
  std::vector<Use> uses_;
  std::vector<TypeId> types_;
  std::vector<ParsedAttr> attrs_;
  std::vector<RegionId> regions_;
  std::vector<BlockId> successors_;
  std::vector<ValueId> values_;
  std::vector<AttrId> inherent_attrs_;
  std::vector<NamedAttr> discardable_attrs_;
  std::vector<uint32_t> unresolved_;

  // Aliases by sigil and name ("#map", "!t").
  struct Alias {
    TypeId type;
    AttrId attr;
    const char* defined_at = nullptr;
    bool open = false;  // being read: a use at this time is a cycle
  };
  std::unordered_map<std::string_view, Alias> aliases_;
  std::unordered_map<std::string_view, const char*> later_aliases_;
  bool scanned_aliases_ = false;
  bool ReadAliasAt(std::string_view name, const char* at, Alias* out);
  bool UseAlias(std::string_view sigil_and_name, const char* at, Alias* out);

  // Parsed fragments that programs repeat, by their text (reader_cache.h).
  TextCache<TypeId> type_cache_;
  TextCache<AttrId> attr_cache_;
  TextCache<OpName*> op_name_cache_;
  TextCache<CachedDict> dict_cache_;
  std::vector<ParsedAttr> cached_attrs_;  // of the dictionaries in dict_cache_; `at` is that of the first

  // Versions that the text states.
  struct WrittenVersion {
    Version version;
    const char* at;
  };
  std::vector<WrittenVersion> written_versions_;

  std::deque<std::string> unescaped_;  // strings that differ from their spelling
};

}  // namespace shlo::text
