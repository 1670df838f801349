/* Exercises every function of the C API. Built as C99 against shlo.h alone. */
#include "check.h"

int failures = 0;

const char* const kProgram =
    "#loc1 = loc(\"model.py\":7:3)\n"
    "module @m attributes {acme.note = [1 : i32, \"two\", unit, {three = 3.5 : f32}]} {\n"
    "  func.func private @twice(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {\n"
    "    %0 = stablehlo.add %arg0, %arg0 : tensor<2x3xf32> loc(#loc1)\n"
    "    return %0 : tensor<2x3xf32>\n"
    "  }\n"
    "  func.func @main(%arg0: tensor<2x3xf32>) -> (tensor<2xf32>, tensor<2x3xi1>) {\n"
    "    %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>\n"
    "    %1 = stablehlo.constant dense<0.0> : tensor<f32>\n"
    "    %2 = func.call @twice(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>\n"
    "    %3 = stablehlo.compare LT, %0, %2 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>\n"
    "    %4 = stablehlo.reduce(%2 init: %1) applies stablehlo.add across dimensions = [1] "
    ": (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>\n"
    "    %5 = stablehlo.tanh %4 {result_accuracy = #stablehlo.result_accuracy<mode = "
    "#stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<2xf32>\n"
    "    return %5, %3 : tensor<2xf32>, tensor<2x3xi1>\n"
    "  }\n"
    "}\n";

const char* const kAdd =
    "func.func @main(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {\n"
    "  %0 = stablehlo.add %arg0, %arg0 : tensor<2x3xf32>\n"
    "  return %0 : tensor<2x3xf32>\n"
    "}\n";

int is_ok(shlo_error* error) {
  if (!error) return 1;
  fprintf(stderr, "%s", shlo_error_text(error));
  shlo_error_free(error);
  return 0;
}

int fails(shlo_error* error, shlo_code code, const char* part) {
  shlo_diagnostic diagnostic = SHLO_DIAGNOSTIC_INIT;
  int right;
  if (!error) return 0;
  right = shlo_diagnostics_get(shlo_error_diagnostics(error), 0, &diagnostic) &&
          shlo_error_code(error) == code && strstr(diagnostic.message.data, part) != NULL;
  if (!right)
    fprintf(stderr, "expected [%s] with '%s', got %s", shlo_code_name(code), part, shlo_error_text(error));
  shlo_error_free(error);
  return right;
}

int fails_with(shlo_error* error, shlo_code code, const char* message, const char* hint) {
  shlo_diagnostic diagnostic = SHLO_DIAGNOSTIC_INIT;
  int right;
  if (!error) return 0;
  right = shlo_diagnostics_get(shlo_error_diagnostics(error), 0, &diagnostic) &&
          shlo_error_code(error) == code && equals(diagnostic.message, message) &&
          equals(diagnostic.hint, hint);
  if (!right) fprintf(stderr, "got %s", shlo_error_text(error));
  shlo_error_free(error);
  return right;
}

int equals(shlo_str text, const char* expected) {
  const int same =
      text.size == strlen(expected) && (text.size == 0 || memcmp(text.data, expected, text.size) == 0);
  if (!same) fprintf(stderr, "expected '%s', got '%.*s'\n", expected, (int)text.size, text.data);
  return same;
}

int has(shlo_buffer* buffer, const char* part) {
  const int found = buffer && strstr(shlo_buffer_data(buffer), part) != NULL &&
                    strlen(shlo_buffer_data(buffer)) <= shlo_buffer_size(buffer);
  if (!found) fprintf(stderr, "'%s' is not in:\n%s\n", part, buffer ? shlo_buffer_data(buffer) : "(null)");
  shlo_buffer_free(buffer);
  return found;
}

shlo_program* read_text(const char* text) {
  shlo_program* program = NULL;
  OK(shlo_program_read(text, strlen(text), NULL, &program));
  return program;
}

int main(void) {
  test_errors();
  test_versions();
  test_programs();
  test_conversion();
  test_documents();
  test_walk();
  test_builder();
  test_check();
  if (shlo_has_evaluator()) {
    test_tensors();
    test_evaluation();
    test_proof();
  } else {
    test_lite();
  }
  if (failures) fprintf(stderr, "%d failures\n", failures);
  return failures != 0;
}
