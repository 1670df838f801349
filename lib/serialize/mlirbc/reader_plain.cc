// Fast path for most ops of a large program: everything they refer to has been read, and they have no
// regions. Any other op, malformed ones included, goes to ProgramIn::ReadOp, which diagnoses it.
#include <algorithm>

#include "serialize/mlirbc/reader_program.h"

namespace shlo::mlirbc {
namespace {

constexpr uint64_t kMostResults = 4, kMostOperands = 16;
// Name, mask, location, attributes, properties and two counts, then results and operands.
constexpr size_t kMostBytes = (7 + kMostResults + kMostOperands) * InCursor::kMaxVarint;

}  // namespace

// Returns false, and reads nothing, if the next op does not qualify.
bool ProgramIn::ReadPlainOp() {
  InCursor& c = cursors_.back();
  const uint8_t* at = c.at();
  // Reading past the section, but within the file, is harmless: the result is discarded.
  if (size_t(file_end_ - at) < kMostBytes) return false;
  const uint64_t name = InCursor::TakeVarint(at);
  if (name >= names_.size() || !names_[name].revision || names_[name].cast) return false;
  NameInfo& info = names_[name];
  const uint8_t mask = *at++;
  if (mask & ~(kHasAttrs | kHasProperties | kHasResults | kHasOperands)) return false;
  AttrId location;
  if (!nodes_.KnownLocation(InCursor::TakeVarint(at), &location)) return false;
  uint64_t attrs = 0, properties = 0;  // from 1
  if (mask & kHasAttrs)
    if (attrs = InCursor::TakeVarint(at); attrs++ >= nodes_.num_attrs()) return false;
  if (mask & kHasProperties)
    if (properties = InCursor::TakeVarint(at); properties++ >= properties_.size()) return false;
  const uint32_t placed = attrs || properties ? last_placed_[properties] : 0;
  if ((attrs || properties) && !IsPlaced(placed, name, attrs, properties)) return false;
  TypeId types[kMostResults];
  const uint64_t num_results = mask & kHasResults ? InCursor::TakeVarint(at) : 0;
  Frame& frame = frames_.back();
  if (num_results > kMostResults || num_results > frame.end_value - frame.next_value) return false;
  for (uint64_t i = 0; i < num_results; ++i)
    if (types[i] = nodes_.KnownType(InCursor::TakeVarint(at)); !types[i]) return false;
  const uint64_t num_operands = mask & kHasOperands ? InCursor::TakeVarint(at) : 0;
  if (num_operands > kMostOperands) return false;
  const ValueId* const values = values_.data() + frame.scope;
  const size_t num_values = values_.size() - frame.scope;
  ValueId operands[kMostOperands];
  TypeId operand_types[kMostOperands];
  for (uint64_t i = 0; i < num_operands; ++i) {
    const uint64_t number = InCursor::TakeVarint(at);
    if (number >= num_values || !values[number]) return false;
    operands[i] = values[number];
    operand_types[i] = m_.TypeOf(operands[i]);
  }
  if (!c.SkipTo(at)) return false;

  info.used = true;
  const SignatureId signature =
      m_.signatures.Intern({.revision = info.returns ? ReturnOf(frame) : info.revision,
                            .name = {},
                            .inherent_attrs = InherentAttrsOf(placed, info),
                            .discardable_attrs = DiscardableAttrsOf(placed),
                            .operand_types = {operand_types, num_operands},
                            .result_types = {types, num_results}});
  const OpId id = builder_.AddOp(signature, {operands, num_operands}, location);
  const uint32_t first_result = m_.ops[id.v].first_result;
  for (uint64_t i = 0; i < num_results; ++i)
    values_[frame.next_value++] = ValueId(first_result + uint32_t(i));
  return true;
}

}  // namespace shlo::mlirbc
