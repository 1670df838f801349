// Fuzzes the `.shlo` reader: with checksums as they are, and with repaired checksums, so that damage passes
// them. Each program that is read must be writable, and must read back the same.
#include "fuzz/require.h"
#include "fuzz/signatures.h"
#include "serialize/shlo/test_damage.h"
#include "shlo/compare.h"
#include "shlo/shlo_reader.h"
#include "shlo/shlo_writer.h"
#include "shlo/verify.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace shlo;
  std::string bytes(reinterpret_cast<const char*>(data), size);
  for (int repaired = 0; repaired < 2; ++repaired) {
    const ShloReadOptions options{.limits = {.max_memory = 64 << 20}, .verify_checksums = false};
    (void)InspectShlo(bytes, options);
    if (auto module = ReadShlo(bytes, nullptr, options)) {
      fuzz::RequireSignatures(*module);
      (void)Verify(*module);
      // Damage may result in a program that cannot be written, such as a value used in another function.
      if (auto written = WriteShlo(*module)) {
        auto again = ReadShlo(*written, nullptr);
        fuzz::Require(again, "a file that was written cannot be read");
        const std::string why = FirstDifference(*module, *again);
        fuzz::Require(why.empty(), "a program changes when it is written", why);
      }
    }
    RepairChecksums(&bytes);
  }
  return 0;
}
