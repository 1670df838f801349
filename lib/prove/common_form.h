// Brings two programs into a common form by laws, so that congruence can match them: both at the newer of
// their versions, and, if asked, with the ops expanded that the older one lacks.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "shlo/prove.h"

namespace shlo::prove {

// How far the programs are rewritten; each level includes those before.
enum class Form : uint8_t {
  kSteps,       // conversion steps only
  kExpanded,    // ops that the older version lacks are expanded
  kChlo,        // all ops of CHLO, too
  kComposites,  // composites become calls of their decompositions, if the older version lacks them
  kOldest,      // ops that the oldest version lacks are expanded, too
  kInlined,     // calls are inlined, too
  kSimplified,  // conversion steps and exact rewrites (shlo/simplify.h) only
};
// Returns the name of a form, "steps" or "inlined", and the form of a name.
std::string_view FormName(Form form);
std::optional<Form> FormOfName(std::string_view name);
inline constexpr Form kForms[] = {Form::kSteps,  Form::kExpanded, Form::kChlo,      Form::kComposites,
                                  Form::kOldest, Form::kInlined,  Form::kSimplified};

// Two programs in a common form.
struct CommonForm {
  Module a, b;
  std::vector<Law> laws;  // that were used
};

// Rewrites both programs. Fails if one cannot be rewritten.
Result<CommonForm> BringTogether(const Module& a, const Module& b, Form form);

}  // namespace shlo::prove
