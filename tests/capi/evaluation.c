/* Evaluation. */
#include <pthread.h>

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
  custom.function = NULL;
  FAILS_WITH(shlo_evaluate(program, args, 1, &options, &results), SHLO_CODE_USAGE,
             "custom call @negate has no function", "");
  CHECK(!results);
  custom.function = negate;
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

/* Asks for a text until the deadline of the evaluation passes, which holds for calls within it, too. */
static shlo_error* ask_until_late(void* context, const shlo_custom_call_info* call,
                                  const shlo_tensor* const* operands, size_t operand_count,
                                  shlo_tensor** results, size_t result_count) {
  uint32_t attr;
  (void)operands;
  (void)operand_count;
  (void)results;
  (void)result_count;
  for (*(int*)context = 1; *(int*)context < 10000000; ++*(int*)context)
    for (attr = 1; attr <= shlo_attr_count(call->program); ++attr) {
      shlo_buffer* text = NULL;
      shlo_error* error = shlo_attr_text(call->program, attr, &text);
      CHECK((error == NULL) == (text != NULL));
      if (error) return error;
      shlo_buffer_free(text);
    }
  return NULL;
}

static void test_deadline(void) {
  shlo_program* program = read_text(
      "func.func @main() -> tensor<f32> {\n"
      "  %0 = stablehlo.custom_call @slow() {acme.note = array<i64: 1, 2, 3>} : () -> tensor<f32>\n"
      "  return %0 : tensor<f32>\n}\n");
  int asked = 0;
  shlo_custom_call custom;
  shlo_tensors* results = NULL;
  shlo_eval_options options = SHLO_EVAL_OPTIONS_INIT;
  shlo_limits limits = SHLO_LIMITS_INIT;
  limits.timeout_ms = 200;
  custom.target = "slow";
  custom.function = ask_until_late;
  custom.context = &asked;
  options.custom_calls = &custom;
  options.custom_call_count = 1;
  options.limits = &limits;
  FAILS_WITH(shlo_evaluate(program, NULL, 0, &options, &results), SHLO_CODE_LIMIT, "not done at the deadline",
             "raise the limit: timeout_ms");
  CHECK(!results && asked > 0);
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
  // The module does not state how many processes it is for: one.
  options.replicas = 0;
  options.functions = NULL;
  FAILS(shlo_evaluate(program, args, 1, &options, &results), SHLO_CODE_EVALUATION,
        "process 1 of the groups does not exist");
  shlo_tensor_release(one);
  shlo_tensor_release(two);
  shlo_program_release(program);
}

/* --- Processes elsewhere: threads that say nothing to each other but bytes --- */

/* What a placement does. */
typedef struct {
  int mode;              /* 1: an error; 2: no outcome; 3: no answers; 4: one job is damaged */
  shlo_program* program; /* of the processes */
  shlo_grid* grid;
  const shlo_eval_options* options;
} placed;
typedef struct {
  placed* all;
  shlo_str job;
  shlo_buffer* outcome;
  shlo_error* error;
} worker;

static shlo_error* ask(void* context, const void* request, size_t size, shlo_buffer** answer) {
  const placed* all = context;
  if (all->mode == 3) return NULL;
  return shlo_grid_answer(all->grid, request, size, answer);
}

static void* work(void* context) {
  worker* one = context;
  one->error = shlo_run_process(one->all->program, one->job.data, one->job.size, ask, one->all,
                                one->all->options, &one->outcome);
  if (one->error) shlo_grid_abandon(one->all->grid);
  return NULL;
}

static shlo_error* place(void* context, const shlo_process_jobs* jobs, shlo_buffer** outcomes, size_t count) {
  placed* all = context;
  pthread_t threads[2];
  worker workers[2];
  shlo_error* error = NULL;
  size_t i;
  CHECK(jobs->struct_size == sizeof *jobs && jobs->replicas == 2 && jobs->partitions == 1);
  CHECK(jobs->job_count == 2 && count == 2);
  if (all->mode == 1) return shlo_error_create(SHLO_CODE_IO, "no machine is free", NULL);
  if (all->mode == 2) return NULL;
  OK(shlo_grid_create(jobs->grid.data, jobs->grid.size, &all->grid));
  for (i = 0; i < 2; ++i) {
    workers[i].all = all;
    workers[i].job = jobs->jobs[i];
    workers[i].outcome = NULL;
    if (all->mode == 4 && i == 1) workers[i].job.size -= 1;
    CHECK(pthread_create(&threads[i], NULL, work, &workers[i]) == 0);
  }
  for (i = 0; i < 2; ++i) {
    pthread_join(threads[i], NULL);
    outcomes[i] = workers[i].outcome;
    if (error) shlo_error_free(workers[i].error);
    if (!error) error = workers[i].error;
  }
  shlo_grid_free(all->grid);
  return error;
}

static void test_placement(void) {
  const char* text =
      "func.func @main(%arg0: tensor<f32>) -> tensor<f32> {\n"
      "  %0 = stablehlo.custom_call @negate(%arg0) : (tensor<f32>) -> tensor<f32>\n"
      "  %1 = \"stablehlo.collective_permute\"(%0) {source_target_pairs = dense<[[0, 1], [1, 0]]> : "
      "tensor<2x2xi64>} : (tensor<f32>) -> tensor<f32>\n"
      "  return %1 : tensor<f32>\n}\n";
  int mode = 0;
  shlo_custom_call custom;
  placed all = {0, NULL, NULL, NULL};
  const shlo_tensor* args[2];
  shlo_tensor* one = parse("dense<1.5> : tensor<f32>");
  shlo_tensor* two = parse("dense<2.5> : tensor<f32>");
  shlo_program* program = read_text(text);
  shlo_tensors* results = NULL;
  shlo_buffer* buffer = (shlo_buffer*)&all;
  shlo_grid* grid = (shlo_grid*)&all;
  shlo_eval_options options = SHLO_EVAL_OPTIONS_INIT;
  all.program = read_text(text);
  args[0] = one;
  args[1] = two;
  custom.target = "negate";
  custom.function = negate;
  custom.context = &mode;
  options.custom_calls = &custom;
  options.custom_call_count = 1;
  options.replicas = 2;
  options.place = place;
  options.place_context = &all;
  all.options = &options;
  OK(shlo_evaluate(program, args, 2, &options, &results));
  CHECK(is(shlo_tensors_at(results, 0), "dense<-2.5> : tensor<f32>"));
  CHECK(is(shlo_tensors_at(results, 1), "dense<-1.5> : tensor<f32>"));
  shlo_tensors_free(results);
  all.mode = 1;
  FAILS(shlo_evaluate(program, args, 2, &options, &results), SHLO_CODE_IO, "no machine is free");
  all.mode = 2;
  FAILS(shlo_evaluate(program, args, 2, &options, &results), SHLO_CODE_USAGE,
        "the placement sets no outcome 0");
  all.mode = 3;
  FAILS(shlo_evaluate(program, args, 2, &options, &results), SHLO_CODE_USAGE, "the exchange sets no answer");
  all.mode = 4;
  FAILS(shlo_evaluate(program, args, 2, &options, &results), SHLO_CODE_MALFORMED, "damaged at byte");
  all.mode = 0;
  all.options = NULL;
  FAILS(shlo_evaluate(program, args, 2, &options, &results), SHLO_CODE_USAGE,
        "custom call @negate of the caller is missing where process (1, 0) runs");
  mode = 1;
  all.options = &options;
  FAILS(shlo_evaluate(program, args, 2, &options, &results), SHLO_CODE_EVALUATION, "not willing");

  FAILS(shlo_grid_create("x", 1, &grid), SHLO_CODE_MALFORMED, "another format");
  CHECK(!grid);
  FAILS(shlo_grid_answer(NULL, "x", 1, &buffer), SHLO_CODE_USAGE, "'grid' is NULL");
  CHECK(!buffer);
  FAILS(shlo_run_process(program, "x", 1, NULL, NULL, NULL, &buffer), SHLO_CODE_USAGE, "'exchange' is NULL");
  FAILS(shlo_run_process(program, "x", 1, ask, &all, NULL, &buffer), SHLO_CODE_MALFORMED, "another format");
  shlo_grid_abandon(NULL);
  shlo_grid_free(NULL);
  OK(shlo_buffer_create("ab\0c", 4, &buffer));
  CHECK(shlo_buffer_size(buffer) == 4 && memcmp(shlo_buffer_data(buffer), "ab\0c", 5) == 0);
  shlo_buffer_free(buffer);
  OK(shlo_buffer_create(NULL, 0, &buffer));
  shlo_buffer_free(buffer);
  FAILS(shlo_buffer_create(NULL, 1, &buffer), SHLO_CODE_USAGE, "'data' is NULL");
  shlo_tensor_release(one);
  shlo_tensor_release(two);
  shlo_program_release(all.program);
  shlo_program_release(program);
}

void test_evaluation(void) {
  test_function();
  test_callbacks();
  test_deadline();
  test_checks();
  test_processes();
  test_placement();
}
