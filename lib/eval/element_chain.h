// Chains of element-wise ops on tensors of one shape: all results but that of the last op, the root, are used
// inside of the chain only. The evaluator defers these ops and computes the chain at its root, block by
// block, so that what one op computes is still in cache when the next one needs it. Every element goes
// through the same loops as without chains, so results are equal bit for bit. Internal to lib/eval.
//
// Broadcasts that only chains use are not computed either: chains read their operands. Ops of dynamic or
// quantized types, and those on small tensors, are not in chains.
#pragma once

#include <span>
#include <vector>

#include "eval/kernel/kernel.h"
#include "eval/loops/element_loop.h"

namespace shlo {

struct FunctionPlan;

// Operand of a chain: element i of the chain is element (i / run) % count of the value.
struct ChainInput {
  ValueId value;
  uint64_t run = 1;
  uint64_t count = 1;
  uint32_t bytes = 0;          // of an element
  bool may_be_result = false;  // dies at the root, and has the size of the result
};

// Operand of a step: an input, or else the result of an earlier step, by slot.
struct ChainSource {
  bool input = false;
  uint32_t index = 0;
};

struct ChainStep {
  OpId op;
  ElementLoop loop;
  uint32_t arity = 0;
  ChainSource in[ElementLoop::kMaxOperands];
  uint32_t slot = 0;  // of the result
};

struct ElementChain {
  ValueTypePtr type;  // of the result
  std::vector<ChainInput> inputs;
  std::vector<ChainStep> steps;  // in program order; the last one is the root
  uint32_t slots = 0;
  uint32_t slot_bytes = 0;  // of the largest element in a slot
  double nanoseconds = 0;   // per element, approximately
};

// The part of an op in a run of its block.
struct ChainRole {
  enum Kind : uint8_t { kNone, kDeferred, kRoot };
  Kind kind = kNone;
  uint32_t chain = 0;
};

// Finds the chains of a function whose plan has its types. Sets `chains` and `roles`, and lets operands of
// chains live until the root. `fast` is EvalOptions::fast.
void FindChains(const Module& module, FunctionPlan* plan, bool fast);

// Computes a chain; `inputs` has the tensor of each input. Takes the buffer of one that may be the result and
// is not shared. Returns an empty tensor if allocation fails.
Tensor RunChain(KernelHost& host, const ElementChain& chain, std::span<Tensor* const> inputs);

}  // namespace shlo
