// `prove`: compares two programs: by congruence, by laws, and by evaluating what remains.
#include "shlo/prove.h"

#include <fmt/format.h>

#include "commands.h"
#include "counterexample.h"
#include "many.h"
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
  uint64_t jobs = 0;
  bool many = false;  // there are more programs than two
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

FileResult ProveFiles(Context& ctx, const Flags& flags, const std::string& path_a,
                      const std::string& path_b) {
  FileResult result;
  Program read_a, read_b;
  InputFile file_a, file_b;
  result.code = ReadOne(ctx, path_a, &read_a, &file_a);
  if (result.code == kDone) result.code = ReadOne(ctx, path_b, &read_b, &file_b);
  const Module &a = read_a.module, &b = read_b.module;
  ProveOptions options;
  options.seed = flags.seed;
  options.max_inputs = uint32_t(flags.inputs);
  options.evaluate_only = flags.evaluate_only;
  options.source_a = &read_a.source;
  options.source_b = &read_b.source;
  options.limits = ctx.ProofLimits();
  options.matching = !flags.certificate.file.empty();
  Json& j = result.json;
  j["files"] = Json::array(
      {FileJson(path_a, file_a.name.empty() ? Json::array() : Json::array({ProgramJson(read_a)})),
       FileJson(path_b, file_b.name.empty() ? Json::array() : Json::array({ProgramJson(read_b)}))});
  if (result.code != kDone) return result;
  ctx.progress.Step("proving");
  auto proof = Prove(a, b, options);
  if (!proof) {
    result.code = ctx.Fail(proof.error());
    return result;
  }
  const Evidence wanted = *EvidenceOfName(flags.at_least);
  const bool enough = proof->evidence >= wanted;
  result.code = proof->verdict == Verdict::kEqual && enough ? kDone : kFinding;
  int certified = kDone;
  if (!flags.certificate.file.empty()) {
    Certificate certificate;
    certified = MakeCertificate(
        ctx, *proof, options, a, b,
        {SubjectOf(file_a.name, file_a.bytes, a.version), SubjectOf(file_b.name, file_b.bytes, b.version)},
        &certificate);
    if (certified == kDone) certified = WriteCertificate(ctx, flags.certificate, certificate);
  }
  result.code = std::max(result.code, certified);
  if (!flags.counterexample.empty())
    if (const int written = WriteCounterexample(ctx, *proof, a, b, flags.counterexample); written != kDone)
      result.code = written;
  j["verdict"] = std::string(VerdictName(proof->verdict, proof->evidence));
  j["evidence"] = std::string(EvidenceName(proof->evidence));
  j["at_least"] = flags.at_least;
  j["seed"] = proof->seed;
  j["laws"] = Json::array();
  for (const Law& law : proof->laws) j["laws"].push_back(LawJson(law));
  j["contract"] = ContractJson(proof->contract);
  j["functions"] = Json::array();
  for (const FunctionProof& f : proof->functions) j["functions"].push_back(FunctionJson(f));
  if (ctx.json) return result;

  std::string out = flags.many ? fmt::format("{} {}\n", path_a, path_b) : "";
  out += ProofText(*proof);
  out += fmt::format("{} ({} against {}, seed {})\n", VerdictName(proof->verdict, proof->evidence),
                     VersionName(a.version), VersionName(b.version), proof->seed);
  if (proof->verdict == Verdict::kEqual && !enough)
    out += fmt::format("not enough for --at-least={}\n", flags.at_least);
  if (const int printed = Print(ctx, out); printed != kDone) result.code = printed;
  return result;
}

// Proves the programs of two folders or patterns, those with the same path below them.
int ProveMany(Context& ctx, Flags flags, const Inputs& a, const Inputs& b) {
  flags.many = true;
  const auto usage = [&](std::string message, std::string hint) {
    const int code = ctx.Fail(Code::kUsage, std::move(message), {}, std::move(hint));
    return ctx.json ? PrintJson(ctx, Json::object(), code) : code;
  };
  if (!a.many || !b.many)
    return usage(fmt::format("'{}' is one program, and '{}' is not", a.many ? flags.b : flags.a,
                             a.many ? flags.a : flags.b),
                 "pass two programs, or two folders or patterns");
  for (const auto& [flag, value] : {std::pair{"--check", &flags.check},
                                    {"--certificate", &flags.certificate.file},
                                    {"--counterexample", &flags.counterexample}})
    if (!value->empty()) return usage(fmt::format("{} is about two programs", flag), "pass two files");
  const std::vector<InputPair> pairs = MatchInputs(a.files, b.files);
  ManyWork work;
  work.verb = "proving";
  work.done = "passed";
  work.between = "\n";
  work.jobs = flags.jobs;
  work.not_programs = a.not_programs + b.not_programs;
  for (const InputPair& pair : pairs) work.names.push_back((pair.a ? pair.a : pair.b)->path);
  work.file = [&](Context& own, size_t i) {
    const auto [first, second] = pairs[i];
    if (first && second && first->problem.empty() && second->problem.empty())
      return ProveFiles(own, flags, first->path, second->path);
    FileResult result;
    result.json["files"] = Json::array();
    for (const InputPath* input : {first, second}) {
      if (!input) continue;
      result.json["files"].push_back(FileJson(input->path, Json::array()));
      if (!input->problem.empty()) result.code = std::max(result.code, own.Fail(input->problem));
    }
    if (result.code != kDone) return result;
    const InputPath& alone = first ? *first : *second;
    result.code =
        own.Fail(Code::kNotEqual, fmt::format("has no counterpart in '{}'", first ? flags.b : flags.a),
                 {.file = alone.path});
    return result;
  };
  Json j;
  int code = kDone;
  for (const auto& [inputs, argument] : {std::pair{&a, &flags.a}, {&b, &flags.b}})
    code = std::max(code, CheckInputs(ctx, *inputs, {*argument}));
  if (code == kDone) {
    ManyResult result = RunMany(ctx, work);
    code = result.code;
    j["pairs"] = std::move(result.files);
    j["summary"] = SummaryJson(result);
  }
  return ctx.json ? PrintJson(ctx, j, code) : code;
}

int RunProve(Context& ctx, const Flags& flags) {
  ctx.StopTimer();
  const Inputs a = CollectInputs({flags.a}), b = CollectInputs({flags.b});
  if (a.many || b.many) return ProveMany(ctx, flags, a, b);
  ctx.StartTimer();
  if (!flags.check.empty())
    return RunCheck(ctx, {flags.check, flags.a, flags.b, *EvidenceOfName(flags.at_least)});
  const FileResult result = ProveFiles(ctx, flags, flags.a, flags.b);
  return ctx.json ? PrintJson(ctx, result.json, result.code) : result.code;
}

}  // namespace

void AddProve(Options& options, Context& ctx) {
  auto flags = std::make_shared<Flags>();
  options.Argument("A", &flags->a, "first program, or a folder or pattern of programs");
  options.Argument("B", &flags->b, "program to compare with A, or likewise with the same paths");
  AddAtLeastFlag(options, &flags->at_least);
  AddCertificateFlags(options, &flags->certificate);
  options.Option("--check", &flags->check, "CERTIFICATE",
                 "verify a certificate of A and B, or the one that a .shlo file carries");
  options.Option("--counterexample", &flags->counterexample, "OUT",
                 "write a program whose evaluation shows the first difference");
  options.Flag("--evaluate-only", &flags->evaluate_only, "compare values by evaluation only");
  options.Number("--seed", &flags->seed, ~uint64_t(0), "seed for generating inputs (default: 1)");
  options.Number("--inputs", &flags->inputs, 1u << 20, "input sets per function or part (default: 256)");
  AddJobsFlag(options, &flags->jobs);
  AddEvaluationFlags(options, ctx);
  AddReadFlags(options, ctx);
  AddCommonFlags(options, ctx);
  options.OnChosen([&ctx, flags] { ctx.run = [&ctx, flags] { return RunProve(ctx, *flags); }; });
}

}  // namespace shlo::tool
