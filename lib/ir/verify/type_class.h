// Membership of types in type classes (schema/type_classes.inc). Relations between types are in types.h.
#pragma once

#include <cstdint>
#include <vector>

#include "shlo/module.h"

namespace shlo {

// The classes of every type of a module. Computed in one pass, so that a query is a bit test.
class TypeClasses {
 public:
  static constexpr size_t kWords = 2;  // of bits per type
  explicit TypeClasses(const Module& module);
  bool Fits(TypeId type, TypeClass c) const {
    return bits_[type.v * kWords + unsigned(c) / 64] >> unsigned(c) % 64 & 1;
  }

 private:
  std::vector<uint64_t> bits_;
};

}  // namespace shlo
