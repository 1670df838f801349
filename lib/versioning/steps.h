// The steps between the revisions of an op, derived from schema/ops.inc and the renames of steps.inc, and the
// two functions, up and down, of each kind of change. Not for whole programs (convert.cc), and not for what a
// version can represent at all (legality.h).
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "shlo/module.h"
#include "shlo/op_table.h"

namespace shlo {

// What changes at a boundary, which decides what functions run upwards and downwards:
//   kRename      the name
//   kAttributes  attributes come or go: what goes must have its default, what comes is left absent
//   kLists       a single operand or result becomes a list: downwards there must be exactly one
//   kRegions     a list of regions comes: downwards it must be empty
enum ChangeSet : uint8_t { kRename = 1, kAttributes = 2, kLists = 4, kRegions = 8 };
constexpr ChangeSet operator|(ChangeSet a, ChangeSet b) { return ChangeSet(uint8_t(a) | uint8_t(b)); }

struct Step {
  static constexpr size_t kMaxSlots = 24;
  static constexpr int8_t kAbsent = -1;
  RevisionId from;   // the older revision
  RevisionId to;     // the newer revision
  Version boundary;  // the first version of `to`
  ChangeSet changes{};
  // For each slot of the revision arrived at the slot it is carried from, or kAbsent.
  std::array<int8_t, kMaxSlots> up_attrs{};
  std::array<int8_t, kMaxSlots> down_attrs{};
};

enum class Direction : bool { kUp, kDown };

// All steps, in the order of the revisions they leave.
std::span<const Step> Steps();
// The step that leaves a revision in a direction; nullptr at the end of the line.
const Step* StepFrom(RevisionId revision, Direction direction);

// Something that the revision arrived at cannot represent, as the end of a sentence about the op.
struct Loss {
  std::string message;
  std::string hint;
};

// An op on its way along the line: what steps read and write. The op itself stays as it is.
struct OpDraft {
  const Module* module = nullptr;
  const Op* op = nullptr;
  RevisionId revision;
  std::vector<AttrId> inherent_attrs;  // as the revision orders them
  std::vector<AttrId> scratch;

  void Start(const Module& m, const Op& o);
};

// Takes a draft over one boundary. What would be lost is added to `losses` (may be null); the draft
// arrives without it, so that the way beyond can be looked at too. True when nothing is lost.
bool ApplyStep(const Step& step, Direction direction, OpDraft* draft, std::vector<Loss>* losses);

}  // namespace shlo
