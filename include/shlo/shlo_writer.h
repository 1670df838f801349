// Module -> `.shlo` bytes. The format is docs/shlo-format.md. Mirrored by shlo_reader.h. The same module
// gives the same bytes on any machine.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "shlo/diagnostics.h"
#include "shlo/limits.h"
#include "shlo/module.h"
#include "shlo/outside.h"
#include "shlo/sink.h"
#include "shlo/source.h"
#include "shlo/trace.h"

namespace shlo {

// Options of WriteShlo and WriteShloTo.
struct ShloWriteOptions {
  const Source* source = nullptr;   // of the module, for places; its spelling is kept in the file
  bool locations = true;            // write the debug section
  bool compress_constants = false;  // zstd large constants too; weights hardly compress
  int zstd_level = 6;               // 0: nothing is compressed
  std::string producer;             // "" for this library's name
  // Returns a certificate for the file to carry (shlo/certificate.h); called with ShloInfo::content_hash.
  std::function<std::string(const std::string& content_hash)> certificate;
  const OutsideTable* outside = nullptr;  // constants to leave out, if they are external; null: none
  Limits limits;                          // deadline, threads
  Trace trace;                            // receives each attribute and type
};

// Returns the whole artifact in memory.
Result<std::string> WriteShlo(const Module& module, const ShloWriteOptions& options = {});

// Streams the artifact: `sink` is called with consecutive pieces; constants are passed as views, never
// copied. `sink` returns false to stop (the error is then kIo).
Result<uint64_t> WriteShloTo(const Module& module, const ShloWriteOptions& options, const Sink& sink);

}  // namespace shlo
