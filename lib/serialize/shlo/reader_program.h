// Reads the op streams of a `.shlo` file (docs/shlo-format.md sections 4 and 5): columns to the arrays of a
// Module.
#pragma once

#include <vector>

#include "ir/module/lists.h"
#include "serialize/shlo/reader_file.h"
#include "serialize/shlo/reader_tables.h"
#include "shlo/module.h"

namespace shlo::format {

// Place of section 6 or a body in the arrays of the module, for its locations.
struct BodyIn {
  uint32_t first_op = 0, num_ops = 0;
  uint32_t first_block = 0, num_blocks = 0;
  uint32_t num_args = 0;
  bool read = false;  // otherwise it was skipped, and is in no array
};

class ProgramReader {
 public:
  ProgramReader(Module* module, FileReader* file, const TableReader* tables, uint32_t max_depth)
      : m_(*module), lists_(module), file_(*file), tables_(*tables), max_depth_(max_depth) {}

  Result<void> ReadSignatures(const Content& content);
  // Reads section 6, which must come first: it determines functions().
  Result<BodyIn> ReadProgram(const Content& content);
  // Opens a page; every body in it must then be read or skipped, in order, before it is closed.
  Result<void> OpenPage(const Content& content);
  Result<BodyIn> ReadBody(OpId function, uint64_t num_ops, bool wanted);
  Result<void> ClosePage();
  // Reads locations of consecutive bodies. Attribute numbers are those of the file, debug nodes included.
  Result<void> ReadLocations(const Content& content, std::span<const BodyIn> bodies, std::string_view name);

  // Ops whose regions are in a body, in order.
  const std::vector<OpId>& functions() const { return functions_; }

 private:
  // The type of a result: known, or that of an operand or slot of the op.
  struct ResultType {
    TypeId type;
    uint32_t source = 0;  // operands, then slots; counted from 1; 0: known
  };
  // A signature of the file. Some of its inherent attributes and all discardable ones are given with each op.
  struct WireSignature {
    RevisionId revision;
    bool outlined = false, terminator = false;
    StringId name;
    uint32_t operands = 0, regions = 0, successors = 0;
    uint32_t first_type = 0, results = 0;
    uint32_t first_name = 0, discardable_attrs = 0;
    uint32_t first_slot = 0, inherent_attrs = 0;
    uint32_t given = 0;  // slots given with each op
  };
  // Totals of a body, known before any array grows.
  struct Totals {
    uint64_t ops = 0, operands = 0, results = 0, regions = 0, successors = 0, inherent_attrs = 0, given = 0,
             discardable_attrs = 0;
    uint64_t body_regions = 0;  // regions in this stream: not those in bodies, but those that are the body
    uint64_t blocks = 0, args = 0;
  };

  Result<void> OpenStream(const Content& content, std::string_view name);
  Result<void> CloseStream(std::string_view name);
  Result<BodyIn> Body(OpId function, uint64_t num_ops, bool wanted, std::string_view name);
  const char* Count(uint64_t num_ops, uint64_t own_regions, Totals* totals);
  bool Skip(const Totals& totals);
  bool Grow(const Totals& totals);
  bool ReadOps(uint64_t length, BlockId parent, uint32_t depth);
  // Called once per op from one place, so inlined.
  inline bool ReadOp(uint32_t id, const WireSignature& sig, uint32_t depth);
  inline bool ReadAttrs(const WireSignature& sig);
  inline bool ReadOperands(uint32_t id, const WireSignature& sig);
  inline bool ReadResults(uint32_t id, const WireSignature& sig, std::span<const AttrId> attrs);

  bool ReadRegions(Range regions, uint32_t depth);
  bool Fail(const char* why) {
    if (!error_) error_ = why;
    return false;
  }

  Module& m_;
  const ModuleLists lists_;
  FileReader& file_;
  const TableReader& tables_;
  const uint32_t max_depth_;
  const char* error_ = nullptr;
  bool too_deep_ = false;

  std::vector<WireSignature> signatures_{{}};  // by number
  std::vector<ResultType> signature_types_;
  std::vector<StringId> signature_names_;
  std::vector<AttrId> signature_attrs_;  // kGiven: given with each op
  std::vector<OpId> functions_;

  // The current stream.
  Cursor columns_[stream::kNumColumns];
  uint64_t ops_left_ = 0;
  Tracked next_signature_, next_attr_;

  // The current body. The next free entry of each array of the module, and where the body's part ends.
  std::vector<uint32_t> ops_;  // signature per op
  std::vector<uint32_t> scope_;
  std::vector<OpId> open_ops_;  // of blocks that have not ended
  std::vector<OpId> late_;      // with operands that are defined later
  // Attributes of the ops being read, and types of the last one.
  std::vector<AttrId> inherent_attrs_;
  std::vector<NamedAttr> discardable_attrs_;
  std::vector<TypeId> operand_types_, result_types_;
  Tracked next_arg_;
  uint32_t entry_args_ = 0;
  struct Positions {
    uint32_t op, value, block, region, operand, successor, region_list, block_list, op_list;
  };
  Positions next_{}, end_{}, begin_{};
  bool in_program_ = false;
};

}  // namespace shlo::format
