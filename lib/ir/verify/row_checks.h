// Checks one op against its row: arity, attributes, types, regions. Used by the verifier only.
#pragma once

#include "ir/verify/rules/rules.h"
#include "ir/verify/type_class.h"

namespace shlo {

// Hint for ops, attributes and cases that the program's version does not have.
inline constexpr const char* kSetVersion =
    "set the program's version with --from or stablehlo.compat_version";

// Each returns false after a report. Later checks rely on earlier ones, so the caller must stop then.

// The version, the numbers of operands, results and regions, the classes of attributes, conditions.
bool CheckStructure(OpCheck& c, const OpRow& row);
// The classes of operand and result types, the blocks of regions, the relations of the row.
bool CheckTypes(OpCheck& c, const OpRow& row, const TypeClasses& classes);
bool CheckRelations(OpCheck& c, const OpRow& row);
// Lists of operands have one size, if the row requires it. Runs after the rules, whose messages are clearer.
bool CheckLists(OpCheck& c, const OpRow& row);
// The results have the types that the rule infers. Runs after the checks of the op's regions.
bool CheckInferred(OpCheck& c, const OpRow& row);

// Returns whether the row has a rule that infers the types of results.
bool Infers(const OpRow& row);
// Infers the types of the results, which c.inferred() then has; those that the op has may be wrong. Nothing
// is inferred if they follow from more than the row's rule, or if c.settled().
bool InferTypes(OpCheck& c, const OpRow& row, const TypeClasses& classes);

// Returns whether an attribute has the class that its slot requires.
bool FitsClass(const Module& module, const Cell& attr, AttrId value);

}  // namespace shlo
