// The text reader: a recursive-descent parser over one cursor, which reads ops and programs. Types and
// attributes are in reader_attrs.h, names in reader_names.h. The public interface is text_reader.h.
#pragma once

#include <array>
#include <deque>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "ir/table/mhlo.h"
#include "serialize/text/forms.h"
#include "serialize/text/reader_names.h"

namespace shlo::text {

// An op name, looked up once per name.
struct OpName {
  std::string_view name;  // as written
  RowId row;
  RevisionId revision;  // none for an op without a row
  RevisionId shape;     // what the tables know of it: the revision, or a row of schema/other_ops.inc
  StringId string;      // set for an op without a row
  Form form{};
  const mhlo::OpRow* mhlo = nullptr;  // its row, of an op of MHLO
  bool vhlo = false;                  // written in VHLO spelling
  bool old = false;                   // its attributes may be in a notation from before StableHLO
  bool used = false;
  const char* first_use = nullptr;
  Version since, until;  // versions that have it
};

// Size of the parts of a text that threads read.
constexpr size_t kLeastPart = size_t(512) << 10;

class Reader : public NameReader {
 public:
  // If `source` is not null, Run fills it in.
  Reader(std::string_view text, Buffer owner, const TextReadOptions& options, bool wrap,
         Source* source = nullptr);
  Result<Module> Run();
  // True if the text has a module and other ops: then it must be read again with `wrap`.
  bool needs_wrapping() const { return needs_wrapping_; }

 private:
  friend struct Directives;

  // --- Program (reader.cc) -----------------------------------------------------------------------
  void ReadTopLevel();
  void AddImplicitModule(RegionId region);
  void ReadOps(bool top);  // up to a '}' or '^' or the end of the text
  bool ReadFileMetadata();
  bool ReadResources();
  bool ReadExternalResources();
  bool ReadOutsideGroup();
  bool ReadResourceKey(std::string_view* key);
  bool SkipMetadataSection();
  void Recover(const char* op_start);
  bool KeepsPages() const;
  void GiveBackPages(size_t least);
  void DecideVersion();
  bool IsMhlo() const;
  void NoteWrittenVersion(AttrId attr, const char* at);

  // --- Parts in several threads (reader_parts.cc) -----------------------------------------------------
  void ReadOpsInParts();
  std::vector<const char*> PartsFrom(const char* first) const;
  // Context for ops inside a region.
  struct Context {
    std::string_view dialect;   // prefix of op names without one
    RowId function;             // row of the enclosing op when it is a function
    bool old_function = false;  // written stablehlo.func
    bool module = false;        // directly in a module, or at top level
  };
  // Surroundings of the ops of a module. A copy, because the reader continues while its parts are read.
  struct Around {
    bool wrap;
    uint32_t depth;
    std::vector<Context> contexts;
  };
  bool ReadPart(const Around& around, const char* from, const char* until);
  bool IsPart() const;
  void ReserveFor(std::string_view text);
  void Take(Reader& part);

  // --- Ops (reader_ops.cc) -------------------------------------------------------------------------
  struct ResultName {
    NameRef name;
    uint32_t count;
    const char* at;
  };
  // An op being read. Its parts are on the scratch stacks, from the marks on.
  struct Draft {
    const char* name_at = nullptr;  // place of its name
    OpName* name = nullptr;
    size_t names, uses, types, results, attrs, regions, successors;  // marks; results counts in types_
    size_t groups, stated;
    AttrId loc;
    RevisionId revision;
    RevisionId shape;                // as of its name
    const char* types_at = nullptr;  // place of the types of its operands and results
  };
  Draft NewDraft();
  void Drop(const Draft& draft);
  bool ReadOp();
  bool ReadResultNames();
  bool ReadGenericOp(Draft& d);
  bool ReadCustomOp(Draft& d);
  OpName* FindName(std::string_view name, const char* at);
  RevisionId RevisionFor(const OpName& name) const;
  bool ReadUses();  // a comma separated list of uses, perhaps empty
  bool ReadSuccessors();
  // Parses "(types) -> types"; pushes the inputs on types_, then the results.
  bool ReadFunctionalType(Draft& d);
  struct BlockArg {
    NameRef name;
    TypeId type;
    AttrId loc;
    const char* at;
    const char* type_at = nullptr;  // of an explicit type; implied ones follow from the types of the op
  };
  // Reads a region of the op in braces onto regions_; `args` are the arguments of its entry block if the op
  // names them itself.
  bool AddRegion(const Draft& d, std::span<const BlockArg> args = {}, bool has_args = false);
  // The op that ends a region if the text does not; no name: the text does.
  struct ImpliedEnd {
    OpName* name = nullptr;
    const char* at = nullptr;  // place of the op around the region
  };
  bool ReadRegionBody(RegionId region, std::span<const BlockArg> args, bool has_args, const ImpliedEnd& end);
  void AddEnd(const ImpliedEnd& end);
  bool ReadBlockLabel(BlockId* block);
  bool PassOperand(const Use& operand, const BlockArg& arg);
  bool ReadBlockArgs(std::vector<BlockArg>* args);
  bool AddBlockArgs(BlockId block, std::span<const BlockArg> args, bool of_entry);
  // Resolves operands, assigns attributes, adds the op and names its results.
  bool Finish(Draft& d);
  void NotePlaces(const Draft& d, OpId op);
  // Notes that the types of the op being read begin at the cursor, unless they began before.
  void BeginTypes(Draft& d) {
    if (!d.types_at) d.types_at = (c_.Skip(), c_.p);
  }
  // Adds the type of the result after those of the operands.
  void AddResultType(Draft& d, TypeId type) {
    d.results = types_.size();
    types_.push_back(type);
  }
  bool PlaceAttrs(const Draft& d);
  bool PlaceStructAttr(const Cell& struct_attr, const OpRevision& revision, AttrId value, const char* at);
  bool InStructAttr(const Draft& d, const OpRevision& revision, std::string_view name) const;
  bool PlaceInherentAttr(const OpRevision& revision, int slot, AttrId value, const char* at);

  // --- Forms by their description (forms_reader.cc) ---------------------------------------------------
  // The uses of one operand cell of an op, as a form named it.
  struct UseGroup {
    uint8_t cell;
    uint32_t count;
  };
  // A type that a form states for an operand or result cell.
  struct StatedType {
    bool of_result;
    uint8_t cell;
    TypeId type;
  };
  bool FailCustom(const Draft& d, const char* at, std::string_view message) {
    return NameReader::FailCustom(d.name->name, at, message);
  }
  bool ReadForm(Draft& d);
  bool ReadSteps(Draft& d, const RevisionForm& form, size_t from, size_t to);
  bool ReadLiteral(const Draft& d, std::string_view text);
  bool GroupFollows(const RevisionForm& form, const OpRevision& revision, size_t first);
  bool StateTypes(Draft& d, FormRef ref, bool list);
  bool CompleteTypes(Draft& d);
  bool FormIsComplete(Draft& d);
  TypeId ConstantType(std::string_view text);
  TypeId ImpliedType(const Cell& cell, std::string_view function, TypeId source);
  bool ReadInits(std::vector<BlockArg>* args, std::string_view before, std::string_view after);
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
  bool ReadScfWhile(Draft& d);
  bool ReadIndexNames(std::vector<BlockArg>* args);
  bool ReadMixed(char open, std::string_view before, char close, std::string_view after, uint8_t cell,
                 std::vector<int64_t>* values);
  bool ReadForall(Draft& d);
  bool ReadParallel(Draft& d);
  bool ReadReduceRegions(Draft& d);

  // --- Custom forms (reader_forms.cc) ----------------------------------------------------------------
  bool ReadModule(Draft& d);
  bool ReadFunction(Draft& d);
  bool ReadFunctionArgs(std::vector<BlockArg>* args, std::vector<AttrId>* dicts, bool* named);
  bool ReadFunctionResults(std::vector<TypeId>* results, std::vector<AttrId>* dicts);
  bool ReadConstant(Draft& d);
  bool ReadReduce(Draft& d);
  bool ReadReducerArg(BlockArg* arg);
  bool ReadAppliedReducer(Draft& d, const OpName& inner);
  bool ReadOneLine(Draft& d);
  bool ReadMhlo(Draft& d);  // form_mhlo.cc
  bool ReadTopK(Draft& d);
  bool FailForm(const Draft& d);

  // --- State ----------------------------------------------------------------------------------------
  Source* const source_;
  // Ids in places_ of the names of attributes, by where a name is: most are names of the op table, or in a
  // dictionary that was read before.
  struct KnownName {
    std::string_view name;
    StringId id;
  };
  std::array<KnownName, 64> name_ids_;
  bool tried_parts_ = false;
  bool is_part_ = false;         // of the text of another reader
  const char* until_ = nullptr;  // where the next part begins, if it ends at an op of this level
  size_t until_level_ = 0;       // in contexts_
  size_t given_back_ = 0;        // bytes of the text whose pages were given back
  bool implicit_module_ = false;
  bool wrap_;
  bool needs_wrapping_ = false;

  // Op names.
  std::deque<OpName> op_names_;
  IdIndex op_name_index_;
  TextCache<OpName*> op_name_cache_;
  std::vector<Context> contexts_;

  // Scratch stacks of the ops being read, and lists that only Finish uses.
  std::vector<ResultName> names_;
  std::vector<Use> uses_;
  std::vector<TypeId> types_;
  std::vector<RegionId> regions_;
  std::optional<Use> passed_;  // what the argument of the region that begins is: mhlo::PassesOperands
  std::vector<BlockId> successors_;
  std::vector<UseGroup> groups_;
  std::vector<StatedType> stated_;
  std::vector<ValueId> values_;
  std::vector<AttrId> inherent_attrs_;
  std::vector<NamedAttr> discardable_attrs_;
  std::vector<uint32_t> unresolved_;

  // Versions that the text states.
  struct WrittenVersion {
    Version version;
    const char* at;
  };
  std::unordered_set<uint32_t> resource_keys_;  // StringIds
  std::vector<WrittenVersion> written_versions_;
};

}  // namespace shlo::text
