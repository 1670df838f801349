/* Verification, conversion, negotiation. */
#include "check.h"

static const char kHints[] =
    "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
    "  %0 = stablehlo.custom_call @f(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=4}, custom>} : "
    "(tensor<4xf32>) -> tensor<4xf32>\n"
    "  %1 = stablehlo.custom_call @f(%0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=4}, custom>} : "
    "(tensor<4xf32>) -> tensor<4xf32>\n"
    "  return %1 : tensor<4xf32>\n}\n";

static void test_convert(void) {
  shlo_program* program = read_text(kProgram);
  shlo_program* converted = NULL;
  shlo_conversion* conversion = NULL;
  shlo_convert_options options = SHLO_CONVERT_OPTIONS_INIT;
  shlo_diagnostics* list = NULL;
  shlo_step step = SHLO_STEP_INIT;
  shlo_diagnostic diagnostic = SHLO_DIAGNOSTIC_INIT;
  shlo_program_info info = SHLO_PROGRAM_INFO_INIT;
  shlo_buffer* buffer = NULL;
  shlo_version versions[64];
  shlo_version lowest = 0;
  size_t count = 0;
  static const char kDialect[] = "dialect = \"acme\"\n[[version]]\nnumber = 1\n[[op]]\nname = \"scale\"\n";
  shlo_dialect* dialect = NULL;
  const shlo_dialect* dialects[2];
  shlo_consumer* consumer = NULL;
  OK(shlo_verify(program, NULL));
  /* tanh has an attribute of 1.10.0. */
  FAILS(shlo_convert(program, 62, NULL, &converted, &conversion), SHLO_CODE_BLOCKED, "result_accuracy");
  CHECK(!converted && !conversion);
  OK(shlo_blockers(program, 62, NULL, &list));
  CHECK(shlo_diagnostics_count(list) == 1 && shlo_diagnostics_get(list, 0, &diagnostic));
  CHECK(diagnostic.version == 63 && equals(diagnostic.op, "stablehlo.tanh") && diagnostic.count == 1);
  shlo_diagnostics_free(list);
  OK(shlo_blockers(program, 63, NULL, &list));
  CHECK(!list);
  OK(shlo_lowest_target(program, NULL, &lowest));
  CHECK(lowest == 63);
  OK(shlo_possible_targets(program, NULL, versions, 64, &count));
  CHECK(count == shlo_version_current() - 62 && versions[0] == 63);
  OK(shlo_possible_targets(program, NULL, NULL, 0, &count));
  CHECK(count == shlo_version_current() - 62);
  OK(shlo_convert(program, 63, NULL, &converted, NULL));
  CHECK(shlo_program_get(converted, &info) && info.version == 63 && info.origin == shlo_version_current());
  shlo_program_release(converted);
  FAILS(shlo_convert(program, 99, NULL, &converted, NULL), SHLO_CODE_UNKNOWN_VERSION, "99");
  shlo_program_release(program);

  /* Blockers of one cause are one, unless every place is asked for; a hint may be dropped instead. */
  program = read_text(kHints);
  OK(shlo_consumer_find(NULL, "jaxlib==0.6.2", NULL, &consumer));
  options.consumers = (const shlo_consumer* const*)&consumer;
  options.consumer_count = 1;
  options.allow_outside_window = 1;
  OK(shlo_blockers(program, 0, &options, &list));
  CHECK(shlo_diagnostics_count(list) == 1 && shlo_diagnostics_get(list, 0, &diagnostic) && diagnostic.count == 2);
  shlo_diagnostics_free(list);
  options.every_place = 1;
  OK(shlo_blockers(program, 0, &options, &list));
  CHECK(shlo_diagnostics_count(list) == 2 && shlo_diagnostics_get(list, 1, &diagnostic) && diagnostic.count == 1);
  shlo_diagnostics_free(list);
  options.drop_hints = 1;
  OK(shlo_blockers(program, 0, &options, &list));
  CHECK(!list);
  OK(shlo_convert(program, 0, &options, &converted, &conversion));
  OK(shlo_conversion_json(conversion, &buffer));
  CHECK(has(buffer, "\"dropped_hints\": [\n    {\n      \"name\": \"sdy.sharding_rule\",\n      \"count\": 2"));
  shlo_conversion_free(conversion);
  conversion = NULL;
  shlo_program_release(converted);
  shlo_program_release(program);
  shlo_consumer_free(consumer);
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;

  /* 0 is the program's own version; the window holds unless it is not to. */
  program = read_text(kAdd);
  OK(shlo_convert(program, 0, NULL, &converted, NULL));
  CHECK(shlo_program_version(converted) == shlo_program_version(program));
  shlo_program_release(converted);
  FAILS(shlo_convert(program, 40, NULL, &converted, NULL), SHLO_CODE_OUTSIDE_WINDOW, "window");
  options.allow_outside_window = 1;
  OK(shlo_convert(program, 40, &options, &converted, NULL));
  shlo_program_release(converted);
  options.allow_outside_window = 0;
  options.window = "forward=nonsense";
  FAILS(shlo_convert(program, 40, &options, &converted, NULL), SHLO_CODE_USAGE, "nonsense");
  shlo_program_release(program);

  /* An op that is expanded, and one whose revision changes. */
  program = read_text(
      "func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {\n"
      "  %0 = chlo.erf %arg0 : tensor<4xf32> -> tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n");
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.expand = 1;
  OK(shlo_convert(program, 63, &options, &converted, &conversion));
  CHECK(shlo_conversion_step_count(conversion) >= 1);
  CHECK(shlo_conversion_step(conversion, shlo_conversion_step_count(conversion) - 1, &step));
  CHECK(equals(step.from, "chlo.erf") && step.to.size == 0 && step.op_count == 1);
  CHECK(!shlo_conversion_step(conversion, 100, &step) && !shlo_conversion_step(NULL, 0, &step));
  OK(shlo_conversion_json(conversion, &buffer));
  CHECK(has(buffer, "\"expanded\""));
  shlo_conversion_free(conversion);
  shlo_program_release(converted);
  options.dialect_targets = &options.window;
  options.dialect_target_count = 1;
  options.window = "acme=2";
  FAILS(shlo_convert(program, 0, &options, &converted, NULL), SHLO_CODE_USAGE, "no dialect has this name");
  options.dialect_target_count = 0;
  OK(shlo_dialect_read(kDialect, strlen(kDialect), NULL, &dialect));
  dialects[0] = dialects[1] = dialect;
  options.dialects = dialects;
  options.dialect_count = 2;
  FAILS_WITH(shlo_convert(program, 0, &options, &converted, NULL), SHLO_CODE_USAGE,
             "dialect 'acme' is defined twice", "");
  CHECK(!converted);
  dialects[1] = NULL;
  FAILS(shlo_convert(program, 0, &options, &converted, NULL), SHLO_CODE_USAGE, "'dialects[i]' is NULL");
  shlo_dialect_free(dialect);
  shlo_program_release(program);
}

static void test_consumer(void) {
  shlo_program* program = read_text(kAdd);
  shlo_program* converted = NULL;
  shlo_consumer* consumer = NULL;
  shlo_convert_options options = SHLO_CONVERT_OPTIONS_INIT;
  const shlo_consumer* consumers[1];
  OK(shlo_consumer_find(NULL, "jaxlib==0.6.0", NULL, &consumer));
  consumers[0] = consumer;
  options.consumers = consumers;
  options.consumer_count = 1;
  OK(shlo_convert(program, 0, &options, &converted, NULL));
  CHECK(shlo_program_version(converted) < shlo_program_version(program));
  shlo_program_release(converted);
  shlo_program_release(program);
  /* An op that the package has in no version. */
  program = read_text(
      "func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {\n"
      "  %0 = \"acme.op\"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n");
  FAILS(shlo_convert(program, 0, &options, &converted, NULL), SHLO_CODE_BLOCKED, "ops of other dialects");
  shlo_program_release(program);
  shlo_consumer_free(consumer);
}

static void test_negotiation(void) {
  shlo_program* program = read_text(kProgram);
  shlo_program* converted = NULL;
  shlo_negotiation negotiation = SHLO_NEGOTIATION_INIT;
  shlo_convert_options convert = SHLO_CONVERT_OPTIONS_INIT;
  shlo_consumer* consumer = NULL;
  shlo_version version = 0;
  convert.allow_outside_window = 1;
  negotiation.convert = &convert;
  /* What a plugin states about itself; a release from the future is as good as the newest known one. */
  negotiation.consumer_minimum = "1.0.0";
  negotiation.consumer_current = "1.10.5";
  OK(shlo_negotiate(&negotiation, &version));
  CHECK(version == 63);
  negotiation.consumer_current = "9.0.0";
  OK(shlo_negotiate(&negotiation, &version));
  CHECK(version == shlo_version_current());
  negotiation.program = program;
  negotiation.consumer_current = "1.10.0";
  OK(shlo_negotiate(&negotiation, &version));
  CHECK(version == 63);
  OK(shlo_convert(program, version, &convert, &converted, NULL));
  shlo_program_release(converted);
  negotiation.consumer_current = "1.9.0";
  FAILS(shlo_negotiate(&negotiation, &version), SHLO_CODE_BLOCKED, "result_accuracy");
  CHECK(version == 0);
  negotiation.producer_minimum = "1.10.0";
  FAILS(shlo_negotiate(&negotiation, &version), SHLO_CODE_BLOCKED, "no release is common");
  negotiation.producer_minimum = "77.0.0";
  FAILS(shlo_negotiate(&negotiation, &version), SHLO_CODE_BLOCKED, "not known here");
  negotiation.producer_minimum = NULL;
  negotiation.consumer_minimum = "77.0.0";
  {
    shlo_error* error = shlo_negotiate(&negotiation, &version);
    shlo_diagnostic diagnostic = SHLO_DIAGNOSTIC_INIT;
    CHECK(shlo_error_code(error) == SHLO_CODE_BLOCKED && version == 0);
    CHECK(shlo_diagnostics_get(shlo_error_diagnostics(error), 0, &diagnostic));
    CHECK(strstr(diagnostic.message.data, "the consumer reads only releases that are not known here") != NULL);
    CHECK(equals(diagnostic.hint, "update the producer, or use an older consumer"));
    shlo_error_free(error);
  }
  negotiation.consumer_minimum = "1.0.0";
  negotiation.producer_minimum = "first";
  FAILS(shlo_negotiate(&negotiation, &version), SHLO_CODE_UNKNOWN_VERSION, "'first' of the producer");
  negotiation.producer_minimum = NULL;
  negotiation.consumer_minimum = negotiation.consumer_current = NULL;
  FAILS(shlo_negotiate(&negotiation, &version), SHLO_CODE_USAGE, "states no version");
  OK(shlo_consumer_find(NULL, "jaxlib==0.4.30", NULL, &consumer));
  negotiation.consumer = consumer;
  FAILS(shlo_negotiate(&negotiation, &version), SHLO_CODE_BLOCKED, "result_accuracy");
  shlo_program_release(program);
  program = read_text(kAdd);
  negotiation.program = program;
  OK(shlo_negotiate(&negotiation, &version));
  CHECK(version == 54);
  convert.allow_outside_window = 0;
  FAILS(shlo_negotiate(&negotiation, &version), SHLO_CODE_OUTSIDE_WINDOW, "window");
  shlo_consumer_free(consumer);
  shlo_program_release(program);
}

static void test_verify(void) {
  shlo_program* program = NULL;
  shlo_diagnostics* warnings = NULL;
  shlo_read_options read = SHLO_READ_OPTIONS_INIT;
  shlo_verify_options options = SHLO_VERIFY_OPTIONS_INIT;
  const char* text =
      "func.func @main(%arg0: tensor<3xf32>) -> tensor<3xf32> {\n"
      "  %1 = \"stablehlo.slice\"(%arg0) {start_indices = array<i64: 0>, limit_indices = "
      "array<i64: 2>, strides = array<i64: 1>} : (tensor<3xf32>) -> tensor<3xf32>\n"
      "  return %1 : tensor<3xf32>\n}\n";
  read.lenient = 1;
  OK(shlo_program_read(text, strlen(text), &read, &program));
  options.warnings = &warnings;
  FAILS(shlo_verify(program, &options), SHLO_CODE_CONSTRAINT, "inferred type");
  options.lenient = 1;
  OK(shlo_verify(program, &options));
  CHECK(shlo_diagnostics_count(warnings) == 2);
  shlo_diagnostics_free(warnings);
  options.max_diagnostics = 1;
  OK(shlo_verify(program, &options));
  CHECK(shlo_diagnostics_count(warnings) == 2); /* the other one is counted by a note */
  shlo_diagnostics_free(warnings);
  shlo_program_release(program);
}

void test_conversion(void) {
  test_verify();
  test_convert();
  test_consumer();
  test_negotiation();
}
