// Certificates: written by `prove` and conversions, verified by `prove --check`.
#include "base/format.h"
#include "proofs.h"
#include "shlo/shlo_reader.h"

namespace shlo::tool {
namespace {

// Reads a certificate from its own file, or from the .shlo file that carries it.
int ReadCertificate(Context& ctx, const std::string& path, Certificate* out) {
  auto file = SHLO_TAKE(ctx, OpenInput(path));
  std::string carried;
  std::string_view text = file.bytes;
  if (IsShlo(text)) {
    ShloReadOptions options;
    options.source_name = file.name;
    auto info = SHLO_TAKE(ctx, InspectShlo(text, options));
    if (info.certificate.empty())
      return ctx.Fail(Code::kMalformed, "the file carries no certificate", {.file = file.name},
                      "pass a certificate, or a file that 'shlo-compat --prove=carry' wrote");
    carried = std::move(info.certificate);
    text = carried;
  }
  auto certificate = ParseCertificate(text, ctx.LimitsFor(text.size()));
  if (!certificate) {
    for (Diagnostic& d : certificate.error()) d.place.file = file.name;
    return ctx.Fail(certificate.error());
  }
  *out = std::move(*certificate);
  return kDone;
}

int Check(Context& ctx, const CheckRequest& request, Certificate* certificate, CertificateCheck* outcome) {
  Program a, b;
  InputFile file_a, file_b;
  int code = ReadCertificate(ctx, request.certificate, certificate);
  if (code == kDone) code = ReadOne(ctx, request.a, &a, &file_a);
  if (code == kDone) code = ReadOne(ctx, request.b, &b, &file_b);
  if (code != kDone) return code;
  ctx.progress.Step("checking");
  *outcome =
      SHLO_TAKE(ctx, CheckCertificateOf(*certificate, {&a, &file_a}, {&b, &file_b}, ctx.ProofLimits()));
  const bool enough = outcome->weakest != Evidence::kNone && outcome->weakest >= request.at_least;
  return enough ? kDone : kFinding;
}

TerminalText CheckText(const Certificate& certificate, const CertificateCheck& outcome,
                       const CheckRequest& request) {
  TerminalText out;
  for (const std::string& name : outcome.verified)
    out.Add("{}: verified{}\n", SymbolText(name),
            certificate.laws.empty() ? "" : ", by " + Count(certificate.laws.size(), "law"));
  for (const CertifiedFunction& f : certificate.functions)
    if (f.evidence == Evidence::kSampled || f.evidence == Evidence::kExhaustive)
      out.Add("{}: evaluated again, {} by {}\n", SymbolText(f.function), EvidenceName(f.evidence),
              Count(f.inputs, "input set"));
  for (const std::string& name : outcome.not_covered) out.Add("{}: not covered\n", SymbolText(name));
  out += LawLines(certificate.laws);
  out.Add("the certificate holds ({} compared)\n", Count(outcome.ops, "op"));
  if (outcome.weakest < request.at_least || outcome.weakest == Evidence::kNone)
    out.Add("not enough for --at-least={}\n", EvidenceName(request.at_least));
  return out;
}

std::string TextOf(const CertificateFlags& flags, const Certificate& certificate) {
  return flags.in_toto ? CertificateStatement(certificate) : CertificateText(certificate);
}

}  // namespace

void AddCertificateFlags(Options& options, CertificateFlags* flags) {
  options.Option("--certificate", &flags->file, "OUT", "write a certificate, which 'prove --check' verifies");
  options.Flag("--in-toto", &flags->in_toto, "write the certificate as an in-toto statement, for signing");
}

int MakeCertificate(Context& ctx, const Proof& proof, const ProveOptions& options, const Module& a,
                    const Module& b, std::array<CertificateSubject, 2> files, Certificate* out) {
  ctx.progress.Step("certifying");
  auto certificate = SHLO_TAKE(ctx, CertificateOf(proof, options, a, b));
  certificate.producer = ToolName();
  certificate.programs = std::move(files);
  *out = std::move(certificate);
  return kDone;
}

int WriteCertificate(Context& ctx, const CertificateFlags& flags, const Certificate& certificate) {
  return flags.file.empty() ? int(kDone)
                            : WriteOut(ctx, flags.file, TextOf(flags, certificate), /*binary=*/false);
}

void AddProveFlags(Options& of_command, Context& ctx, ProveFlags* flags) {
  Options options = of_command.Below("Proof");
  options.OptionalValue(
      "--prove", &flags->prove, "[=carry]",
      "write nothing unless it is proved equal to the input; carry: store the certificate in the .shlo file");
  AddAtLeastFlag(options, &flags->at_least, "required evidence for --prove");
  AddEvaluationFlags(options, ctx);
  AddCertificateFlags(options, &flags->certificate);
}

int ProveConverted(Context& ctx, const ProveFlags& flags, const Program& original, const InputFile& file,
                   const WriteOptions& options, const Program& converted, const std::string& to,
                   std::string* written, std::string* text) {
  ctx.progress.Step("proving");
  // The bytes count that were written.
  ReadOptions read = ctx.MakeReadOptions(to, written->size());
  read.version = converted.module.version;
  auto back = SHLO_TAKE(ctx, ReadProgram(*written, nullptr, read));
  ProveOptions prove;
  prove.matching = true;
  prove.limits = ctx.ProofLimits();
  prove.source_a = &original.source;
  auto proof = SHLO_TAKE(
      ctx, ProveConversion(original, back.module, *EvidenceOfName(flags.at_least), file.name, prove));
  if (flags.prove != "carry" && flags.certificate.file.empty()) return kDone;
  Certificate certificate;
  const int code = MakeCertificate(ctx, proof, prove, original.module, back.module,
                                   {SubjectOf(file.name, file.bytes, original.module.version),
                                    SubjectOf(to, *written, back.module.version)},
                                   &certificate);
  if (code != kDone) return code;
  if (flags.prove == "carry") {
    WriteOptions carrying = options;
    certificate.programs[1].sha256.clear();
    carrying.shlo.certificate = [&](const std::string& content_hash) {
      certificate.programs[1].content_hash = content_hash;
      return CertificateText(certificate);
    };
    *written = SHLO_TAKE(ctx, WriteProgram(converted, carrying));
  }
  *text = TextOf(flags.certificate, certificate);
  return kDone;
}

int RunCertificateCheck(Context& ctx, const CheckRequest& request, Answer* out) {
  Certificate certificate;
  CertificateCheck outcome;
  const int code = Check(ctx, request, &certificate, &outcome);
  const bool holds = code == kDone || (code == kFinding && ctx.reported.empty());
  Json& j = out->json;
  j["files"] = Json::array({FileJson(request.a, Json::array()), FileJson(request.b, Json::array())});
  j["certificate"] = request.certificate;
  j["holds"] = holds;
  if (!holds) return code;
  j["evidence"] = std::string(EvidenceName(outcome.weakest));
  j["verified"] = outcome.verified;
  j["evaluated"] = outcome.evaluated;
  j["not_covered"] = outcome.not_covered;
  j["op_count"] = outcome.ops;
  out->text = CheckText(certificate, outcome, request);
  return code;
}

}  // namespace shlo::tool
