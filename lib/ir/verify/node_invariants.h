// What the fields of a type or attribute promise each other beyond valid references: as many limbs as an
// integer needs, a payload that fits its shape, locations inside of locations. Readers check what they
// decoded before they intern it; text is right by construction. For the constraints of the specification see
// type_invariants.h.
#pragma once

#include <string_view>

#include "shlo/module.h"

namespace shlo {

enum class NodeFault : uint8_t {
  kNone,
  kNoSuchInteger,   // a width or signedness that no integer type has
  kIntegerHasKind,  // an integer type that has a kind of its own
  kNegativeDimension,
  kScalableCount,  // not one flag per dimension
  kScalableFlag,   // neither 0 nor 1
  kScaleCount,     // not one zero point per scale, or not as many as their shape holds
  kBlockCount,     // not one block size per quantized dimension
  kIntegerLimbs,
  kFloatLimbs,
  kDictOrder,        // names that do not ascend
  kNoStaticShape,    // elements without one
  kNoElements,       // elements of a type that is not stored
  kSplatFlag,        // neither 0 nor 1
  kElementsPayload,  // not as many bytes as elements
  kArrayPayload,     // no whole number of elements
  kStringCount,
  kNoShape,       // elements without a shape
  kLineTooLarge,  // a line or column of more than 32 bits
  kNamedChild,    // of a name: not a location
  kCallSitePart,  // of a call site: not a location
  kFusedPart,     // of a fusion: not a location
  kAccuracyMode,
  kSubAxis,
  kMeshAxis,
  kReplicaAxis,
};

// The words are laid out by the row of the kind, and refer to nodes, strings and payloads of the module.
NodeFault CheckNode(const Module& module, TypeKind kind, std::span<const uint64_t> words);
NodeFault CheckNode(const Module& module, AttrKind kind, std::span<const uint64_t> words);

// "a negative dimension"; "" for kNone.
std::string_view Describe(NodeFault fault);

}  // namespace shlo
