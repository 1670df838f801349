// Legalizes ops of functions one by one, as MLIR's dialect conversion does: in the order of the program, each
// op before the ops in its regions, and once. Unlike Apply (driver.h) it neither repeats nor erases dead ops.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "rewrite/element_types.h"
#include "shlo/editor.h"
#include "shlo/program.h"

namespace shlo::rewrite {

// A valid program whose ops are legalized. Ids of the program before stay valid, so that decisions can be
// made with its types while the new ones change.
class Legalizer {
 public:
  // Must not outlive the program, which changes only when Run returns.
  explicit Legalizer(Program* program) : program_(*program), editor_(program->module) {}

  // What became of an op.
  enum Outcome : uint8_t {
    kLegal,    // nothing
    kDone,     // it was replaced or changed
    kIllegal,  // it has to be, but cannot be
    kFailed,   // the same, and Fail reported it in other words
  };
  using Visit = std::function<Outcome(OpId)>;
  // Visits each function at the top of the program, and the ops in it. Fails, and leaves the program as it
  // was, if ops are illegal: with an error in MLIR's words for the first one of each function.
  Result<void> Run(const Visit& visit);

  // --- The program before ------------------------------------------------------------------------------
  const Module& from() const { return program_.module; }
  const Op& operator[](OpId op) const { return from().ops[op.v]; }
  TypeId OperandType(OpId op, uint32_t i) const { return from().SignatureOf((*this)[op]).operand_types[i]; }
  TypeId ResultType(OpId op, uint32_t i = 0) const { return from().SignatureOf((*this)[op]).result_types[i]; }

  // --- The new program ---------------------------------------------------------------------------------
  ModuleEditor& editor() { return editor_; }
  // To intern types and attributes.
  Module& out() { return editor_.module(); }
  // Returns what an operand of the op has become.
  ValueId Operand(OpId op, uint32_t i) const { return editor_.module().OperandsOf(editor_[op])[i]; }
  // Returns a type with another element type.
  TypeId WithElement(TypeId type, TypeId element) { return rewrite::WithElement(out(), type, element); }
  TypeId WithElement(TypeId type, TypeKind element) { return WithElement(type, out().Type(element)); }
  TypeId TypeOf(ValueId value) const { return editor_.module().TypeOf(value); }

  // Emit an op before the one that is visited, with its location.
  OpId Insert(OpSpec spec, std::initializer_list<ModuleEditor::Attr> attrs = {});
  ValueId Emit(RowId row, std::initializer_list<ValueId> operands, TypeId type,
               std::initializer_list<ModuleEditor::Attr> attrs = {});
  ValueId Emit(RowId row, std::span<const ValueId> operands, TypeId type,
               std::initializer_list<ModuleEditor::Attr> attrs = {});
  // The same for an op with the revision and attributes of the visited one, but some.
  OpId EmitSame(std::span<const ValueId> operands, std::span<const TypeId> results,
                std::initializer_list<ModuleEditor::Attr> changed = {});
  // Emit constants of f32 and i32 from numbers, which are rounded, or cut to 32 bits: one as a scalar,
  // several as a vector.
  ValueId Floats(std::span<const double> numbers, bool vector);
  ValueId Integers(std::span<const int64_t> numbers, bool vector);
  ValueId Float(double number) { return Floats({&number, 1}, false); }
  ValueId Integer(int64_t number) { return Integers({&number, 1}, false); }
  // Returns a region that adds two scalars.
  RegionId AddRegion(TypeId element);
  // Replaces the visited op.
  void Replace(std::span<const ValueId> values) { editor_.Replace(op_, values); }
  void Replace(ValueId value) { Replace(std::span(&value, 1)); }

  // Reports an error at the visited op.
  void Fail(std::string message);

 private:
  void RunIn(OpId function, const Visit& visit);
  ValueId Constant(TypeId element, size_t count, bool vector, const std::string& bytes);

  Program& program_;
  ModuleEditor editor_;
  OpId op_;  // visited
  Diagnostics errors_;
};

}  // namespace shlo::rewrite
