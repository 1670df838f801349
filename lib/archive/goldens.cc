// Goldens: inputs and results that are computed again years later.
#include <algorithm>
#include <cmath>

#include "archive/form_check.h"
#include "base/format.h"
#include "base/guarded.h"
#include "base/try.h"
#include "shlo/archive_work.h"
#include "shlo/evidence.h"

namespace shlo::archive {
namespace {

// Half of the digits of f32 and of f64.
constexpr double kHalfOfF32 = 0x1p-11, kHalfOfF64 = 0x1p-26;

// Ops of StableHLO that the evaluator computes in f64 with functions of the C library (docs/evaluation.md).
constexpr std::string_view kFunctions[] = {"stablehlo.atan2",
                                           "stablehlo.cbrt",
                                           "stablehlo.cosine",
                                           "stablehlo.exponential",
                                           "stablehlo.exponential_minus_one",
                                           "stablehlo.fft",
                                           "stablehlo.log",
                                           "stablehlo.log_plus_one",
                                           "stablehlo.logistic",
                                           "stablehlo.power",
                                           "stablehlo.rsqrt",
                                           "stablehlo.sine",
                                           "stablehlo.tan",
                                           "stablehlo.tanh"};

// Whether a result has elements of f64 or complex<f64>, whose last bit is that of the function.
bool HasF64(const Module& m, const Op& op, bool* f32) {
  bool f64 = false;
  for (uint32_t i = 0; i < m.NumResults(op); ++i) {
    const auto type = TensorTypeOf(m, m.TypeOf(m.ResultOf(op, i)));
    const TypeKind kind = type ? type->element.kind : TypeKind::kF64;  // dynamic: assume the worst
    f64 = f64 || kind == TypeKind::kF64;
    *f32 = *f32 || kind == TypeKind::kF32;
  }
  return f64;
}

bool IsLapack(std::string_view target) {
  return target.starts_with("lapack_") || target.starts_with("blas_") || target == "Qr" ||
         target == "ProductOfElementaryHouseholderReflectors";
}

Result<ArchivedTensor> Store(Writer& writer, std::string name, const Tensor& tensor) {
  const Tensor whole = tensor.Expanded();
  if (!whole) return Error(Code::kLimit, "out of memory");
  const std::string_view bytes(reinterpret_cast<const char*>(whole.data()), whole.stored_bytes());
  auto id = SHLO_TRY(writer.AddBytes(bytes));
  return ArchivedTensor{std::move(name), TypeName(tensor.type()), id, bytes.size()};
}

Result<void> AllTensors(std::span<const Tensor> values, std::string_view what) {
  for (size_t i = 0; i < values.size(); ++i)
    if (!values[i].type().is_tensor())
      return Error(Code::kUnsupported,
                   StrFormat("{} {} is not a tensor, so that no golden can keep it", what, i));
  return {};
}

}  // namespace

Justified JustifiedTolerance(const Module& m) {
  Justified out{0, "the same bits: every op has a fixed order of computation and rounding"};
  for (uint32_t i = 1; i < m.ops.size(); ++i) {
    const Op& op = m.ops[i];
    const std::string_view name = m.NameOf(op);
    std::string_view target;
    const bool call =
        name == "stablehlo.custom_call" && m.AsString(m.InherentAttrOf(op, "call_target_name"), &target);
    const bool lapack = call && IsLapack(target);
    const bool function = name.starts_with("chlo.") || (call && target.starts_with("mhlo.")) ||
                          std::ranges::find(kFunctions, name) != std::end(kFunctions);
    if (!lapack && !function) continue;
    bool f32 = false;
    const bool f64 = HasF64(m, op, &f32);
    if (lapack && f32 && out.tolerance < kHalfOfF32)
      out = {kHalfOfF32, StrFormat("half of the digits of f32: LAPACK computes '{}'", target)};
    else if (f64 && out.tolerance < kHalfOfF64)
      out = {kHalfOfF64, lapack ? StrFormat("half of the digits of f64: LAPACK computes '{}'", target)
                                : StrFormat("half of the digits of f64: the C library computes '{}'", name)};
  }
  return out;
}

Result<NewGolden> ComputeGolden(const Program& program, const std::string& function,
                                std::vector<Tensor> inputs, const EvalOptions& options) {
  NewGolden golden;
  golden.program = program.name;
  golden.function = function;
  golden.inputs = std::move(inputs);
  auto result = SHLO_TRY(Evaluate(program.module, function, golden.inputs, options));
  if (!result.failed_checks.empty()) return tl::unexpected(std::move(result.failed_checks));
  golden.results = std::move(result.results);
  SHLO_TRY(AllTensors(golden.inputs, "argument"));
  SHLO_TRY(AllTensors(golden.results, "result"));
  // Equal elements are kept in full.
  uint64_t left = options.limits.max_memory;
  for (const std::vector<Tensor>* values : {&golden.inputs, &golden.results})
    for (const Tensor& value : *values) {
      if (value.type().bytes > left)
        return Error(
            Code::kLimit,
            StrFormat("the golden exceeds the memory limit of {} MiB", options.limits.max_memory >> 20), {},
            "raise the limit: --max-memory (Limits::max_memory)");
      left -= value.type().bytes;
    }
  Justified justified = JustifiedTolerance(program.module);
  golden.tolerance = justified.tolerance;
  golden.reason = std::move(justified.reason);
  return golden;
}

Result<ContentId> AddGolden(Writer& writer, const ContentId& model, const NewGolden& golden) {
  if (!std::isfinite(golden.tolerance) || golden.tolerance < 0)
    return Error(Code::kUsage, StrFormat("the tolerance {} is not a number from 0", golden.tolerance));
  ArchivedGolden entry;
  entry.program = golden.program;
  entry.function = golden.function;
  entry.tolerance = golden.tolerance;
  entry.reason = golden.reason;
  for (size_t i = 0; i < golden.inputs.size(); ++i) {
    auto stored = SHLO_TRY(Store(writer, StrFormat("arg{}", i), golden.inputs[i]));
    entry.inputs.push_back(std::move(stored));
  }
  for (size_t i = 0; i < golden.results.size(); ++i) {
    auto stored = SHLO_TRY(Store(writer, StrFormat("result{}", i), golden.results[i]));
    entry.results.push_back(std::move(stored));
  }
  return writer.AddGolden(model, std::move(entry));
}

Result<std::vector<Tensor>> LoadTensors(const Archive& archive, std::span<const ArchivedTensor> tensors) {
  return Guarded([&]() -> Result<std::vector<Tensor>> {
    std::vector<Tensor> out;
    for (const ArchivedTensor& tensor : tensors) {
      const auto type = SHLO_TRY(TensorTypeNamed(tensor.type));
      auto bytes = SHLO_TRY(archive.Load(tensor.id, tensor.name));
      if (bytes.bytes.size() != type->bytes)
        return Error(Code::kMalformed, StrFormat("the golden has {} for a tensor of type '{}'",
                                                 Count(bytes.bytes.size(), "byte"), tensor.type));
      out.push_back(
          Tensor::View(type, reinterpret_cast<const uint8_t*>(bytes.bytes.data()), std::move(bytes.owner)));
    }
    return out;
  });
}

Result<std::vector<std::string>> CheckGolden(const Archive& archive, const ArchivedGolden& golden,
                                             const Program& program, const EvalOptions& options) {
  return Guarded(options.limits, [&]() -> Result<std::vector<std::string>> {
    auto inputs = SHLO_TRY(LoadTensors(archive, golden.inputs));
    auto kept = SHLO_TRY(LoadTensors(archive, golden.results));
    auto result = SHLO_TRY(Evaluate(program.module, golden.function, inputs, options));
    std::vector<std::string> differences;
    if (result.results.size() != kept.size()) {
      differences.push_back(StrFormat("{} were kept, but the function returns {}",
                                      Count(kept.size(), "result"), Count(result.results.size(), "result")));
      return differences;
    }
    for (size_t i = 0; i < kept.size(); ++i) {
      const std::string what = GoldenDifference(result.results[i], kept[i], golden.tolerance);
      if (!what.empty()) differences.push_back(StrFormat("result {} {}", i, what));
    }
    return differences;
  });
}

}  // namespace shlo::archive
