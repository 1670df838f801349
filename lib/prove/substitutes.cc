#include "prove/substitutes.h"

#include <cstring>
#include <set>
#include <string_view>

#include "base/format.h"
#include "base/printable.h"
#include "eval/input_generator.h"
#include "eval/kernels/kernels.h"
#include "ir/table/ops.h"
#include "shlo/print.h"

namespace shlo {
namespace {

std::set<std::string, std::less<>> TargetsOf(const Module& module) {
  std::set<std::string, std::less<>> out;
  for (uint32_t i = 1; i < module.ops.size(); ++i) {
    std::string_view target;
    if (module.Is(module.ops[i], ops::kCustomCall) &&
        module.AsString(module.InherentAttrOf(module.ops[i], "call_target_name"), &target))
      out.emplace(target);
  }
  return out;
}

uint64_t HashOf(std::string_view text, uint64_t seed) { return HashBytes(text.data(), text.size(), seed); }

Result<std::vector<Tensor>> Call(std::string_view target, const Module& module, const Op& op,
                                 std::span<const Tensor> operands) {
  uint64_t seed = HashOf(target, 0);
  if (const AttrId config = module.InherentAttrOf(op, "backend_config")) {
    constexpr uint64_t kMost = 1ull << 26;
    std::string text;
    if (!PrintAttr(module, config, Spelling::kStablehlo, kMost, &text))
      return Error(Code::kLimit, StrFormat("backend_config exceeds the limit of {}", Count(kMost, "byte")));
    seed = HashOf(text, seed);
  }
  for (const Tensor& operand : operands) {
    if (!operand.type().is_tensor()) continue;
    const Tensor all = operand.Expanded();
    if (!all) return Error(Code::kLimit, "not enough memory for a custom call");
    seed = HashOf(TypeName(all.type()), seed);
    seed = HashBytes(all.data(), all.stored_bytes(), seed);
  }
  std::vector<ValueTypePtr> types;
  for (uint32_t i = 0; i < module.NumResults(op); ++i) {
    types.push_back(TensorTypeOf(module, module.TypeOf(module.ResultOf(op, i))));
    if (!types.back() || types.back()->element.kind == TypeKind::kTuple)
      return Error(Code::kUnsupported,
                   StrFormat("result {} of {} has no static tensor type", i, SymbolText(target)));
  }
  std::vector<Tensor> results = InputGenerator(std::move(types), seed).Set(Temper::kOrdinary, 0);
  if (results.size() != module.NumResults(op))
    return Error(Code::kLimit, "not enough memory for a custom call");
  // An integer is often a status: zero, and the other results count.
  SplitMix64 random(seed);
  for (Tensor& result : results)
    if (result.type().is_tensor() && result.element().is_integer() && random.Next() % 2 == 0)
      std::memset(result.mutable_data(), 0, result.stored_bytes());
  return results;
}

}  // namespace

std::map<std::string, CustomCall, std::less<>> SubstitutesFor(const Module& a, const Module& b) {
  std::map<std::string, CustomCall, std::less<>> out;
  const auto in_b = TargetsOf(b);
  for (const std::string& target : TargetsOf(a)) {
    if (!in_b.contains(target) || CustomCallKernel(target) || target.starts_with("check.")) continue;
    out[target] = [target](const Module& module, const Op& op, std::span<const Tensor> operands) {
      return Call(target, module, op, operands);
    };
  }
  return out;
}

}  // namespace shlo
