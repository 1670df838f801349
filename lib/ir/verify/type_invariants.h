// What types demand of their own parts, whichever op uses them: bounds that fit the shape, futures of
// tensors, quantization within the range of the expressed type. (Specification, "Types".)
#pragma once

#include <string>
#include <vector>

#include "shlo/module.h"

namespace shlo {

// Why a type is not sound by itself, whatever its parts are; "" when it is. `text` spells types.
std::string WhyUnsound(const Module& module, TypeId type, std::string (*text)(const Module&, TypeId));

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
