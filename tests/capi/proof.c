/* Differences, proofs, certificates, and the gate of programs. */
#include "check.h"

static const char kTwice[] =
    "func.func @main(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {\n"
    "  %0 = stablehlo.constant dense<2.0> : tensor<2x3xf32>\n"
    "  %1 = stablehlo.multiply %arg0, %0 : tensor<2x3xf32>\n"
    "  return %1 : tensor<2x3xf32>\n}\n";
static const char kThrice[] =
    "func.func @main(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {\n"
    "  %0 = stablehlo.constant dense<3.0> : tensor<2x3xf32>\n"
    "  %1 = stablehlo.multiply %arg0, %0 : tensor<2x3xf32>\n"
    "  return %1 : tensor<2x3xf32>\n}\n";

static void test_difference(void) {
  shlo_program *a = read_text(kAdd), *b = read_text(kTwice);
  shlo_diff_options options = SHLO_DIFF_OPTIONS_INIT;
  shlo_buffer* buffer = NULL;
  int equal = 7;
  OK(shlo_diff(a, a, NULL, &equal, NULL));
  CHECK(equal == 1);
  options.locations = 1;
  OK(shlo_diff(a, b, &options, &equal, &buffer));
  CHECK(equal == 0 && has(buffer, "\"command\": \"diff\""));
  FAILS(shlo_diff(a, NULL, NULL, &equal, &buffer), SHLO_CODE_USAGE, "'b' is NULL");
  OK(shlo_diff_text(a, b, &options, &buffer));
  CHECK(has(buffer, "different ("));
  options.lines = 1;
  OK(shlo_diff_text(a, b, &options, &buffer));
  CHECK(has(buffer, "different ("));
  shlo_program_release(a);
  shlo_program_release(b);
}

static void test_proofs(void) {
  shlo_program *a = read_text(kAdd), *b = read_text(kTwice), *c = read_text(kThrice), *built = NULL;
  shlo_program* counterexample = NULL;
  shlo_proof* proof = NULL;
  shlo_prove_options options = SHLO_PROVE_OPTIONS_INIT;
  shlo_function_proof function = SHLO_FUNCTION_PROOF_INIT;
  shlo_buffer *buffer = NULL, *certificate = NULL;
  shlo_evidence evidence = SHLO_EVIDENCE_NONE;
  shlo_write_options write = SHLO_WRITE_OPTIONS_INIT;
  OK(shlo_prove(a, b, NULL, &proof));
  CHECK(shlo_proof_verdict(proof) == SHLO_VERDICT_EQUAL &&
        shlo_proof_evidence(proof) >= SHLO_EVIDENCE_SAMPLED);
  CHECK(shlo_proof_function_count(proof) == 1 && shlo_proof_function(proof, 0, &function));
  CHECK(equals(function.function, "main") && function.verdict == SHLO_VERDICT_EQUAL && function.inputs > 0);
  CHECK(!shlo_proof_function(proof, 1, &function));
  OK(shlo_proof_text(proof, &buffer));
  CHECK(has(buffer, "not told apart by 256 input sets"));
  OK(shlo_proof_json(proof, &buffer));
  CHECK(has(buffer, "\"command\": \"prove\""));
  FAILS(shlo_proof_certificate(proof, 0, &certificate), SHLO_CODE_USAGE, "keeps nothing");
  FAILS(shlo_proof_counterexample(proof, &counterexample), SHLO_CODE_NOT_EQUAL, "no input is known");
  shlo_proof_free(proof);

  options.certifiable = 1;
  options.max_inputs = 20;
  options.seed = 5;
  OK(shlo_prove(a, b, &options, &proof));
  OK(shlo_proof_certificate(proof, 1, &certificate));
  CHECK(has(certificate, "in-toto"));
  OK(shlo_proof_certificate(proof, 0, &certificate));
  shlo_proof_free(proof);
  OK(shlo_certificate_check(shlo_buffer_data(certificate), shlo_buffer_size(certificate), a, b, NULL,
                            &evidence));
  CHECK(evidence == SHLO_EVIDENCE_SAMPLED);
  FAILS(shlo_certificate_check(shlo_buffer_data(certificate), shlo_buffer_size(certificate), a, c, NULL,
                               &evidence),
        SHLO_CODE_NOT_EQUAL, "another second file");
  FAILS(shlo_certificate_check("{}", 2, a, c, NULL, &evidence), SHLO_CODE_MALFORMED, "");
  write.format = SHLO_FORMAT_SHLO;
  OK(shlo_program_write(a, &write, &buffer));
  evidence = SHLO_EVIDENCE_SAMPLED;
  FAILS_WITH(
      shlo_certificate_check(shlo_buffer_data(buffer), shlo_buffer_size(buffer), a, b, NULL, &evidence),
      SHLO_CODE_MALFORMED, "the file carries no certificate", "");
  CHECK(evidence == SHLO_EVIDENCE_NONE);
  shlo_buffer_free(buffer);
  shlo_buffer_free(certificate);
  OK(shlo_convert(a, 70, NULL, &built, NULL));
  OK(shlo_prove(a, built, &options, &proof));
  FAILS(shlo_proof_certificate(proof, 0, &certificate), SHLO_CODE_USAGE, "not read from one");
  shlo_proof_free(proof);
  shlo_program_release(built);

  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.evaluate_only = 1;
  OK(shlo_prove(a, c, &options, &proof));
  CHECK(shlo_proof_verdict(proof) == SHLO_VERDICT_DIFFERENT);
  CHECK(strcmp(shlo_verdict_name(shlo_proof_verdict(proof), SHLO_EVIDENCE_NONE), "different") == 0);
  OK(shlo_proof_counterexample(proof, &counterexample));
  CHECK(shlo_function_find(counterexample, "first") != 0);
  shlo_program_release(counterexample);
  shlo_proof_free(proof);
  CHECK(strcmp(shlo_evidence_name(SHLO_EVIDENCE_CONGRUENCE), "congruence") == 0);
  CHECK(strcmp(shlo_evidence_name(9), "") == 0 && strcmp(shlo_verdict_name(9, 0), "") == 0);
  CHECK(shlo_proof_verdict(NULL) == SHLO_VERDICT_NOT_COVERED && shlo_proof_evidence(NULL) == 0);
  CHECK(shlo_proof_function_count(NULL) == 0);
  shlo_program_release(a);
  shlo_program_release(b);
  shlo_program_release(c);
}

#define READ(json, out) shlo_report_read(json, strlen(json), out)

void test_check(void) {
  const char* paths[] = {"capichecked.mlir"};
  const char* rules[] = {"consumer-blocked=error"};
  const char* requirements[] = {"1.9.0"};
  shlo_check_options options = SHLO_CHECK_OPTIONS_INIT;
  shlo_buffer* report = NULL;
  shlo_buffer* other = NULL;
  shlo_report* findings = NULL;
  shlo_report* again = NULL;
  shlo_report_format format;
  int exit_code = 7;
  FILE* file = fopen(paths[0], "w");
  CHECK(file && fputs(kProgram, file) >= 0 && fclose(file) == 0);
  options.rules = rules;
  options.rule_count = 1;
  options.requirements = requirements;
  options.requirement_count = 1;
  options.today = "2026-01-01";
  OK(shlo_check(paths, 1, &options, &exit_code, &report));
  CHECK(exit_code == 1 && has(report, "\"rule\": \"consumer-blocked\""));
  for (options.format = SHLO_REPORT_TEXT; options.format <= SHLO_REPORT_HTML; ++options.format) {
    OK(shlo_check(paths, 1, &options, &exit_code, &report));
    CHECK(has(report, "capichecked.mlir"));
  }
  FAILS(shlo_check(paths, 1, &options, NULL, &report), SHLO_CODE_USAGE, "unknown format 8");
  options.format = SHLO_REPORT_JSON;
  rules[0] = "no-such-rule=error";
  FAILS(shlo_check(paths, 1, &options, NULL, &report), SHLO_CODE_USAGE, "unknown rule 'no-such-rule'");
  rules[0] = "consumer-blocked=none";
  FAILS(shlo_check(paths, 1, &options, NULL, &report), SHLO_CODE_USAGE, "unknown severity 'none'");
  rules[0] = "consumer-blocked";
  FAILS(shlo_check(paths, 1, &options, NULL, &report), SHLO_CODE_USAGE, "is not ID=SEVERITY");
  rules[0] = "consumer-blocked=off";
  requirements[0] = "jaxlib==0.0.0.1";
  FAILS(shlo_check(paths, 1, &options, NULL, &report), SHLO_CODE_USAGE, "");
  options.requirement_count = 0;
  OK(shlo_check(paths, 1, &options, &exit_code, NULL));
  CHECK(exit_code == 0);
  options.baseline = "no/such/folder";
  FAILS(shlo_check(paths, 1, &options, NULL, &report), SHLO_CODE_IO, "not a folder");
  options.baseline = NULL;
  options.policy = "no/such/policy.toml";
  FAILS(shlo_check(paths, 1, &options, NULL, &report), SHLO_CODE_IO, "");
  options.policy = NULL;
  remove(paths[0]);
  OK(shlo_check(paths, 1, &options, &exit_code, NULL));
  CHECK(exit_code == 4);
  OK(shlo_report_create(paths, 1, &options, &findings));
  CHECK(shlo_report_exit_code(findings) == 4 && shlo_report_exit_code(NULL) == 0);
  OK(shlo_report_render(findings, SHLO_REPORT_TEXT, &report));
  CHECK(has(report, "capichecked.mlir"));
  OK(shlo_report_render(findings, SHLO_REPORT_JSON, &report));
  CHECK(has(report, "\"exit\": 4"));
  OK(shlo_report_render(findings, SHLO_REPORT_JSON, &report));
  OK(shlo_report_read(shlo_buffer_data(report), shlo_buffer_size(report), &again));
  shlo_buffer_free(report);
  for (format = SHLO_REPORT_JSON; format <= SHLO_REPORT_HTML; ++format) {
    OK(shlo_report_render(findings, format, &report));
    OK(shlo_report_render(again, format, &other));
    CHECK(strcmp(shlo_buffer_data(report), shlo_buffer_data(other)) == 0);
    shlo_buffer_free(report);
    shlo_buffer_free(other);
  }
  CHECK(shlo_report_exit_code(again) == 4);
  shlo_report_free(again);
  OK(
      READ("{\"command\": \"verify\", \"files\": [{\"file\": \"a.mlir\", \"findings\": [{\"severity\": "
           "\"warning\", \"diagnostic\": {\"severity\": \"warning\", \"code\": \"constraint\", \"line\": 1, "
           "\"column\": 3, \"message\": \"odd\", \"source_line\": \"a b\"}}]}]}",
           &again));
  OK(shlo_report_render(again, SHLO_REPORT_TEXT, &report));
  CHECK(has(report, "1:3: warning: odd [constraint]\n  a b\n    ^\n0 errors, 1 warning in 1 file\n"));
  shlo_report_free(again);
  // What is not a list is empty, and a number that is too large is none.
  OK(
      READ("{\"command\": \"verify\", \"files\": [{\"file\": \"a.mlir\", \"findings\": \"odd\", "
           "\"failures\": 1}]}",
           &again));
  OK(shlo_report_render(again, SHLO_REPORT_TEXT, &report));
  CHECK(has(report, "0 errors, 0 warnings in 1 file\n"));
  shlo_report_free(again);
  OK(
      READ("{\"command\": \"verify\", \"files\": [{\"file\": \"a.mlir\", \"findings\": [{\"severity\": "
           "\"warning\", \"diagnostic\": {\"line\": 4294967297, \"message\": \"odd\"}}]}]}",
           &again));
  OK(shlo_report_render(again, SHLO_REPORT_JSON, &report));
  CHECK(!strstr(shlo_buffer_data(report), "\"line\": 1"));
  CHECK(has(report, "\"odd\""));
  shlo_report_free(again);
  FAILS(READ("[", &again), SHLO_CODE_MALFORMED, "not the document of a report: it is not JSON");
  FAILS(READ("{}", &again), SHLO_CODE_MALFORMED, "it has no files");
  FAILS(READ("{\"command\": \"check\", \"files\": [{\"findings\": [{\"rule\": \"no-such-rule\"}]}]}", &again),
        SHLO_CODE_MALFORMED, "unknown rule 'no-such-rule'");
  FAILS(shlo_report_read(NULL, 0, &again), SHLO_CODE_USAGE, "'json' is NULL");
  FAILS(shlo_report_render(findings, 8, &report), SHLO_CODE_USAGE, "unknown format 8");
  FAILS(shlo_report_render(NULL, 0, &report), SHLO_CODE_USAGE, "'report' is NULL");
  shlo_report_free(findings);
  shlo_report_free(NULL);
  OK(shlo_rules_json(NULL, &report));
  CHECK(has(report, "consumer-blocked"));
  OK(shlo_rules_json("invalid", &report));
  CHECK(has(report, "\"id\": \"invalid\""));
  FAILS(shlo_rules_json("valid", &report), SHLO_CODE_USAGE, "unknown rule 'valid'");
}

static void test_pages(void) {
  shlo_buffer* buffer = NULL;
  OK(shlo_ops_json("gather", &buffer));
  CHECK(has(buffer, "\"name\": \"stablehlo.gather\""));
  OK(shlo_ops_json(NULL, &buffer));
  CHECK(has(buffer, "\"name\": \"stablehlo.add\""));
  FAILS(shlo_ops_json("gathr", &buffer), SHLO_CODE_USAGE, "unknown op 'gathr'");
}

void test_proof(void) {
  test_pages();
  test_difference();
  test_proofs();
}
