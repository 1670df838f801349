// The steps between the shapes of an op: the rows of versioning/steps.inc as data, and the two functions,
// up and down, of each kind of change. Not for whole programs (convert.cc), and not for what a version can
// say at all (legality.h).
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "ir/module.h"
#include "ir/op_table.h"

namespace shlo {

// What changes at a boundary; see steps.inc.
enum ChangeSet : uint8_t { kRename = 1, kAttributes = 2, kLists = 4, kRegions = 8 };
constexpr ChangeSet operator|(ChangeSet a, ChangeSet b) { return ChangeSet(uint8_t(a) | uint8_t(b)); }

struct Step {
  static constexpr size_t kMaxSlots = 24;
  static constexpr int8_t kAbsent = -1;
  ShapeId from;      // the older shape
  ShapeId to;        // the newer shape
  Version boundary;  // the first version of `to`
  ChangeSet changes{};
  // For each slot of the shape arrived at the slot it is carried from, or kAbsent.
  std::array<int8_t, kMaxSlots> up_slots{};
  std::array<int8_t, kMaxSlots> down_slots{};
};

enum class Direction : bool { kUp, kDown };

// All steps, in the order of steps.inc.
std::span<const Step> Steps();
// The step that leaves a shape in a direction; nullptr at the end of the line.
const Step* StepFrom(ShapeId shape, Direction direction);

// Something that the shape arrived at cannot say, as the end of a sentence about the op.
struct Refusal {
  std::string message;
  std::string hint;
};

// An op on its way along the line: what steps read and write. The op itself stays as it is.
struct Draft {
  const Module* module = nullptr;
  const Op* op = nullptr;
  ShapeId shape;
  std::vector<AttrId> slots;  // as the shape orders them
  std::vector<AttrId> scratch;

  void Start(const Module& m, const Op& o);
};

// Takes a draft over one boundary. What would be lost is added to `refusals` (may be null); the draft
// arrives without it, so that the way beyond can be looked at too. True when nothing is lost.
bool Take(const Step& step, Direction direction, Draft* draft, std::vector<Refusal>* refusals);

}  // namespace shlo
