// Conditions of some revisions in some versions (Cond in op_table.h), as predicates on an op.
#pragma once

#include "shlo/module.h"

namespace shlo {

// Whether an op satisfies a condition. CondName states the requirement.
bool Satisfies(const Module& module, const Op& op, Cond condition);

// Calls fn(cell) for the conditions that apply to a revision: its own, and those of newer revisions of the
// op. An op that violates a condition of a newer revision violates it in older ones, too.
template <typename Fn>
void ForEachCondition(const OpRevision& revision, Fn&& fn) {
  if (!revision.conditional) return;
  const OpRow& row = RowOf(revision.row);
  for (uint16_t i = row.num_revisions; i-- > 0;) {
    const OpRevision& newer = RevisionOf(RevisionId{uint16_t(row.first_revision + i)});
    for (const Cell& condition : newer.conditions) fn(condition);
    if (newer.since == revision.since) return;
  }
}

}  // namespace shlo
