/* Evaluates a program on memory of the caller, without a copy: evaluate FILE, where @main takes tensor<2x3xf32> and
 * tensor<3x2xf32>, and returns tensor<2x2xf32>. */
#include <stdio.h>

#include "shlo/shlo.h"

static shlo_error* borrow(float* data, const int64_t* shape, shlo_tensor** out) {
  shlo_tensor_desc desc = SHLO_TENSOR_DESC_INIT;
  desc.element = "f32";
  desc.rank = 2;
  desc.shape = shape;
  desc.data = data;
  desc.borrow = 1;
  return shlo_tensor_create(&desc, out);
}

int main(int argc, char** argv) {
  float x[6] = {1, 2, 3, 4, 5, 6};
  float w[6] = {0.5f, 0, 0, 0.25f, 1, 1};
  float y[4] = {0, 0, 0, 0};
  const int64_t wide[2] = {2, 3}, tall[2] = {3, 2}, square[2] = {2, 2};
  shlo_program* program = NULL;
  shlo_tensor* args[2] = {NULL, NULL};
  shlo_tensor_desc result = SHLO_TENSOR_DESC_INIT;
  shlo_error* error = NULL;
  if (argc != 2) {
    fprintf(stderr, "usage: evaluate FILE\n");
    return 2;
  }
  result.element = "f32";
  result.rank = 2;
  result.shape = square;
  result.data = y;
  error = shlo_program_read_file(argv[1], NULL, &program);
  if (!error) error = borrow(x, wide, &args[0]);
  if (!error) error = borrow(w, tall, &args[1]);
  if (!error)
    error = shlo_evaluate_into(program, (const shlo_tensor* const*)args, 2, NULL, &result, 1);
  if (!error) printf("[[%g, %g], [%g, %g]]\n", y[0], y[1], y[2], y[3]);
  shlo_tensor_release(args[0]);
  shlo_tensor_release(args[1]);
  shlo_program_release(program);
  if (error) {
    const int code = shlo_error_exit_code(error);
    fprintf(stderr, "%s", shlo_error_text(error));
    shlo_error_free(error);
    return code;
  }
  return 0;
}
