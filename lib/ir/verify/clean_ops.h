// Ops that were checked and have no findings. Most ops of a program have the types and inherent attributes of
// one before them. Checks that see nothing else of an op need not run again.
#pragma once

#include <algorithm>
#include <array>

#include "shlo/module.h"

namespace shlo {

class CleanOps {
 public:
  explicit CleanOps(const Module& module) : m_(module) {}
  // Returns whether an op like this one was added. The op has a revision and no regions, successors or
  // discardable attributes.
  bool HasLike(const Op& op) {
    last_ = &ops_[HashOf(op) >> 54];
    return *last_ && AreAlike(m_.ops[last_->v], op);
  }
  // Adds the op that HasLike was asked about last.
  void Add(OpId op) { *last_ = op; }

 private:
  uint64_t HashOf(const Op& op) const {
    uint64_t hash = op.revision.v;
    const auto mix = [&](uint32_t id) { hash = (hash ^ id) * 0x9E3779B97F4A7C15u; };
    for (ValueId operand : m_.OperandsOf(op)) mix(m_.TypeOf(operand).v);
    for (uint32_t i = 0; i < op.results.count; ++i) mix(m_.TypeOf(ValueId(op.results.first + i)).v);
    for (AttrId attr : m_.InherentAttrsOf(op)) mix(attr.v);
    return hash;
  }
  bool AreAlike(const Op& a, const Op& b) const {
    const auto type = [&](ValueId value) { return m_.TypeOf(value); };
    if (a.revision != b.revision || a.results.count != b.results.count ||
        !std::ranges::equal(m_.InherentAttrsOf(a), m_.InherentAttrsOf(b)) ||
        !std::ranges::equal(m_.OperandsOf(a), m_.OperandsOf(b), {}, type, type))
      return false;
    for (uint32_t i = 0; i < a.results.count; ++i)
      if (type(ValueId(a.results.first + i)) != type(ValueId(b.results.first + i))) return false;
    return true;
  }

  const Module& m_;
  std::array<OpId, 1024> ops_{};  // by hash; a newer op replaces an older one
  OpId* last_ = nullptr;
};

}  // namespace shlo
