// Type classes (schema/type_classes.inc): which types belong to which. Not for the relations between types:
// that is types.h.
#pragma once

#include <cstdint>
#include <vector>

#include "shlo/module.h"

namespace shlo {

// For every type of a module the classes it belongs to. Built in one pass, so that asking is a bit test.
class TypeClasses {
 public:
  explicit TypeClasses(const Module& module);
  bool Fits(TypeId type, TypeClass c) const { return bits_[type.v] >> unsigned(c) & 1; }

 private:
  std::vector<uint64_t> bits_;
};

}  // namespace shlo
