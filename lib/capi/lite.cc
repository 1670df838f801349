// The functions of the C API that evaluate, for the library without an evaluator: each fails, or answers that
// there is nothing.
#include <dlpack/dlpack.h>

#include "capi/internal.h"

namespace shlo::capi {

Folding FoldingFor(uint64_t) {
  return [](Program*, const Limits&) -> Result<void> {
    return Error(Code::kUnsupported, "this build of the library has no evaluator", {}, "link libshlo");
  };
}

void AddEvaluation(CheckRun*) {}

}  // namespace shlo::capi

namespace {

shlo_error* NoEvaluator() {
  return shlo::capi::Try([] {
    shlo::capi::Fail(shlo::Code::kUnsupported, "this build of the library has no evaluator", "link libshlo");
  });
}

// Clears what a caller passes for a result.
template <typename T>
shlo_error* Without(T* out) {
  if (out) *out = T();
  return NoEvaluator();
}

}  // namespace

extern "C" {

int shlo_has_evaluator() { return 0; }

shlo_error* shlo_diff(const shlo_program*, const shlo_program*, const shlo_diff_options*, int* equal,
                      shlo_buffer** json) {
  if (equal) *equal = {};
  return Without(json);
}

shlo_error* shlo_diff_text(const shlo_program*, const shlo_program*, const shlo_diff_options*,
                           shlo_buffer** out) {
  return Without(out);
}

const char* shlo_verdict_name(shlo_verdict, shlo_evidence) { return ""; }

const char* shlo_evidence_name(shlo_evidence) { return ""; }

shlo_error* shlo_prove(const shlo_program*, const shlo_program*, const shlo_prove_options*,
                       shlo_proof** out) {
  return Without(out);
}

shlo_verdict shlo_proof_verdict(const shlo_proof*) { return SHLO_VERDICT_NOT_COVERED; }

shlo_evidence shlo_proof_evidence(const shlo_proof*) { return SHLO_EVIDENCE_NONE; }

size_t shlo_proof_function_count(const shlo_proof*) { return 0; }

int shlo_proof_function(const shlo_proof*, size_t, shlo_function_proof*) { return 0; }

shlo_error* shlo_proof_text(const shlo_proof*, shlo_buffer** out) { return Without(out); }

shlo_error* shlo_proof_json(const shlo_proof*, shlo_buffer** out) { return Without(out); }

shlo_error* shlo_proof_certificate(const shlo_proof*, int, shlo_buffer** out) { return Without(out); }

shlo_error* shlo_proof_counterexample(const shlo_proof*, shlo_program** out) { return Without(out); }

void shlo_proof_free(shlo_proof*) {}

shlo_error* shlo_certificate_check(const char*, size_t, const shlo_program*, const shlo_program*,
                                   const shlo_prove_options*, shlo_evidence* evidence) {
  return Without(evidence);
}

shlo_error* shlo_ops_json(const char*, shlo_buffer** out) { return Without(out); }

shlo_error* shlo_tensor_create(const shlo_tensor_desc* desc, shlo_tensor** out) {
  // The caller gave the memory away.
  const shlo_tensor_desc known = shlo::capi::KnownPart(desc);
  if (known.borrow && known.release) known.release(known.release_context);
  return Without(out);
}

shlo_error* shlo_tensor_parse(const char*, shlo_tensor** out) { return Without(out); }

shlo_error* shlo_tensor_random(const char*, uint64_t, shlo_tensor** out) { return Without(out); }

shlo_error* shlo_tensor_of_attr(const shlo_program*, shlo_attr, shlo_tensor** out) { return Without(out); }

shlo_tensor* shlo_tensor_retain(shlo_tensor*) { return nullptr; }

void shlo_tensor_release(shlo_tensor*) {}

int shlo_tensor_get(const shlo_tensor*, shlo_tensor_info*) { return 0; }

shlo_error* shlo_tensor_data(const shlo_tensor*, const void** data, size_t* size) {
  if (size) *size = 0;
  return Without(data);
}

shlo_error* shlo_tensor_copy_to(const shlo_tensor*, const shlo_tensor_desc*) { return NoEvaluator(); }

const shlo_tensor* shlo_tensor_member(const shlo_tensor*, uint32_t) { return nullptr; }

shlo_error* shlo_tensor_tuple(const shlo_tensor* const*, size_t, shlo_tensor** out) { return Without(out); }

shlo_error* shlo_tensor_text(const shlo_tensor*, uint64_t, shlo_buffer** out) { return Without(out); }

int shlo_tensor_equal(const shlo_tensor*, const shlo_tensor*) { return 0; }

shlo_error* shlo_tensor_from_dlpack(struct DLManagedTensor* managed, shlo_tensor** out) {
  // As above.
  if (managed && managed->deleter) managed->deleter(managed);
  return Without(out);
}

shlo_error* shlo_tensor_to_dlpack(const shlo_tensor*, struct DLManagedTensor** out) { return Without(out); }

shlo_error* shlo_tensors_create(shlo_tensors** out) { return Without(out); }

shlo_error* shlo_tensors_add(shlo_tensors*, const char*, shlo_tensor*) { return NoEvaluator(); }

size_t shlo_tensors_count(const shlo_tensors*) { return 0; }

shlo_tensor* shlo_tensors_at(const shlo_tensors*, size_t) { return nullptr; }

shlo_str shlo_tensors_name(const shlo_tensors*, size_t) { return {nullptr, 0}; }

void shlo_tensors_free(shlo_tensors*) {}

shlo_error* shlo_tensors_read(const void*, size_t, const shlo_program*, const char*, const shlo_limits*,
                              shlo_tensors** out) {
  return Without(out);
}

shlo_error* shlo_tensors_read_file(const char*, const shlo_program*, const char*, const shlo_limits*,
                                   shlo_tensors** out) {
  return Without(out);
}

shlo_error* shlo_tensors_write(const shlo_tensors*, shlo_tensor_format, shlo_buffer** out) {
  return Without(out);
}

shlo_error* shlo_tensors_write_file(const shlo_tensors*, const char*, shlo_tensor_format) {
  return NoEvaluator();
}

shlo_error* shlo_evaluate(const shlo_program*, const shlo_tensor* const*, size_t, const shlo_eval_options*,
                          shlo_tensors** out) {
  return Without(out);
}

shlo_error* shlo_evaluate_into(const shlo_program*, const shlo_tensor* const*, size_t,
                               const shlo_eval_options*, const shlo_tensor_desc*, size_t) {
  return NoEvaluator();
}

shlo_error* shlo_grid_create(const void*, size_t, shlo_grid** out) { return Without(out); }

shlo_error* shlo_grid_answer(shlo_grid*, const void*, size_t, shlo_buffer** answer) {
  return Without(answer);
}

void shlo_grid_abandon(shlo_grid*) {}

void shlo_grid_free(shlo_grid*) {}

shlo_error* shlo_run_process(const shlo_program*, const void*, size_t, shlo_exchange, void*,
                             const shlo_eval_options*, shlo_buffer** outcome) {
  return Without(outcome);
}

}  // extern "C"
