// The assembly formats of schema/forms.inc, compiled at compile time to elements that both the reader
// (forms_reader.cc) and the writer (forms_writer.cc) run.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "shlo/op_table.h"

namespace shlo::text {

enum class ElementTag : uint8_t {
  kLiteral,         // text
  kName,            // $name: an operand, attribute or list of regions
  kOperands,        // all operands
  kAttrDict,        // all attributes that the format does not place
  kTypeOfName,      // type($name)
  kTypeOfOperands,  // type(operands)
  kTypeOfResults,   // type(results)
  kFunctionalType,
  kSameType,
  kOneType,
  kCustom,    // custom<text>(...); `length` arguments follow
  kArgument,  // an argument of a custom directive
  kOptional,  // a group of `length` elements; printed if the one at `anchor` is present
};

struct FormatElement {
  ElementTag tag = ElementTag::kLiteral;
  bool space = false;  // print a space before it
  uint8_t length = 0;
  uint8_t anchor = 0;     // index in the group
  uint8_t directive = 0;  // kCustom: index in kDirectives
  std::string_view text;  // the literal, or a name
};

// The target of a name in a form, for one revision.
enum class RefKind : uint8_t { kNone, kOperand, kAttr, kStructAttr, kRegion, kResult };
struct FormRef {
  RefKind kind = RefKind::kNone;
  uint8_t index = 0;
};

// A form resolved for one revision.
struct RevisionForm {
  std::span<const FormatElement> elements;  // empty: the generic form only
  const FormRef* refs = nullptr;            // one per element
  uint64_t placed = 0;               // bit per inherent attribute that is outside of the attribute dictionary
  uint32_t placed_struct_attrs = 0;  // the same for struct attributes
  bool places_regions = false;
};
RevisionForm FormOf(RevisionId revision);

// The custom directives, each with a Read and a Print function in form_directives.cc or form_upstream.cc.
// clang-format off
#define SHLO_DIRECTIVES(X) \
  X(Arguments)             \
  X(ArithFlags)            \
  X(ArithSelectType)       \
  X(BranchWeights)         \
  X(CallTarget)            \
  X(CalleeType)            \
  X(ComparePredicate)      \
  X(CompareType)           \
  X(ComplexType)           \
  X(ConvolutionDimensions) \
  X(DimType)               \
  X(DotDimensions)         \
  X(ElementsType)          \
  X(ExponentMantissa)      \
  X(Extents)               \
  X(InsertType)            \
  X(MixedIndices)          \
  X(OperandsWithComma)     \
  X(PairwiseOperands)      \
  X(Precision)             \
  X(PrecisionAndAlgorithm) \
  X(ResultTypes)           \
  X(SelectType)            \
  X(Shardings)             \
  X(SliceRanges)           \
  X(Successor)             \
  X(SwitchCases)           \
  X(SwitchRegions)         \
  X(TupleType)             \
  X(TypeOfValue)           \
  X(WindowAttributes)      \
  X(WitnessType)
// clang-format on

}  // namespace shlo::text
