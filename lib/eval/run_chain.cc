// Computes chains of element-wise ops (element_chain.h).
#include <algorithm>

#include "eval/element_chain.h"
#include "eval/kernel/move_elements.h"
#include "eval/tensor/memory.h"

namespace shlo {
namespace {

constexpr uint64_t kBlock = 1024;      // elements
constexpr uint64_t kMaxPeriod = 4096;  // elements of a repeated operand that is laid out for a whole block

// An operand in a run: element i is element (i / run) % count.
struct Operand {
  const uint8_t* data;
  uint64_t run, count, bytes;

  // Writes elements [first, first + n).
  void Fill(uint64_t first, uint64_t n, uint8_t* out) const {
    for (uint64_t i = first; i < first + n;) {
      uint64_t length = 0;
      if (run == 1) {  // elements in order up to the last one
        const uint64_t at = i % count;
        length = std::min(first + n - i, count - at);
        std::memcpy(out, data + at * bytes, length * bytes);
      } else {  // one element
        length = std::min(first + n - i, run - i % run);
        FillElements(out, data + i / run % count * bytes, length, bytes);
      }
      i += length;
      out += length * bytes;
    }
  }
};

// The blocks of a chain.
struct ChainBlocks {
  const ElementChain& chain;
  std::vector<Operand> operands;
  uint8_t* out;
  uint64_t n;
  uint64_t block;  // elements

  bool InPlace(const Operand& operand) const { return operand.run == 1 && operand.count == n; }
  // The same elements in every block.
  bool Repeats(const Operand& operand) const {
    return operand.count == 1 || (operand.run == 1 && block % operand.count == 0);
  }

  void Run(uint64_t begin, uint64_t end) const {
    constexpr uint64_t kMostBytes = 16;  // of an element
    const uint64_t slot = block * chain.slot_bytes;
    const Scratch<uint8_t> slots = MakeScratch<uint8_t>(int64_t(slot * chain.slots));
    const Scratch<uint8_t> filled = MakeScratch<uint8_t>(int64_t(block * kMostBytes * operands.size()));
    std::vector<const uint8_t*> at(operands.size());
    for (size_t k = 0; k < operands.size(); ++k) {
      uint8_t* const own = filled.get() + k * block * kMostBytes;
      at[k] = own;
      if (!InPlace(operands[k]) && Repeats(operands[k])) operands[k].Fill(0, std::min(block, n), own);
    }
    for (uint64_t b = begin; b < end; ++b) {
      const uint64_t first = b * block, count = std::min(block, n - first);
      for (size_t k = 0; k < operands.size(); ++k) {
        const Operand& operand = operands[k];
        if (InPlace(operand))
          at[k] = operand.data + first * operand.bytes;
        else if (!Repeats(operand))
          operand.Fill(first, count, filled.get() + k * block * kMostBytes);
      }
      for (const ChainStep& step : chain.steps) {
        const uint8_t* in[ElementLoop::kMaxOperands];
        for (uint32_t a = 0; a < step.arity; ++a)
          in[a] = step.in[a].input ? at[step.in[a].index] : slots.get() + step.in[a].index * slot;
        const bool root = &step == &chain.steps.back();
        uint8_t* const to = root ? out + first * chain.type->element.bytes() : slots.get() + step.slot * slot;
        step.loop.run(step.loop, in, to, count);
      }
    }
  }
};

}  // namespace

Tensor RunChain(KernelHost& host, const ElementChain& chain, std::span<Tensor* const> inputs) {
  ChainBlocks blocks{chain, {}, nullptr, chain.type->count, kBlock};
  bool splat = true;
  for (size_t k = 0; k < inputs.size(); ++k) {
    const ChainInput& input = chain.inputs[k];
    const bool one = inputs[k]->splat() || input.count == 1;
    blocks.operands.push_back({inputs[k]->data(), one ? 1 : input.run, one ? 1 : input.count, input.bytes});
    splat = splat && one;
    if (input.run == 1 && input.count < chain.type->count && input.count <= kMaxPeriod && !one)
      blocks.block = std::max<uint64_t>(1, kBlock / input.count) * input.count;
  }
  if (splat) blocks.n = 1;
  Tensor out;
  for (size_t k = 0; k < inputs.size() && !splat && !out; ++k) {
    if (!chain.inputs[k].may_be_result || inputs[k]->splat() || !inputs[k]->mutable_data()) continue;
    // If it is shared, the value is dead all the same; the others keep its elements.
    if (auto buffer = inputs[k]->Reclaim()) out = Tensor::Reuse(chain.type, std::move(buffer));
  }
  if (!out) out = host.Allocate(chain.type, splat);
  if (!out) return out;
  blocks.out = out.mutable_data();
  const uint64_t n = (blocks.n + blocks.block - 1) / blocks.block;
  host.Split(n, chain.nanoseconds * double(std::min(blocks.n, blocks.block)),
             [&](uint64_t begin, uint64_t end) { blocks.Run(begin, end); });
  return out;
}

}  // namespace shlo
