// Compares two programs by structure. Functions are matched by name, or by content if they were renamed; ops
// are matched along the flow of values, so that names of values and the order of independent ops make no
// difference. The rest is reported: ops added and removed, and matched ops with different attributes,
// operands, types or constants. For whether programs compute equal values, see
// prove.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shlo/diagnostics.h"
#include "shlo/limits.h"
#include "shlo/module.h"

namespace shlo {

// Options of Diff.
struct DiffOptions {
  bool locations = false;  // compare locations of matched ops and arguments, too
  Limits limits;           // deadline
};

// The property in which two things that match differ.
enum class Aspect : uint8_t {
  kName,       // the name of a function, or which op is at this place in the flow of values
  kAttribute,  // an attribute, by name
  kConstant,   // the elements of a constant of the same type
  kOperand,    // an operand, by index
  kArgument,   // the type of an argument of a function or region, by index; or an attribute of it
  kResult,     // the type of a result, by index; or an attribute of it
  kRegions,    // the number of regions or blocks
  kSuccessor,  // where control goes next, by index
  kOrder,      // the place in the order of side effects
  kLocation,   // the location
};
// Returns the name of an aspect: "attribute".
std::string_view AspectName(Aspect aspect);

// How the elements of two constants of one type differ.
struct ElementDifference {
  std::string type;     // "tensor<4xf32>"
  uint64_t count = 0;   // of elements
  uint64_t differ = 0;  // of elements that differ in a bit; a NaN equals itself
  uint64_t first = 0;   // row-major index of the first one
  std::string largest;  // largest absolute difference of numbers; empty if there is none
};

// One difference of two things that match.
struct Difference {
  Aspect aspect{};     // what differs
  std::string name;    // of the attribute; also of an argument or result
  uint32_t index = 0;  // of the operand, argument, result or successor: in the second program if it has it
  std::string before;  // as text, which may be shortened; empty: absent
  std::string after;   // likewise
  ValueId value_a;     // operand of the first program, for kOperand; none: absent
  ValueId value_b;     // likewise, of the second program
  ElementDifference elements;  // for kConstant
};

// An op that was added or removed, or differs from its match.
struct OpDifference {
  OpId a;                               // of the first program; none: added
  OpId b;                               // of the second program; none: removed
  std::vector<Difference> differences;  // of ops that match
};

// A function that was added or removed, or differs from its match. Any other definition of a symbol at top
// level (a mesh, a global) is listed in the same way.
struct SymbolDifference {
  OpId a;                               // of the first program; none: added
  OpId b;                               // of the second program; none: removed
  std::vector<Difference> differences;  // name, signature and attributes
  std::vector<OpDifference> ops;        // in the order of the programs; those in regions follow their op
};

// How often ops of one name were added and removed, including those in added and removed functions and ops.
struct OpCount {
  std::string name;      // "stablehlo.add"
  uint64_t removed = 0;  // that only the first program has
  uint64_t added = 0;    // that only the second program has
};

// The differences of two programs.
struct ProgramDiff {
  std::vector<Difference> module;         // attributes of the module
  std::vector<SymbolDifference> symbols;  // different ones in the order of the first program, then added ones
  std::vector<OpDifference> others;       // ops at top level that do not define a symbol
  std::vector<OpCount> counts;            // by name
  uint64_t ops_a = 0;    // ops in the bodies of functions of the first program, nested ones included
  uint64_t ops_b = 0;    // likewise, of the second program
  uint64_t matched = 0;  // pairs of those
  // Returns whether no differences were found.
  bool equal() const { return module.empty() && symbols.empty() && others.empty(); }
};

// Converts the older of two programs to the version of the newer one, so that a difference of
// versions does not show as one of the programs. Ids of ops and values stay. Fails, and changes nothing, if a
// program cannot be converted; they can be compared nevertheless.
Result<void> BringToOneVersion(Module* a, Module* b);

// Compares two programs. Takes time in proportion to their sizes. Fails only if memory runs out, at the
// deadline, or if a program nests regions too deeply.
Result<ProgramDiff> Diff(const Module& a, const Module& b, const DiffOptions& options = {});

}  // namespace shlo
