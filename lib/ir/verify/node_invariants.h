// Invariants between the fields of a type or attribute beyond valid references: the number of words of an
// integer, the size of a payload, locations inside of locations. Binary readers check decoded nodes before
// they intern them; the text reader guarantees the invariants. type_invariants.h has the specification's
// constraints.
#pragma once

#include <string_view>

#include "shlo/module.h"

namespace shlo {

enum class NodeFault : uint8_t {
  kNone,
  kNoSuchInteger,   // invalid width or signedness
  kIntegerHasKind,  // an integer type with a dedicated kind, such as i32
  kNegativeDimension,
  kScalableCount,  // not one flag per dimension
  kScalableFlag,   // neither 0 nor 1
  kStorageFlag,    // neither 0 nor 1
  kStorageType,    // not an integer type, nor a float type that MLIR allows
  kScaleCount,     // not one zero point per scale, or not as many as their shape holds
  kBlockCount,     // not one block size per quantized dimension
  kIntegerLimbs,
  kFloatLimbs,
  kDictOrder,        // names that do not ascend
  kNoStaticShape,    // elements without one
  kNoElements,       // elements of a type that cannot be stored
  kSplatFlag,        // neither 0 nor 1
  kElementsPayload,  // not as many bytes as elements
  kArrayPayload,     // not a whole number of elements
  kStringCount,
  kNoShape,       // elements without a shape
  kLineTooLarge,  // a line or column of more than 32 bits
  kNamedChild,    // of a name: not a location
  kCallSitePart,  // of a call site: not a location
  kFusedPart,     // of a fusion: not a location
  kAccuracyMode,
  kSubAxis,
  kMeshAxis,
};

// The words have the layout of the kind's row, and refer to nodes, strings and payloads of the module.
NodeFault CheckNode(const Module& module, TypeKind kind, std::span<const uint64_t> words);
NodeFault CheckNode(const Module& module, AttrKind kind, std::span<const uint64_t> words);

// Returns "negative dimension"; "" for kNone.
std::string_view Describe(NodeFault fault);

}  // namespace shlo
