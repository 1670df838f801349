// The op streams of a `.shlo` file while it is read (docs/shlo-format.md sections 4 and 5): columns to the
// arrays of a Module.
#pragma once

#include <vector>

#include "ir/module.h"
#include "serialize/shlo_reader_file.h"
#include "serialize/shlo_reader_tables.h"

namespace shlo::format {

// Where a stream lies in the arrays of the module, for its locations.
struct StreamIn {
  uint32_t first_op = 0, num_ops = 0;
  uint32_t first_block = 0, num_blocks = 0;
  uint32_t num_args = 0;
};

class ProgramReader {
 public:
  ProgramReader(Module* module, FileReader* file, const TableReader* tables, uint32_t max_depth)
      : m_(*module), file_(*file), tables_(*tables), max_depth_(max_depth) {}

  Result<bool> ReadSignatures(const Content& content);
  // Section 6 first: it gives functions().
  Result<StreamIn> ReadProgram(const Content& content);
  // The counters are those of tracked signatures and attributes at the start of the stream.
  Result<StreamIn> ReadBody(const Content& content, OpId function, uint64_t first_signature,
                            uint64_t first_attr);
  // Numbers of attributes are those of the file, debug nodes included.
  Result<bool> ReadLocations(const Content& content, const StreamIn& stream, std::string_view name);

  // Ops whose regions are in a body, in order.
  const std::vector<OpId>& functions() const { return functions_; }

 private:
  struct Signature {
    ShapeId shape;
    bool outlined = false;
    StringId name;
    uint32_t operands = 0, regions = 0, successors = 0;
    uint32_t first_type = 0, results = 0;
    uint32_t first_name = 0, extras = 0;
    uint32_t first_slot = 0, slots = 0;
    uint32_t given = 0;  // slots given with each op
  };
  // Totals of a stream, known before any array grows.
  struct Totals {
    uint64_t operands = 0, results = 0, regions = 0, successors = 0, slots = 0, given = 0, extras = 0;
    uint64_t outlined = 0;  // of the regions, those in bodies
  };

  Result<StreamIn> Stream(const Content& content, std::string_view name, OpId function,
                          uint64_t first_signature, uint64_t first_attr);
  bool Grow(const Totals& totals, const uint64_t* header);
  bool ReadOps(uint32_t count, BlockId parent, uint32_t depth);
  bool ReadRegions(Range regions, uint32_t depth);
  bool Fail(const char* why) {
    if (!error_) error_ = why;
    return false;
  }

  Module& m_;
  FileReader& file_;
  const TableReader& tables_;
  const uint32_t max_depth_;
  const char* error_ = nullptr;
  bool too_deep_ = false;

  std::vector<Signature> signatures_{{}};  // by number
  std::vector<TypeId> signature_types_;
  std::vector<StringId> signature_names_;
  std::vector<AttrId> signature_slots_;  // kGiven: given with each op
  std::vector<OpId> functions_;

  // The current stream. The next free entry of each array of the module, and where the stream's part ends.
  std::vector<uint32_t> ops_;  // signature per op
  Cursor columns_[stream::kNumColumns];
  Tracked next_attr_;
  std::vector<uint32_t> scope_;
  struct Positions {
    uint32_t op, value, block, region, operand, slot, extra, successor, region_list, block_list, op_list;
  };
  Positions next_{}, end_{}, begin_{};
  std::vector<uint32_t> far_;  // places in Module::operands
  bool in_program_ = false;
};

}  // namespace shlo::format
