// Refuses each allocation of the calls of the C API in turn: each call returns an error, or succeeds without
// the memory; sanitizers see that nothing is lost. Documents are left out: nlohmann-json needs memory to free
// it.
#include <cstdio>
#include <cstring>
#include <functional>

#include "shlo/shlo.h"
#include "tests/consumer/allocations.h"

namespace {

const char kProgram[] =
    "func.func private @twice(%arg0: tensor<3xf32>) -> tensor<3xf32> {\n"
    "  %0 = stablehlo.add %arg0, %arg0 : tensor<3xf32>\n"
    "  return %0 : tensor<3xf32>\n"
    "}\n"
    "func.func @main(%arg0: tensor<3xf32>) -> tensor<3xf32> {\n"
    "  %0 = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>\n"
    "  %1 = func.call @twice(%arg0) : (tensor<3xf32>) -> tensor<3xf32>\n"
    "  %2 = chlo.erf %1 : tensor<3xf32> -> tensor<3xf32>\n"
    "  %3 = stablehlo.add %2, %0 {acme.note = \"a note that is too long for a short string\"} : "
    "tensor<3xf32>\n"
    "  return %3 : tensor<3xf32>\n"
    "}\n";

int failures = 0;

// Makes use of an error, as callers do, and frees it.
bool Done(shlo_error* error) {
  if (!error) return true;
  const shlo_diagnostics* list = shlo_error_diagnostics(error);
  shlo_diagnostic first = SHLO_DIAGNOSTIC_INIT;
  if (shlo_diagnostics_count(list) == 0 || !shlo_diagnostics_get(list, 0, &first) ||
      first.message.size == 0 || std::strlen(shlo_error_text(error)) == 0 ||
      shlo_error_exit_code(error) == 0) {
    std::puts("an error says nothing");
    ++failures;
  }
  shlo_error_free(error);
  return false;
}

// Calls `call`, which gives back what it makes.
void Survives(const char* name, const std::function<bool()>& call) {
  long failed = 0;
  const bool works = call();
  const long refused_runs = RefuseEach(call, &failed);
  if (works && (refused_runs == 0 || failed > 0)) return;
  std::printf("%s: %s\n", name, works ? "reports no allocation that fails" : "fails");
  ++failures;
}

// A call that makes a buffer, or another object with a function that frees it.
template <typename T, typename Call>
bool Makes(Call&& call, void (*free_it)(T*)) {
  T* made = nullptr;
  const bool done = Done(call(&made));
  if (done == (made == nullptr)) {
    std::puts("a call fails with a result, or succeeds without one");
    ++failures;
  }
  free_it(made);
  return done;
}

shlo_program* Read() {
  shlo_program* program = nullptr;
  Done(shlo_program_read(kProgram, sizeof kProgram - 1, nullptr, &program));
  return program;
}

int released = 0;
void CountRelease(void*) { ++released; }

void ReadAndWrite(shlo_program* program) {
  Survives("read", [] {
    return Makes<shlo_program>(
        [](shlo_program** out) { return shlo_program_read(kProgram, sizeof kProgram - 1, nullptr, out); },
        shlo_program_release);
  });
  // The bytes of the caller come back once for each call, whatever happens.
  int calls = 0;
  Survives("read borrowed bytes", [&] {
    ++calls;
    shlo_read_options options = SHLO_READ_OPTIONS_INIT;
    options.borrow = 1;
    options.release = CountRelease;
    return Makes<shlo_programs>(
        [&](shlo_programs** out) { return shlo_programs_read(kProgram, sizeof kProgram - 1, &options, out); },
        shlo_programs_free);
  });
  if (calls != released) {
    std::printf("%d calls, %d releases\n", calls, released);
    ++failures;
  }
  for (const shlo_format format : {SHLO_FORMAT_TEXT, SHLO_FORMAT_SHLO, SHLO_FORMAT_MLIRBC})
    Survives(shlo_format_name(format), [&] {
      shlo_write_options options = SHLO_WRITE_OPTIONS_INIT;
      options.format = format;
      options.allow_other_dialects = 1;
      return Makes<shlo_buffer>([&](shlo_buffer** out) { return shlo_program_write(program, &options, out); },
                                shlo_buffer_free);
    });
}

void Ask(shlo_program* program) {
  Survives("convert", [&] {
    shlo_convert_options options = SHLO_CONVERT_OPTIONS_INIT;
    options.expand = 1;
    return Makes<shlo_program>(
        [&](shlo_program** out) { return shlo_convert(program, 70, &options, out, nullptr); },
        shlo_program_release);
  });
  Survives("consumers", [] {
    return Makes<shlo_consumers>([](shlo_consumers** out) { return shlo_consumers_create(nullptr, 0, out); },
                                 shlo_consumers_free);
  });
  Survives("negotiate", [&] {
    shlo_negotiation negotiation = SHLO_NEGOTIATION_INIT;
    shlo_version version = 0;
    negotiation.program = program;
    negotiation.consumer_current = "1.18.0";
    return Done(shlo_negotiate(&negotiation, &version));
  });
  // Programs keep what they are asked for, so that each needs a new one.
  Survives("walk", [] {
    shlo_program* own = Read();
    if (!own) return false;
    const shlo_use* uses = nullptr;
    size_t count = 0;
    const bool done = Done(shlo_value_uses(own, 1, &uses, &count));
    (void)shlo_function_count(own);
    shlo_program_release(own);
    return done;
  });
  Survives("edit", [&] {
    shlo_builder* builder = nullptr;
    shlo_attr attr = 0;
    bool done = Done(shlo_builder_copy(program, &builder)) &&
                Done(shlo_builder_attr(builder, "\"another note that is too long for it\"", &attr)) &&
                Done(shlo_builder_set_attr(builder, 1, "acme.note", attr)) &&
                Done(shlo_builder_rename_symbol(builder, "twice", "a_name_that_is_too_long_for_it"));
    done = done &&
           Makes<shlo_program>([&](shlo_program** out) { return shlo_builder_finish(builder, nullptr, out); },
                               shlo_program_release);
    shlo_builder_free(builder);
    return done;
  });
}

void Evaluate(shlo_program* program) {
  shlo_tensor* arg = nullptr;
  Done(shlo_tensor_parse("dense<[1.0, 2.0, 3.0]> : tensor<3xf32>", &arg));
  const shlo_tensor* const args[] = {arg};
  Survives("tensor", [] {
    return Makes<shlo_tensor>(
        [](shlo_tensor** out) { return shlo_tensor_parse("dense<[1, 2]> : tensor<2xi32>", out); },
        shlo_tensor_release);
  });
  Survives("export a tensor", [&] {
    DLManagedTensor* managed = nullptr;
    const bool done = Done(shlo_tensor_to_dlpack(arg, &managed));
    shlo_tensor* back = nullptr;
    if (done && !Done(shlo_tensor_from_dlpack(managed, &back))) return false;
    shlo_tensor_release(back);
    return done;
  });
  Survives("evaluate", [&] {
    return Makes<shlo_tensors>(
        [&](shlo_tensors** out) { return shlo_evaluate(program, args, 1, nullptr, out); }, shlo_tensors_free);
  });
  Survives("prove", [&] {
    return Makes<shlo_proof>([&](shlo_proof** out) { return shlo_prove(program, program, nullptr, out); },
                             shlo_proof_free);
  });
  Survives("diff", [&] {
    int equal = 0;
    return Done(shlo_diff(program, program, nullptr, &equal, nullptr)) && equal;
  });
  shlo_tensor_release(arg);
}

}  // namespace

int main() {
  shlo_program* program = Read();
  if (!program) return 1;
  ReadAndWrite(program);
  Ask(program);
  Evaluate(program);
  shlo_program_release(program);
  return failures ? 1 : 0;
}
