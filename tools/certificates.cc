// Certificates: written by `prove` and conversions, verified by `prove --check`.
#include <fmt/format.h>

#include <filesystem>

#include "ir/sha256.h"
#include "proofs.h"
#include "shlo/shlo_reader.h"

namespace shlo::tool {
namespace {

// Reads a certificate from its own file, or from the .shlo file that carries it.
int ReadCertificate(Context& ctx, const std::string& path, Certificate* out) {
  auto file = OpenInput(path);
  if (!file) return ctx.Fail(file.error());
  std::string carried;
  std::string_view text = file->bytes;
  if (IsShlo(text)) {
    ShloReadOptions options;
    options.source_name = file->name;
    auto info = InspectShlo(text, options);
    if (!info) return ctx.Fail(info.error());
    if (info->certificate.empty())
      return ctx.Fail(Code::kMalformed, "the file carries no certificate", {.file = file->name},
                      "pass a certificate, or a file that 'shlo-compat --prove=carry' wrote");
    carried = std::move(info->certificate);
    text = carried;
  }
  auto certificate = ParseCertificate(text);
  if (!certificate) {
    for (Diagnostic& d : certificate.error()) d.place.file = file->name;
    return ctx.Fail(certificate.error());
  }
  *out = std::move(*certificate);
  return kDone;
}

// Returns whether a certificate is about a file, by its bytes or, if the file carries it, by its content.
bool IsAbout(const CertificateSubject& subject, const InputFile& file) {
  if (!subject.sha256.empty()) return subject.sha256 == Sha256Text(Sha256Of(file.bytes));
  if (!IsShlo(file.bytes) || subject.content_hash.empty()) return false;
  const auto info = InspectShlo(file.bytes);
  return info && info->content_hash == subject.content_hash;
}

// The outcome of a check, for both forms of output.
struct Outcome {
  CertificateCheck check;
  Proof again;  // of what was evaluated again
  Evidence weakest = Evidence::kCongruence;
};

// Evaluates again what the certificate says was evaluated. Reports functions with another outcome.
int EvaluateAgain(Context& ctx, const Certificate& certificate, const Program& a, const Program& b,
                  Outcome* outcome) {
  ProveOptions options;
  options.seed = certificate.seed;
  options.max_inputs = certificate.max_inputs;
  options.limits = ctx.ProofLimits();
  options.source_a = &a.source;
  options.source_b = &b.source;
  auto proof = Prove(a.module, b.module, options);
  if (!proof) return ctx.Fail(proof.error());
  for (const CertifiedFunction& f : certificate.functions) {
    if (f.evidence != Evidence::kSampled && f.evidence != Evidence::kExhaustive) continue;
    const auto found = std::ranges::find(proof->functions, f.function, &FunctionProof::function);
    const bool same = found != proof->functions.end() && found->verdict == Verdict::kEqual &&
                      found->evidence >= f.evidence && found->inputs >= f.inputs;
    if (!same)
      return ctx.Fail(Code::kNotEqual,
                      fmt::format("the certificate does not hold: @{} was evaluated again, with another "
                                  "outcome than {} by {}",
                                  f.function, EvidenceName(f.evidence), Count(f.inputs, "input set")));
  }
  outcome->again = std::move(*proof);
  return kDone;
}

int Check(Context& ctx, const CheckRequest& request, Certificate* certificate, Outcome* outcome) {
  Program a, b;
  InputFile file_a, file_b;
  int code = ReadCertificate(ctx, request.certificate, certificate);
  if (code == kDone) code = ReadOne(ctx, request.a, &a, &file_a);
  if (code == kDone) code = ReadOne(ctx, request.b, &b, &file_b);
  if (code != kDone) return code;
  const InputFile* const files[] = {&file_a, &file_b};
  for (size_t i = 0; i < std::size(files); ++i)
    if (!IsAbout(certificate->programs[i], *files[i]))
      return ctx.Fail(Code::kNotEqual,
                      fmt::format("the certificate is about another {} file", i == 0 ? "first" : "second"),
                      {.file = files[i]->name});
  ctx.progress.Step("checking");
  auto check = CheckCertificate(*certificate, a.module, b.module);
  if (!check) return ctx.Fail(check.error());
  outcome->check = std::move(*check);
  if (!outcome->check.evaluated.empty()) {
    ctx.progress.Step("evaluating again");
    code = EvaluateAgain(ctx, *certificate, a, b, outcome);
    if (code != kDone) return code;
  }
  for (const CertifiedFunction& f : certificate->functions)
    if (f.evidence != Evidence::kNone) outcome->weakest = std::min(outcome->weakest, f.evidence);
  if (!outcome->check.not_covered.empty()) outcome->weakest = Evidence::kNone;
  const bool enough = outcome->weakest != Evidence::kNone && outcome->weakest >= request.at_least;
  return enough ? kDone : kFinding;
}

std::string CheckText(const Certificate& certificate, const Outcome& outcome, const CheckRequest& request) {
  std::string out;
  for (const std::string& name : outcome.check.verified)
    out += fmt::format("@{}: verified{}\n", name,
                       certificate.laws.empty() ? "" : ", by " + Count(certificate.laws.size(), "law"));
  for (const CertifiedFunction& f : certificate.functions)
    if (f.evidence == Evidence::kSampled || f.evidence == Evidence::kExhaustive)
      out += fmt::format("@{}: evaluated again, {} by {}\n", f.function, EvidenceName(f.evidence),
                         Count(f.inputs, "input set"));
  for (const std::string& name : outcome.check.not_covered) out += fmt::format("@{}: not covered\n", name);
  out += LawLines(certificate.laws);
  out += fmt::format("the certificate holds ({} compared)\n", Count(outcome.check.ops, "op"));
  if (outcome.weakest < request.at_least || outcome.weakest == Evidence::kNone)
    out += fmt::format("not enough for --at-least={}\n", EvidenceName(request.at_least));
  return out;
}

}  // namespace

void AddCertificateFlags(Options& options, CertificateFlags* flags) {
  options.Option("--certificate", &flags->file, "OUT", "write a certificate, which 'prove --check' verifies");
  options.Flag("--in-toto", &flags->in_toto, "write the certificate as an in-toto statement, for signing");
}

CertificateSubject SubjectOf(const std::string& name, std::string_view bytes, Version version) {
  CertificateSubject subject;
  subject.name = std::filesystem::path(name).filename().string();
  subject.sha256 = Sha256Text(Sha256Of(bytes));
  subject.version = version;
  return subject;
}

int MakeCertificate(Context& ctx, const Proof& proof, const ProveOptions& options, const Module& a,
                    const Module& b, std::array<CertificateSubject, 2> files, Certificate* out) {
  ctx.progress.Step("certifying");
  auto certificate = CertificateOf(proof, options, a, b);
  if (!certificate) return ctx.Fail(certificate.error());
  certificate->producer = fmt::format("shlo-compat {}", SHLO_TOOL_VERSION);
  certificate->programs = std::move(files);
  *out = std::move(*certificate);
  return kDone;
}

int WriteCertificate(Context& ctx, const CertificateFlags& flags, const Certificate& certificate) {
  if (flags.file.empty()) return kDone;
  return WriteOut(ctx, flags.file,
                  flags.in_toto ? CertificateStatement(certificate) : CertificateText(certificate),
                  /*binary=*/false);
}

void AddProveFlags(Options& options, Context& ctx, ProveFlags* flags) {
  options.OptionalValue("--prove", &flags->prove, "[=carry]",
                        "write only what is proved equal to the input; carry: a .shlo file carries the "
                        "certificate");
  AddAtLeastFlag(options, &flags->at_least);
  AddEvaluationFlags(options, ctx);
  AddCertificateFlags(options, &flags->certificate);
}

int ProveConverted(Context& ctx, const ProveFlags& flags, const Program& original, const InputFile& file,
                   const WriteOptions& options, const Program& converted, std::string* written,
                   Certificate* certificate) {
  ctx.progress.Step("proving");
  // The bytes count that were written.
  ReadOptions read = ctx.MakeReadOptions(ctx.out, written->size());
  read.version = converted.module.version;
  auto back = ReadProgram(*written, nullptr, read);
  if (!back) return ctx.Fail(back.error());
  ProveOptions prove;
  prove.matching = true;
  prove.limits = ctx.ProofLimits();
  prove.source_a = &original.source;
  auto proof = Prove(original.module, back->module, prove);
  if (!proof) return ctx.Fail(proof.error());
  if (proof->verdict != Verdict::kEqual || proof->evidence < *EvidenceOfName(flags.at_least)) {
    Diagnostics found;
    for (const FunctionProof& f : proof->functions) {
      if (f.verdict == Verdict::kEqual && f.evidence >= *EvidenceOfName(flags.at_least)) continue;
      const std::string detail = f.detail.empty() ? "" : ": " + f.detail;
      found.push_back(Error(Code::kNotEqual,
                            fmt::format("@{} is not proved equal to what was read: {}{}", f.function,
                                        VerdictName(f.verdict, f.evidence), detail),
                            {.file = file.name}, "pass --at-least=sampled, or convert without --prove")
                          .value()[0]);
      found.insert(found.end(), f.contract.begin(), f.contract.end());
    }
    found.insert(found.end(), proof->contract.begin(), proof->contract.end());
    return ctx.Fail(found);
  }
  if (flags.prove != "carry" && flags.certificate.file.empty()) return kDone;
  const int code = MakeCertificate(ctx, *proof, prove, original.module, back->module,
                                   {SubjectOf(file.name, file.bytes, original.module.version),
                                    SubjectOf(ctx.out, *written, back->module.version)},
                                   certificate);
  if (code != kDone || flags.prove != "carry") return code;
  WriteOptions carrying = options;
  certificate->programs[1].sha256.clear();
  carrying.shlo.certificate = [&](const std::string& content_hash) {
    certificate->programs[1].content_hash = content_hash;
    return CertificateText(*certificate);
  };
  auto again = WriteProgram(converted, carrying);
  if (!again) return ctx.Fail(again.error());
  *written = std::move(*again);
  return kDone;
}

int RunCheck(Context& ctx, const CheckRequest& request) {
  Certificate certificate;
  Outcome outcome;
  const int code = Check(ctx, request, &certificate, &outcome);
  const bool holds = code == kDone || (code == kFinding && ctx.reported.empty());
  if (!ctx.json) {
    if (!holds) return code;
    const int printed = Print(ctx, CheckText(certificate, outcome, request));
    return printed == kDone ? code : printed;
  }
  Json j;
  j["files"] = Json::array({FileJson(request.a, Json::array()), FileJson(request.b, Json::array())});
  j["certificate"] = request.certificate;
  j["holds"] = holds;
  if (holds) {
    j["evidence"] = std::string(EvidenceName(outcome.weakest));
    j["verified"] = outcome.check.verified;
    j["evaluated"] = outcome.check.evaluated;
    j["not_covered"] = outcome.check.not_covered;
    j["op_count"] = outcome.check.ops;
  }
  return PrintJson(ctx, j, code);
}

}  // namespace shlo::tool
