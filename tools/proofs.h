// Shared by the commands that prove programs equal: prove, and conversion with --prove.
#pragma once

#include <string>

#include "evidence/certificates.h"
#include "parts.h"
#include "prove/proof_report.h"
#include "shlo/certificate.h"
#include "shlo/prove.h"

namespace shlo::tool {

// --at-least: the evidence that is wanted. `value` is the default.
void AddAtLeastFlag(Options& options, std::string* value, const char* help);

// Adds --certificate and --in-toto.
void AddCertificateFlags(Options& options, CertificateFlags* flags);

// Makes the certificate of a proof about two programs. Reports why there is none, and returns the exit code.
int MakeCertificate(Context& ctx, const Proof& proof, const ProveOptions& options, const Module& a,
                    const Module& b, std::array<CertificateSubject, 2> files, Certificate* out);
// Writes a certificate as the flags say, if they do.
int WriteCertificate(Context& ctx, const CertificateFlags& flags, const Certificate& certificate);

// What `prove` was asked to check.
struct CheckRequest {
  std::string certificate;  // a file
  std::string a, b;         // two files
  Evidence at_least = Evidence::kNone;
};
// prove --check: verifies a certificate of two files, evaluates again what it says of evaluation, and reports
// the outcome.
int RunCertificateCheck(Context& ctx, const CheckRequest& request, Answer* out);

}  // namespace shlo::tool
