// The cases of comparison_direction and comparison_type, by their numbers in schema/enums.inc, for code that
// compares elements. element_loops_test.cc compares them with the rows. Internal to lib/eval.
#pragma once

#include <cstdint>

namespace shlo {

enum CompareDirection : int64_t { kEq, kNe, kGe, kGt, kLe, kLt };
enum CompareType : int64_t { kNoType, kFloatType, kTotalOrder, kSignedType, kUnsignedType, kWeakOrder };

}  // namespace shlo
