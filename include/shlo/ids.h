// Dense 32-bit ids into the arrays of a Module, one type per array so that they cannot be mixed up. 0 is
// always "none". Wire ids are different: they are permanent and defined in schema/.
#pragma once

#include <cstdint>
#include <functional>

namespace shlo {

// An index into the array of `Tag`; 0 is "none" and converts to false.
template <typename Tag>
struct Id {
  uint32_t v = 0;  // the index
  constexpr Id() = default;
  constexpr explicit Id(uint32_t value) : v(value) {}          // 0 makes "none"
  constexpr explicit operator bool() const { return v != 0; }  // false for "none"
  friend constexpr auto operator<=>(Id, Id) = default;
};

using StringId = Id<struct StringTag>;        // an interned byte string
using TypeId = Id<struct TypeTag>;            // an interned type
using AttrId = Id<struct AttrTag>;            // an interned attribute or location
using PayloadId = Id<struct PayloadTag>;      // the bytes of a constant
using SignatureId = Id<struct SignatureTag>;  // what an op states: see op_signature.h
using OpId = Id<struct OpTag>;                // an op of a Module
using ValueId = Id<struct ValueTag>;          // an op result or block argument
using BlockId = Id<struct BlockTag>;          // a block of a region
using RegionId = Id<struct RegionTag>;        // a region of an op

}  // namespace shlo

// Hashes an id, for unordered containers.
template <typename Tag>
struct std::hash<shlo::Id<Tag>> {
  // Spreads dense ids over all bits: tables may use the low ones.
  size_t operator()(shlo::Id<Tag> id) const noexcept { return id.v * 0x9E3779B97F4A7C15ull >> 16; }
};
