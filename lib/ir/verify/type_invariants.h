// What types demand of their own parts, whichever op uses them: bounds that fit the shape, futures of
// tensors, quantization within the range of the expressed type. (Specification, "Types".)
#pragma once

#include <string>
#include <vector>

#include "shlo/module.h"

namespace shlo {

// Whether a type is sound by itself, whatever its parts are.
bool IsSound(const Module& module, TypeId type);
// Why a type is not; "" when it is.
std::string WhyUnsound(const Module& module, TypeId type);

class TypeInvariants {
 public:
  explicit TypeInvariants(const Module& module);
  // Whether any type of the module is not sound; hardly ever.
  bool any() const { return !unsound_.empty(); }
  // The type that is not sound in a type; none when all of it is.
  TypeId UnsoundIn(TypeId type) const { return any() ? unsound_[type.v] : TypeId(); }

 private:
  std::vector<TypeId> unsound_;  // by TypeId; empty when all are sound
};

}  // namespace shlo
