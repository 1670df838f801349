// Declared types of arguments and results, as comparisons of programs need them. Internal to lib/prove.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shlo/module.h"
#include "shlo/tensor.h"

namespace shlo {

// A type as declared, with its dynamic dimensions and their bounds: of a tensor, a token, or a number or
// shape outside of a tensor.
struct DeclaredType {
  ElementType element;
  QuantizationPtr quantization;
  std::vector<int64_t> shape;   // kDynamic where it is dynamic
  std::vector<int64_t> bounds;  // empty, or one per dimension: kDynamic where there is none
  std::string outside;          // the name of a type that is neither a tensor nor a token

  bool is_token() const { return element.kind == TypeKind::kToken; }
  bool is_static() const;
  // Returns whether types differ in bounds only.
  bool SameButBounds(const DeclaredType& other) const;
  // Returns the type with these sizes for its dynamic dimensions, in order. nullptr if it is too large.
  ValueTypePtr With(std::span<const int64_t> extents) const;
};

// Returns nullopt for types that cannot be evaluated.
std::optional<DeclaredType> DeclaredTypeOf(const Module& module, TypeId type);

}  // namespace shlo
