// Callbacks of C++ that throw: no exception leaves a function of the C API. Each call returns an error, and
// what it had taken is given back.
#include <cstdio>
#include <cstring>
#include <new>
#include <stdexcept>

#include "shlo/shlo.h"

namespace {

constexpr char kProgram[] =
    "func.func @main(%arg0: tensor<f32>) -> tensor<f32> {\n"
    "  %0 = stablehlo.custom_call @mine(%arg0) : (tensor<f32>) -> tensor<f32>\n"
    "  return %0 : tensor<f32>\n"
    "}\n";

int failures = 0;

void Check(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what);
  ++failures;
}

// Exceptions of callbacks: a number, which does not come from the library, or others.
enum class Thrown : int { kNumber, kException, kNoMemory };

void Throw(void* context) {
  switch (*static_cast<const Thrown*>(context)) {
    case Thrown::kNumber:
      throw 7;
    case Thrown::kException:
      throw std::runtime_error("the callback gives up");
    case Thrown::kNoMemory:
      throw std::bad_alloc();
  }
}

int Sink(void* context, const void*, size_t) {
  Throw(context);
  return 0;
}

shlo_error* CustomCall(void* context, const shlo_custom_call_info*, const shlo_tensor* const*, size_t,
                       shlo_tensor**, size_t) {
  Throw(context);
  return nullptr;
}

void CheckError(shlo_error* error, shlo_code code, const char* text, const char* what) {
  Check(error && shlo_error_code(error) == code && std::strcmp(shlo_error_text(error), text) == 0, what);
  if (failures) std::fprintf(stderr, "got %s", shlo_error_text(error));
  shlo_error_free(error);
}

}  // namespace

int main() {
  shlo_program* program = nullptr;
  Check(!shlo_program_read(kProgram, sizeof kProgram - 1, nullptr, &program), "read");
  shlo_tensor* argument = nullptr;
  Check(!shlo_tensor_parse("dense<1.0> : tensor<f32>", &argument), "parse");
  const shlo_tensor* const arguments[] = {argument};
  struct {
    Thrown thrown;
    shlo_code code;
    const char* text;
  } rows[] = {
      {Thrown::kNumber, SHLO_CODE_UNSUPPORTED, "error: unexpected failure [unsupported]\n"},
      {Thrown::kException, SHLO_CODE_UNSUPPORTED, "error: the callback gives up [unsupported]\n"},
      {Thrown::kNoMemory, SHLO_CODE_IO, "error: out of memory [io]\n"},
  };
  for (auto& row : rows) {
    for (const shlo_format format : {SHLO_FORMAT_TEXT, SHLO_FORMAT_SHLO, SHLO_FORMAT_MLIRBC}) {
      shlo_write_options write = SHLO_WRITE_OPTIONS_INIT;
      write.format = format;
      CheckError(shlo_program_write_to(program, &write, Sink, &row.thrown), row.code, row.text, "write");
    }
    const shlo_custom_call custom{"mine", CustomCall, &row.thrown};
    shlo_eval_options eval = SHLO_EVAL_OPTIONS_INIT;
    eval.custom_calls = &custom;
    eval.custom_call_count = 1;
    shlo_tensors* results = nullptr;
    CheckError(shlo_evaluate(program, arguments, 1, &eval, &results), row.code, row.text, "evaluate");
    Check(!results, "results of an evaluation that failed");
  }
  // The program is as it was.
  shlo_buffer* text = nullptr;
  Check(!shlo_program_write(program, nullptr, &text), "write again");
  Check(text && std::strstr(shlo_buffer_data(text), "stablehlo.custom_call @mine"), "the text afterwards");
  shlo_buffer_free(text);
  shlo_tensor_release(argument);
  shlo_program_release(program);
  return failures ? 1 : 0;
}
