// Fuzzes proofs: a program against itself, against what it becomes by conversion or expansion, and against a
// mutation of its text. A program is equal to itself; what is proved equal has a certificate that the checker
// accepts, and gives the same values; and what differs does so on the input that is reported.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "fuzz/require.h"
#include "fuzz/text_mutator.h"
#include "fuzz/unknown.h"
#include "shlo/certificate.h"
#include "shlo/convert.h"
#include "shlo/evaluate.h"
#include "shlo/expand.h"
#include "shlo/prove.h"
#include "shlo/random_tensor.h"
#include "shlo/text_reader.h"
#include "shlo/verify.h"

namespace {

using namespace shlo;
using fuzz::Require;

constexpr size_t kMaxOps = 300;

std::optional<Module> Read(const std::string& text) {
  const auto owner = std::make_shared<const std::string>(text);
  auto module = ReadText(*owner, owner);
  if (!module || module->ops.size() > kMaxOps ||
      HasErrors(Verify(*module, {.strictness = Strictness::kLenient})))
    return std::nullopt;
  return std::move(*module);
}

EvalOptions EvaluationLimits() {
  EvalOptions options;
  options.limits.max_memory = 1 << 18;
  options.limits.max_steps = 2'000;
  options.limits.max_work = 5'000'000;
  options.limits.max_depth = 16;
  options.max_processes = 4;
  options.timeout_ms = 1000;
  return options;
}

// Returns whether both functions give values for these arguments, and in `same` whether the tensors are
// equal.
bool Evaluated(const Module& a, const Module& b, std::string_view function, std::span<const Tensor> args,
               bool* same) {
  const auto x = Evaluate(a, function, args, EvaluationLimits());
  const auto y = Evaluate(b, function, args, EvaluationLimits());
  if (!x || !y) return false;
  *same = x->results.size() == y->results.size();
  for (size_t i = 0; *same && i < x->results.size(); ++i) {
    const Tensor &u = x->results[i], &v = y->results[i];
    *same = u.type().is_tensor() == v.type().is_tensor() && (!u.type().is_tensor() || BitEqual(u, v));
  }
  return true;
}

// Whether results depend on more than arguments: any numbers are right for stablehlo.rng.
bool IsRandom(const Module& m) {
  for (uint32_t i = 1; i < m.ops.size(); ++i)
    if (m.NameOf(m.ops[i]) == "stablehlo.rng") return true;
  return false;
}

// Evaluates functions that are proved equal without evaluation.
void RequireEqualValues(const Module& a, const Module& b, std::string_view function) {
  if (IsRandom(a)) return;
  const auto types = ArgumentTypes(a, function);
  if (!types) return;
  std::vector<Tensor> args;
  for (const ValueTypePtr& type : *types) {
    if (type->is_tensor() && type->bytes > EvaluationLimits().limits.max_memory) return;
    args.push_back(type->is_tensor() ? RandomTensor(type, args.size()) : Tensor::Token());
  }
  bool same = false;
  if (Evaluated(a, b, function, args, &same))
    Require(same, "functions that are proved equal have different values", function);
}

void RequireCertificate(const Proof& proof, const ProveOptions& options, const Module& a, const Module& b) {
  const auto certificate = CertificateOf(proof, options, a, b);
  Require(certificate, "equal programs have no certificate");
  const auto read = ParseCertificate(CertificateText(*certificate));
  Require(read, "a certificate cannot be read");
  const auto check = CheckCertificate(*read, a, b);
  Require(check, "a certificate does not hold");
  Require(check->not_covered.empty(), "a certificate of equal programs does not cover all functions");
}

void CheckProof(const Proof& proof, const ProveOptions& options, const Module& a, const Module& b) {
  if (proof.verdict == Verdict::kEqual) RequireCertificate(proof, options, a, b);
  const bool exact = std::ranges::none_of(proof.laws, &Law::approximate);
  for (const FunctionProof& f : proof.functions) {
    bool same = false;
    if (f.verdict == Verdict::kEqual && f.evidence >= Evidence::kLaws && exact)
      RequireEqualValues(a, b, f.function);
    if (f.verdict == Verdict::kDifferent && !f.counterexample.empty() &&
        Evaluated(a, b, f.function, f.counterexample, &same))
      Require(!same, "a counterexample gives the same values", f.function);
  }
}

// The second program. `itself` is set if it is a copy of the first.
std::optional<Module> SecondOf(const Module& a, const std::string& text, fuzz::Choices* choices,
                               bool* itself) {
  const Version target{uint16_t(kFirstRelease.n + choices->Below(kCurrentVersion.n - kFirstRelease.n + 1u))};
  switch (choices->Below(6)) {
    case 0:
      *itself = true;
      return Read(text);
    case 1: {
      auto converted = Convert(a, target);
      if (!converted) return std::nullopt;
      return std::move(converted->module);
    }
    case 2: {
      auto expanded = Expand(a, {.target = target});
      if (!expanded) return std::nullopt;
      return std::move(expanded->module);
    }
    default: {
      std::string other = text;
      for (uint64_t left = 1 + choices->Below(3); left && !other.empty(); --left)
        fuzz::TextMutation(&other, choices->Below(1u << 30)).Run();
      return Read(other);
    }
  }
}

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  return shlo::fuzz::MutateText(data, size, max_size, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto a = Read(text);
  if (!a) return 0;
  fuzz::Choices choices(text);
  bool itself = false;
  const auto b = SecondOf(*a, text, &choices, &itself);
  if (!b) return 0;
  ProveOptions options;
  options.seed = choices.Below(1000);
  options.max_inputs = 4;
  options.max_elements = 256;
  options.limits.max_memory = 1 << 20;
  options.limits.max_work = 2'000'000;
  options.matching = true;
  const auto proof = Prove(*a, *b, options);
  Require(proof, "a proof fails");
  if (itself && !proof->functions.empty() && !fuzz::HasUnknown(*a))
    Require(proof->verdict == Verdict::kEqual && proof->evidence == Evidence::kCongruence,
            "a program is not equal to itself");
  CheckProof(*proof, options, *a, *b);
  return 0;
}
