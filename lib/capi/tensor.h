// Handles of tensors, and what evaluation and proofs share.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "capi/internal.h"
#include "shlo/tensor.h"

struct shlo_tensor {
  shlo::Tensor tensor;
  std::string type, element;
  std::vector<shlo_tensor*> members;  // of a tuple

  std::atomic<uint32_t> references{1};
  mutable std::mutex mutex;
  mutable shlo::Tensor expanded;  // of a splat, once somebody asked for its elements
  shlo_tensor() = default;
  shlo_tensor(const shlo_tensor&) = delete;
  shlo_tensor& operator=(const shlo_tensor&) = delete;
  ~shlo_tensor() {
    for (shlo_tensor* member : members) shlo_tensor_release(member);
  }
};

struct shlo_tensors {
  std::vector<shlo_tensor*> list;
  std::vector<std::string> names;
  shlo_tensors() = default;
  shlo_tensors(const shlo_tensors&) = delete;
  shlo_tensors& operator=(const shlo_tensors&) = delete;
  ~shlo_tensors() {
    for (shlo_tensor* tensor : list) shlo_tensor_release(tensor);
  }
};

namespace shlo::capi {

// Owns what is being made, until the call succeeds.
struct TensorReleaser {
  void operator()(shlo_tensor* tensor) const { shlo_tensor_release(tensor); }
};
using TensorPtr = std::unique_ptr<shlo_tensor, TensorReleaser>;
TensorPtr NewTensor(Tensor tensor);
// Adds a tensor to a list.
void Add(TensorPtr tensor, std::string name, shlo_tensors* list);

// Returns the type of a tensor in memory of the caller. Fails with kUsage.
ValueTypePtr TypeOf(const shlo_tensor_desc& desc);
std::span<const int64_t> StridesOf(const shlo_tensor_desc& desc);

}  // namespace shlo::capi
