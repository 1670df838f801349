#include "serialize/shlo_writer_program.h"

#include <algorithm>

namespace shlo::format {
namespace {

// Whether values of a class are given with each op: they name or contain something, so that most ops have
// one of their own. The rest is the same for many ops and belongs to the signature.
bool IsGivenWithOp(AttrClass c) {
  switch (c) {
    case AttrClass::kAny:
    case AttrClass::kStr:
    case AttrClass::kElements:
    case AttrClass::kSymbol:
    case AttrClass::kSymbols:
    case AttrClass::kDict:
    case AttrClass::kDicts:
    case AttrClass::kType:
    case AttrClass::kConfig:
      return true;
    default:
      return false;
  }
}

constexpr uint32_t kGiven = ~0u;  // in a key, in place of an attribute

}  // namespace

ProgramWriter::ProgramWriter(const Module& module, TableWriter* tables, bool locations)
    : m_(module),
      tables_(*tables),
      locations_(locations),
      given_slots_(ShapeRows().size()),
      given_known_(ShapeRows().size()),
      scope_position_(module.values.size()),
      value_number_(module.values.size()),
      block_number_(module.blocks.size()) {}

void ProgramWriter::Fail(OpId op, std::string message) {
  if (!errors_.empty()) return;
  Diagnostic d{.code = Code::kInvalidProgram, .place = m_.PlaceOf(op), .message = std::move(message)};
  d.op = m_.NameOf(m_.ops[op.v]);
  errors_.push_back(std::move(d));
}

bool ProgramWriter::IsOutlined(const Op& op) const {
  return in_program_ && op.shape && op.regions.count && RowOf(op.shape).Has(Trait::kFunction);
}

uint64_t ProgramWriter::GivenSlots(ShapeId shape) {
  if (!given_known_[shape.v]) {
    uint64_t mask = 0;
    const auto attrs = ShapeOf(shape).attrs;
    for (size_t i = 0; i < attrs.size() && i < 64; ++i)
      if (IsGivenWithOp(attrs[i].attr_class())) mask |= 1ull << i;
    given_slots_[shape.v] = mask;
    given_known_[shape.v] = 1;
  }
  return given_slots_[shape.v];
}

// Number of the signature of an op, new or not. Leaves the key in key_.
uint64_t ProgramWriter::SignatureOf(const Op& op, bool outlined) {
  key_.clear();
  key_.push_back(op.shape.v);
  key_.push_back(op.shape ? 0 : op.name.v);
  key_.push_back(op.operands.count);
  key_.push_back(op.regions.count * 2 + outlined);
  key_.push_back(op.successors.count);
  key_.push_back(op.results.count);
  for (uint32_t i = 0; i < op.results.count; ++i) key_.push_back(m_.values[op.results.first + i].type.v);
  key_.push_back(op.extra.count);
  for (const NamedAttr& extra : m_.ExtrasOf(op)) key_.push_back(extra.name.v);
  const uint64_t given = GivenSlots(op.shape);
  uint32_t i = 0;
  for (AttrId slot : m_.SlotsOf(op)) {
    key_.push_back(slot && i < 64 && (given >> i & 1) ? kGiven : slot.v);
    ++i;
  }
  const size_t bytes = key_.size() * sizeof(uint32_t);
  const uint64_t hash = HashBytes(key_.data(), bytes);
  const uint32_t found = signature_index_.Find(hash, [&](uint32_t id) {
    const uint32_t first = signature_starts_[id - 1], last = signature_starts_[id];
    return last - first == key_.size() && std::memcmp(&signature_words_[first], key_.data(), bytes) == 0;
  });
  if (found) return found;
  signature_words_.insert(signature_words_.end(), key_.begin(), key_.end());
  signature_starts_.push_back(uint32_t(signature_words_.size()));
  signature_index_.Insert(hash, ++num_signatures_);
  AppendSignature(op);
  return num_signatures_;
}

void ProgramWriter::AppendSignature(const Op& op) {
  namespace s = signature;
  if (op.shape) {
    signatures_[s::kOps].Varint(RowOf(op.shape).wire_id);
    signatures_[s::kShapes].Varint(ShapeCode(ShapeOf(op.shape)));
  } else {
    signatures_[s::kOps].Varint(0);
    signatures_[s::kShapes].Varint(tables_.String(op.name));
  }
  const uint32_t* key = key_.data() + 2;
  signatures_[s::kOperands].Varint(*key++);
  signatures_[s::kRegions].Varint(*key++);
  signatures_[s::kSuccessors].Varint(*key++);
  const uint32_t results = *key++;
  signatures_[s::kResults].Varint(results);
  for (uint32_t i = 0; i < results; ++i) signatures_[s::kTypes].Varint(tables_.Type(TypeId(*key++)));
  const uint32_t extras = *key++;
  signatures_[s::kExtras].Varint(extras);
  for (uint32_t i = 0; i < extras; ++i)
    signatures_[s::kNames].Varint(next_name_.Encode(tables_.String(StringId(*key++))));
  for (; key != key_.data() + key_.size(); ++key)
    signatures_[s::kSlots].Varint(*key == kGiven ? 0 : uint64_t(tables_.Attr(AttrId(*key))) + 1);
}

ByteBuffer ProgramWriter::TakeSignatures() {
  ByteBuffer out;
  AppendColumns(std::array{uint64_t(num_signatures_)}, signatures_, &out);
  return out;
}

void ProgramWriter::Push(ValueId value) {
  value_number_[value.v] = value_base_ + ++num_values_;
  scope_values_.push_back(value);
  scope_position_[value.v] = uint32_t(scope_values_.size());
}

void ProgramWriter::WriteOp(OpId id) {
  const Op& op = m_.ops[id.v];
  ++out_->num_ops;
  const bool outlined = IsOutlined(op);
  if (outlined) outlined_.push_back(id);
  columns_[stream::kSignatures].Varint(next_signature_.Encode(SignatureOf(op, outlined)));
  if (const uint64_t given = GivenSlots(op.shape)) {
    uint32_t i = 0;
    for (AttrId slot : m_.SlotsOf(op)) {
      if (slot && i < 64 && (given >> i & 1))
        columns_[stream::kAttrs].Varint(next_attr_.Encode(tables_.Attr(slot)));
      ++i;
    }
  }
  for (const NamedAttr& extra : m_.ExtrasOf(op))
    columns_[stream::kAttrs].Varint(next_attr_.Encode(tables_.Attr(extra.value)));
  for (ValueId operand : m_.OperandsOf(op)) {
    const uint32_t position = scope_position_[operand.v];
    if (position && position <= scope_values_.size() && scope_values_[position - 1] == operand) {
      columns_[stream::kOperands].Varint(scope_values_.size() + 1 - position);
    } else {
      columns_[stream::kOperands].Varint(0);
      far_.push_back(operand);
    }
  }
  for (BlockId target : m_.SuccessorsOf(op)) targets_.push_back(target);
  if (locations_) out_->op_locs.push_back(op.loc);
}

bool ProgramWriter::WriteRegions(const Op& op, uint32_t depth) {
  if (depth > kMaxDepth) {
    if (errors_.empty())
      errors_.push_back(
          {.code = Code::kLimit, .message = "regions nest more than 500 deep, which .shlo cannot say"});
    return false;
  }
  for (RegionId region : m_.RegionsOf(op)) {
    const size_t scope = scope_values_.size();
    const auto blocks = m_.BlocksOf(region);
    columns_[stream::kBlocks].Varint(blocks.size());
    for (BlockId block : blocks) {
      stream_blocks_.push_back(block);
      block_number_[block.v] = block_base_ + uint32_t(stream_blocks_.size());
    }
    for (BlockId block : blocks) {
      const Block& b = m_.blocks[block.v];
      columns_[stream::kBlocks].Varint(b.args.count);
      columns_[stream::kBlocks].Varint(b.ops.count);
      for (uint32_t i = 0; i < b.args.count; ++i) {
        const ValueId arg = m_.ArgOf(block, i);
        columns_[stream::kTypes].Varint(tables_.Type(m_.TypeOf(arg)));
        Push(arg);
      }
      num_args_ += b.args.count;
      if (!WriteOps(m_.OpsOf(block), depth)) return false;
    }
    scope_values_.resize(scope);
  }
  return true;
}

bool ProgramWriter::WriteOps(std::span<const OpId> ops, uint32_t depth) {
  for (OpId id : ops) {
    const Op& op = m_.ops[id.v];
    WriteOp(id);
    if (op.regions.count && !IsOutlined(op) && !WriteRegions(op, depth + 1)) return false;
    for (uint32_t i = 0; i < op.results.count; ++i) Push(m_.ResultOf(op, i));
  }
  return true;
}

bool ProgramWriter::Stream(std::span<const OpId> ops, OpId function, StreamOut* out) {
  for (ByteBuffer& column : columns_) column.clear();
  scope_values_.clear();
  far_.clear();
  targets_.clear();
  stream_blocks_.clear();
  value_base_ += num_values_;
  num_values_ = num_args_ = 0;
  out_ = out;
  out->function = function;
  out->first_signature = next_signature_.next();
  out->first_attr = next_attr_.next();
  if (!(function ? WriteRegions(m_.ops[function.v], 1) : WriteOps(ops, 0))) return false;

  for (ValueId value : far_) {
    if (value_number_[value.v] <= value_base_) {
      const Value& v = m_.values[value.v];
      const OpId near = v.op ? v.op : v.block ? m_.regions[m_.blocks[v.block.v].parent.v].parent : m_.top;
      Fail(near,
           "a value of this op is used outside of the function it belongs to, or the op is in no block");
      return false;
    }
    columns_[stream::kFar].Varint(value_number_[value.v] - value_base_);
  }
  for (BlockId target : targets_) {
    if (block_number_[target.v] <= block_base_) {
      Fail(function ? function : m_.top, "an op in here has a successor outside of its function");
      return false;
    }
    columns_[stream::kSuccessors].Varint(block_number_[target.v] - block_base_);
  }
  const auto known = [](AttrId loc) { return bool(loc); };
  if (locations_) {
    for (BlockId block : stream_blocks_)
      for (uint32_t i = 0; i < m_.blocks[block.v].args.count; ++i)
        out->arg_locs.push_back(m_.values[m_.ArgOf(block, i).v].loc);
    if (std::none_of(out->op_locs.begin(), out->op_locs.end(), known)) out->op_locs.clear();
    if (std::none_of(out->arg_locs.begin(), out->arg_locs.end(), known)) out->arg_locs.clear();
  }
  const std::array<uint64_t, stream::kNumHeader> header = {out->num_ops, stream_blocks_.size(), num_args_,
                                                           far_.size()};
  AppendColumns(header, columns_, &out->bytes);
  block_base_ += uint32_t(stream_blocks_.size());
  return true;
}

Result<std::vector<StreamOut>> ProgramWriter::Run() {
  std::vector<StreamOut> streams(1);
  in_program_ = true;
  const bool ok = Stream(std::span(&m_.top, 1), OpId(), &streams[0]);
  in_program_ = false;
  if (!ok) return tl::unexpected(std::move(errors_));
  streams.resize(1 + outlined_.size());
  for (size_t i = 0; i < outlined_.size(); ++i)
    if (!Stream({}, outlined_[i], &streams[1 + i])) return tl::unexpected(std::move(errors_));
  return streams;
}

ByteBuffer ProgramWriter::TakeDebugBody(const StreamOut& stream) {
  ByteBuffer columns[2], out;
  const std::vector<AttrId>* lists[2] = {&stream.op_locs, &stream.arg_locs};
  for (int i = 0; i < 2; ++i) {
    int64_t last = 0;
    for (AttrId loc : *lists[i]) {
      const int64_t number = tables_.Attr(loc);
      columns[i].Varint(number ? 1 + ZigZag(number - last) : 0);
      if (number) last = number;
    }
  }
  AppendColumns({}, columns, &out);
  return out;
}

}  // namespace shlo::format
