// Fuzzes the reader of MLIR bytecode. Each program that is read and verifies must be writable, and must read
// back the same.
#include "shlo/compare.h"
#include "shlo/mlirbc_reader.h"
#include "shlo/mlirbc_writer.h"
#include "shlo/verify.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace shlo;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const MlirBytecodeReadOptions options{.limits = {.max_memory = 1 << 20}};
  (void)InspectMlirBytecode(bytes, options);
  auto module = ReadMlirBytecode(bytes, nullptr, options);
  if (!module || HasErrors(Verify(*module))) return 0;
  if (auto written = WriteMlirBytecode(*module)) {
    auto again = ReadMlirBytecode(*written, nullptr, options);
    if (!again) __builtin_trap();
    // Once everything is stated, writing is a fixed point.
    auto twice = WriteMlirBytecode(*again);
    if (!twice || *twice != *written) __builtin_trap();
  }
  return 0;
}
