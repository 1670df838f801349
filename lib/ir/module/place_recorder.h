// How the text reader notes the places of ops.
#pragma once

#include "shlo/source.h"

namespace shlo {

// Places that are being noted, in the order of op and argument ids.
class PlaceRecorder : public SourcePlaces {
 public:
  using SourcePlaces::SourcePlaces;

  // Makes room for this number of ops.
  void Reserve(size_t ops) {
    ops_.reserve(ops);
    attrs_.reserve(ops / 2);
  }
  // Sets the places of every op up to `end` that has none yet: an op that the reader adds for another gets
  // the places of that op.
  void AddOps(size_t end, uint64_t offset, uint64_t types = kNone) {
    while (ops_.size() < end) ops_.push_back({offset, Distance(offset, types)});
  }
  // Adds an attribute of the last op.
  void AddAttr(OpId op, StringId name, uint64_t offset, uint64_t dictionary = kNone) {
    const uint64_t from = ops_[op.v].name;
    attrs_.push_back({op, name, Distance(from, offset), Distance(from, dictionary)});
  }
  // Returns the id of an attribute's name, for AddAttr.
  StringId NameId(std::string_view name) { return names_.Intern(name); }
  void AddArg(ValueId arg, uint64_t offset) { args_.push_back({arg, offset}); }
  // Appends the places of a part of the same text, whose ops and values now begin with these ids.
  void Append(const PlaceRecorder& part, OpId first_op, ValueId first_value);
};

}  // namespace shlo
