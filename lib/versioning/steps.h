// Conversion steps between the revisions of an op, derived from schema/ops.inc and the renames in steps.inc.
// Each kind of change has a check for upgrades and one for downgrades. convert.cc applies the steps to
// programs.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "shlo/module.h"
#include "shlo/op_table.h"

namespace shlo {

// The changes at a boundary, as a bit set. They select the checks of an upgrade and of a downgrade:
//   kRename      the name
//   kAttributes  attributes are added or removed: a removed one must have its default, an added one is absent
//   kLists       a single operand or result becomes a list: a downgrade requires exactly one
//   kRegions     a list of regions is added: a downgrade requires it to be empty
enum ChangeSet : uint8_t { kRename = 1, kAttributes = 2, kLists = 4, kRegions = 8 };
constexpr ChangeSet operator|(ChangeSet a, ChangeSet b) { return ChangeSet(uint8_t(a) | uint8_t(b)); }

// A conversion step between two consecutive revisions.
struct Step {
  static constexpr size_t kMaxSlots = 24;
  static constexpr int8_t kAbsent = -1;
  RevisionId from;   // the older revision
  RevisionId to;     // the newer revision
  Version boundary;  // the first version of `to`
  ChangeSet changes{};
  // For each slot of the resulting revision, the slot that it is copied from, or kAbsent.
  std::array<int8_t, kMaxSlots> up_attrs{};
  std::array<int8_t, kMaxSlots> down_attrs{};
};

// Whether a step upgrades or downgrades an op.
enum class Direction : bool { kUp, kDown };

// Returns all steps, in the order of their older revisions.
std::span<const Step> Steps();
// Returns the step from a revision, or nullptr if no revision follows in this direction.
const Step* StepFrom(RevisionId revision, Direction direction);

// Information that the resulting revision cannot represent. The message is about the op and does not name it.
struct Loss {
  std::string message;
  std::string hint;
};

// Working state of one op, or of a signature, during a conversion; the op itself is not modified.
struct OpDraft {
  const Module* module = nullptr;
  uint32_t num_operands = 0, num_results = 0, num_regions = 0;
  RevisionId revision;
  std::vector<AttrId> inherent_attrs;  // as the revision orders them
  std::vector<AttrId> scratch;

  void Start(const Module& m, const OpSignature& signature, uint32_t regions);
};

// Applies one step. Appends losses to `losses` (may be null) and continues without the lost information, so
// that later steps are diagnosed as well. Returns whether nothing is lost.
bool ApplyStep(const Step& step, Direction direction, OpDraft* draft, std::vector<Loss>* losses);

}  // namespace shlo
