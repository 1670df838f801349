// One program, as the checker of certificates sees it: numbers of ops, symbols, and which ops must keep their
// place; and the comparison of types and attributes. Shares no code with the prover.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "shlo/module.h"

namespace shlo::certificate {

// Returns whether ops of a region are compared in their order, each with the one at the same place: a region
// with several blocks, without a terminator, or of an op of which nothing is known.
bool InOrder(const Module& module, RegionId region);

class ProgramView {
 public:
  explicit ProgramView(const Module& module);

  const Module& module;
  // Ops by number, from 1; an op comes before those in its regions, and the module is not counted.
  std::vector<OpId> ops;
  // Numbers of ops, by id.
  std::vector<uint32_t> numbers;
  // Ops at top level, in order.
  std::vector<OpId> top_level;
  // Whether nesting exceeds the limit; nothing is known then.
  bool too_deep = false;

  // Returns the definition of a symbol at top level, or none.
  OpId Definition(std::string_view symbol) const;
  // Returns the bytes of a resource, or nullopt if the file does not have it.
  std::optional<Payload> ResourceOf(StringId key) const;
  bool IsFunctionOp(OpId op) const;
  // Returns whether callers from outside may use a function.
  bool IsPublic(OpId function) const;

  // Returns whether an op, its regions, or what it calls has an effect besides its results.
  bool HasEffects(OpId op) const { return flags_[op.v] & kEffects; }
  // Likewise, whether it may not end.
  bool MayLoop(OpId op) const { return flags_[op.v] & kLoops; }
  // Likewise, whether it may fail.
  bool MayFail(OpId op) const { return flags_[op.v] & kFails; }
  // Returns whether only ops that are not used either use the results of an op without effects.
  bool IsUnused(OpId op) const { return uses_[op.v] == 0; }

 private:
  enum Flag : uint8_t { kEffects = 1, kLoops = 2, kFails = 4, kKnown = 8, kOpen = 16 };
  static constexpr uint8_t kAllFlags = kEffects | kLoops | kFails;
  void CountUses();
  void NumberOps(OpId op, uint32_t depth);
  uint8_t FlagsOf(OpId op);
  uint8_t FlagsOfSymbols(AttrId attr);

  std::unordered_map<std::string_view, OpId> symbols_;
  std::unordered_map<uint32_t, PayloadId> resources_;
  std::vector<uint8_t> flags_;  // by op
  std::vector<uint32_t> uses_;  // by op: of its results by ops that are used; 1 for ops that count anyway
};

// Nodes are equal if they have the same bits, except that constants are equal by their elements, however
// these are stored, and symbols by their definitions.
class NodeEquality {
 public:
  // Returns whether two definitions correspond.
  using SameDefinition = std::function<bool(OpId a, OpId b)>;
  NodeEquality(const ProgramView& a, const ProgramView& b, SameDefinition same)
      : a_(a), b_(b), same_(std::move(same)) {}

  bool Equal(TypeId a, TypeId b);
  bool Equal(AttrId a, AttrId b);
  bool Equal(StringId a, StringId b) const { return a_.module.strings[a] == b_.module.strings[b]; }

 private:
  // The elements of a constant.
  struct Elements {
    TypeId type;
    bool splat = false;
    std::string_view bytes;
  };
  template <typename NodeT>
  bool EqualFields(const NodeT& a, const NodeT& b);
  bool EqualField(FieldType type, uint64_t a, uint64_t b);
  bool EqualSymbols(std::string_view a, std::string_view b) const;
  bool EqualMentions(std::string_view text) const;
  static bool ElementsOf(const ProgramView& program, AttrId attr, Elements* out);
  bool EqualElements(const Elements& a, const Elements& b);

  const ProgramView &a_, &b_;
  const SameDefinition same_;
  std::unordered_set<uint64_t> types_, attrs_;  // pairs that are equal
};

}  // namespace shlo::certificate
