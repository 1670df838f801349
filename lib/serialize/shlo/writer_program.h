// Writes the op streams of a `.shlo` file (docs/shlo-format.md sections 4 and 5).
#pragma once

#include <array>
#include <vector>

#include "serialize/shlo/writer_tables.h"
#include "shlo/diagnostics.h"
#include "shlo/module.h"
#include "shlo/source.h"

namespace shlo::format {

// One op stream, section 6 or a page, complete except for its locations: those are numbered last.
struct StreamOut {
  ChunkOut content;
  uint32_t num_functions = 0;             // in a page
  std::vector<AttrId> op_locs, arg_locs;  // empty when none is known
};

struct FunctionOut {
  OpId op;
  uint32_t num_ops = 0;  // in its body
};

struct ProgramOut {
  StreamOut program;  // section 6
  std::vector<StreamOut> pages;
  std::vector<FunctionOut> functions;
};

class ProgramWriter {
 public:
  ProgramWriter(const Module& module, TableWriter* tables, bool locations, const Source* source);

  // Encodes the program and every function body.
  Result<ProgramOut> Run();
  ChunkOut TakeSignatures();
  ChunkOut TakeLocations(const StreamOut& stream);

 private:
  // Facts about a revision that the writer needs at every op.
  struct RevisionInfo {
    uint64_t given = 0;  // bit per slot that is given with each op
    uint32_t inherent_attrs = 0;
    bool terminator = false;
    bool function = false;
  };

  void BeginStream(StreamOut* out);
  size_t StreamSize() const;
  void EndStream();
  bool WriteBody(std::span<const OpId> ops, OpId function);
  bool WriteReferences(OpId function);
  bool WriteRegions(const Op& op, uint32_t depth);
  bool WriteOps(std::span<const OpId> ops, uint32_t depth);
  // Called once per op from one place, so inlined.
  inline void WriteOp(OpId id);
  inline void WriteOperand(ValueId operand);
  inline uint64_t LengthCode(std::span<const OpId> ops) const;
  inline uint32_t SignatureOf(const Op& op, bool outlined);
  inline uint32_t TypeSource(const Op& op, uint32_t result) const;
  inline void AddLocation(size_t count, AttrId loc, std::vector<AttrId>* locs);
  inline void Push(ValueId value);

  void AppendSignature(const Op& op);
  void Fail(OpId op, std::string message);
  bool IsOutlined(const Op& op) const;
  const Module& m_;
  const Source* const source_;
  TableWriter& tables_;
  const bool locations_;
  Diagnostics errors_;
  std::vector<RevisionInfo> shapes_;

  // Signatures.
  ByteBuffer signatures_[signature::kNumColumns];
  uint32_t num_signatures_ = 0;
  IdIndex signature_index_;
  std::vector<uint32_t> signature_words_, signature_starts_{0}, key_;
  // By SignatureId: for ops without regions and successors, all of whose operands come before.
  std::vector<uint32_t> plain_signatures_;
  Tracked next_name_;

  // The current stream.
  ByteBuffer columns_[stream::kNumColumns];
  Tracked next_signature_, next_attr_;
  std::array<uint64_t, stream::kNumHeader> header_{};
  uint32_t num_args_ = 0;
  StreamOut* out_ = nullptr;

  // The current body, or section 6.
  uint32_t num_ops_ = 0;
  uint32_t entry_args_ = 0;  // arguments of its first block
  Tracked next_arg_;
  std::vector<ValueId> scope_values_, far_;
  struct ValueState {
    uint32_t number = 0;    // in the body, plus value_base_
    uint32_t position = 0;  // where in scope_values_, counted from 1
  };
  std::vector<ValueState> values_;  // by ValueId
  std::vector<BlockId> body_blocks_, targets_;
  std::vector<uint32_t> block_number_;  // by BlockId, in the body, plus block_base_
  std::vector<OpId> outlined_;
  uint32_t value_base_ = 0, num_values_ = 0, block_base_ = 0;
  bool in_program_ = false;
};

}  // namespace shlo::format
