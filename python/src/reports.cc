// Documents and comparisons: inspect, verify, ops, versions, rules, diff, prove, check.
#include "bind.h"

namespace shlo::python {
namespace {

// Options of a comparison.
struct DiffCall {
  explicit DiffCall(nb::dict dict) : options(std::move(dict)) {
    options.Get("locations", &diff.locations);
    options.Get("limits", &diff.limits);
    options.Get("lines", &diff.lines);
    options.End();
  }
  Options options;
  shlo_diff_options diff = SHLO_DIFF_OPTIONS_INIT;
};

// (equal, JSON)
nb::object Diff(const Program& a, const Program& b, nb::dict dict) {
  const DiffCall call(std::move(dict));
  int equal = 0;
  shlo_buffer* json = nullptr;
  Check(WithoutGil([&] { return shlo_diff(a.handle, b.handle, &call.diff, &equal, &json); }));
  return nb::make_tuple(equal != 0, TakeText(json));
}

nb::object DiffText(const Program& a, const Program& b, nb::dict dict) {
  const DiffCall call(std::move(dict));
  shlo_buffer* out = nullptr;
  Check(WithoutGil([&] { return shlo_diff_text(a.handle, b.handle, &call.diff, &out); }));
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

}  // namespace

void DefineReports(nb::module_& module) {
  nb::class_<Proof>(module, "Proof");
  nb::class_<Report>(module, "Report");
  SHLO_BIND_WORK(program_inspect_json);
  SHLO_BIND_WORK(program_container_json);
  SHLO_BIND_WORK(ops_json);
  SHLO_BIND_WORK(versions_json);
  SHLO_BIND(rules_json);
  module.def("diff", &Diff);
  module.def("diff_text", &DiffText);
  module.def("prove", &Prove);
  module.def("proof_verdict", &Verdict);
  module.def("proof_functions", &FunctionProofs);
  SHLO_BIND_WORK(proof_text);
  SHLO_BIND_WORK(proof_json);
  SHLO_BIND_WORK(proof_certificate);
  SHLO_BIND_WORK(proof_counterexample);
  module.def("certificate_check", &CheckCertificate);
  module.def("check", &CheckPaths, nb::arg(), nb::arg().none(), nb::arg());
  SHLO_BIND_WORK(report_read);
  SHLO_BIND(report_exit_code);
  SHLO_BIND_WORK(report_render);
}

}  // namespace shlo::python
