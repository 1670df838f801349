// Certificates: why two programs are equal, in a form that a small independent checker verifies in time
// linear in the programs. docs/proof.md, "Certificates", describes their content.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "shlo/diagnostics.h"
#include "shlo/module.h"
#include "shlo/prove.h"

namespace shlo {

// One of the two programs that a certificate is about.
struct CertificateSubject {
  std::string name;    // of the file, without folders; for readers of the certificate only
  std::string sha256;  // of the file's bytes, hex; empty for the file that carries the certificate
  // The content hash of the .shlo file that carries the certificate (ShloInfo::content_hash), or "".
  std::string content_hash;
  Version version;  // of the program
};

// Grounds for the equality of one function.
struct CertifiedFunction {
  std::string function;                 // symbol name
  Evidence evidence = Evidence::kNone;  // kNone: not covered
  uint64_t inputs = 0;                  // input sets, if it was evaluated
  uint32_t parts = 0;                   // parts of the function that were evaluated instead of the whole
};

// A certificate that two programs are equal.
struct Certificate {
  std::string producer;                        // the tool that wrote it: "shlo-compat 0.1.0"
  std::array<CertificateSubject, 2> programs;  // the first and the second one
  Matching matching;                           // of functions with evidence of congruence or laws
  std::vector<Law> laws;                       // that the matching needs
  // Per law, the number of passed checks per rung, from the record (docs/proof.md, "Laws and
  // rungs").
  std::vector<std::array<uint64_t, 8>> rungs;
  std::vector<CertifiedFunction> functions;
  uint64_t seed = 0;        // of the evaluated inputs; 0 if nothing was evaluated
  uint32_t max_inputs = 0;  // limit of input sets per function; likewise
};

// Returns the certificate of a proof of two programs that was made with ProveOptions::matching. The subjects
// are left to the caller. Fails with kNotEqual if the proof's verdict is that the programs differ, or that
// nothing is known, and if the certificate would not pass CheckCertificate. The producer is left to the
// caller, too.
Result<Certificate> CertificateOf(const Proof& proof, const ProveOptions& options, const Module& a,
                                  const Module& b);

// Returns a certificate as JSON, the same bytes every time.
std::string CertificateText(const Certificate& certificate);
// Returns a certificate as an in-toto statement, which signing tools take: the files are the subjects, and
// the certificate is the predicate.
std::string CertificateStatement(const Certificate& certificate);
// Reads either form, within the memory of `limits`. Fails with kMalformed, also for a member that is not
// known, a key that occurs twice, and a statement about other files than its certificate.
Result<Certificate> ParseCertificate(std::string_view json, const Limits& limits = {});

// The outcome of CheckCertificate.
struct CertificateCheck {
  // Functions that are equal by the matching and the laws.
  std::vector<std::string> verified;
  // Functions that a certificate claims to be equal by evaluation: to be evaluated again.
  std::vector<std::string> evaluated;
  // Public functions that the certificate does not cover.
  std::vector<std::string> not_covered;
  uint64_t ops = 0;  // pairs of ops that were compared
  // The weakest of all functions; kNone if one is not covered.
  Evidence weakest = Evidence::kCongruence;
};

// Verifies a certificate of two programs: applies its laws, and compares matched ops. Shares only the laws
// with Prove. Both modules must verify. Fails with kNotEqual, the op and the false claim, also for counts,
// rungs and versions that differ from the programs or the record. Does not compare the files and the
// producer: see evidence/certificates.h.
Result<CertificateCheck> CheckCertificate(const Certificate& certificate, const Module& a, const Module& b);
// Likewise, and evaluates again what the certificate states of evaluation, with the sources and limits of
// `options`: another outcome, or another number of input sets, is kNotEqual.
Result<CertificateCheck> CheckCertificate(const Certificate& certificate, const Module& a, const Module& b,
                                          const ProveOptions& options);

}  // namespace shlo
