// Fuzzes the reader of MLIR bytecode. Each program that is read and verifies must be writable, and must read
// back the same.
#include "fuzz/require.h"
#include "fuzz/signatures.h"
#include "shlo/mlirbc_reader.h"
#include "shlo/mlirbc_writer.h"
#include "shlo/verify.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace shlo;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const MlirBytecodeReadOptions options{.limits = {.max_memory = 1 << 20}};
  (void)InspectMlirBytecode(bytes, options);
  auto module = ReadMlirBytecode(bytes, nullptr, options);
  if (!module) fuzz::Require(HasErrors(module.error()), "a program is refused without an error");
  if (module) fuzz::RequireSignatures(*module);
  if (!module || HasErrors(Verify(*module, {.strictness = Strictness::kLenient}))) return 0;
  if (auto written = WriteMlirBytecode(*module)) {
    auto again = ReadMlirBytecode(*written, nullptr, options);
    fuzz::Require(again, "an artifact that was written cannot be read");
    // Once everything is stated, writing is a fixed point.
    auto twice = WriteMlirBytecode(*again);
    fuzz::Require(twice && *twice == *written, "an artifact changes when it is read and written");
  }
  return 0;
}
