// `prove`: compares two programs: by congruence, by laws, and by evaluating what remains.
#include "shlo/prove.h"

#include "base/format.h"
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

void AddAtLeastFlag(Options& options, std::string* value, const char* help) {
  options.Choice("--at-least", value, {"congruence", "laws", "exhaustive", "sampled"},
                 StrFormat("{} (default: {})", help, *value).c_str());
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
  ctx.progress.Step("proving {}", NameText(path_a));
  options.limits.work_done = ctx.progress.Counted("function");
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
  if (ctx.json) {  // of 300,000 functions it is a gigabyte
    j.update(ProofJson(*proof, flags.at_least));
    return result;
  }
  TerminalText& out = result.text;
  if (flags.many) out.Add("{} {}\n", NameText(path_a), NameText(path_b));
  out += ProofText(*proof);
  out += SummaryText(*proof, a.version, b.version);
  if (proof->verdict == Verdict::kEqual && !enough) out.Add("not enough for --at-least={}\n", flags.at_least);
  return result;
}

// Proves the programs of two folders or patterns, those with the same path below them.
int ProveMany(Context& ctx, Flags flags, const Inputs& a, const Inputs& b, Json* out) {
  flags.many = true;
  if (!a.many || !b.many)
    return ctx.Fail(Code::kUsage,
                    StrFormat("'{}' is one program, and '{}' is not", a.many ? flags.b : flags.a,
                              a.many ? flags.a : flags.b),
                    {}, "pass two programs, or two folders or patterns");
  for (const auto& [flag, value] : {std::pair{"--check", &flags.check},
                                    {"--certificate", &flags.certificate.file},
                                    {"--counterexample", &flags.counterexample}})
    if (!value->empty())
      return ctx.Fail(Code::kUsage, StrFormat("{} is about two programs", flag), {}, "pass two files");
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
        own.Fail(Code::kNotEqual, StrFormat("has no counterpart in '{}'", first ? flags.b : flags.a),
                 {.file = alone.path});
    return result;
  };
  int code = kDone;
  for (const auto& [inputs, argument] : {std::pair{&a, &flags.a}, {&b, &flags.b}})
    code = std::max(code, CheckInputs(ctx, *inputs, {*argument}));
  if (code != kDone) return code;
  ManyResult result = RunMany(ctx, work);
  (*out)["pairs"] = std::move(result.files);
  (*out)["summary"] = SummaryJson(result);
  return result.code;
}

int RunProve(Context& ctx, const Flags& flags, Answer* out) {
  ctx.StopTimer();
  const Inputs a = CollectInputs({flags.a}), b = CollectInputs({flags.b});
  if (a.many || b.many) return ProveMany(ctx, flags, a, b, &out->json);
  ctx.StartTimer();
  if (!flags.check.empty())
    return RunCertificateCheck(ctx, {flags.check, flags.a, flags.b, *EvidenceOfName(flags.at_least)}, out);
  FileResult result = ProveFiles(ctx, flags, flags.a, flags.b);
  *out = std::move(result);
  return result.code;
}

}  // namespace

void AddProve(Options& options, Context& ctx) {
  auto flags = AddAnswer<Flags>(options, ctx, RunProve);
  options.Argument("A", &flags->a, "first program, or a folder or pattern of programs");
  options.Argument("B", &flags->b, "program to compare with A, or a folder or pattern with the same paths");
  AddAtLeastFlag(options, &flags->at_least, "evidence for exit code 0");
  AddCertificateFlags(options, &flags->certificate);
  options.Option("--check", &flags->check, "CERTIFICATE",
                 "verify a certificate of A and B, or the one in a .shlo file");
  options.Option("--counterexample", &flags->counterexample, "OUT",
                 "write a program whose evaluation shows the first difference");
  options.Flag("--evaluate-only", &flags->evaluate_only, "compare values by evaluation only");
  options.Number("--seed", &flags->seed, ~uint64_t(0), "seed for generating inputs (default: 1)");
  options.Number("--inputs", &flags->inputs, 1u << 20, "input sets per function or part (default: 256)");
  AddJobsFlag(options, &flags->jobs);
  AddEvaluationFlags(options, ctx);
  AddReadFlags(options, ctx);
}

}  // namespace shlo::tool
