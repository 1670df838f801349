// Mistakes in a row of schema/ops.inc, with their messages. SHLO_OP_MISTAKES is a macro because static_assert
// accepts only literals. op_checks.h finds the mistakes.
#pragma once

#include <cstdint>

// F(row, op, mistake, text)
#define SHLO_OP_MISTAKES(F, row, op)                                                                         \
  F(row, op, kHead, "a row opens with a wire id, a name and its cells")                                      \
  F(row, op, kWireId, "the wire id is not between 1 and 511")                                                \
  F(row, op, kName, "the name is not spelled dialect.mnemonic")                                              \
  F(row, op, kNotACell, "a word is not a cell")                                                              \
  F(row, op, kIsArguments, "wrong arguments: expected Is(Trait)")                                            \
  F(row, op, kByArguments, "wrong arguments: expected By(Rule)")                                             \
  F(row, op, kEndArguments, "wrong arguments: expected EndsWith(op)")                                        \
  F(row, op, kRevArguments, "wrong arguments: expected Rev(first) or Rev(first, last)")                      \
  F(row, op, kValueArguments, "wrong arguments: expected In(name, type class), the same for Ins, Out, Outs") \
  F(row, op, kRegionArguments, "wrong arguments: expected Reg(name), the same for Regs, AnyReg, AnyRegs")    \
  F(row, op, kAttrArguments, "wrong arguments: expected At(name, attribute class, kind, default)")           \
  F(row, op, kFilledArguments, "wrong arguments: expected Filled(name, attribute class, default)")           \
  F(row, op, kConfinedArguments,                                                                             \
    "wrong arguments: NonNegative and Positive take an attribute of an integer class")                       \
  F(row, op, kStructArguments, "wrong arguments: expected StructAttr(name, kind)")                           \
  F(row, op, kIfArguments, "wrong arguments: expected If(last version, condition)")                          \
  F(row, op, kInferArguments, "wrong arguments: expected Infer(\"a = b\") of operands or results")           \
  F(row, op, kEditArguments, "wrong arguments of Add, AddAfter, Drop, Rename or MakeList")                   \
  F(row, op, kFormTwice, "the form is given twice")                                                          \
  F(row, op, kTraitTwice, "a trait is listed twice")                                                         \
  F(row, op, kEndTwice, "the op that ends regions is given twice")                                           \
  F(row, op, kRuleTwice, "the rule is given twice")                                                          \
  F(row, op, kHeadOrder, "wrong order of cells: form, traits and rule precede the first revision")           \
  F(row, op, kNoRevision, "the row has no revision, or cells precede the first")                             \
  F(row, op, kOrder, "wrong order of cells: operands, attributes, results, regions, conditions")             \
  F(row, op, kTooEarly, "a revision begins before the first version")                                        \
  F(row, op, kTooLate, "a revision begins or ends after the current version")                                \
  F(row, op, kBackwards, "a revision ends before it begins")                                                 \
  F(row, op, kOverlap, "the intervals of revisions overlap")                                                 \
  F(row, op, kGap, "there is a gap between the intervals of revisions")                                      \
  F(row, op, kFirstEdits,                                                                                    \
    "the first revision has nothing to change; Add, Drop and the like are for later ones")                   \
  F(row, op, kLaterCells, "a later revision lists only what changes: Add, AddAfter, Drop, Rename, MakeList") \
  F(row, op, kNoChange, "a later revision changes nothing")                                                  \
  F(row, op, kNoTarget, "a change names a cell that the revision before does not have")                      \
  F(row, op, kWrongTarget, "a change is not possible for this kind of cell")                                 \
  F(row, op, kAddedValue, "an operand or result cannot be added or dropped; no conversion step knows how")   \
  F(row, op, kAddedRegion, "only a list of regions can be added, after the others")                          \
  F(row, op, kAddedDefault, "an attribute that is added or dropped needs a default")                         \
  F(row, op, kCellName, "the name of a cell is not an identifier")                                           \
  F(row, op, kNameTwice, "two operands, attributes or regions have the same name")                           \
  F(row, op, kResultTwice, "two results have the same name")                                                 \
  F(row, op, kManyAttrs, "a revision has more than 24 attributes")                                           \
  F(row, op, kDefault, "the class of an attribute cannot have its default")                                  \
  F(row, op, kNoKind, "an attribute of class Enum or Struct does not name its kind")                         \
  F(row, op, kKind, "an attribute names a kind, but its class is not Enum or Struct")                        \
  F(row, op, kNotAnEnum, "the kind of an Enum attribute has no cases")                                       \
  F(row, op, kNotAStruct, "the kind of a struct attribute has no fields")                                    \
  F(row, op, kFields, "a field of a struct attribute is not an attribute of the newest revision")            \
  F(row, op, kFilledValue, "a Filled attribute needs a default that is a value")                             \
  F(row, op, kNoWindow, "a default for each dimension needs window_dimensions or input_spatial_dimensions")  \
  F(row, op, kNoApiVersion, "the default EmptyConfig needs an attribute api_version")                        \
  F(row, op, kVariadics, "two lists of operands without the trait kSameVariadicSize or kOperandSegments")    \
  F(row, op, kVariadicResults, "two lists of results without the trait kOperandSegments")                    \
  F(row, op, kNoVariadics, "the trait kSameVariadicSize or kOperandSegments needs two lists of operands")    \
  F(row, op, kVariadicRegion, "a list of regions is not the last")                                           \
  F(row, op, kSymbolName, "a symbol needs an attribute sym_name of class Str")                               \
  F(row, op, kFunctionType,                                                                                  \
    "a function is a symbol with function_type, arg_attrs, res_attrs and one region")                        \
  F(row, op, kReturns, "the trait kReturns needs a region")                                                  \
  F(row, op, kCommutative, "the trait kCommutative needs two operands")                                      \
  F(row, op, kRelations, "a row has at most four relations")                                                 \
  F(row, op, kNoOperands, "a relation needs operands, and there are none")                                   \
  F(row, op, kNoResults, "results are missing: a relation, the rule or the dialect requires some")           \
  F(row, op, kCondTwice, "a condition is listed twice")                                                      \
  F(row, op, kCondInterval, "a condition ends outside of the interval of its revision")                      \
  F(row, op, kCondCells, "a condition needs cells that the revision does not have")                          \
  F(row, op, kLongName, "the name is too long, or the op has too many revisions, for a VHLO name")

namespace shlo::table {

enum class Mistake : uint8_t {
  kFine,
#define SHLO_MISTAKE(row, op, mistake, text) mistake,
  SHLO_OP_MISTAKES(SHLO_MISTAKE, , )
#undef SHLO_MISTAKE
  // Against other rows; see op_rows.h.
  kSameId,
  kSameName,
  kNoTerminator,
};

}  // namespace shlo::table
