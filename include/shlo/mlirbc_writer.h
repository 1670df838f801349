// Module -> MLIR bytecode: the portable artifact that the reference serializer writes for the same program
// and target, byte for byte. The format is docs/mlir-bytecode.md. Mirrored by mlirbc_reader.h.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "shlo/diagnostics.h"
#include "shlo/module.h"
#include "shlo/source.h"
#include "shlo/trace.h"

namespace shlo {

struct MlirBytecodeWriteOptions {
  const Source* source = nullptr;  // of the module, for places
  // The portable (VHLO) spelling; else StableHLO as it is, which no release promises to read.
  bool vhlo = true;
  bool locations = true;
  bool other_dialects = true;  // let attributes and types without a portable spelling into portable ops
  int format = -1;  // -1: that of the release of the module's version; the newest when not portable
  // The release of the reference serializer whose bytes are wanted. Of one program for one target they differ
  // in the order of uses only: which ops it makes anew depends on what is current.
  Version writer = kCurrentVersion;
  // The program was text, and is not made portable: uses are in the order in which the reference's parser
  // makes them.
  bool from_text = false;
  std::string producer;  // "": "StableHLO_v" and the release of the module's version
  Trace trace;
};

// The whole artifact in memory. The module must be at the version that the artifact is for: see Convert in
// versioning/convert.h. Fails on what the format cannot hold.
Result<std::string> WriteMlirBytecode(const Module& module, const MlirBytecodeWriteOptions& options = {});

// Streams the artifact: `sink` is called with consecutive pieces; large constants are passed as views, never
// copied. `sink` returns false to stop (the error is then kIo).
Result<uint64_t> WriteMlirBytecodeTo(const Module& module, const MlirBytecodeWriteOptions& options,
                                     const std::function<bool(std::string_view)>& sink);

}  // namespace shlo
