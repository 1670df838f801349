#include "serialize/shlo/writer_program.h"

#include <algorithm>

#include "base/deadline.h"
#include "base/stack.h"
#include "ir/table/attr_class.h"
#include "ir/table/trait.h"

namespace shlo::format {
namespace {

// Returns whether values of a class are given with each op: they name or contain something, so that they
// differ for most ops. The rest is the same for many ops and is part of the signature.
bool IsGivenWithOp(AttrClass c) {
  switch (c) {
    case AttrClass::kAny:
    case AttrClass::kTypedAttr:
    case AttrClass::kOverflow:
    case AttrClass::kFastMath:
    case AttrClass::kIndexElements:
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

constexpr uint32_t kGivenKey = ~0u;  // in a key, in place of an attribute

}  // namespace

ProgramWriter::ProgramWriter(const Module& module, TableWriter* tables, bool locations, const Source* source)
    : m_(module),
      source_(source),
      tables_(*tables),
      locations_(locations),
      shapes_(OpRevisions().size()),
      plain_signatures_(module.signatures.size()),
      values_(module.values.size()),
      block_number_(module.blocks.size()) {
  for (uint16_t i = 1; i < shapes_.size(); ++i) {
    const auto attrs = RevisionOf(RevisionId{i}).attrs;
    shapes_[i].inherent_attrs = uint32_t(attrs.size());
    for (size_t k = 0; k < attrs.size() && k < 64; ++k)
      if (IsGivenWithOp(attrs[k].attr_class())) shapes_[i].given |= 1ull << k;
    shapes_[i].terminator = RowOf(RevisionId{i}).Has(Trait::kTerminator);
    shapes_[i].function = RowOf(RevisionId{i}).Has(Trait::kFunction);
  }
}

void ProgramWriter::Fail(OpId op, std::string message) {
  if (!errors_.empty()) return;
  Diagnostic d{
      .code = Code::kInvalidProgram, .place = PlaceOf(m_, op, source_), .message = std::move(message)};
  d.op = m_.NameOf(m_.ops[op.v]);
  errors_.push_back(std::move(d));
}

bool ProgramWriter::IsOutlined(const Op& op) const {
  return in_program_ && op.regions.count && shapes_[m_.RevisionIdOf(op).v].function;
}

// Returns where the type of a result is found: the number of an operand plus one, or of a slot given with the
// op plus one plus the number of operands; 0 if it must be stated. Checks only a few places, for any op.
uint32_t ProgramWriter::TypeSource(const Op& op, uint32_t result) const {
  constexpr uint32_t kPlaces = 4;
  const TypeId type = m_.values[op.first_result + result].type;
  const auto operands = m_.OperandsOf(op);
  const auto fits = [&](uint32_t k) {
    return m_.values[operands[k].v].type == type && values_[operands[k].v].number > value_base_;
  };
  if (result < operands.size() && fits(result)) return result + 1;
  for (uint32_t k = 0; k < operands.size() && k < kPlaces; ++k)
    if (fits(k)) return k + 1;
  if (const uint64_t given = shapes_[m_.RevisionIdOf(op).v].given) {
    const auto inherent_attrs = m_.InherentAttrsOf(op);
    for (uint32_t k = 0; k < inherent_attrs.size() && k < kPlaces; ++k)
      if (given >> k & 1 && LeadingType(m_, inherent_attrs[k]) == type)
        return uint32_t(operands.size()) + k + 1;
  }
  return 0;
}

// Returns the number of an op's signature in the file, where it is added if it is new. Unlike in memory, it
// states the numbers of regions and successors, and which operand gives the type of a result.
uint32_t ProgramWriter::SignatureOf(const Op& op, bool outlined) {
  const bool plain =
      op.regions.count == 0 && op.successors.count == 0 &&
      std::ranges::all_of(m_.OperandsOf(op), [&](ValueId v) { return values_[v.v].number > value_base_; });
  if (plain && plain_signatures_[op.signature.v]) return plain_signatures_[op.signature.v];
  const OpSignature signature = m_.SignatureOf(op);
  const RevisionInfo& shape = shapes_[signature.revision.v];
  key_.clear();
  const auto put = [&](size_t word) { key_.push_back(uint32_t(word)); };
  put(signature.revision.v);
  put(signature.name.v);
  put(signature.operand_types.size());
  put(op.regions.count * 2 + outlined);
  put(op.successors.count * 2 + shape.terminator);
  put(signature.result_types.size());
  put(signature.discardable_attrs.size());
  for (uint32_t i = 0; i < signature.result_types.size(); ++i) {
    const uint32_t source = TypeSource(op, i);
    put(source);
    put(source ? 0 : signature.result_types[i].v);
  }
  for (const NamedAttr& discardable : signature.discardable_attrs) put(discardable.name.v);
  for (uint32_t i = 0; i < shape.inherent_attrs; ++i) {
    const AttrId attr = signature.inherent_attrs[i];
    put(attr && i < 64 && (shape.given >> i & 1) ? kGivenKey : attr.v);
  }
  const uint64_t hash = HashBytes(key_.data(), key_.size() * sizeof(uint32_t));
  uint32_t number = signature_index_.Find(hash, [&](uint32_t id) {
    return std::ranges::equal(
        key_, std::span(signature_words_)
                  .subspan(signature_starts_[id - 1], signature_starts_[id] - signature_starts_[id - 1]));
  });
  if (!number) {
    signature_words_.insert(signature_words_.end(), key_.begin(), key_.end());
    signature_starts_.push_back(uint32_t(signature_words_.size()));
    signature_index_.Insert(hash, number = ++num_signatures_);
    AppendSignature(op);
  }
  if (plain) plain_signatures_[op.signature.v] = number;
  return number;
}

void ProgramWriter::AppendSignature(const Op& op) {
  namespace s = signature;
  if (m_.RevisionIdOf(op)) {
    signatures_[s::kOps].Varint(RowOf(m_.RevisionIdOf(op)).wire_id);
    signatures_[s::kRevisions].Varint(RevisionCode(RevisionOf(m_.RevisionIdOf(op))));
  } else {
    signatures_[s::kOps].Varint(0);
    signatures_[s::kRevisions].Varint(tables_.String(m_.signatures.NameOf(op.signature)));
  }
  const uint32_t* key = key_.data() + 2;
  signatures_[s::kOperands].Varint(*key++);
  signatures_[s::kRegions].Varint(*key++);
  signatures_[s::kSuccessors].Varint(*key++);
  const uint32_t results = *key++, discardable_attrs = *key++;
  signatures_[s::kResults].Varint(results);
  signatures_[s::kDiscardableAttrs].Varint(discardable_attrs);
  for (uint32_t i = 0; i < results; ++i, key += 2) {
    const uint64_t source = key[0];
    signatures_[s::kTypes].Varint(source ? source * 2 - 1 : uint64_t(tables_.Type(TypeId(key[1]))) * 2);
  }
  for (uint32_t i = 0; i < discardable_attrs; ++i)
    signatures_[s::kNames].Varint(next_name_.Encode(tables_.String(StringId(*key++))));
  for (; key != key_.data() + key_.size(); ++key)
    signatures_[s::kInherentAttrs].Varint(*key == kGivenKey ? 0 : uint64_t(tables_.Attr(AttrId(*key))) + 1);
}

ChunkOut ProgramWriter::TakeSignatures() {
  ChunkOut out;
  AppendColumns(std::array{uint64_t(num_signatures_)}, signatures_, &out);
  return out;
}

void ProgramWriter::Push(ValueId value) {
  scope_values_.push_back(value);
  values_[value.v] = {value_base_ + ++num_values_, uint32_t(scope_values_.size())};
}

void ProgramWriter::WriteOperand(ValueId operand) {
  ByteBuffer& column = columns_[stream::kOperands];
  // The difference of a value without a number in this body is far out of range.
  const uint32_t number = values_[operand.v].number - value_base_;
  const uint32_t position = values_[operand.v].position;
  if (number - 1 < entry_args_) {
    column.Varint(next_arg_.Encode(number) * 2 + 1);
  } else if (position && position <= scope_values_.size() && scope_values_[position - 1] == operand) {
    column.Varint((scope_values_.size() + 1 - position) * 2);
  } else {
    column.Varint(0);
    far_.push_back(operand);
  }
}

// Adds the location of the `count`-th op or argument of the stream. Most programs have none: the list stays
// empty up to the first known one.
void ProgramWriter::AddLocation(size_t count, AttrId loc, std::vector<AttrId>* locs) {
  if (!loc && locs->empty()) return;
  locs->resize(count - 1);
  locs->push_back(loc);
}

void ProgramWriter::WriteOp(OpId id) {
  const Op& op = m_.ops[id.v];
  ++num_ops_;
  const bool outlined = IsOutlined(op);
  if (outlined) outlined_.push_back(id);
  columns_[stream::kSignatures].Varint(next_signature_.Encode(SignatureOf(op, outlined)));
  const auto inherent_attrs = m_.InherentAttrsOf(op);
  for (uint64_t given = shapes_[m_.RevisionIdOf(op).v].given; given; given &= given - 1)
    if (const AttrId slot = inherent_attrs[size_t(std::countr_zero(given))])
      columns_[stream::kAttrs].Varint(next_attr_.Encode(tables_.Attr(slot)));
  for (const NamedAttr& discardable : m_.DiscardableAttrsOf(op))
    columns_[stream::kAttrs].Varint(next_attr_.Encode(tables_.Attr(discardable.value)));
  for (ValueId operand : m_.OperandsOf(op)) WriteOperand(operand);
  for (BlockId target : m_.SuccessorsOf(op)) targets_.push_back(target);
  if (locations_) AddLocation(header_[stream::kOps] + num_ops_, op.loc, &out_->op_locs);
}

// 0 if the first terminator ends the block, as it should; otherwise the number of ops plus one.
uint64_t ProgramWriter::LengthCode(std::span<const OpId> ops) const {
  size_t i = 0;
  while (i < ops.size() && !shapes_[m_.RevisionIdOf(m_.ops[ops[i].v]).v].terminator) ++i;
  return i + 1 == ops.size() ? 0 : ops.size() + 1;
}

bool ProgramWriter::WriteRegions(const Op& op, uint32_t depth) {
  CheckStack();
  if (depth > kMaxDepth) {
    if (errors_.empty())
      errors_.push_back(
          {.code = Code::kLimit, .message = "regions nest more than 500 levels deep, the limit of .shlo"});
    return false;
  }
  for (RegionId region : m_.RegionsOf(op)) {
    const size_t scope = scope_values_.size();
    const auto blocks = m_.BlocksOf(region);
    columns_[stream::kRegions].Varint(blocks.size());
    for (BlockId block : blocks) {
      body_blocks_.push_back(block);
      block_number_[block.v] = block_base_ + uint32_t(body_blocks_.size());
    }
    for (BlockId block : blocks) {
      const Block& b = m_.blocks[block.v];
      columns_[stream::kArguments].Varint(b.args.count);
      columns_[stream::kLengths].Varint(LengthCode(m_.OpsOf(block)));
      for (uint32_t i = 0; i < b.args.count; ++i) {
        const ValueId arg = m_.ArgOf(block, i);
        columns_[stream::kTypes].Varint(tables_.Type(m_.TypeOf(arg)));
        Push(arg);
      }
      if (block_number_[block.v] == block_base_ + 1) entry_args_ = b.args.count;
      if (!WriteOps(m_.OpsOf(block), depth)) return false;
    }
    scope_values_.resize(scope);
  }
  return true;
}

bool ProgramWriter::WriteOps(std::span<const OpId> ops, uint32_t depth) {
  for (OpId id : ops) {
    Tick();
    const Op& op = m_.ops[id.v];
    WriteOp(id);
    if (op.regions.count && !IsOutlined(op) && !WriteRegions(op, depth + 1)) return false;
    for (uint32_t i = 0; i < m_.NumResults(op); ++i) Push(m_.ResultOf(op, i));
  }
  return true;
}

// Numbers the references that had no number before the body was complete.
bool ProgramWriter::WriteReferences(OpId function) {
  for (ValueId value : far_) {
    if (values_[value.v].number <= value_base_) {
      const Value& v = m_.values[value.v];
      const OpId near = v.op ? v.op : v.block ? m_.regions[m_.blocks[v.block.v].parent.v].parent : m_.top;
      Fail(near, "value of this op is used outside of its function, or the op is not in a block");
      return false;
    }
    columns_[stream::kFar].Varint(values_[value.v].number - value_base_);
  }
  for (BlockId target : targets_) {
    if (block_number_[target.v] <= block_base_) {
      Fail(function ? function : m_.top, "function has an op with a successor outside of it");
      return false;
    }
    columns_[stream::kSuccessors].Varint(block_number_[target.v] - block_base_);
  }
  return true;
}

// Appends a function's body, or with no function section 6, to the current stream.
bool ProgramWriter::WriteBody(std::span<const OpId> ops, OpId function) {
  value_base_ += num_values_;
  block_base_ += uint32_t(body_blocks_.size());
  num_ops_ = num_values_ = entry_args_ = 0;
  next_arg_ = Tracked();
  scope_values_.clear();
  far_.clear();
  targets_.clear();
  body_blocks_.clear();
  if (!(function ? WriteRegions(m_.ops[function.v], 1) : WriteOps(ops, 0))) return false;
  if (locations_)
    for (BlockId block : body_blocks_)
      for (uint32_t i = 0; i < m_.blocks[block.v].args.count; ++i)
        AddLocation(++num_args_, m_.values[m_.ArgOf(block, i).v].loc, &out_->arg_locs);
  header_[stream::kOps] += num_ops_;
  return WriteReferences(function);
}

void ProgramWriter::BeginStream(StreamOut* out) {
  for (ByteBuffer& column : columns_) column.clear();
  header_ = {0, next_signature_.next(), next_attr_.next()};
  num_args_ = 0;
  out_ = out;
}

size_t ProgramWriter::StreamSize() const {
  size_t size = 0;
  for (const ByteBuffer& column : columns_) size += column.size();
  return size;
}

void ProgramWriter::EndStream() { AppendColumns(header_, columns_, &out_->content); }

Result<ProgramOut> ProgramWriter::Run() {
  ProgramOut out;
  BeginStream(&out.program);
  in_program_ = true;
  if (!WriteBody(std::span(&m_.top, 1), OpId())) return tl::unexpected(std::move(errors_));
  in_program_ = false;
  EndStream();
  out.functions.reserve(outlined_.size());
  for (size_t i = 0; i < outlined_.size(); ++i) {
    if (out.pages.empty() || StreamSize() >= kPageSize) {
      if (!out.pages.empty()) EndStream();
      BeginStream(&out.pages.emplace_back());
    }
    if (!WriteBody({}, outlined_[i])) return tl::unexpected(std::move(errors_));
    ++out_->num_functions;
    out.functions.push_back({outlined_[i], num_ops_});
  }
  if (!out.pages.empty()) EndStream();
  return out;
}

ChunkOut ProgramWriter::TakeLocations(const StreamOut& stream) {
  ByteBuffer columns[2];
  ChunkOut out;
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
