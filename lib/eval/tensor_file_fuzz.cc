// libFuzzer target: the input as a file of tensors. Every tensor is read, and what was read is written and
// read again with the same bits.
#include <cstdint>
#include <memory>
#include <string>

#include "fuzz/require.h"
#include "shlo/tensor_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace shlo;
  const auto owner = std::make_shared<const std::string>(reinterpret_cast<const char*>(data), size);
  const auto file = TensorFile::Open(*owner, owner, "input", {.limits = {.max_memory = 64 << 20}});
  if (!file) return 0;
  NamedTensors tensors;
  for (size_t i = 0; i < file->size(); ++i)
    if (auto tensor = file->Read(i)) tensors.emplace_back(file->name(i), std::move(*tensor));
  auto written = WriteNpz(tensors);
  if (!written) return 0;  // names of safetensors may have zero bytes
  const auto archive = std::make_shared<const std::string>(std::move(*written));
  const auto again = TensorFile::Open(*archive, archive, "written");
  fuzz::Require(again && again->size() == tensors.size(), "a written archive cannot be read");
  for (size_t i = 0; i < tensors.size(); ++i) {
    const auto tensor = again->Read(i, tensors[i].second.type_ptr());
    fuzz::Require(tensor && BitEqual(*tensor, tensors[i].second), "an array changes when it is written");
  }
  return 0;
}
