// Shared by the commands that prove programs equal: prove, and conversion with --prove.
#pragma once

#include <string>

#include "common.h"
#include "conversion/certificates.h"
#include "prove/proof_report.h"
#include "shlo/certificate.h"
#include "shlo/conversion.h"
#include "shlo/prove.h"

namespace shlo::tool {

// --at-least: the evidence that is wanted. `value` is the default.
void AddAtLeastFlag(Options& options, std::string* value, const char* help);

// --certificate and --in-toto.
struct CertificateFlags {
  std::string file;
  bool in_toto = false;
};
void AddCertificateFlags(Options& options, CertificateFlags* flags);

// Makes the certificate of a proof about two programs. Reports why there is none, and returns the exit code.
int MakeCertificate(Context& ctx, const Proof& proof, const ProveOptions& options, const Module& a,
                    const Module& b, std::array<CertificateSubject, 2> files, Certificate* out);
// Writes a certificate as the flags say, if they do.
int WriteCertificate(Context& ctx, const CertificateFlags& flags, const Certificate& certificate);

// Conversion with --prove.
struct ProveFlags {
  std::string prove;  // "" without the flag, "*" or "carry"
  std::string at_least = "exhaustive";
  CertificateFlags certificate;
  bool any() const { return !prove.empty() || !certificate.file.empty(); }
};
void AddProveFlags(Options& options, Context& ctx, ProveFlags* flags);
// Proves that a converted program, as `written` for the file `to`, is equal to what was read from `file`.
// Reports what is not known to be equal. Makes the certificate if one is wanted. With --prove=carry,
// `written` is written again with it.
int ProveConverted(Context& ctx, const ProveFlags& flags, const Program& original, const InputFile& file,
                   const WriteOptions& options, const Program& converted, const std::string& to,
                   std::string* written, Certificate* certificate);

// What `prove` was asked to check.
struct CheckRequest {
  std::string certificate;  // a file
  std::string a, b;         // two files
  Evidence at_least = Evidence::kNone;
};
// prove --check: verifies a certificate of two files, evaluates again what it says of evaluation, and reports
// the outcome.
int RunCertificateCheck(Context& ctx, const CheckRequest& request);

}  // namespace shlo::tool
