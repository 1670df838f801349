// Row conformance: what the op table demands of one op. Used by the verifier only.
#pragma once

#include "ir/verify/rules/rules.h"
#include "ir/verify/type_class.h"

namespace shlo {

// Each returns false after it reported; what follows may then not hold, so the caller stops there.

// The version, the numbers of operands, results and regions, the classes of attributes, conditions.
bool CheckStructure(OpCheck& c, const OpRow& row);
// The classes of operand and result types, the blocks of regions, the relations of the row.
bool CheckTypes(OpCheck& c, const OpRow& row, const TypeClasses& classes);
bool CheckRelations(OpCheck& c, const OpRow& row);
// Lists of operands are of one size where the row says so. After the rules, which say it in better words.
bool CheckLists(OpCheck& c, const OpRow& row);
// The results are of the types the rule infers. After the regions of the op were checked.
bool CheckInferred(OpCheck& c, const OpRow& row);

// Whether a written attribute is of the class its slot demands.
bool FitsClass(const Module& module, const Cell& attr, AttrId value);

}  // namespace shlo
