// Finds constants that lie outside of the programs that use them (docs/outside.md): in the file that the
// program names, next to it, and in those of --weights, which may be archives.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "parts.h"
#include "shlo/archive.h"
#include "shlo/tensor_file.h"

namespace shlo::tool {

class OutsideFinder {
 public:
  explicit OutsideFinder(std::vector<std::string> weights) : weights_(std::move(weights)) {}

  // Finds a constant of a program in this folder. From any thread.
  Result<InputFile> Find(const OutsideConstant& constant, const std::string& folder);

 private:
  // An open file of tensors, and the SHA-256 of those that were looked at.
  struct Weights {
    TensorFile file;
    std::map<size_t, Sha256> known;
  };
  Result<Weights*> Open(const std::string& path);
  Result<InputFile> ByName(const OutsideConstant& constant, const std::string& path);
  Result<InputFile> ByContent(const OutsideConstant& constant, const std::string& path);

  const std::vector<std::string> weights_;
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<Weights>> files_;
  std::map<std::string, archive::Archive> archives_;
};

// Returns the bytes of a tensor.
InputFile BytesOfTensor(Tensor tensor, std::string name);

}  // namespace shlo::tool
