// Module -> MLIR bytecode: the portable artifact that the reference serializer writes for the same program
// and target, byte for byte. The format is docs/mlir-bytecode.md. Mirrored by mlirbc_reader.h.
#pragma once

#include <string>
#include <string_view>

#include "shlo/diagnostics.h"
#include "shlo/limits.h"
#include "shlo/module.h"
#include "shlo/sink.h"
#include "shlo/source.h"
#include "shlo/trace.h"

namespace shlo {

// Options of WriteMlirBytecode and WriteMlirBytecodeTo.
struct MlirBytecodeWriteOptions {
  const Source* source = nullptr;  // of the module, for places
  // Writes VHLO; otherwise StableHLO without conversion, which no release promises to read.
  bool vhlo = true;
  bool locations = true;       // write locations; otherwise all are unknown
  bool other_dialects = true;  // allow attributes and types without a VHLO equivalent in VHLO ops
  int format = -1;             // -1: as in the release of the module's version; the newest without VHLO
  // The release of the reference serializer to mirror; invalid: the module's version. Ops of other dialects
  // have the properties of this release, whatever the target, so only a consumer of the same or a newer
  // release can read them.
  Version writer;
  // The version of the program before it was converted; invalid: `writer`. Conversions of the reference
  // recreate ops, which shows in use-list orders: those whose revision ended before this version.
  Version origin;
  // The program was text, and is not legalized to VHLO: use-lists are in the order in which the reference's
  // parser creates them.
  bool from_text = false;
  std::string producer;  // "": "StableHLO_v" and the release of the module's version
  Limits limits;         // deadline
  Trace trace;           // receives each attribute and type
};

// Returns the whole artifact in memory. The module must be at the version that the artifact is for: see
// Convert in convert.h. Fails if the format cannot represent the module.
Result<std::string> WriteMlirBytecode(const Module& module, const MlirBytecodeWriteOptions& options = {});

// Streams the artifact: `sink` is called with consecutive pieces; large constants are passed as views, never
// copied. `sink` returns false to stop (the error is then kIo).
Result<uint64_t> WriteMlirBytecodeTo(const Module& module, const MlirBytecodeWriteOptions& options,
                                     const Sink& sink);

}  // namespace shlo
