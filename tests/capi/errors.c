/* Errors, diagnostics, buffers, and structs that know their size. */
#include "check.h"

static void test_diagnostics(void) {
  /* Two errors in one text, each with its place. */
  const char* text = "func.func @f() {\n  %0 = stablehlo.foo : tensor<f32>\n  return\n}\n";
  shlo_read_options options = SHLO_READ_OPTIONS_INIT;
  shlo_program* program = (shlo_program*)&options;
  shlo_diagnostic diagnostic = SHLO_DIAGNOSTIC_INIT;
  shlo_buffer* buffer = NULL;
  shlo_error* error;
  options.source_name = "bad.mlir";
  error = shlo_program_read(text, strlen(text), &options, &program);
  CHECK(error && !program);
  CHECK(shlo_error_code(error) == SHLO_CODE_SYNTAX || shlo_error_code(error) == SHLO_CODE_INVALID_PROGRAM);
  CHECK(shlo_error_exit_code(error) == 3);
  CHECK(strstr(shlo_error_text(error), "bad.mlir:2:") != NULL);
  CHECK(shlo_diagnostics_count(shlo_error_diagnostics(error)) >= 1);
  CHECK(shlo_diagnostics_get(shlo_error_diagnostics(error), 0, &diagnostic));
  CHECK(equals(diagnostic.file, "bad.mlir"));
  CHECK(diagnostic.line == 2 && diagnostic.column > 0 && diagnostic.offset == SHLO_NO_OFFSET);
  CHECK(equals(diagnostic.source_line, "  %0 = stablehlo.foo : tensor<f32>"));
  CHECK(diagnostic.severity == SHLO_SEVERITY_ERROR);
  CHECK(!shlo_diagnostics_get(shlo_error_diagnostics(error), 99, &diagnostic));
  OK(shlo_diagnostics_text(shlo_error_diagnostics(error), 1, &buffer));
  CHECK(has(buffer, "\033["));
  OK(shlo_diagnostics_json(shlo_error_diagnostics(error), &buffer));
  CHECK(has(buffer, "\"severity\": \"error\""));
  shlo_error_free(error);
}

static void test_sizes(void) {
  struct {
    shlo_read_options known;
    uint64_t newer;
  } grown;
  shlo_version_info info = SHLO_VERSION_INFO_INIT;
  shlo_read_options options = SHLO_READ_OPTIONS_INIT;
  shlo_program* program = NULL;
  /* A caller that knows only the first members. */
  options.struct_size = offsetof(shlo_read_options, version);
  OK(shlo_program_read(kAdd, strlen(kAdd), &options, &program));
  shlo_program_release(program);
  /* A caller that knows more, and leaves it at 0. */
  memset(&grown, 0, sizeof grown);
  grown.known.struct_size = sizeof grown;
  OK(shlo_program_read(kAdd, strlen(kAdd), &grown.known, &program));
  shlo_program_release(program);
  /* One that asks for something that is not there. */
  grown.newer = 1;
  FAILS(shlo_program_read(kAdd, strlen(kAdd), &grown.known, &program), SHLO_CODE_USAGE,
        "knows only the first");
  options.struct_size = 0;
  FAILS(shlo_program_read(kAdd, strlen(kAdd), &options, &program), SHLO_CODE_USAGE, "struct_size");
  /* A struct that comes back is filled in as far as it reaches. */
  info.struct_size = offsetof(shlo_version_info, release);
  info.year = 1234;
  CHECK(shlo_version_get(62, &info) && info.version == 62 && info.year == 1234);
  info.struct_size = 0;
  CHECK(!shlo_version_get(62, &info));
}

/* Constants that lie outside: nothing says where. */
static void test_outside(void) {
  const char* text =
      "func.func @f() -> tensor<1xf32> {\n"
      "  %0 = stablehlo.constant dense_resource<w> : tensor<1xf32>\n"
      "  return %0 : tensor<1xf32>\n}\n"
      "{-# external_resources: { shlo_outside: { w: \"sha256:"
      "df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b81119"
      " size:4 alignment:4 file:w.npz key:w\" } } #-}\n";
  shlo_program* program = NULL;
  FAILS(shlo_program_read(text, strlen(text), NULL, &program), SHLO_CODE_IO,
        "constant 'w' is not in the file");
  CHECK(!program);
}

void test_errors(void) {
  shlo_program* program = NULL;
  shlo_error* error = shlo_error_create(SHLO_CODE_EVALUATION, "it does not converge", "pass a smaller step");
  CHECK(strcmp(shlo_error_text(error), "error: it does not converge [evaluation]\n  pass a smaller step\n") ==
            0 ||
        strstr(shlo_error_text(error), "it does not converge [evaluation]") != NULL);
  CHECK(shlo_error_code(error) == SHLO_CODE_EVALUATION && shlo_error_exit_code(error) == 1);
  shlo_error_free(error);
  error = shlo_error_create(99, NULL, NULL);
  CHECK(shlo_error_code(error) == SHLO_CODE_UNSUPPORTED);
  shlo_error_free(error);
  CHECK(strcmp(shlo_code_name(SHLO_CODE_INVALID_PROGRAM), "invalid-program") == 0);
  CHECK(strcmp(shlo_code_name(99), "") == 0);
  CHECK(shlo_error_exit_code(NULL) == 0 && shlo_error_code(NULL) == -1);
  CHECK(strcmp(shlo_error_text(NULL), "") == 0 && !shlo_error_diagnostics(NULL));
  CHECK(shlo_diagnostics_count(NULL) == 0);
  /* Freeing nothing does nothing. */
  shlo_error_free(NULL);
  shlo_buffer_free(NULL);
  shlo_diagnostics_free(NULL);
  shlo_program_release(NULL);
  CHECK(!shlo_buffer_data(NULL) && shlo_buffer_size(NULL) == 0);
  FAILS(shlo_program_read(NULL, 5, NULL, &program), SHLO_CODE_USAGE, "argument 'data' is NULL");
  FAILS(shlo_program_read(kAdd, strlen(kAdd), NULL, NULL), SHLO_CODE_USAGE, "argument 'out' is NULL");
  FAILS(shlo_verify(NULL, NULL), SHLO_CODE_USAGE, "argument 'program' is NULL");
  test_diagnostics();
  test_sizes();
  test_outside();
}
