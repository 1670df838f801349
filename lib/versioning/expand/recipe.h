// Recipes: expansions of element-wise ops, written as formulas in schema/expansions.inc, which explains the
// notation.
#pragma once

#include <span>
#include <string_view>

#include "versioning/expand/expander.h"

namespace shlo {

// The element types of the first operand that a recipe is for.
enum class RecipeTypes : uint8_t {
  kFloat,
  kF64,
  kUpToF32,
  kComplex,
  kSigned,
  kSigned64,
  kUnsigned,
  kUnsigned64
};
// The type that it computes in. kF32 and kOwn: floats that are narrower than 32 or 16 bits are converted to
// f32 first.
enum class RecipePrecision : uint8_t { kExact, kOwn, kF32 };

// When the ops of a recipe are added.
enum class RecipeOrder : uint8_t {
  kShared,   // as the text has them, but an op that the expansion has already is not added again
  kWritten,  // as the text has them; a number with a name is an op
  kNeeded,   // those of a name where it is used first; equal numbers are added once
};

struct Recipe {
  std::string_view op;  // "chlo.acos"; a name without dialect is for other recipes only
  RecipeTypes types;
  RecipePrecision precision;
  std::string_view parameters;  // "x, y"
  std::string_view text;
  Expansions expansions = Expansions::kOwn;
  RecipeOrder order = RecipeOrder::kShared;
};

// Returns our own recipes.
std::span<const Recipe> Recipes();
// Returns those of the drop-in's passes (schema/reference_expansions.inc): reference_recipes.cc, or
// no_reference_recipes.cc in the minimal build, which has no passes.
std::span<const Recipe> ReferenceRecipes();
// Returns the recipe of an op for an element type, or nullptr. CHLO's ops have our own where the reference's
// formula is the same.
const Recipe* FindRecipe(std::string_view op, const Module& module, TypeId element,
                         Expansions expansions = Expansions::kOwn);
// Adds the ops of a recipe and returns the result. The operands have the same shape.
ValueId Cook(Expander& e, const Recipe& recipe, const Values& operands);

}  // namespace shlo
