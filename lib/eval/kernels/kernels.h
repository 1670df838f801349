// Kernels of ops, and those that code other than their row calls. All others are declared by kernel_rows.inc.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "eval/kernel/kernel.h"
#include "shlo/evaluate.h"

namespace shlo {

// kernel_table.cc
// Returns the kernel of an op version.
const KernelEntry& KernelOf(RevisionId revision);
// Returns the kernel of an op, which need not have a row.
const KernelEntry& KernelOf(const Module& module, const Op& op);
// Returns whether an op ends a block, so that its operands are the results.
bool EndsBlock(const Module& module, const Op& op);
// Returns the picker of an op version, or nullptr if the op is not element-wise.
LoopPicker PickerOf(RevisionId revision);

// elementwise.cc
Status EvaluateElementwise(KernelCall& call);
Status EvaluateBroadcasting(KernelCall& call);

// check.cc
std::optional<Status> EvaluateCheckCall(KernelCall& call, std::string_view target);

// custom_call.cc: the kernel of a custom call target, from custom_call_rows.inc, or nullptr.
Kernel CustomCallKernel(std::string_view target);
// Returns whether other processes take part in a custom call.
bool CallsProcesses(std::string_view target);

// reduction.cc
struct WindowReduction {
  std::vector<int64_t> dimensions, strides, base_dilations, window_dilations;
  std::vector<int64_t> padding;  // low and high, per dimension
};
// Reduces windows of the first half of the operands, with the initial values in the second half.
Status ReduceWindow(KernelCall& call, RegionId body, const WindowReduction& window);

// sort.cc
// Sorts all operands along a dimension (negative: from the last) by a comparator. `order`, if given, is the
// compare_type of floats where the comparator only compares the elements of one operand.
Status SortBy(KernelCall& call, RegionId comparator, int64_t dimension, std::optional<int64_t> order = {});
// Returns the k largest elements of the last dimension of operand 0, and their indices.
Status TopK(KernelCall& call, int64_t k);

// Returns whether a comparator only asks whether the first of two elements is greater.
bool IsDescending(const Module& module, RegionId comparator);

// random.cc
// Computes the results of rng_bit_generator with `shape` as the shape of the numbers.
Status RngBits(KernelCall& call, std::span<const int64_t> shape);

}  // namespace shlo
