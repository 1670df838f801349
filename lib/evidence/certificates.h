// Certificates of files: what they say of a file, and the check of a certificate about two files.
#pragma once

#include <string>
#include <string_view>

#include "shlo/certificate.h"
#include "shlo/limits.h"
#include "shlo/program_io.h"
#include "shlo/prove.h"

namespace shlo {

// Returns what a certificate says of a file.
CertificateSubject SubjectOf(const std::string& name, std::string_view bytes, Version version);

// A program, and the file that it was read from.
struct CertifiedFile {
  const Program* program;
  const InputFile* file;
};
// Verifies a certificate of two files, and evaluates again what it says of evaluation. Fails with kNotEqual
// if it does not hold, is about other files or names, or its producer is not a release of this tool.
Result<CertificateCheck> CheckCertificateOf(const Certificate& certificate, CertifiedFile a, CertifiedFile b,
                                            const Limits& limits);

}  // namespace shlo
