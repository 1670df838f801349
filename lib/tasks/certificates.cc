#include "tasks/certificates.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "ir/printable.h"
#include "ir/sha256.h"
#include "shlo/shlo_reader.h"

namespace shlo::tasks {
namespace {

// Returns whether a certificate is about a file, by its bytes or, if the file carries it, by its content.
bool IsAbout(const CertificateSubject& subject, const InputFile& file) {
  if (!subject.sha256.empty()) return subject.sha256 == Sha256Text(Sha256Of(file.bytes));
  if (!IsShlo(file.bytes) || subject.content_hash.empty()) return false;
  const auto info = InspectShlo(file.bytes);
  return info && info->content_hash == subject.content_hash;
}

// Evaluates again what the certificate says was evaluated. Fails if a function has another outcome.
Result<void> EvaluateAgain(const Certificate& certificate, const Program& a, const Program& b,
                           const Limits& limits) {
  ProveOptions options;
  options.seed = certificate.seed;
  options.max_inputs = certificate.max_inputs;
  options.limits = limits;
  options.source_a = &a.source;
  options.source_b = &b.source;
  const auto proof = Prove(a.module, b.module, options);
  if (!proof) return tl::unexpected(proof.error());
  for (const CertifiedFunction& f : certificate.functions) {
    if (f.evidence != Evidence::kSampled && f.evidence != Evidence::kExhaustive) continue;
    const auto found = std::ranges::find(proof->functions, f.function, &FunctionProof::function);
    const bool same = found != proof->functions.end() && found->verdict == Verdict::kEqual &&
                      found->evidence >= f.evidence && found->inputs >= f.inputs;
    if (!same)
      return Error(
          Code::kNotEqual,
          fmt::format("the certificate does not hold: {} was evaluated again, with another "
                      "outcome than {} by {}",
                      SymbolText(f.function), EvidenceName(f.evidence), Count(f.inputs, "input set")));
  }
  return {};
}

}  // namespace

CertificateSubject SubjectOf(const std::string& name, std::string_view bytes, Version version) {
  CertificateSubject subject;
  subject.name = std::filesystem::path(name).filename().string();
  subject.sha256 = Sha256Text(Sha256Of(bytes));
  subject.version = version;
  return subject;
}

Result<CheckedCertificate> CheckCertificateOf(const Certificate& certificate, CertifiedFile a,
                                              CertifiedFile b, const Limits& limits) {
  const CertifiedFile files[] = {a, b};
  for (size_t i = 0; i < std::size(files); ++i)
    if (!IsAbout(certificate.programs[i], *files[i].file))
      return Error(Code::kNotEqual,
                   fmt::format("the certificate is about another {} file", i == 0 ? "first" : "second"),
                   {.file = files[i].file->name});
  auto check = CheckCertificate(certificate, a.program->module, b.program->module);
  if (!check) return tl::unexpected(std::move(check.error()));
  CheckedCertificate out;
  out.check = std::move(*check);
  if (!out.check.evaluated.empty())
    if (auto again = EvaluateAgain(certificate, *a.program, *b.program, limits); !again)
      return tl::unexpected(std::move(again.error()));
  for (const CertifiedFunction& f : certificate.functions)
    if (f.evidence != Evidence::kNone) out.weakest = std::min(out.weakest, f.evidence);
  if (!out.check.not_covered.empty()) out.weakest = Evidence::kNone;
  return out;
}

}  // namespace shlo::tasks
