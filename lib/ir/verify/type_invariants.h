// Constraints of a type on its parts, independent of the op that uses it: bounds that match the shape,
// futures of tensors, quantization within the range of the expressed type (specification, "Types").
#pragma once

#include <string>
#include <vector>

#include "shlo/module.h"

namespace shlo {

// Returns whether a type itself is valid, ignoring the types it contains.
bool IsSound(const Module& module, TypeId type);
// Returns why a type is invalid; "" if it is valid.
std::string WhyUnsound(const Module& module, TypeId type);

class TypeInvariants {
 public:
  explicit TypeInvariants(const Module& module);
  // Returns whether any type of the module is invalid, which is rare.
  bool any() const { return !unsound_.empty(); }
  // Returns the invalid type inside a type, or none.
  TypeId UnsoundIn(TypeId type) const { return any() ? unsound_[type.v] : TypeId(); }

 private:
  std::vector<TypeId> unsound_;  // by TypeId; empty if all are valid
};

}  // namespace shlo
