// Results of witnesses. The inputs are part of what is frozen: a change here makes all results different.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/stack.h"
#include "eval/input_generator.h"
#include "gate/witness.h"
#include "ir/table/float_format.h"
#include "shlo/evaluate.h"

namespace shlo::gate {
namespace {

enum class Inputs : uint8_t {
  kSmall,    // integers from -2 to 5, and such floats with a fraction
  kSpecial,  // zeros of both signs, ones, extremes, infinities, NaN
  kBits,     // random bits
};
constexpr Inputs kSets[] = {Inputs::kSmall, Inputs::kSpecial, Inputs::kBits};

uint64_t PartOf(ElementType element, Inputs inputs, uint64_t r) {
  const bool is_float = IsFloat(element.kind);
  const int width = BitWidth(element.kind);
  const uint64_t mask = width >= 64 ? ~0ull : (1ull << width) - 1, top = 1ull << (width - 1);
  switch (inputs) {
    case Inputs::kSmall: {
      const int64_t small = int64_t(r % 8) - 2;
      if (is_float) return EncodeFloat(element.kind, double(small) + double(r >> 8 & 15) / 16) & mask;
      return uint64_t(element.is_unsigned() || element.is_bool() ? std::max<int64_t>(small, 0) : small) &
             mask;
    }
    case Inputs::kSpecial: {
      if (!is_float) {
        const uint64_t values[] = {0, 1, mask, top, top - 1, 2, mask - 1, r};
        return values[r % 8] & mask;
      }
      const double values[] = {0, 1, -1, 0.5, 2.5, -3, 1e30, -1e-30};
      switch (r % 12) {
        case 8:
          return top & mask;  // negative zero, if there is one
        case 9:
          return 1;  // the smallest subnormal
        case 10:
          return EncodeFloat(element.kind, HUGE_VAL) & mask;
        case 11:
          return mask;  // often NaN
        default:
          return EncodeFloat(element.kind, values[r % 12]) & mask;
      }
    }
    case Inputs::kBits:
      return r & mask;
  }
  return 0;
}

Tensor Input(const ValueTypePtr& type, Inputs inputs, uint64_t seed) {
  if (!type->is_tensor()) return type->element.kind == TypeKind::kToken ? Tensor::Token() : Tensor();
  Tensor tensor = Tensor::Uninitialized(type);
  if (!tensor) return tensor;
  const size_t size = type->element.part_bytes();
  uint8_t* out = tensor.mutable_data();
  SplitMix64 random(seed);
  for (uint64_t i = 0; i < type->count * (type->element.complex ? 2 : 1); ++i, out += size) {
    uint64_t bits = PartOf(type->element, inputs, random.Next());
    if (type->quantization) {
      const Quantization& q = *type->quantization;
      bits =
          uint64_t(q.storage_min) + random.Next() % (uint64_t(q.storage_max) - uint64_t(q.storage_min) + 1);
      const int width = BitWidth(type->element.kind);
      if (width < 64) bits &= (1ull << width) - 1;
    }
    std::memcpy(out, &bits, size);
  }
  return tensor;
}

void AddTo(std::string* out, const Tensor& value) {
  CheckStack();
  *out += TypeName(value.type());
  if (value.type().is_tensor()) *out += value.ToBytes();
  for (const Tensor& member : value.members()) AddTo(out, member);
}

struct Function {
  std::string name;
  std::vector<ValueTypePtr> args;
};

// The functions that others may call, whose arguments are static.
std::vector<Function> FunctionsOf(const Module& module) {
  std::vector<Function> functions;
  for (uint32_t i = 1; i < module.ops.size(); ++i) {
    const Op& op = module.ops[i];
    if (module.NameOf(op) != "func.func") continue;
    Function function;
    std::string_view name;
    if (!module.AsString(module.AttributeOf(op, "sym_name"), &name)) continue;
    function.name = name;
    auto types = ArgumentTypes(module, function.name);
    if (!types) continue;
    function.args = std::move(*types);
    functions.push_back(std::move(function));
  }
  return functions;
}

bool Has(const Module& module, std::initializer_list<std::string_view> names) {
  for (uint32_t i = 1; i < module.ops.size(); ++i)
    if (std::find(names.begin(), names.end(), module.NameOf(module.ops[i])) != names.end()) return true;
  return false;
}

}  // namespace

std::string ResultsOf(const Module& module, const ReplayOptions& options) {
  // Results of rng differ; custom calls are computed by libraries with separate releases.
  if (Has(module, {"stablehlo.rng", "stablehlo.custom_call"})) return std::string(kNoPart);
  // Some programs start their processes themselves.
  const bool nested = Has(module, {"interpreter.run_parallel", "sdy.manual_computation"});
  const bool parallel =
      !nested &&
      Has(module,
          {"stablehlo.all_gather", "stablehlo.all_reduce", "stablehlo.all_to_all", "stablehlo.partition_id",
           "stablehlo.replica_id", "stablehlo.collective_permute", "stablehlo.collective_broadcast",
           "stablehlo.collective_reduce", "stablehlo.reduce_scatter", "stablehlo.cross-replica-sum"});
  auto functions = FunctionsOf(module);
  if (nested) std::erase_if(functions, [](const Function& f) { return f.name != "main"; });
  EvalOptions eval;
  eval.limits = options.limits;
  eval.limits.max_steps = 5000;
  eval.limits.max_work = 50'000'000;
  eval.limits.max_memory = 64 << 20;
  eval.timeout_ms = options.wait_ms;
  std::string out;
  size_t at = 0;
  for (const Inputs inputs : kSets) {
    // The part of the frozen results that is about these inputs.
    const std::string_view frozen =
        std::string_view(options.results).substr(std::min(at, options.results.size()));
    const std::string_view known = frozen.substr(0, frozen.find(' '));
    at += known.size() + 1;
    if (!out.empty()) out += ' ';
    std::string bytes;
    if (known != kNoPart) {
      for (const Function& function : functions) {
        const size_t copies = parallel ? 4 : 1;
        std::vector<Tensor> args;
        for (size_t copy = 0; copy < copies; ++copy)
          for (size_t i = 0; i < function.args.size(); ++i)
            args.push_back(Input(function.args[i], inputs, 1000 * copy + i + 1));
        if (std::ranges::any_of(args, [](const Tensor& t) { return !t; })) continue;
        const std::vector<std::string> all(copies, function.name);
        const auto result = parallel ? EvaluateParallel(module, all, 2, args, {}, eval)
                                     : Evaluate(module, function.name, args, eval);
        if (!result) continue;
        bytes += function.name;
        for (const Tensor& value : result->results) AddTo(&bytes, value);
        bytes += std::to_string(result->failed_checks.size());
      }
    }
    out += bytes.empty() ? std::string(kNoPart) : HashOf(bytes);
  }
  return out;
}

}  // namespace shlo::gate
