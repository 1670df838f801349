/* Several threads use one program at the same time, from its first use on; one cancels the call of another.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include "check.h"

enum { kThreads = 8, kRounds = 20 };

int failures = 0;

/* What the threads share. */
static shlo_program* shared;
static shlo_tensor* arg;

/* Set by the custom call of a loop that runs. */
static int looping;
static shlo_cancellation* on_signal;

static shlo_error* started(void* context, const shlo_custom_call_info* call,
                           const shlo_tensor* const* operands, size_t operand_count, shlo_tensor** results,
                           size_t result_count) {
  (void)context, (void)call, (void)operands, (void)operand_count, (void)results, (void)result_count;
  __atomic_store_n(&looping, 1, __ATOMIC_SEQ_CST);
  return NULL;
}

static void* work(void* context) {
  const int number = *(const int*)context;
  shlo_write_options write = SHLO_WRITE_OPTIONS_INIT;
  long errors = 0;
  int round;
  for (round = 0; round < kRounds; ++round) {
    const shlo_tensor* args[1];
    shlo_program *program = shlo_program_retain(shared), *converted = NULL;
    shlo_tensors* results = NULL;
    shlo_buffer* buffer = NULL;
    const shlo_use* uses = NULL;
    size_t count = 0;
    const void* data = NULL;
    errors += shlo_value_uses(program, 1, &uses, &count) != NULL;
    errors += shlo_function_count(program) != 1;
    errors += shlo_convert(program, 70 + (uint32_t)(number % 3), NULL, &converted, NULL) != NULL;
    write.format = 1 + (number + round) % 3;
    errors += shlo_program_write(converted, &write, &buffer) != NULL;
    args[0] = arg;
    errors += shlo_evaluate(program, args, 1, NULL, &results) != NULL;
    /* One element stands for all until the first thread asks for them. */
    errors += shlo_tensor_data(arg, &data, NULL) != NULL;
    shlo_tensors_free(results);
    shlo_buffer_free(buffer);
    shlo_program_release(converted);
    shlo_program_release(program);
  }
  return (void*)errors;
}

/* Evaluates a loop without end. */
static void* loop_forever(void* cancellation) {
  const char* text =
      "func.func @main() -> tensor<i32> {\n"
      "  %0 = stablehlo.constant dense<0> : tensor<i32>\n"
      "  %1 = stablehlo.while(%i = %0) : tensor<i32>\n"
      "   cond {\n"
      "    %2 = stablehlo.compare EQ, %i, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "    stablehlo.return %2 : tensor<i1>\n"
      "  } do {\n"
      "    stablehlo.custom_call @started() {has_side_effect = true} : () -> ()\n"
      "    stablehlo.return %i : tensor<i32>\n"
      "  }\n"
      "  return %1 : tensor<i32>\n}\n";
  shlo_limits limits = SHLO_LIMITS_INIT;
  shlo_eval_options options = SHLO_EVAL_OPTIONS_INIT;
  shlo_custom_call call;
  shlo_program* program = NULL;
  shlo_tensors* results = NULL;
  shlo_error* error;
  long right;
  memset(&call, 0, sizeof call);
  call.target = "started";
  call.function = started;
  options.custom_calls = &call;
  options.custom_call_count = 1;
  limits.cancellation = (shlo_cancellation*)cancellation;
  limits.max_steps = limits.max_work = UINT64_MAX;
  options.limits = &limits;
  if (shlo_program_read(text, strlen(text), NULL, &program)) return NULL;
  error = shlo_evaluate(program, NULL, 0, &options, &results);
  right = shlo_error_code(error) == SHLO_CODE_CANCELED && results == NULL;
  shlo_error_free(error);
  /* It is canceled for good. */
  error = shlo_evaluate(program, NULL, 0, &options, &results);
  right += shlo_error_code(error) == SHLO_CODE_CANCELED;
  shlo_error_free(error);
  shlo_program_release(program);
  return (void*)right;
}

static void cancel_on_signal(int number) {
  (void)number;
  shlo_cancel(on_signal);
}

static void test_cancellation(void) {
  int by_signal;
  for (by_signal = 0; by_signal < 2; ++by_signal) {
    shlo_cancellation* cancellation = NULL;
    pthread_t thread;
    void* right = NULL;
    __atomic_store_n(&looping, 0, __ATOMIC_SEQ_CST);
    CHECK(!shlo_cancellation_create(NULL, NULL, &cancellation));
    CHECK(!shlo_is_canceled(cancellation));
    CHECK(pthread_create(&thread, NULL, loop_forever, cancellation) == 0);
    while (!__atomic_load_n(&looping, __ATOMIC_SEQ_CST)) sched_yield();
    on_signal = cancellation;
    if (by_signal) {
      signal(SIGUSR1, cancel_on_signal);
      raise(SIGUSR1);
    } else {
      shlo_cancel(cancellation);
    }
    pthread_join(thread, &right);
    CHECK((long)right == 2);
    CHECK(shlo_is_canceled(cancellation));
    shlo_cancellation_free(cancellation);
  }
  /* A thread's own ends calls without limits, too. */
  {
    shlo_cancellation* cancellation = NULL;
    shlo_buffer* buffer = NULL;
    shlo_error* error;
    CHECK(!shlo_cancellation_create(NULL, NULL, &cancellation));
    CHECK(!shlo_cancellation_use(cancellation));
    CHECK(!shlo_program_inspect_json(shared, &buffer) && buffer);
    shlo_buffer_free(buffer);
    shlo_cancel(cancellation);
    error = shlo_program_inspect_json(shared, &buffer);
    CHECK(shlo_error_code(error) == SHLO_CODE_CANCELED && !buffer);
    shlo_error_free(error);
    CHECK(shlo_cancellation_use(NULL) == cancellation);
    CHECK(!shlo_program_inspect_json(shared, &buffer) && buffer);
    shlo_buffer_free(buffer);
    shlo_cancellation_free(cancellation);
  }
  shlo_cancel(NULL);
  CHECK(!shlo_is_canceled(NULL));
  shlo_cancellation_free(NULL);
}

int main(void) {
  const char* text =
      "func.func @main(%arg0: tensor<64x64xf32>) -> tensor<64x64xf32> {\n"
      "  %0 = stablehlo.dot %arg0, %arg0 : (tensor<64x64xf32>, tensor<64x64xf32>) -> "
      "tensor<64x64xf32>\n"
      "  return %0 : tensor<64x64xf32>\n}\n";
  shlo_read_options options = SHLO_READ_OPTIONS_INIT;
  pthread_t threads[kThreads];
  int numbers[kThreads];
  int i;
  options.unverified = 1; /* the first thread that needs it verifies */
  CHECK(!shlo_program_read(text, strlen(text), &options, &shared));
  CHECK(!shlo_tensor_parse("dense<0.5> : tensor<64x64xf32>", &arg));
  for (i = 0; i < kThreads; ++i) {
    numbers[i] = i;
    CHECK(pthread_create(&threads[i], NULL, work, &numbers[i]) == 0);
  }
  for (i = 0; i < kThreads; ++i) {
    void* errors = NULL;
    pthread_join(threads[i], &errors);
    CHECK(errors == NULL);
  }
  shlo_tensor_release(arg);
  test_cancellation();
  shlo_program_release(shared);
  return failures != 0;
}
