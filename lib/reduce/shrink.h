// Makes what remains of a program simpler, in place: attributes, constants and shapes.
#pragma once

#include <optional>
#include <vector>

#include "shlo/module.h"

namespace shlo::reduce {

// An attribute of an op that can be left out.
struct Removable {
  OpId op;
  uint32_t index = 0;  // among the op's inherent or discardable attributes
  bool discardable = false;
};
// Returns the attributes that are discardable or optional, and not those that define symbols.
std::vector<Removable> RemovableAttributes(const Module& module);
// Removes those that are chosen.
Module WithoutAttributes(const Module& module, const std::vector<Removable>& all,
                         const std::vector<bool>& chosen);

// Returns the module without locations.
Module WithoutLocations(const Module& module);
bool HasLocations(const Module& module);

// An inherent attribute whose elements are not all zero.
struct Constant {
  OpId op;
  uint32_t index = 0;  // among the op's inherent attributes
};
std::vector<Constant> Constants(const Module& module);
// Makes those that are chosen zero, or equal to their first element.
std::optional<Module> WithSplats(const Module& module, const std::vector<Constant>& all,
                                 const std::vector<bool>& chosen, bool zero);

// A change of extents of dimensions, everywhere in a program.
struct Extents {
  int64_t from = 0;  // 0: every extent that is larger than `to`
  int64_t to = 1;
  bool multiples = false;  // k * from becomes k * to
  bool attributes = true;  // also in attributes that are lists of integers
  int64_t Map(int64_t extent) const;
};
// Returns the static extents above 1 that types have, largest first.
std::vector<int64_t> ExtentsOf(const Module& module);
// Returns the changes to try for these extents, those that shrink most first. The first ones shrink all
// extents.
std::vector<Extents> ExtentChanges(const std::vector<int64_t>& extents);
// Returns the module with the extents changed, or nullopt if it has constants that cannot be. It need not
// verify.
std::optional<Module> WithExtents(const Module& module, const Extents& change);

// Erases resources that no attribute refers to.
void DropUnusedResources(Module* module);

}  // namespace shlo::reduce
