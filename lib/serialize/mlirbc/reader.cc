// Reads a file in order, and the information that it states about itself.
#include <algorithm>

#include "base/format.h"
#include "base/guarded.h"
#include "serialize/mlirbc/reader_program.h"
#include "shlo/mlirbc_reader.h"

namespace shlo {
namespace {

using namespace mlirbc;

Diagnostics Located(Diagnostics diagnostics, const std::string& file) {
  for (Diagnostic& d : diagnostics) d.place.file = file;
  return diagnostics;
}

// Names the newer release that wrote the artifact in a failure.
void NameRelease(const ArtifactRelease& release, Failure* failure) {
  if (release.text.empty() || !release.newer) return;
  Diagnostic& d = failure->diagnostics.front();
  d.code = Code::kNewerVersion;
  d.hint = UpdateHint(release);
}

}  // namespace

bool IsMlirBytecode(std::string_view bytes) { return bytes.starts_with(kMagic); }

std::string_view PortableArtifactVersion(std::string_view bytes) {
  if (!IsMlirBytecode(bytes)) return {};
  const size_t end = bytes.find('\0');
  if (end == std::string_view::npos) return {};
  const std::string_view head = bytes.substr(0, end);
  const size_t at = head.find(kProducerPrefix);
  return at == std::string_view::npos ? std::string_view() : head.substr(at + kProducerPrefix.size());
}

Result<Module> ReadMlirBytecode(std::string_view bytes, Buffer owner, const MlirBytecodeReadOptions& options,
                                Diagnostics* warnings, Source* source) {
  Failure failure;
  const auto read = [&]() -> Result<Module> {
    Module module;
    FileIn file(bytes, &failure);
    NodesIn nodes(&module, &file, &failure, owner, options);
    ProgramIn program(&module, &file, &nodes, &failure, options);
    const bool opened = file.Open();
    const ArtifactRelease release = ReleaseOf(file.producer());
    const bool ok = opened && file.ReadStrings() && file.ReadDialects() && nodes.ReadOffsets() &&
                    nodes.ReadResources() && program.ReadNames() && program.ReadProperties() &&
                    program.ReadProgram() && program.DecideVersion(release.version);
    if (!ok || failure) {
      NameRelease(release, &failure);
      if (opened) {
        Diagnostic note;
        note.severity = Severity::kNote;
        note.code = failure.diagnostics.back().code;
        note.message = StrFormat("in bytecode version {} produced by: {}", file.format(), file.producer());
        failure.diagnostics.push_back(std::move(note));
      }
      return tl::unexpected(failure.diagnostics);
    }
    if (warnings) {
      const auto warn = [&](std::string message, std::string hint) {
        warnings->push_back(Warning(Code::kUnknownVersion, std::move(message), {.file = options.source_name},
                                    std::move(hint)));
      };
      const std::string as_version = "reading it as version " + VersionName(module.version);
      if (!program.mixed().empty())
        warn(program.mixed(), as_version);
      else if (release.text.empty() && program.has_raw_ops())
        warn("StableHLO bytecode without VHLO states no version", as_version);
      else if (release.newer)
        warn(StrFormat("release {}, which is newer than {}, wrote the artifact, but its content is not newer",
                       release.text, FindVersion(kCurrentVersion)->release),
             {});
      else if (release.text.empty() && program.has_vhlo_ops())
        warn("the artifact's producer string states no release", as_version);
    }
    if (source) {
      *source = Source();
      source->name = options.source_name;
      source->producer = std::string(file.producer());
      source->portable = program.has_vhlo_ops();
      source->mhlo =
          (program.has_mhlo_ops() || nodes.has_mhlo()) && !program.has_raw_ops() && !program.has_vhlo_ops();
    }
    return module;
  };
  return Guarded(
      options.limits,
      [&]() -> Result<Module> {
        auto module = read();
        if (!module) return tl::unexpected(Located(std::move(module.error()), options.source_name));
        return module;
      },
      options.source_name, Code::kLimit);
}

namespace {

Result<MlirBytecodeInfo> Inspect(std::string_view bytes, const MlirBytecodeReadOptions& options) {
  Failure failure;
  FileIn file(bytes, &failure);
  if (!file.Open() || !file.ReadStrings() || !file.ReadDialects())
    return tl::unexpected(Located(std::move(failure.diagnostics), options.source_name));
  MlirBytecodeInfo info;
  info.format = file.format();
  info.producer = std::string(file.producer());
  info.version = ReleaseOf(file.producer()).version;
  for (uint8_t i = 0; i < kNumSections; ++i)
    if (file.Has(Section(i)))
      info.sections.push_back({std::string(SectionName(Section(i))),
                               uint64_t(file.ContentOf(Section(i)).data() - bytes.data()),
                               file.ContentOf(Section(i)).size()});
  std::ranges::stable_sort(info.sections, {}, &MlirBytecodeSection::offset);
  for (const DialectEntry& dialect : file.dialects())
    info.dialects.push_back({std::string(dialect.name), dialect.version.size(), {}});
  for (const OpNameEntry& name : file.op_names())
    info.dialects[name.dialect].operations.emplace_back(name.name);
  for (std::string_view string : file.strings()) info.strings.emplace_back(string);
  InCursor offsets = file.In(kNodeOffsetSection);
  info.attributes = offsets.Count("attributes");
  info.types = offsets.Count("types");
  return info;
}

}  // namespace

Result<MlirBytecodeInfo> InspectMlirBytecode(std::string_view bytes, const MlirBytecodeReadOptions& options) {
  return Guarded(
      options.limits, [&] { return Inspect(bytes, options); }, options.source_name, Code::kLimit);
}

}  // namespace shlo
