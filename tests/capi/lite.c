/* The library without an evaluator: its functions are there, and say so. */
#include "check.h"

#define LACKS(call) FAILS(call, SHLO_CODE_UNSUPPORTED, "no evaluator")

static int released = 0;
static void count_release(void* context) { *(int*)context += 1; }

void test_lite(void) {
  shlo_program* program = read_text(kAdd);
  shlo_program* converted = NULL;
  shlo_tensor* tensor = (shlo_tensor*)&program;
  shlo_tensors* tensors = NULL;
  shlo_proof* proof = NULL;
  shlo_buffer* buffer = NULL;
  shlo_grid* grid = NULL;
  shlo_convert_options convert = SHLO_CONVERT_OPTIONS_INIT;
  shlo_tensor_desc desc = SHLO_TENSOR_DESC_INIT;
  int number = 1;
  desc.borrow = 1;
  desc.release = count_release;
  desc.release_context = &released;
  LACKS(shlo_tensor_create(&desc, &tensor));
  CHECK(!tensor && released == 1);
  LACKS(shlo_evaluate(program, NULL, 0, NULL, &tensors));
  LACKS(shlo_prove(program, program, NULL, &proof));
  LACKS(shlo_diff(program, program, NULL, &number, &buffer));
  LACKS(shlo_diff_text(program, program, NULL, &buffer));
  LACKS(shlo_grid_create("x", 1, &grid));
  LACKS(shlo_grid_answer(NULL, "x", 1, &buffer));
  LACKS(shlo_run_process(program, "x", 1, NULL, NULL, NULL, &buffer));
  shlo_grid_abandon(NULL);
  shlo_grid_free(NULL);
  CHECK(number == 0);
  convert.fold = 1;
  LACKS(shlo_convert(program, 0, &convert, &converted, NULL));
  OK(shlo_convert(program, 70, NULL, &converted, NULL));
  CHECK(shlo_program_version(converted) == 70);
  LACKS(shlo_ops_json("stablehlo.add", &buffer));
  shlo_program_release(converted);
  shlo_program_release(program);
}
