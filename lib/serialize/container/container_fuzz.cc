// Fuzzes the readers of containers. A container that is read must be describable and writable with other
// programs, and must then hold these. Programs that can be read are written in place, too.
#include "fuzz/require.h"
#include "shlo/container.h"
#include "shlo/verify.h"

namespace {

using namespace shlo;
using fuzz::Require;

// Writes what was read of each program back into its place.
void WriteInPlace(std::string_view bytes, size_t count) {
  Diagnostics errors;
  const ReadOptions options{.limits = {.max_memory = 16 << 20}};
  const std::vector<Program> programs = ReadPrograms({bytes, nullptr, ""}, options, &errors).programs;
  if (programs.size() != count || count == 0) {
    Require(count == 0 || HasErrors(errors), "a program is omitted without an error");
    return;
  }
  std::vector<std::string> artifacts;
  for (const Program& program : programs) {
    // Invalid programs are read, so that they can be looked at, but need not survive writing.
    if (HasErrors(Verify(program.module, {.strictness = Strictness::kLenient}))) return;
    auto artifact = WriteProgram(program, {.format = Format::kMlirBytecode});
    if (!artifact) return;
    artifacts.push_back(std::move(*artifact));
  }
  const auto written = WriteContainer(bytes, artifacts);
  if (!written) return;
  (void)ReadPrograms({*written, nullptr, ""}, options, &errors);
  Require(!HasErrors(errors), "a program that was written into a container cannot be read",
          errors.empty() ? "" : errors[0].message);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (!IsContainer(DetectFormat(bytes))) {
    // Other formats have their own targets; this checks that they are told apart.
    if (DetectFormat(bytes) == Format::kText && size < 64) (void)ReadProgram(bytes, nullptr);
    return 0;
  }
  const auto list = ListContainedPrograms(bytes);
  if (!list) return 0;
  Require(InspectContainer(bytes), "a container with programs cannot be described");
  WriteInPlace(bytes, list->size());
  std::vector<std::string> programs;
  for (const ContainedProgram& program : *list) programs.emplace_back(program.bytes.size() / 2 + 40, 'p');
  for (const char* release : {"", "0.4.30", "0.8.1", "0.9.0", "12"}) {
    ContainerWriteOptions options;
    options.container_version = release;
    const auto written = WriteContainer(bytes, programs, options);
    if (!written) {
      // A file whose parts overlap may be refused.
      Require(*release || written.error()[0].code == Code::kMalformed, "a container cannot be written");
      continue;
    }
    const auto again = ListContainedPrograms(*written);
    Require(again && again->size() == programs.size(), "a container that was written has other programs");
    for (size_t i = 0; i < programs.size(); ++i)
      Require((*again)[i].bytes == programs[i], "a program changes in a container");
  }
  return 0;
}
