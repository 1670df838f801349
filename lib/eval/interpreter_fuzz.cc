// Fuzzes evaluation: a program that was read is evaluated, whether it verifies or not, on random arguments
// and within small limits; then what folds is folded. It must end with values or a diagnostic. When a sound
// program has values, they are the same again on two threads.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "eval/interpreter.h"
#include "eval/known_values.h"
#include "eval/random_tensor.h"
#include "ir/verify.h"
#include "serialize/text_reader.h"

namespace shlo {
namespace {

void TryFunction(const Module& module, std::string_view name, bool sound, EvalOptions options) {
  const auto types = ArgumentTypes(module, name);
  std::vector<Tensor> args;
  if (types) {
    for (const TensorTypePtr& type : *types) {
      if (type->is_tensor() && type->bytes > options.max_memory) return;
      args.push_back(type->is_tensor() ? RandomTensor(type, args.size()) : Tensor::Token());
    }
  }
  const auto result = Evaluate(module, name, args, options);
  if (!result || !sound) return;
  options.threads = 2;
  const auto again = Evaluate(module, name, args, options);
  if (!again || again->results.size() != result->results.size()) __builtin_trap();
  for (size_t i = 0; i < result->results.size(); ++i) {
    const Tensor &a = result->results[i], &b = again->results[i];
    if (a.type().is_tensor() && !BitEqual(a, b)) __builtin_trap();
  }
}

}  // namespace
}  // namespace shlo

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace shlo;
  auto text = std::make_shared<std::string>(reinterpret_cast<const char*>(data), size);
  const auto module = ReadText(*text, text);
  if (!module) return 0;
  EvalOptions options;
  options.max_memory = 32 << 20;
  options.max_steps = 20'000;
  options.max_call_depth = 32;
  options.max_processes = 4;
  options.timeout_ms = 50;
  const bool sound = !HasErrors(Verify(*module));
  int functions = 0;
  for (uint32_t i = 1; i < module->ops.size() && functions < 8; ++i) {
    const Op& op = module->ops[i];
    if (!op.shape || !RowOf(op.shape).Has(Trait::kFunction)) continue;
    TryFunction(*module, module->SymbolOf(op), sound, options);
    ++functions;
  }
  KnownValues(*module, {.max_elements = 1000, .max_steps = 10'000, .max_memory = 32 << 20});
  return 0;
}
