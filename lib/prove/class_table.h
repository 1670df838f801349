// Hash-consing across two programs. A class is a number that stands for a sequence of words; two things of
// either program have equal classes if, and only if, they have equal words. Classes of types, attributes,
// values, ops, regions and functions are all in one table; the first word tells them apart.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "shlo/node_table.h"

namespace shlo::prove {

// Class of a sequence of words; 0: none.
using ClassId = uint32_t;

// The first word of a class.
enum class Tag : uint32_t {
  kUnique,       // equals nothing else
  kString,       // bytes
  kPayload,      // bytes of a constant
  kType,         // kind and fields
  kAttr,         // kind and fields
  kArgument,     // a block argument: depth, block, index, type
  kPosition,     // a result in a region that is compared op by op: depth, block, op, index
  kAttributes,   // row or name, attributes
  kOp,           // row or name, attributes, operands, regions, types
  kResult,       // op, index
  kEffectStart,  // the state before the first effect of a block
  kEffect,       // the state after an op with effects
  kRegion,       // arguments, terminator, last effect
  kRegionByOps,  // blocks with all their ops
  kFunction,     // types, region
  kDeclaration,  // a function without a body: name, type
};

// Bytes that several modules have: equal bytes have equal classes. Shared by several tables, because reading
// large constants takes longer than anything else.
class SharedBytes {
 public:
  // Returns a number for the bytes, which must outlive this object. Equal bytes have equal numbers. Bytes at
  // an address are read once.
  uint32_t Number(const uint8_t* data, uint64_t size);
  // As above; copies the text.
  uint32_t Number(std::string_view text) { return strings_.Intern(text).v; }

 private:
  struct Bytes {
    const uint8_t* data;
    uint64_t size;
  };
  std::vector<Bytes> bytes_{1};
  IdIndex index_;
  std::unordered_map<const uint8_t*, std::vector<uint32_t>> by_address_;
  StringTable strings_;
};

// Classes by their words.
class ClassTable {
 public:
  ClassId Intern(std::span<const uint32_t> words);
  // Returns a class that equals no other one.
  ClassId Unique();
  std::span<const uint32_t> operator[](ClassId id) const {
    return {words_.data() + classes_[id].first, classes_[id].count};
  }
  uint32_t size() const { return uint32_t(classes_.size()); }

 private:
  struct Class {
    uint64_t first = 0;
    uint32_t count = 0;
  };
  std::vector<Class> classes_{1};
  std::vector<uint32_t> words_;
  IdIndex index_;
};

}  // namespace shlo::prove
