/* Evaluation. */
#include "check.h"

static shlo_tensor* parse(const char* text) {
  shlo_tensor* tensor = NULL;
  OK(shlo_tensor_parse(text, &tensor));
  return tensor;
}

static int is(const shlo_tensor* tensor, const char* expected) {
  shlo_tensor* other = parse(expected);
  const int same = shlo_tensor_equal(tensor, other);
  shlo_tensor_release(other);
  return same;
}

static void test_function(void) {
  shlo_program* program = read_text(kAdd);
  const shlo_tensor* args[2];
  shlo_tensor* arg = parse("dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>");
  shlo_tensor* wrong = parse("dense<1.0> : tensor<2xf32>");
  shlo_tensors* results = NULL;
  shlo_eval_options options = SHLO_EVAL_OPTIONS_INIT;
  shlo_limits limits = SHLO_LIMITS_INIT;
  shlo_buffer* profile = NULL;
  shlo_tensor_desc desc = SHLO_TENSOR_DESC_INIT;
  const int64_t shape[2] = {2, 3}, columns[2] = {1, 2};
  float out[6] = {0, 0, 0, 0, 0, 0};
  args[0] = arg;
  args[1] = arg;
  OK(shlo_evaluate(program, args, 1, NULL, &results));
  CHECK(shlo_tensors_count(results) == 1 && equals(shlo_tensors_name(results, 0), "result0"));
  CHECK(is(shlo_tensors_at(results, 0), "dense<[[2.0, 4.0, 6.0], [8.0, 10.0, 12.0]]> : tensor<2x3xf32>"));
  shlo_tensors_free(results);
  options.profile = &profile;
  options.fast = 1;
  options.limits = &limits;
  limits.threads = 2;
  OK(shlo_evaluate(program, args, 1, &options, &results));
  CHECK(has(profile, "\"stablehlo.add\""));
  shlo_tensors_free(results);
  limits.max_steps = 1;
  FAILS(shlo_evaluate(program, args, 1, &options, &results), SHLO_CODE_LIMIT, "");
  CHECK(!results && !profile);
  FAILS(shlo_evaluate(program, args, 2, NULL, &results), SHLO_CODE_EVALUATION, "expected 1 argument");
  args[0] = wrong;
  FAILS(shlo_evaluate(program, args, 1, NULL, &results), SHLO_CODE_EVALUATION, "argument 0");
  args[0] = arg;
  /* Into the caller's memory, column by column. */
  desc.element = "f32";
  desc.rank = 2;
  desc.shape = shape;
  desc.strides = columns;
  desc.data = out;
  OK(shlo_evaluate_into(program, args, 1, NULL, &desc, 1));
  CHECK(out[0] == 2 && out[1] == 8 && out[2] == 4 && out[5] == 12);
  desc.element = "f64";
  FAILS(shlo_evaluate_into(program, args, 1, NULL, &desc, 1), SHLO_CODE_USAGE, "result 0 is tensor<2x3xf32>");
  FAILS(shlo_evaluate_into(program, args, 1, NULL, &desc, 0), SHLO_CODE_USAGE, "has 1 result");
  options.limits = NULL;
  options.function = "none";
  FAILS(shlo_evaluate(program, args, 1, &options, &results), SHLO_CODE_USAGE, "@none");
  shlo_tensor_release(arg);
  shlo_tensor_release(wrong);
  shlo_program_release(program);
}

static shlo_error* negate(void* context, const shlo_custom_call_info* call,
                          const shlo_tensor* const* operands, size_t operand_count, shlo_tensor** results,
                          size_t result_count) {
  const void* data = NULL;
  float value;
  shlo_tensor_desc desc = SHLO_TENSOR_DESC_INIT;
  shlo_error* error;
  const int mode = *(int*)context;
  if (mode == 1) return shlo_error_create(SHLO_CODE_EVALUATION, "the callback is not willing", NULL);
  if (mode == 2) return NULL;
  CHECK(operand_count == 1 && result_count == 1 && strcmp(call->target, "negate") == 0);
  CHECK(equals(shlo_op_name(call->program, call->op), "stablehlo.custom_call"));
  error = shlo_tensor_data(operands[0], &data, NULL);
  if (error) return error;
  memcpy(&value, data, sizeof value);
  value = -value;
  desc.type = mode == 3 ? "tensor<i32>" : "tensor<f32>";
  desc.data = &value;
  return shlo_tensor_create(&desc, &results[0]);
}

static void print(void* context, const char* data, size_t size) {
  strncat(context, data, size < 100 ? size : 100);
}

static void test_callbacks(void) {
  shlo_program* program = read_text(
      "func.func @main(%arg0: tensor<f32>) -> tensor<f32> {\n"
      "  %0 = stablehlo.custom_call @negate(%arg0) : (tensor<f32>) -> tensor<f32>\n"
      "  interpreter.print %0 : tensor<f32>\n"
      "  return %0 : tensor<f32>\n}\n");
  char printed[200] = "";
  int mode = 0;
  shlo_custom_call custom;
  const shlo_tensor* args[1];
  shlo_tensor* arg = parse("dense<2.5> : tensor<f32>");
  shlo_tensors* results = NULL;
  shlo_eval_options options = SHLO_EVAL_OPTIONS_INIT;
  args[0] = arg;
  custom.target = "negate";
  custom.function = negate;
  custom.context = &mode;
  options.custom_calls = &custom;
  options.custom_call_count = 1;
  options.print = print;
  options.print_context = printed;
  OK(shlo_evaluate(program, args, 1, &options, &results));
  CHECK(is(shlo_tensors_at(results, 0), "dense<-2.5> : tensor<f32>"));
  CHECK(strstr(printed, "-2.5") != NULL);
  shlo_tensors_free(results);
  mode = 1;
  FAILS(shlo_evaluate(program, args, 1, &options, &results), SHLO_CODE_EVALUATION, "not willing");
  mode = 2;
  FAILS(shlo_evaluate(program, args, 1, &options, &results), SHLO_CODE_EVALUATION, "sets no result 0");
  mode = 3;
  FAILS(shlo_evaluate(program, args, 1, &options, &results), SHLO_CODE_EVALUATION, "returns tensor<i32>");
  options.custom_call_count = 0;
  FAILS(shlo_evaluate(program, args, 1, &options, &results), SHLO_CODE_UNSUPPORTED, "@negate");
  shlo_tensor_release(arg);
  shlo_program_release(program);
}

static void test_checks(void) {
  shlo_program* program = read_text(
      "func.func @main(%arg0: tensor<i32>) {\n"
      "  check.expect_eq_const %arg0, dense<3> : tensor<i32>\n  return\n}\n");
  shlo_tensor* arg = parse("dense<4> : tensor<i32>");
  const shlo_tensor* args[1];
  shlo_tensors* results = NULL;
  shlo_diagnostics* failed = NULL;
  shlo_eval_options options = SHLO_EVAL_OPTIONS_INIT;
  args[0] = arg;
  FAILS(shlo_evaluate(program, args, 1, NULL, &results), SHLO_CODE_EVALUATION, "expected 3");
  options.failed_checks = &failed;
  OK(shlo_evaluate(program, args, 1, &options, &results));
  CHECK(shlo_diagnostics_count(failed) == 1 && shlo_tensors_count(results) == 0);
  shlo_diagnostics_free(failed);
  shlo_tensors_free(results);
  shlo_tensor_release(arg);
  shlo_program_release(program);
}

static void test_processes(void) {
  shlo_program* program = read_text(
      "func.func @main(%arg0: tensor<2xi64>) -> tensor<2xi64> {\n"
      "  %0 = \"stablehlo.all_reduce\"(%arg0) ({\n"
      "  ^bb0(%a: tensor<i64>, %b: tensor<i64>):\n"
      "    %1 = stablehlo.add %a, %b : tensor<i64>\n"
      "    stablehlo.return %1 : tensor<i64>\n"
      "  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xi64>) -> tensor<2xi64>\n"
      "  return %0 : tensor<2xi64>\n}\n");
  shlo_tensor* one = parse("dense<[1, 2]> : tensor<2xi64>");
  shlo_tensor* two = parse("dense<[10, 20]> : tensor<2xi64>");
  const char* functions[2] = {"main", "main"};
  const shlo_tensor* args[2];
  shlo_tensors* results = NULL;
  shlo_eval_options options = SHLO_EVAL_OPTIONS_INIT;
  args[0] = one;
  args[1] = two;
  options.replicas = 2;
  OK(shlo_evaluate(program, args, 2, &options, &results));
  CHECK(shlo_tensors_count(results) == 2);
  CHECK(is(shlo_tensors_at(results, 1), "dense<[11, 22]> : tensor<2xi64>"));
  shlo_tensors_free(results);
  options.functions = functions;
  options.wait_timeout_ms = 5000;
  OK(shlo_evaluate(program, args, 2, &options, &results));
  shlo_tensors_free(results);
  options.replicas = 1000;
  FAILS(shlo_evaluate(program, args, 2, &options, &results), SHLO_CODE_USAGE, "1000 replicas");
  shlo_tensor_release(one);
  shlo_tensor_release(two);
  shlo_program_release(program);
}

void test_evaluation(void) {
  test_function();
  test_callbacks();
  test_checks();
  test_processes();
}
