// Records where a program came from, outside of its Module: the file name, the producer, the spelling of
// its text, and the places of ops, attributes and types in it. Readers fill in a Source if given one.
// Functions that report places, and writers that preserve the spelling, accept it as an option.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shlo/diagnostics.h"
#include "shlo/ids.h"
#include "shlo/module.h"
#include "shlo/node_table.h"

namespace shlo {

// Byte offsets of the parts of a program in its text, by id. Lines and columns are computed from the text
// when needed. Conversions keep op ids, so places remain valid for a converted module; passes that renumber
// ops must rearrange the places as well (see InlineCalls). Programs read from artifacts have no places.
class SourcePlaces {
 public:
  static constexpr uint64_t kNone = ~0ull;  // no place
  // Key for OffsetOfAttr: the place of the attribute itself, or the start of the dictionary that contains
  // it. The generic form is read as one piece, so its attributes have the place of the op.
  enum class Part : uint8_t { kAttr, kDictionary };

  SourcePlaces() = default;
  // Creates an empty table; `owner` keeps `text` alive.
  SourcePlaces(std::string_view text, Buffer owner);

  // Returns whether no op has a place, as for programs read from artifacts.
  bool empty() const { return ops_.empty(); }
  // Each returns kNone if the text does not contain the part. OffsetOf returns the place of the op's name.
  uint64_t OffsetOfOp(OpId op) const { return op.v < ops_.size() ? ops_[op.v].name : kNone; }
  // Returns the place of an attribute by its written name: an inherent, struct or discardable attribute.
  uint64_t OffsetOfAttr(OpId op, std::string_view name, Part part = Part::kAttr) const;
  // Returns the place of the types of operands and results, which are written together.
  uint64_t OffsetOfTypes(OpId op) const;
  // Returns the place of a block argument's type.
  uint64_t OffsetOfArg(ValueId arg) const;
  // Returns the name of a block argument without its '%', or nothing: a view of the text.
  std::string_view NameOfArg(ValueId arg) const;

  // Sets line (counted from `first_line`), column and source line of a place.
  void Locate(uint64_t offset, uint32_t first_line, Place* place) const;

  // Returns the places of a copy in which op i was origins[i] and value i was values[i] (none: no place).
  SourcePlaces Rearranged(std::span<const OpId> origins, std::span<const ValueId> values) const;

 protected:
  // Distances from the op's name, which precedes its other parts; 0: none.
  struct Op {
    uint64_t name;   // offset of its name
    uint32_t types;  // distance of its types
  };
  // The places of an attribute.
  struct Attr {
    OpId op;              // the op that has it
    StringId name;        // in names_
    uint32_t at;          // distance of the attribute
    uint32_t dictionary;  // distance of the dictionary that it is in
  };
  // The place of a block argument.
  struct Arg {
    ValueId value;    // the argument
    uint64_t offset;  // of its type
  };
  // Returns 0 if the offset is unknown or too far.
  static uint32_t Distance(uint64_t from, uint64_t to) {
    return to == kNone || to < from || to - from > UINT32_MAX ? 0 : uint32_t(to - from);
  }

  std::vector<Op> ops_;      // by OpId
  std::vector<Attr> attrs_;  // by op
  std::vector<Arg> args_;    // by value
  StringTable names_;        // names of attributes

 private:
  std::span<const Attr> AttrsOf(OpId op) const;
  struct Lines;
  uint32_t LinesBefore(size_t offset) const;

  std::string_view text_;
  Buffer owner_;
  std::shared_ptr<Lines> lines_;  // of the text, shared by copies
};

// The origin of a program.
struct Source {
  std::string name;              // of the file, for diagnostics
  std::string producer;          // producer of the artifact; may be empty
  uint32_t first_line = 1;       // line of the file in which the program begins
  bool implicit_module = false;  // text without a `module { }` around it
  bool version_written = false;  // the program stated its version
  bool portable = false;         // the program was an artifact of VHLO, which writes defaults out
  // Written in MHLO, which has no versions: a reader made each op the one of StableHLO that it became, and a
  // text that states no other version is printed in MHLO again.
  bool mhlo = false;
  SourcePlaces places;  // empty unless the program was text
};

// Returns the place of an op: line, column and source line if `source` has them, otherwise the op's own
// location; in both cases with the function. `source` may be null.
Place PlaceOf(const Module& module, OpId op, const Source* source);
// Returns the place of an op's attribute by name, or the op's place if the text does not contain the
// attribute.
Place PlaceOfAttr(const Module& module, OpId op, std::string_view name, const Source* source,
                  SourcePlaces::Part part = SourcePlaces::Part::kAttr);
// Returns the place of the types of an op's operands and results, or of a block argument's type.
Place PlaceOfTypes(const Module& module, OpId op, const Source* source);
Place PlaceOfArg(const Module& module, ValueId arg, const Source* source);

}  // namespace shlo
