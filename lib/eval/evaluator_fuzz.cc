// Fuzzes evaluation: evaluates a program on random arguments and with small limits, whether it verifies or
// not, and folds its constants. Both must end with values or a diagnostic. A program that verifies must have
// the same values with two threads.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/require.h"
#include "fuzz/text_mutator.h"
#include "ir/table/trait.h"
#include "shlo/evaluate.h"
#include "shlo/known_values.h"
#include "shlo/random_tensor.h"
#include "shlo/text_reader.h"
#include "shlo/verify.h"

namespace shlo {
namespace {

void TryFunction(const Module& module, std::string_view name, bool sound, EvalOptions options) {
  const auto types = ArgumentTypes(module, name);
  std::vector<Tensor> args;
  if (types) {
    for (const ValueTypePtr& type : *types) {
      if (type->is_tensor() && type->bytes > options.limits.max_memory) return;
      args.push_back(type->is_tensor() ? RandomTensor(type, args.size()) : Tensor::Token());
    }
  }
  const auto result = Evaluate(module, name, args, options);
  if (!result || !sound) return;
  options.limits.threads = 2;
  const auto again = Evaluate(module, name, args, options);
  fuzz::Require(again, "with two threads there are no results");
  fuzz::Require(again->results.size() == result->results.size(), "with two threads there are other results");
  for (size_t i = 0; i < result->results.size(); ++i) {
    const Tensor &a = result->results[i], &b = again->results[i];
    fuzz::Require(!a.type().is_tensor() || BitEqual(a, b), "with two threads results have other bits");
  }
}

}  // namespace
}  // namespace shlo

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  return shlo::fuzz::MutateText(data, size, max_size, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace shlo;
  auto text = std::make_shared<std::string>(reinterpret_cast<const char*>(data), size);
  const auto module = ReadText(*text, text);
  if (!module) return 0;
  // Small limits, for many executions per second.
  EvalOptions options;
  options.limits.max_memory = 1 << 18;
  options.limits.max_steps = 2'000;
  options.limits.max_depth = 16;
  options.max_processes = 4;
  options.timeout_ms = 1000;
  const bool sound = !HasErrors(Verify(*module, {.strictness = Strictness::kLenient}));
  int functions = 0;
  for (uint32_t i = 1; i < module->ops.size() && functions < 8; ++i) {
    const Op& op = module->ops[i];
    if (!module->Has(op, Trait::kFunction)) continue;
    TryFunction(*module, module->SymbolOf(op), sound, options);
    ++functions;
  }
  (void)KnownValues(*module, {.max_elements = 1000, .limits = {.max_memory = 1 << 18, .max_steps = 1000}});
  return 0;
}
