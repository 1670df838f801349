// Fuzzes the conversion of artifacts: reads one, converts it to a different release, writes it, and reads it
// again. Not in lib/, because it combines several layers.
#include "shlo/compare.h"
#include "shlo/convert.h"
#include "shlo/mlirbc_reader.h"
#include "shlo/mlirbc_writer.h"
#include "shlo/verify.h"

namespace {

using namespace shlo;

// The target is derived from the bytes, so that every artifact is a valid seed.
Version TargetOf(const uint8_t* data, size_t size) {
  uint64_t sum = size;
  for (size_t i = 0; i < size; ++i) sum = sum * 31 + data[i];
  const uint64_t releases = uint64_t(kCurrentVersion.n - kFirstRelease.n) + 1;
  return Version{uint16_t(kFirstRelease.n + sum % releases)};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const MlirBytecodeReadOptions options{.limits = {.max_memory = 1 << 20}};
  auto module = ReadMlirBytecode(bytes, nullptr, options);
  if (!module || HasErrors(Verify(*module))) return 0;
  const Version from = module->version, target = TargetOf(data, size);
  ConvertOptions convert;
  convert.allow_other_dialects = true;
  auto there = Convert(*module, target, convert);
  if (!there) {
    // Failures list blockers and the lowest possible target.
    if (!HasErrors(there.error())) __builtin_trap();
    return 0;
  }
  auto written = WriteMlirBytecode(there->module);
  if (!written) return 0;  // the format cannot represent it
  auto again = ReadMlirBytecode(*written, nullptr, options);
  if (!again || again->version != target) __builtin_trap();
  auto twice = WriteMlirBytecode(*again);
  if (!twice || *twice != *written) __builtin_trap();
  // Reading the artifact returns the converted program, which converts back.
  if (auto back = Convert(*again, from, convert)) {
    auto once_more = Convert(back->module, target, convert);
    if (!once_more) __builtin_trap();
    if (!FirstDifference(*again, once_more->module, {.defaults = false}).empty()) __builtin_trap();
  }
  return 0;
}
