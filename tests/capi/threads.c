/* Several threads use one program at the same time, from its first use on. */
#include <pthread.h>

#include "check.h"

enum { kThreads = 8, kRounds = 20 };

int failures = 0;

/* What the threads share. */
static shlo_program* shared;
static shlo_tensor* arg;

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
  shlo_program_release(shared);
  return failures != 0;
}
