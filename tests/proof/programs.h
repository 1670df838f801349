// Generators of programs, by kind of op. Where a generator sets Program::expected, it computes the results by
// itself, from the text of the specification and without the kernels.
#pragma once

#include <functional>
#include <vector>

#include "eval/test_program.h"
#include "law_checks.h"

namespace shlo::laws {

bool GatherProgram(RowId op, Version version, Source& s, bool with_batching, Program* out);
bool ScatterProgram(RowId op, Version version, Source& s, bool with_batching, Program* out);
// all_gather, all_reduce, all_to_all, collective_broadcast, reduce_scatter on a grid of processes.
struct CollectiveForm {
  size_t operands = 1;
  bool mesh = false;
};
bool CollectiveProgram(RowId op, Version version, Source& s, CollectiveForm form, Program* out);
bool SendProgram(Version version, Source& s, Program* out);
bool DynamicConvProgram(Version version, Source& s, Program* out);
bool DotGeneralProgram(Version version, Source& s, Program* out);
bool CustomCallProgram(Version version, Source& s, Program* out);
bool CompositeProgram(Version version, Source& s, Program* out);
bool SubtractProgram(RowId op, Version version, Source& s, Program* out);
// A function with one operand of any type that it has at the version.
bool FunctionProgram(RowId op, Version version, Source& s, Program* out);

// --- Variations -------------------------------------------------------------------------------------------

// An element type, or one of the quantized ones that are tried.
struct VariedElement {
  ElementType element;
  enum Quantized : uint8_t { kNot, kPerTensor, kOtherParameters, kPerAxis } quantized = kNot;
  bool same = false;  // as it is
};
enum class Sizes : uint8_t { kStatic, kDynamic, kBounded };
// Other types for a program: at one operand of the op, or a result (-1, -2, ...), or at all values whose
// element type is that one's. Sizes change in the same places.
struct Variation {
  int place = 0;
  VariedElement element;
  bool everywhere = false;
  Sizes sizes = Sizes::kStatic;
  std::string Describe() const;
};
// Returns all variations for the operands and results of an op, from the classes of types in its row.
std::vector<Variation> VariationsOf(RowId op, Version version);
// Changes the types of a program and its arguments. Returns false if rows and constraints do not allow it;
// the program is of no use then.
bool Vary(RowId op, const Variation& variation, Source& s, Program* program);
// Sets how far results may be from those of the kernel, for the element type that the op has now. Returns
// false if no error is stated for it.
bool SetTolerance(RowId op, Program* program);

// --- Parts ------------------------------------------------------------------------------------------------

// Returns an integer type with 8 to 64 bits.
TypeKind AnyElement(Source& s);
// Returns the bits of an element: boundary values often, any bits otherwise.
uint64_t AnyBits(Source& s, TypeKind kind);
// Returns a tensor of such elements; `count` parts.
Tensor TensorOfBits(ElementType element, const Dims& shape, const std::vector<uint64_t>& bits);
// Returns the element types that tensors of a class can have at a version, complex ones among them.
std::vector<ElementType> ElementTypesFor(Version version, TypeClass type_class);
TypeId TypeOf(TestProgram& p, ElementType element, const Dims& shape);
// Builds a region that returns what `fill` returns, by stablehlo.return.
RegionId Body(TestProgram& p, const std::vector<TypeId>& args, const TestProgram::Fill& fill);
// Returns the name under which subtraction is known at a version.
inline std::string_view SubtractAt(Version version) {
  return RevisionAt(FindOp("stablehlo.subtract"), version) ? "stablehlo.subtract" : "stablehlo.sub";
}

}  // namespace shlo::laws
