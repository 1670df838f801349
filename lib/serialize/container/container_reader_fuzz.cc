// Fuzzes the readers of containers. A container that is read must be describable and writable with other
// programs, and must then hold these.
#include "shlo/container.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace shlo;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (!IsContainer(DetectFormat(bytes))) {
    // Other formats have their own targets; this checks that they are told apart.
    if (DetectFormat(bytes) == Format::kText && size < 64) (void)ReadProgram(bytes, nullptr);
    return 0;
  }
  const auto list = ListContainedPrograms(bytes);
  if (!list) return 0;
  if (!InspectContainer(bytes)) __builtin_trap();
  Diagnostics errors;
  (void)ReadPrograms(bytes, nullptr, {}, &errors);
  std::vector<std::string> programs;
  for (const ContainedProgram& program : *list) programs.emplace_back(program.bytes.size() / 2 + 40, 'p');
  for (const char* release : {"", "0.4.30", "0.8.1", "0.9.0", "12"}) {
    ContainerWriteOptions options;
    options.container_version = release;
    const auto written = WriteContainer(bytes, programs, options);
    if (!written) {
      // A file whose parts overlap may be refused.
      if (!*release && written.error()[0].code != Code::kMalformed) __builtin_trap();
      continue;
    }
    const auto again = ListContainedPrograms(*written);
    if (!again || again->size() != programs.size()) __builtin_trap();
    for (size_t i = 0; i < programs.size(); ++i)
      if ((*again)[i].bytes != programs[i]) __builtin_trap();
  }
  return 0;
}
