// The minimal build has no passes (reference_recipes.cc).
#include "versioning/expand/recipe.h"

namespace shlo {

std::span<const Recipe> ReferenceRecipes() { return {}; }

}  // namespace shlo
