// Writes a file in order: docs/mlir-bytecode.md.
#include "base/format.h"
#include "base/guarded.h"
#include "base/try.h"
#include "base/workers.h"
#include "ir/module/vhlo_clashes.h"
#include "serialize/mlirbc/out.h"
#include "serialize/mlirbc/writer_nodes.h"
#include "serialize/mlirbc/writer_program.h"
#include "serialize/vhlo_casts.h"
#include "shlo/mlirbc_writer.h"

namespace shlo {

using namespace mlirbc;

namespace {

Result<uint64_t> WriteTo(const Module& module, const MlirBytecodeWriteOptions& options, const Sink& sink) {
  if (!module.top || module.top.v >= module.ops.size())
    return Error(Code::kInvalidProgram, "program has no top-level module");
  const VersionRow* row = FindVersion(module.version);
  uint64_t format = kNewestFormat;
  std::string producer = options.producer;
  if (options.vhlo) {
    if (Diagnostics clashes = VhloClashes(module, options.source); !clashes.empty())
      return tl::unexpected(std::move(clashes));
    if (!row || row->release.empty() || row->bytecode_format < 0)
      return Error(Code::kBlocked,
                   StrFormat("version {} is a prototype version; portable artifacts start at {}",
                             VersionName(module.version), VersionName(kFirstRelease)));
    format = uint64_t(row->bytecode_format);
    if (producer.empty()) producer = std::string(kProducerPrefix) + std::string(row->release);
  }
  if (options.format >= 0) {
    if (uint64_t(options.format) > kNewestFormat)
      return Error(Code::kUsage, StrFormat("unknown bytecode format {}", options.format), {},
                   StrFormat("use a format from 0 to {}", kNewestFormat));
    format = uint64_t(options.format);
  }
  // Written defaults, and names as attributes, are interned in a copy.
  Module scratch = module;
  std::vector<bool> vhlo_values;
  if (options.vhlo) vhlo_values = AddVhloCasts(&scratch);
  MlirBytecodeWriteOptions mirrored = options;
  if (!mirrored.writer.valid()) mirrored.writer = module.version;
  if (!mirrored.origin.valid()) mirrored.origin = mirrored.writer;
  NodesOut nodes(&scratch, mirrored.writer);
  ProgramOut program(&scratch, &nodes, std::move(vhlo_values), mirrored, format);
  BytesOut dialects, offsets, contents, ops, resource_offsets, resources, string_bytes, properties;
  StringsOut strings;
  bool ok = program.Collect();
  if (ok) {
    nodes.Number();
    nodes.WriteDialects(format, &strings, &dialects);
    nodes.WriteNodes(&strings, &offsets, &contents, options.trace ? &options.trace : nullptr);
    ok = program.WriteOps(&ops);
  }
  if (!ok || nodes.failed())
    return Error(nodes.failure_code(), nodes.failure(),
                 program.failed_op() ? PlaceOf(scratch, program.failed_op(), options.source) : Place(),
                 nodes.failure_hint());
  nodes.WriteResources(&strings, &resource_offsets, &resources);
  strings.Write(&string_bytes);
  if (format >= kProperties) program.WriteProperties(&properties);

  BytesOut out;
  out.Bytes(kMagic);
  out.Varint(format);
  out.Bytes(producer);
  out.Byte(0);
  out.AddSection(kDialectSection, dialects);
  out.AddSection(kNodeOffsetSection, offsets);
  out.AddSection(kNodeSection, contents);
  out.AddSection(kIrSection, ops);
  out.AddSection(kResourceOffsetSection, resource_offsets);
  out.AddSection(kResourceSection, resources);
  out.AddSection(kStringSection, string_bytes);
  if (format >= kProperties) out.AddSection(kPropertySection, properties);
  if (!out.ForEachPiece(sink, NumThreads(options.limits.threads)))
    return Error(Code::kIo, "cannot write the artifact");
  return out.size();
}

}  // namespace

Result<uint64_t> WriteMlirBytecodeTo(const Module& module, const MlirBytecodeWriteOptions& options,
                                     const Sink& sink) {
  return Guarded(options.limits, [&] { return WriteTo(module, options, sink); });
}

Result<std::string> WriteMlirBytecode(const Module& module, const MlirBytecodeWriteOptions& options) {
  return Guarded(options.limits, [&]() -> Result<std::string> {
    std::string bytes;
    SHLO_TRY(WriteTo(module, options, [&](std::string_view piece) {
      bytes.append(piece);
      return true;
    }));
    return bytes;
  });
}

}  // namespace shlo
