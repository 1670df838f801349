// Comparison of programs: differences, proofs, certificates.
#include "shlo/prove.h"

#include <fmt/format.h>

#include <algorithm>

#include "capi/internal.h"
#include "diff/diff_report.h"
#include "evidence/certificates.h"
#include "prove/proof_report.h"
#include "shlo/certificate.h"
#include "shlo/diff.h"
#include "shlo/shlo_reader.h"

struct shlo_proof {
  shlo::Proof proof;
  shlo::ProveOptions options;
  shlo_program *a = nullptr, *b = nullptr;
  shlo_proof() = default;
  shlo_proof(const shlo_proof&) = delete;
  shlo_proof& operator=(const shlo_proof&) = delete;
  ~shlo_proof() {
    shlo_program_release(a);
    shlo_program_release(b);
  }
};

namespace shlo::capi {
namespace {

// Returns the limits of a proof of two programs: steps are limited by the caller alone.
Limits ProofLimits(const shlo_limits* given, const shlo_program* a, const shlo_program* b) {
  Limits limits = LimitsOf(given, Get(a, "a").bytes + Get(b, "b").bytes);
  if (OptionsOf(given, "shlo_limits").max_steps == 0) limits.max_steps = Limits().max_steps;
  return limits;
}

shlo::Json FilesJson(const Program& a, const Program& b) {
  using shlo::Json;
  return Json::array({shlo::FileJson(a.source.name, Json::array({shlo::ProgramJson(a)})),
                      shlo::FileJson(b.source.name, Json::array({shlo::ProgramJson(b)}))});
}

const shlo_proof& Get(const shlo_proof* proof) {
  Require(proof, "proof");
  return *proof;
}

// The command asks for evidence that does not depend on luck.
constexpr Evidence kEnough = Evidence::kExhaustive;

}  // namespace
}  // namespace shlo::capi

using namespace shlo::capi;
using shlo::Code;
using shlo::Json;

extern "C" {

shlo_error* shlo_diff(const shlo_program* a, const shlo_program* b, const shlo_diff_options* given,
                      int* equal, shlo_buffer** json) {
  return Try([&] {
    if (equal) *equal = 0;
    if (json) *json = nullptr;
    const shlo_diff_options options = OptionsOf(given, "shlo_diff_options");
    const shlo::Limits limits = LimitsOf(options.limits, Get(a, "a").bytes + Get(b, "b").bytes);
    shlo::Program first = Valid(a, limits, "a").program, second = Valid(b, limits, "b").program;
    // The files are at their own versions.
    Json document;
    if (json) document = {{"files", FilesJson(first, second)}};
    shlo::Diagnostics reported;
    if (std::string how = shlo::Align(&first, &second); !how.empty()) {
      shlo::Diagnostic note;
      note.severity = shlo::Severity::kNote;
      note.code = Code::kUsage;
      note.message = std::move(how);
      reported.push_back(std::move(note));
    }
    const shlo::ProgramDiff diff = Take(
        shlo::Diff(first.module, second.module, {.locations = options.locations != 0, .limits = limits}));
    if (json) {
      document["files"][0]["programs"][0]["op_count"] = diff.ops_a;
      document["files"][1]["programs"][0]["op_count"] = diff.ops_b;
      document.update(shlo::DiffJson(diff, first, second));
      *json = NewBuffer(
          shlo::JsonText("diff", document, diff.equal() ? SHLO_STATUS_DONE : SHLO_STATUS_NEGATIVE, reported));
    }
    if (equal) *equal = diff.equal();
  });
}

shlo_error* shlo_diff_text(const shlo_program* a, const shlo_program* b, const shlo_diff_options* given,
                           shlo_buffer** out) {
  return Make(out, [&] {
    const shlo_diff_options options = OptionsOf(given, "shlo_diff_options");
    const shlo::Limits limits = LimitsOf(options.limits, Get(a, "a").bytes + Get(b, "b").bytes);
    shlo::Program first = Valid(a, limits, "a").program, second = Valid(b, limits, "b").program;
    const shlo::Version of_a = first.module.version, of_b = second.module.version;
    shlo::Align(&first, &second);
    const shlo::ProgramDiff diff = Take(
        shlo::Diff(first.module, second.module, {.locations = options.locations != 0, .limits = limits}));
    return NewBuffer(
        (shlo::DiffText(diff, first, second, options.lines) + shlo::DiffVerdict(diff, of_a, of_b)).str());
  });
}

const char* shlo_verdict_name(shlo_verdict verdict, shlo_evidence evidence) {
  if (verdict < 0 || verdict > SHLO_VERDICT_NOT_COVERED) return "";
  return shlo::VerdictName(shlo::Verdict(verdict), shlo::Evidence(evidence)).data();
}

const char* shlo_evidence_name(shlo_evidence evidence) {
  if (evidence < 0 || evidence > SHLO_EVIDENCE_CONGRUENCE) return "";
  return shlo::EvidenceName(shlo::Evidence(evidence)).data();
}

shlo_error* shlo_prove(const shlo_program* a, const shlo_program* b, const shlo_prove_options* given,
                       shlo_proof** out) {
  return Make(out, [&] {
    const shlo_prove_options options = OptionsOf(given, "shlo_prove_options");
    auto proof = std::make_unique<shlo_proof>();
    shlo::ProveOptions& prove = proof->options;
    if (options.seed) prove.seed = options.seed;
    if (options.max_inputs) prove.max_inputs = options.max_inputs;
    if (options.max_elements) prove.max_elements = options.max_elements;
    prove.evaluate_only = options.evaluate_only != 0;
    prove.matching = options.certifiable != 0;
    prove.limits = ProofLimits(options.limits, a, b);
    const shlo_program& first = Valid(a, prove.limits, "a");
    const shlo_program& second = Valid(b, prove.limits, "b");
    prove.source_a = &first.program.source;
    prove.source_b = &second.program.source;
    proof->proof = Take(shlo::Prove(first.program.module, second.program.module, prove));
    proof->a = shlo_program_retain(const_cast<shlo_program*>(a));
    proof->b = shlo_program_retain(const_cast<shlo_program*>(b));
    return proof.release();
  });
}

shlo_verdict shlo_proof_verdict(const shlo_proof* proof) {
  return proof ? shlo_verdict(proof->proof.verdict) : SHLO_VERDICT_NOT_COVERED;
}

shlo_evidence shlo_proof_evidence(const shlo_proof* proof) {
  return proof ? shlo_evidence(proof->proof.evidence) : SHLO_EVIDENCE_NONE;
}

size_t shlo_proof_function_count(const shlo_proof* proof) {
  return proof ? proof->proof.functions.size() : 0;
}

int shlo_proof_function(const shlo_proof* proof, size_t i, shlo_function_proof* out) {
  if (i >= shlo_proof_function_count(proof)) return 0;
  const shlo::FunctionProof& from = proof->proof.functions[i];
  shlo_function_proof function{};
  function.function = Str(from.function);
  function.verdict = shlo_verdict(from.verdict);
  function.evidence = shlo_evidence(from.evidence);
  function.inputs = from.inputs;
  function.exhaustive = from.exhaustive;
  function.detail = Str(from.detail);
  return Put(function, out);
}

shlo_error* shlo_proof_text(const shlo_proof* proof, shlo_buffer** out) {
  return Make(out, [&] {
    const shlo::Proof& p = Get(proof).proof;
    const auto summary =
        shlo::SummaryText(p, proof->a->program.module.version, proof->b->program.module.version);
    return NewBuffer((shlo::ProofText(p) + summary).str());
  });
}

shlo_error* shlo_proof_json(const shlo_proof* proof, shlo_buffer** out) {
  return Make(out, [&] {
    const shlo::Proof& p = Get(proof).proof;
    Json document = Json::object();
    document["files"] = FilesJson(proof->a->program, proof->b->program);
    document.update(shlo::ProofJson(p, shlo::EvidenceName(kEnough)));
    const bool equal = p.verdict == shlo::Verdict::kEqual && p.evidence >= kEnough;
    return NewBuffer(shlo::JsonText("prove", document, equal ? SHLO_STATUS_DONE : SHLO_STATUS_NEGATIVE, {}));
  });
}

shlo_error* shlo_proof_certificate(const shlo_proof* proof, int in_toto, shlo_buffer** out) {
  return Make(out, [&] {
    const shlo_proof& p = Get(proof);
    if (!p.options.matching)
      Fail(Code::kUsage, "the proof keeps nothing to certify", "prove with `certifiable`");
    for (const shlo_program* program : {p.a, p.b})
      if (program->format == SHLO_FORMAT_DEFAULT)
        Fail(Code::kUsage, "a certificate is about files, and a program was not read from one",
             "write the program, and read it back");
    shlo::Certificate certificate =
        Take(shlo::CertificateOf(p.proof, p.options, p.a->program.module, p.b->program.module));
    certificate.producer = shlo::ToolName();
    certificate.programs = {shlo::SubjectOf(p.a->file.name, p.a->file.bytes, p.a->program.module.version),
                            shlo::SubjectOf(p.b->file.name, p.b->file.bytes, p.b->program.module.version)};
    return NewBuffer(in_toto ? shlo::CertificateStatement(certificate) : shlo::CertificateText(certificate));
  });
}

shlo_error* shlo_proof_counterexample(const shlo_proof* proof, shlo_program** out) {
  return Make(out, [&] {
    const shlo_proof& p = Get(proof);
    std::string what;
    auto module = shlo::FirstCounterexample(p.proof, p.a->program.module, p.b->program.module, &what);
    if (!module) Fail(Code::kNotEqual, "no input is known that tells the programs apart");
    shlo::Program program;
    program.module = Take(std::move(*module));
    program.source.name = "<counterexample>";
    ProgramPtr made = NewProgram(std::move(program));
    made->bytes = p.a->bytes + p.b->bytes;
    return made.release();
  });
}

void shlo_proof_free(shlo_proof* proof) { delete proof; }

shlo_error* shlo_certificate_check(const char* json, size_t size, const shlo_program* a,
                                   const shlo_program* b, const shlo_prove_options* given,
                                   shlo_evidence* evidence) {
  return Try([&] {
    if (evidence) *evidence = SHLO_EVIDENCE_NONE;
    Require(json, "json");
    const shlo_prove_options options = OptionsOf(given, "shlo_prove_options");
    const shlo::Limits limits = ProofLimits(options.limits, a, b);
    std::string_view text(json, size);
    std::string carried;
    if (shlo::IsShlo(text)) {
      carried = Take(shlo::InspectShlo(text)).certificate;
      if (carried.empty()) Fail(Code::kMalformed, "the file carries no certificate");
      text = carried;
    }
    const shlo::Certificate certificate = Take(shlo::ParseCertificate(text, limits));
    const shlo_program& first = Valid(a, limits, "a");
    const shlo_program& second = Valid(b, limits, "b");
    const auto checked = Take(shlo::CheckCertificateOf(certificate, {&first.program, &first.file},
                                                       {&second.program, &second.file}, limits));
    if (evidence) *evidence = shlo_evidence(checked.weakest);
  });
}

}  // extern "C"
