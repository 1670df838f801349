#include "versioning/expand/recipe.h"

namespace shlo {
namespace {

constexpr Recipe kReferenceRecipes[] = {
#define SHLO_REFERENCE_RECIPE(pass, op, types, precision, order, parameters, text) \
  {op,   RecipeTypes::types, RecipePrecision::precision, parameters,               \
   text, Expansions::pass,   RecipeOrder::order},
#include "schema/reference_expansions.inc"
};

}  // namespace

std::span<const Recipe> ReferenceRecipes() { return kReferenceRecipes; }

}  // namespace shlo
