// Sizes of dimensions as ops of arith and tensor: what is known stays a number, and a constant is added only
// for the numbers that an op uses.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <span>
#include <string_view>

#include "shlo/editor.h"

namespace shlo::rewrite {

// A size: a value of type index, or a number.
struct Size {
  ValueId value;  // none: `number`
  int64_t number = 0;
};

// Adds ops where the editor inserts, but constants at the start of that block.
class SizeBuilder {
 public:
  // `block` is where the editor inserts.
  SizeBuilder(ModuleEditor* editor, BlockId block) : editor_(*editor), block_(block) {}
  const Module& module() const { return editor_.module(); }

  Size DimOf(ValueId tensor, int64_t dimension);
  // Returns an element of a tensor<Nx(index or integer)>.
  Size ElementOf(ValueId tensor, int64_t index);
  Size Add(Size a, Size b);
  Size Subtract(Size a, Size b);
  Size Multiply(Size a, Size b);
  Size Divide(Size a, Size b);
  // Returns size - 1, but at least 0.
  Size Less1(Size size);
  // Returns a shape.
  ValueId FromElements(std::span<const Size> sizes);
  // Returns a shape with extents of another type as tensor<Nxindex>.
  ValueId AsIndices(ValueId shape);

  // Adds an op with one result; one without a row has its name.
  ValueId Emit(std::string_view op, std::span<const ValueId> operands, TypeId type,
               std::initializer_list<ModuleEditor::Attr> attrs = {});

 private:
  ValueId ValueOf(Size size);
  Size Binary(std::string_view op, Size a, Size b);
  TypeId Index();

  ModuleEditor& editor_;
  const BlockId block_;
  std::map<int64_t, ValueId> constants_;
};

}  // namespace shlo::rewrite
