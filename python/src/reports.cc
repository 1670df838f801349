// Documents and comparisons: inspect, verify, ops, versions, rules, diff, prove, check.
#include "call.h"

namespace shlo::python {
namespace {

nb::object ProgramInspection(const Program& program) {
  shlo_buffer* out = nullptr;
  Check(WithoutGil([&] { return shlo_program_inspect_json(program.handle, &out); }));
  return TakeText(out);
}

// None for a program of no container.
nb::object ProgramContainer(const Program& program) {
  shlo_buffer* out = nullptr;
  Check(WithoutGil([&] { return shlo_program_container_json(program.handle, &out); }));
  return out == nullptr ? nb::none() : TakeText(out);
}

// The documents of a file: `make` is shlo_inspect_json or shlo_verify_json.
template <auto Make>
nb::object Document(nb::handle data, nb::dict dict) {
  Options options(std::move(dict));
  shlo_read_options read = SHLO_READ_OPTIONS_INIT;
  options.Get("source_name", &read.source_name);
  options.Get("version", &read.version);
  options.Get("program", &read.program);
  options.Get("lenient", &read.lenient);
  options.Get("skip_constants", &read.skip_constants);
  options.Get("dialects", &read.dialects, &read.dialect_count);
  options.Get("limits", &read.limits);
  options.End();
  const Input input(data);
  shlo_buffer* out = nullptr;
  Check(WithoutGil([&] { return Make(input.data(), input.size(), &read, &out); }));
  return TakeText(out);
}

nb::object OpsDocument(nb::handle name) {
  shlo_buffer* out = nullptr;
  const auto text = name.is_none() ? std::string() : nb::cast<std::string>(name);
  Check(WithoutGil([&] { return shlo_ops_json(name.is_none() ? nullptr : text.c_str(), &out); }));
  return TakeText(out);
}

nb::object VersionsDocument(nb::handle which) {
  shlo_buffer* out = nullptr;
  const auto text = which.is_none() ? std::string() : nb::cast<std::string>(which);
  Check(WithoutGil(
      [&] { return shlo_versions_json(which.is_none() ? nullptr : text.c_str(), nullptr, &out); }));
  return TakeText(out);
}

nb::object RulesDocument(nb::handle rule) {
  shlo_buffer* out = nullptr;
  const auto text = rule.is_none() ? std::string() : nb::cast<std::string>(rule);
  Check(shlo_rules_json(rule.is_none() ? nullptr : text.c_str(), &out));
  return TakeText(out);
}

// (equal, JSON)
nb::object Diff(const Program& a, const Program& b, nb::dict dict) {
  Options options(std::move(dict));
  shlo_diff_options diff = SHLO_DIFF_OPTIONS_INIT;
  options.Get("locations", &diff.locations);
  options.Get("limits", &diff.limits);
  options.End();
  int equal = 0;
  shlo_buffer* json = nullptr;
  Check(WithoutGil([&] { return shlo_diff(a.handle, b.handle, &diff, &equal, &json); }));
  return nb::make_tuple(equal != 0, TakeText(json));
}

nb::object DiffText(const Program& a, const Program& b, nb::dict dict) {
  Options options(std::move(dict));
  shlo_diff_options diff = SHLO_DIFF_OPTIONS_INIT;
  options.Get("locations", &diff.locations);
  options.Get("limits", &diff.limits);
  options.Get("lines", &diff.lines);
  options.End();
  shlo_buffer* out = nullptr;
  Check(WithoutGil([&] { return shlo_diff_text(a.handle, b.handle, &diff, &out); }));
  return TakeText(out);
}

// Options of a proof.
struct ProveCall {
  explicit ProveCall(nb::dict dict) : options(std::move(dict)) {
    options.Get("seed", &prove.seed);
    options.Get("max_inputs", &prove.max_inputs);
    options.Get("max_elements", &prove.max_elements);
    options.Get("evaluate_only", &prove.evaluate_only);
    options.Get("certifiable", &prove.certifiable);
    options.Get("limits", &prove.limits);
    options.End();
  }
  Options options;
  shlo_prove_options prove = SHLO_PROVE_OPTIONS_INIT;
};

Proof* Prove(const Program& a, const Program& b, nb::dict dict) {
  ProveCall call(std::move(dict));
  shlo_proof* out = nullptr;
  Check(WithoutGil([&] { return shlo_prove(a.handle, b.handle, &call.prove, &out); }));
  return new Proof(out);
}

nb::object FunctionProofs(const Proof& proof) {
  nb::list out;
  for (size_t i = 0; i < shlo_proof_function_count(proof.handle); ++i) {
    shlo_function_proof part = SHLO_FUNCTION_PROOF_INIT;
    if (shlo_proof_function(proof.handle, i, &part) == 0) break;
    out.append(nb::make_tuple(
        Text(part.function), part.verdict, shlo_verdict_name(part.verdict, part.evidence),
        shlo_evidence_name(part.evidence), part.inputs, part.exhaustive != 0, Text(part.detail)));
  }
  return out;
}

// (verdict, its name, name of the evidence)
nb::object Verdict(const Proof& proof) {
  const shlo_verdict verdict = shlo_proof_verdict(proof.handle);
  const shlo_evidence evidence = shlo_proof_evidence(proof.handle);
  return nb::make_tuple(verdict, shlo_verdict_name(verdict, evidence), shlo_evidence_name(evidence));
}

template <shlo_error* (*Make)(const shlo_proof*, shlo_buffer**)>
nb::object Rendered(const Proof& proof) {
  shlo_buffer* out = nullptr;
  Check(WithoutGil([&] { return Make(proof.handle, &out); }));
  return TakeText(out);
}

nb::object Certificate(const Proof& proof, bool in_toto) {
  shlo_buffer* out = nullptr;
  Check(WithoutGil([&] { return shlo_proof_certificate(proof.handle, in_toto ? 1 : 0, &out); }));
  return TakeText(out);
}

Program* Counterexample(const Proof& proof) {
  shlo_program* out = nullptr;
  Check(WithoutGil([&] { return shlo_proof_counterexample(proof.handle, &out); }));
  return new Program(out);
}

nb::object CheckCertificate(nb::handle json, const Program& a, const Program& b, nb::dict dict) {
  ProveCall call(std::move(dict));
  const Input input(json);
  shlo_evidence evidence = SHLO_EVIDENCE_NONE;
  Check(WithoutGil([&] {
    return shlo_certificate_check(static_cast<const char*>(input.data()), input.size(), a.handle, b.handle,
                                  &call.prove, &evidence);
  }));
  return Text(shlo_evidence_name(evidence));
}

Report* CheckPaths(const std::vector<nb::bytes>& paths, nb::handle consumers, nb::dict dict) {
  Options options(std::move(dict));
  shlo_check_options check = SHLO_CHECK_OPTIONS_INIT;
  options.Get("policy", &check.policy);
  options.Get("rules", &check.rules, &check.rule_count);
  options.Get("requirements", &check.requirements, &check.requirement_count);
  options.Get("dialects", &check.dialects, &check.dialect_count);
  options.Get("baseline", &check.baseline);
  options.Get("today", &check.today);
  options.Get("lenient", &check.lenient);
  options.Get("jobs", &check.jobs);
  options.Get("limits", &check.limits);
  options.End();
  if (!consumers.is_none()) check.consumers = nb::cast<const Consumers&>(consumers).handle;
  std::vector<const char*> names;
  names.reserve(paths.size());
  for (const nb::bytes& path : paths) names.push_back(path.c_str());
  shlo_report* out = nullptr;
  Check(WithoutGil([&] { return shlo_report_create(names.data(), names.size(), &check, &out); }));
  return new Report(out);
}

nb::object RenderedReport(const Report& report, int format) {
  shlo_buffer* out = nullptr;
  Check(WithoutGil([&] { return shlo_report_render(report.handle, format, &out); }));
  return TakeText(out);
}

}  // namespace

void DefineReports(nb::module_& module) {
  nb::class_<Proof>(module, "Proof");
  nb::class_<Report>(module, "Report");
  module.def("program_inspect_json", &ProgramInspection, nb::arg("program"));
  module.def("program_container_json", &ProgramContainer, nb::arg("program"));
  module.def("inspect_json", &Document<shlo_inspect_json>, nb::arg("data"), nb::arg("options"));
  module.def("verify_json", &Document<shlo_verify_json>, nb::arg("data"), nb::arg("options"));
  module.def("ops_json", &OpsDocument, nb::arg("name").none());
  module.def("versions_json", &VersionsDocument, nb::arg("which").none());
  module.def("rules_json", &RulesDocument, nb::arg("rule").none());
  module.def("diff", &Diff, nb::arg("a"), nb::arg("b"), nb::arg("options"));
  module.def("diff_text", &DiffText, nb::arg("a"), nb::arg("b"), nb::arg("options"));
  module.def("prove", &Prove, nb::arg("a"), nb::arg("b"), nb::arg("options"));
  module.def("proof_verdict", &Verdict, nb::arg("proof"));
  module.def("proof_functions", &FunctionProofs, nb::arg("proof"));
  module.def("proof_text", &Rendered<shlo_proof_text>, nb::arg("proof"));
  module.def("proof_json", &Rendered<shlo_proof_json>, nb::arg("proof"));
  module.def("proof_certificate", &Certificate, nb::arg("proof"), nb::arg("in_toto"));
  module.def("proof_counterexample", &Counterexample, nb::arg("proof"));
  module.def("certificate_check", &CheckCertificate, nb::arg("json"), nb::arg("a"), nb::arg("b"),
             nb::arg("options"));
  module.def("check", &CheckPaths, nb::arg("paths"), nb::arg("consumers").none(), nb::arg("options"));
  module.def("report_exit_code", [](const Report& report) { return shlo_report_exit_code(report.handle); });
  module.def("report_render", &RenderedReport, nb::arg("report"), nb::arg("format"));
}

}  // namespace shlo::python
