#include "gate/embedded.h"

#include <zstd.h>

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

std::string EmbeddedReleases() {
  // The file is a sequence of frames, of which the build does not tell the size.
  std::string out(ZSTD_DStreamOutSize(), '\0');
  ZSTD_DStream* stream = ZSTD_createDStream();
  ZSTD_inBuffer in{shlo_released_begin, size_t(shlo_released_end - shlo_released_begin), 0};
  size_t size = 0;
  while (stream) {
    ZSTD_outBuffer to{out.data(), out.size(), size};
    const size_t left = ZSTD_decompressStream(stream, &to, &in);
    if (to.pos == size && in.pos == in.size) break;
    size = to.pos;
    if (ZSTD_isError(left)) break;
    if (size == out.size()) out.resize(2 * size);
  }
  ZSTD_freeDStream(stream);
  out.resize(size);
  return out;
}
std::string_view EmbeddedArtifactSchema() {
  return {shlo_artifact_begin, size_t(shlo_artifact_end - shlo_artifact_begin)};
}

}  // namespace shlo::gate
