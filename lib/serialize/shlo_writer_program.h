// The op streams of a `.shlo` file while it is written (docs/shlo-format.md sections 4 and 5).
#pragma once

#include <vector>

#include "ir/diagnostics.h"
#include "ir/module.h"
#include "serialize/shlo_writer_tables.h"

namespace shlo::format {

// One op stream, ready but for its locations: those are numbered after everything else.
struct StreamOut {
  OpId function;  // none for section 6
  ByteBuffer bytes;
  uint32_t num_ops = 0;
  size_t page = 0;
  uint64_t first_signature = 1, first_attr = 1;  // counters of its tracked columns at the start
  std::vector<AttrId> op_locs, arg_locs;         // empty when none is known
};

class ProgramWriter {
 public:
  ProgramWriter(const Module& module, TableWriter* tables, bool locations);

  // Encodes the program and every function body. The first stream is section 6.
  Result<std::vector<StreamOut>> Run();
  ByteBuffer TakeSignatures();
  ByteBuffer TakeDebugBody(const StreamOut& stream);

 private:
  bool Stream(std::span<const OpId> ops, OpId function, StreamOut* out);
  bool WriteRegions(const Op& op, uint32_t depth);
  bool WriteOps(std::span<const OpId> ops, uint32_t depth);
  void WriteOp(OpId id);
  uint64_t SignatureOf(const Op& op, bool outlined);
  void AppendSignature(const Op& op);
  void Push(ValueId value);
  void Fail(OpId op, std::string message);
  bool IsOutlined(const Op& op) const;
  // Bit per slot of a shape that is given with each op.
  uint64_t GivenSlots(ShapeId shape);

  const Module& m_;
  TableWriter& tables_;
  const bool locations_;
  Diagnostics errors_;

  // Signatures.
  ByteBuffer signatures_[signature::kNumColumns];
  uint32_t num_signatures_ = 0;
  IdIndex signature_index_;
  std::vector<uint32_t> signature_words_, signature_starts_{0}, key_;
  Tracked next_name_;
  std::vector<uint64_t> given_slots_;
  std::vector<uint8_t> given_known_;

  // The current stream.
  ByteBuffer columns_[stream::kNumColumns];
  Tracked next_signature_, next_attr_;
  std::vector<uint32_t> scope_;           // numbers of the values in scope
  std::vector<uint32_t> scope_position_;  // by ValueId: where in scope_, counted from 1
  std::vector<uint32_t> value_number_;    // by ValueId; number in the stream plus value_base_
  std::vector<ValueId> scope_values_, far_;
  std::vector<BlockId> stream_blocks_, targets_;
  std::vector<uint32_t> block_number_;  // by BlockId, as value_number_
  std::vector<OpId> outlined_;
  uint32_t value_base_ = 0, num_values_ = 0, block_base_ = 0, num_args_ = 0;
  bool in_program_ = false;
  StreamOut* out_ = nullptr;
};

}  // namespace shlo::format
