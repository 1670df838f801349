#include "evidence/certificates.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "base/format.h"
#include "base/printable.h"
#include "base/sha256.h"
#include "ir/json.h"
#include "shlo/shlo_reader.h"

namespace shlo {
namespace {

// Producers of earlier releases, whose certificates stay valid: "shlo-compat 0.1.0".
constexpr std::string_view kEarlierProducers[] = {""};

// Returns whether a certificate is about a file, by its bytes or, if the file carries it, by its content.
bool IsAbout(const CertificateSubject& subject, const InputFile& file) {
  // Of two hashes only one would be compared.
  if (subject.sha256.empty() == subject.content_hash.empty()) return false;
  if (!subject.sha256.empty()) return subject.sha256 == Sha256Text(Sha256Of(file.bytes));
  if (!IsShlo(file.bytes)) return false;
  const auto info = InspectShlo(file.bytes);
  return info && info->content_hash == subject.content_hash;
}

bool IsProducer(std::string_view producer) {
  return !producer.empty() && (producer == ToolName() ||
                               std::ranges::find(kEarlierProducers, producer) != std::end(kEarlierProducers));
}

}  // namespace

CertificateSubject SubjectOf(const std::string& name, std::string_view bytes, Version version) {
  CertificateSubject subject;
  subject.name = std::filesystem::path(name).filename().string();
  subject.sha256 = Sha256Text(Sha256Of(bytes));
  subject.version = version;
  return subject;
}

Result<CertificateCheck> CheckCertificateOf(const Certificate& certificate, CertifiedFile a, CertifiedFile b,
                                            const Limits& limits) {
  if (!IsProducer(certificate.producer))
    return Error(Code::kNotEqual,
                 StrFormat("the certificate does not hold: its producer is '{}', and no release of "
                           "shlo-compat up to '{}'",
                           certificate.producer, ToolName()),
                 {}, "update shlo-compat if the certificate is of a newer release");
  const CertifiedFile files[] = {a, b};
  for (size_t i = 0; i < std::size(files); ++i) {
    const CertificateSubject& subject = certificate.programs[i];
    const std::string_view which = i == 0 ? "first" : "second";
    const std::string& path = files[i].file->name;
    if (!IsAbout(subject, *files[i].file))
      return Error(Code::kNotEqual, StrFormat("the certificate is about another {} file", which),
                   {.file = path});
    // Input from a stream, from memory or from an archive has no name that a certificate could state.
    std::error_code error;
    const std::string name = std::filesystem::path(path).filename().string();
    if (subject.name != name && std::filesystem::is_regular_file(path, error))
      return Error(Code::kNotEqual,
                   StrFormat("the certificate names the {} file '{}', and its name is '{}'", which,
                             subject.name, name),
                   {.file = path}, "give the file the name that it had");
  }
  ProveOptions options;
  options.limits = limits;
  options.source_a = &a.program->source;
  options.source_b = &b.program->source;
  return CheckCertificate(certificate, a.program->module, b.program->module, options);
}

}  // namespace shlo
