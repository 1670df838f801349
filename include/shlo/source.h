// The origin of a program, kept outside of its Module: the file name, the producer, properties of its text,
// and the places of ops, attributes and types in that text. Readers fill a Source if one is passed. Functions
// that report places, and writers that preserve properties of the text, take it as an option.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "shlo/diagnostics.h"
#include "shlo/ids.h"
#include "shlo/module.h"
#include "shlo/node_table.h"
#include "shlo/pool.h"

namespace shlo {

// Byte offsets of the parts of a program in its text, by id; lines and columns are computed from the text on
// demand. Conversions keep the ids of ops, so places stay valid for a converted module; passes that renumber
// ops rearrange the places too (see InlineCalls). Programs read from artifacts have no places.
class SourcePlaces {
 public:
  static constexpr uint64_t kNone = ~0ull;
  // Selects in OffsetOfAttr the place of the attribute, or of the dictionary around it. In the generic form
  // the reference reports errors in the dictionary at the op.
  enum class Part : uint8_t { kAttr, kDictionary };

  SourcePlaces() = default;
  // Starts without places; `owner` keeps `text` alive.
  SourcePlaces(std::string_view text, Buffer owner, PoolCache* cache = nullptr);

  bool empty() const { return ops_.empty(); }
  // Each returns kNone if the text has no such place. The place of an op is its name.
  uint64_t OffsetOfOp(OpId op) const { return op.v < ops_.size() ? ops_[op.v] : kNone; }
  // Finds an inherent, struct or discardable attribute by its written name.
  uint64_t OffsetOfAttr(OpId op, std::string_view name, Part part = Part::kAttr) const;
  // The types of operands and results, which are written together.
  uint64_t OffsetOfTypes(OpId op) const;
  // The type of a block argument.
  uint64_t OffsetOfArg(ValueId arg) const;

  // Sets line (counted from `first_line`), column and source line of a place.
  void Locate(uint64_t offset, uint32_t first_line, Place* place) const;

  // --- For readers ----------------------------------------------------------------------------------
  void Reserve(size_t ops) { ops_.reserve(ops); }
  // Sets the place of every op up to `end` that has none yet, such as ops created for another op.
  void AddOps(size_t end, uint64_t offset) { ops_.resize(end, offset); }
  // Add places of an op that was added before. Ops and arguments must be in the order of their ids.
  void AddTypes(OpId op, uint64_t offset);
  StringId NameId(std::string_view name) { return names_.Intern(name); }
  void AddAttr(OpId op, StringId name, uint64_t offset, uint64_t dictionary = kNone);
  void AddArg(ValueId arg, uint64_t offset) { args_.push_back({arg, offset}); }

  // Returns the places of a copy whose op i was origins[i], and whose value i was values[i] (none: no place).
  SourcePlaces Rearranged(std::span<const OpId> origins, std::span<const ValueId> values) const;

 private:
  // Offsets from the op's name, which precedes all of these; 0: none.
  struct Attr {
    OpId op;
    StringId name;  // in names_
    uint32_t at;
    uint32_t dictionary;
  };
  struct Arg {
    ValueId value;
    uint64_t offset;
  };
  std::span<const Attr> AttrsOf(OpId op) const;
  uint32_t FromOp(OpId op, uint64_t offset) const;

  std::string_view text_;
  Buffer owner_;
  Pool<uint64_t> ops_;    // by OpId
  Pool<uint32_t> types_;  // by OpId
  Pool<Attr> attrs_;      // by op
  Pool<Arg> args_;        // by value
  StringTable names_;
};

// The origin of a program.
struct Source {
  std::string name;              // of the file, for diagnostics
  std::string producer;          // producer string of the artifact; may be empty
  uint32_t first_line = 1;       // line of the file in which the program begins
  bool implicit_module = false;  // text without a `module { }` around it
  bool version_written = false;  // the program stated its version
  SourcePlaces places;
};

// Returns the place of an op: line, column and source line if `source` has them, the MLIR location otherwise,
// and always the function. `source` may be null.
Place PlaceOf(const Module& module, OpId op, const Source* source);
// Returns the place of an attribute by name, or the place of the op if the text does not show the attribute.
Place PlaceOfAttr(const Module& module, OpId op, std::string_view name, const Source* source,
                  SourcePlaces::Part part = SourcePlaces::Part::kAttr);
// Return the place of the types of an op's operands and results, and of a block argument's type.
Place PlaceOfTypes(const Module& module, OpId op, const Source* source);
Place PlaceOfArg(const Module& module, ValueId arg, const Source* source);

}  // namespace shlo
