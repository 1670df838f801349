// Files of named tensors: .npz (a ZIP archive of .npy files, as np.savez and np.savez_compressed write) and
// .safetensors; a single .npy is read as a file of one tensor without a name. The content decides.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shlo/limits.h"
#include "shlo/sink.h"
#include "shlo/tensor.h"

namespace shlo {

// Tensors with their names, in the order of the file.
using NamedTensors = std::vector<std::pair<std::string, Tensor>>;

// Limits of a file from an untrusted source.
struct TensorFileOptions {
  Limits limits;  // memory of decompressed arrays, deadline
};

// An open file. Its tensors are views of the file's bytes where these are stored uncompressed, row-major and
// little-endian.
class TensorFile {
 public:
  // Opens the bytes of a file, which `owner` keeps alive. Fails unless every byte has one meaning: checksums
  // of .npz files hold, names differ, and arrays neither overlap nor leave gaps. `name` is the file's name in
  // diagnostics.
  static Result<TensorFile> Open(std::string_view bytes, Buffer owner, std::string name,
                                 const TensorFileOptions& options = {});

  // Returns the number of arrays.
  size_t size() const { return arrays_.size(); }
  // Returns the name of the file, for messages.
  const std::string& file() const { return file_; }
  // Returns the name of an array, such as "arg0"; empty in a .npy file.
  const std::string& name(size_t i) const { return arrays_[i].name; }
  // Reads a tensor. `type` has the meaning that it has for ReadNpy. Errors name the file and the array.
  Result<Tensor> Read(size_t i, const ValueTypePtr& type = nullptr) const;
  // Returns the shape that the file states.
  Result<std::vector<int64_t>> Shape(size_t i) const;

 private:
  struct Array {
    std::string name;
    std::string_view bytes;  // a .npy file, or elements
    ValueTypePtr type;       // of elements (safetensors); nullptr for a .npy file
    Buffer owner;
  };
  // Adds file and array to diagnostics.
  tl::unexpected<Diagnostics> At(size_t i, Diagnostics why) const;

  std::string file_;
  std::vector<Array> arrays_;
};

// Writes a .npz file without compression, as np.savez writes it, in pieces. If the sink stops, fails with
// kIo. Names must differ, and be UTF-8 without zero bytes, or the result is kUnsupported.
Result<void> WriteNpzTo(const NamedTensors& tensors, const Sink& sink);
// Writes a .safetensors file. Fails with kUnsupported for types that the format does not have, before the
// sink receives anything.
Result<void> WriteSafetensorsTo(const NamedTensors& tensors, const Sink& sink);
// Return the bytes of the same files.
Result<std::string> WriteNpz(const NamedTensors& tensors);
Result<std::string> WriteSafetensors(const NamedTensors& tensors);

}  // namespace shlo
