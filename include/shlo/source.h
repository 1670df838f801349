// Where a program came from, kept next to its Module and not in it: the name of the file, who wrote it, how
// its text was spelled, and the places of ops, attributes and types in that text. Readers fill a Source when
// they are given one. Functions that report places, and writers that keep the spelling, take it as an option.
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
  // As a key of OffsetOfAttr: where the attribute is, or where the dictionary begins that it is in. The
  // generic form has no dictionary of its own: it is read as one piece, and its places are those of the op.
  enum class Part : uint8_t { kAttr, kDictionary };

  SourcePlaces() = default;
  // No places yet; `text` is kept alive by `owner`.
  SourcePlaces(std::string_view text, Buffer owner, PoolCache* cache = nullptr);

  bool empty() const { return ops_.empty(); }
  // Each returns kNone where the text does not show it. Of an op: its name.
  uint64_t OffsetOfOp(OpId op) const { return op.v < ops_.size() ? ops_[op.v] : kNone; }
  // The attribute by its written name: a slot, a struct attribute or a discardable attribute.
  uint64_t OffsetOfAttr(OpId op, std::string_view name, Part part = Part::kAttr) const;
  // The types of operands and results, which are written in one place.
  uint64_t OffsetOfTypes(OpId op) const;
  // The type of a block argument.
  uint64_t OffsetOfArg(ValueId arg) const;

  // Sets line (counted from `first_line`), column and source line of a place.
  void Locate(uint64_t offset, uint32_t first_line, Place* place) const;

  // --- For readers ----------------------------------------------------------------------------------
  void Reserve(size_t ops) { ops_.reserve(ops); }
  // The place of every op up to `end` that has none yet: ops that stand for others are where those are.
  void AddOps(size_t end, uint64_t offset) { ops_.resize(end, offset); }
  // What an op shows beyond its name, once it was added. Ops and arguments come in the order of their ids.
  void AddTypes(OpId op, uint64_t offset);
  StringId NameId(std::string_view name) { return names_.Intern(name); }
  void AddAttr(OpId op, StringId name, uint64_t offset, uint64_t dictionary = kNone);
  void AddArg(ValueId arg, uint64_t offset) { args_.push_back({arg, offset}); }

  // The places of a copy whose op i was origins[i], and whose value i was values[i] (none: no place).
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

struct Source {
  std::string name;              // of the file, for diagnostics
  std::string producer;          // who wrote the artifact; may be empty
  uint32_t first_line = 1;       // line of the file in which the program begins
  bool implicit_module = false;  // text without a `module { }` around it
  bool version_written = false;  // the program stated its version
  SourcePlaces places;
};

// The place of an op: line, column and source line where `source` has them, the program's own location
// otherwise, and always the function. `source` may be null.
Place PlaceOf(const Module& module, OpId op, const Source* source);
// The place of an attribute of an op, by the name of its slot or its own; that of the op where the text does
// not show it.
Place PlaceOfAttr(const Module& module, OpId op, std::string_view name, const Source* source,
                  SourcePlaces::Part part = SourcePlaces::Part::kAttr);
// The place of the types of an op's operands and results, and of a block argument's type.
Place PlaceOfTypes(const Module& module, OpId op, const Source* source);
Place PlaceOfArg(const Module& module, ValueId arg, const Source* source);

}  // namespace shlo
