// Checked access to the options of a custom call in its configuration, its layouts, and the computations that
// it calls. Internal to lib/eval/custom_calls.
#pragma once

#include <optional>
#include <string_view>

#include "eval/kernel/kernel_args.h"

namespace shlo {

// Returns an entry of the dictionary `mhlo.backend_config` or `backend_config` (jax, XLA's typed FFI), or of
// `mhlo.attributes` (ops of MHLO written as custom calls), or an attribute of an MHLO op itself; none if it
// is absent.
AttrId ConfigOf(const KernelCall& call, std::string_view name);
// Returns an integer (or the code of a character) of the configuration.
Result<int64_t> ConfigInt(const KernelCall& call, std::string_view name, std::optional<int64_t> missing = {});
Result<bool> ConfigFlag(const KernelCall& call, std::string_view name, std::optional<bool> missing = {});

// Returns the number of operands without those that only state the shapes of results, which are last
// (indices_of_shape_operands).
Result<size_t> CountValues(const KernelCall& call);

// Returns the shape of a result: the declared one, or if that is not static, the value of the operand that
// states it (indices_of_shape_operands).
Result<Ints> ShapeOfResult(const KernelCall& call, size_t i);

// Returns how the dimensions of an operand or result follow each other in memory, the outermost one first;
// row-major if `attribute` (operand_layouts, result_layouts) is absent. The target sees the memory, so what
// it computes depends on the layout.
Result<Ints> MemoryOrder(const KernelCall& call, std::string_view attribute, size_t i, size_t rank);

// Returns the body of the function that `called_computations` lists.
Result<RegionId> CalledComputation(const KernelCall& call);

}  // namespace shlo
