#include "gate/embedded.h"

// The assembler copies a file; as a literal it would take long to compile.
#define SHLO_EMBED(name, path)                                            \
  asm(".section .rodata\n"                                                \
      ".balign 16\n" #name "_begin:\n.incbin \"" path "\"\n" #name        \
      "_end:\n.byte 0\n.balign 16\n.previous\n");                         \
  extern "C" {                                                            \
  extern const char name##_begin[] __attribute__((visibility("hidden"))); \
  extern const char name##_end[] __attribute__((visibility("hidden")));   \
  }

SHLO_EMBED(shlo_released, SHLO_RELEASED_FILE)
SHLO_EMBED(shlo_artifact, SHLO_ARTIFACT_FILE)

namespace shlo::gate {

std::string_view EmbeddedReleases() {
  return {shlo_released_begin, size_t(shlo_released_end - shlo_released_begin)};
}
std::string_view EmbeddedArtifactSchema() {
  return {shlo_artifact_begin, size_t(shlo_artifact_end - shlo_artifact_begin)};
}

}  // namespace shlo::gate
