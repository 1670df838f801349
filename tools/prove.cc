// `prove`: compares two programs: by congruence, by laws, and by evaluating what remains.
#include "shlo/prove.h"

#include <fmt/format.h>

#include "commands.h"
#include "counterexample.h"
#include "proofs.h"

namespace shlo::tool {
namespace {

struct Flags {
  std::string a, b;
  uint64_t seed = ProveOptions().seed;
  uint64_t inputs = ProveOptions().max_inputs;
  std::string at_least = "exhaustive";
  std::string counterexample;
  bool evaluate_only = false;
  CertificateFlags certificate;
  std::string check;
};

}  // namespace

std::string_view VerdictName(Verdict verdict, Evidence evidence) {
  switch (verdict) {
    case Verdict::kEqual:
      return evidence == Evidence::kSampled ? "not told apart" : "equal";
    case Verdict::kOtherContract:
      return "different contract";
    case Verdict::kDifferent:
      return "different";
    case Verdict::kNotCovered:
      break;
  }
  return "not covered";
}

namespace {

std::string LawsText(const std::vector<Law>& laws) {
  const size_t approximate = size_t(std::ranges::count_if(laws, &Law::approximate));
  std::string out = Count(laws.size(), "law");
  if (approximate) out += fmt::format(", up to the error of {}", Count(approximate, "approximation"));
  return out;
}

// The evidence of equality as a phrase: "equal by congruence and 3 laws".
std::string EqualityText(const FunctionProof& f, const std::vector<Law>& laws) {
  const std::string by = laws.empty() ? "congruence" : "congruence and " + LawsText(laws);
  const std::string parts =
      f.cut_outs ? fmt::format("equal by {} but for {}, ", by, Count(f.cut_outs, "part")) : "";
  switch (f.evidence) {
    case Evidence::kCongruence:
      return "equal by congruence";
    case Evidence::kLaws:
      return "equal by " + by;
    case Evidence::kExhaustive:
      return fmt::format("{}equal on all {}", parts, Count(f.inputs, "possible input"));
    case Evidence::kSampled:
      return fmt::format("{}not told apart by {}", parts, Count(f.inputs, "input set"));
    case Evidence::kNone:
      return "";
  }
  return "";
}

std::string VerdictText(const FunctionProof& f, const std::vector<Law>& laws) {
  if (f.verdict == Verdict::kEqual) return EqualityText(f, laws);
  if (f.verdict == Verdict::kOtherContract)
    return fmt::format("different contract; values are {}", EqualityText(f, laws));
  return std::string(VerdictName(f.verdict, f.evidence));
}

std::string ContractText(const Diagnostics& contract) {
  std::string out;
  for (const Diagnostic& d : contract) {
    out += fmt::format("  contract: '{}'", d.op);
    if (d.place.line)
      out += fmt::format(" at {}:{}", d.place.line, d.place.column);
    else if (!d.place.location.empty())
      out += fmt::format(" at {}", d.place.location);
    out += fmt::format(": {}\n", d.message);
  }
  return out;
}

Json ContractJson(const Diagnostics& contract) {
  Json list = Json::array();
  for (const Diagnostic& d : contract) list.push_back(ToJson(d));
  return list;
}

Json CoverageJson(const Coverage& c) {
  Json e;
  e["compared"] = c.compared;
  e["failed"] = c.failed;
  e["unfinished"] = c.unfinished;
  e["elements"] = c.elements;
  e["telling"] = c.telling;
  e["regions"] = c.regions;
  e["regions_run"] = c.regions_run;
  e["not_run"] = c.not_run;
  e["blind"] = c.blind;
  e["extents"] = c.extents;
  return e;
}

Json FunctionJson(const FunctionProof& f) {
  Json e;
  e["name"] = f.function;
  e["verdict"] = std::string(VerdictName(f.verdict, f.evidence));
  e["evidence"] = std::string(EvidenceName(f.evidence));
  e["inputs"] = f.inputs;
  e["exhaustive"] = f.exhaustive;
  e["parts"] = f.cut_outs;
  e["coverage"] = CoverageJson(f.coverage);
  if (!f.detail.empty()) e["detail"] = f.detail;
  e["contract"] = ContractJson(f.contract);
  return e;
}

Json LawJson(const Law& law) {
  Json e;
  e["name"] = law.name;
  e["op_count"] = law.count;
  e["approximate"] = law.approximate;
  return e;
}

}  // namespace

std::string LawLines(const std::vector<Law>& laws) {
  std::string out;
  for (const Law& law : laws)
    out += fmt::format("law: {} ({}{})\n", law.name, Count(law.count, "op"),
                       law.approximate ? ", approximate" : "");
  return out;
}

std::string ProofText(const Proof& proof) {
  std::string out;
  for (const FunctionProof& f : proof.functions) {
    out += fmt::format("@{}: {}", f.function, VerdictText(f, proof.laws));
    out += (f.detail.empty() ? "" : ": " + f.detail) + "\n" + ContractText(f.contract);
  }
  out += ContractText(proof.contract);
  if (proof.evidence != Evidence::kNone) out += LawLines(proof.laws);
  return out;
}

void AddAtLeastFlag(Options& options, std::string* value) {
  options.Choice("--at-least", value, {"congruence", "laws", "exhaustive", "sampled"},
                 "evidence for exit code 0 (default: exhaustive)");
}

namespace {

int RunProve(Context& ctx, const Flags& flags) {
  if (!flags.check.empty())
    return RunCheck(ctx, {flags.check, flags.a, flags.b, *EvidenceOfName(flags.at_least)});
  Program read_a, read_b;
  InputFile file_a, file_b;
  int code = ReadOne(ctx, flags.a, &read_a, &file_a);
  if (code == kDone) code = ReadOne(ctx, flags.b, &read_b, &file_b);
  const Module &a = read_a.module, &b = read_b.module;
  ProveOptions options;
  options.seed = flags.seed;
  options.max_inputs = uint32_t(flags.inputs);
  options.evaluate_only = flags.evaluate_only;
  options.source_a = &read_a.source;
  options.source_b = &read_b.source;
  options.limits = ctx.ProofLimits();
  options.matching = !flags.certificate.file.empty();
  Json j;
  j["files"] = Json::array(
      {FileJson(flags.a, file_a.name.empty() ? Json::array() : Json::array({ProgramJson(read_a)})),
       FileJson(flags.b, file_b.name.empty() ? Json::array() : Json::array({ProgramJson(read_b)}))});
  if (code != kDone) return ctx.json ? PrintJson(ctx, j, code) : code;
  ctx.progress.Step("proving");
  auto proof = Prove(a, b, options);
  if (!proof) {
    code = ctx.Fail(proof.error());
    return ctx.json ? PrintJson(ctx, j, code) : code;
  }
  const Evidence wanted = *EvidenceOfName(flags.at_least);
  const bool enough = proof->evidence >= wanted;
  code = proof->verdict == Verdict::kEqual && enough ? kDone : kFinding;
  int certified = kDone;
  if (!flags.certificate.file.empty()) {
    Certificate certificate;
    certified = MakeCertificate(
        ctx, *proof, options, a, b,
        {SubjectOf(file_a.name, file_a.bytes, a.version), SubjectOf(file_b.name, file_b.bytes, b.version)},
        &certificate);
    if (certified == kDone) certified = WriteCertificate(ctx, flags.certificate, certificate);
  }
  code = std::max(code, certified);
  if (!flags.counterexample.empty())
    if (const int written = WriteCounterexample(ctx, *proof, a, b, flags.counterexample); written != kDone)
      code = written;
  j["verdict"] = std::string(VerdictName(proof->verdict, proof->evidence));
  j["evidence"] = std::string(EvidenceName(proof->evidence));
  j["at_least"] = flags.at_least;
  j["seed"] = proof->seed;
  j["laws"] = Json::array();
  for (const Law& law : proof->laws) j["laws"].push_back(LawJson(law));
  j["contract"] = ContractJson(proof->contract);
  j["functions"] = Json::array();
  for (const FunctionProof& f : proof->functions) j["functions"].push_back(FunctionJson(f));
  if (ctx.json) return PrintJson(ctx, j, code);

  std::string out = ProofText(*proof);
  out += fmt::format("{} ({} against {}, seed {})\n", VerdictName(proof->verdict, proof->evidence),
                     VersionName(a.version), VersionName(b.version), proof->seed);
  if (proof->verdict == Verdict::kEqual && !enough)
    out += fmt::format("not enough for --at-least={}\n", flags.at_least);
  const int printed = Print(ctx, out);
  return printed == kDone ? code : printed;
}

}  // namespace

void AddProve(Options& options, Context& ctx) {
  auto flags = std::make_shared<Flags>();
  options.Argument("A", &flags->a, "first program");
  options.Argument("B", &flags->b, "program to compare with A");
  AddAtLeastFlag(options, &flags->at_least);
  AddCertificateFlags(options, &flags->certificate);
  options.Option("--check", &flags->check, "CERTIFICATE",
                 "verify a certificate of A and B, or the one that a .shlo file carries");
  options.Option("--counterexample", &flags->counterexample, "OUT",
                 "write a program whose evaluation shows the first difference");
  options.Flag("--evaluate-only", &flags->evaluate_only, "compare values by evaluation only");
  options.Number("--seed", &flags->seed, ~uint64_t(0), "seed for generating inputs (default: 1)");
  options.Number("--inputs", &flags->inputs, 1u << 20, "input sets per function or part (default: 256)");
  AddEvaluationFlags(options, ctx);
  AddReadFlags(options, ctx);
  AddCommonFlags(options, ctx);
  options.OnChosen([&ctx, flags] { ctx.run = [&ctx, flags] { return RunProve(ctx, *flags); }; });
}

}  // namespace shlo::tool
