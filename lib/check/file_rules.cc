// Rules about files: sizes, bytes, producers, and the paths in debug information.
#include <algorithm>

#include "base/deadline.h"
#include "base/format.h"
#include "base/try.h"
#include "check/collector.h"

namespace shlo {
namespace {

// Whether the path of a location tells where somebody works: absolute, below a home or a temporary folder.
bool IsPrivate(std::string_view path) {
  static constexpr std::string_view kFolders[] = {"/home/",    "/root/",        "/Users/", "/tmp/",
                                                  "/private/", "/var/folders/", "/mnt/",   "/data/",
                                                  "/build/",   "/workspace/"};
  if (path.starts_with("file://")) path.remove_prefix(7);
  if (std::ranges::any_of(kFolders, [&](std::string_view f) { return path.starts_with(f); })) return true;
  const bool drive = path.size() > 2 && path[1] == ':' && (path[2] == '\\' || path[2] == '/');
  return drive || path.starts_with("\\\\");
}

// Returns the bytes that the tool writes for a file; none for a container, whose parts belong to others.
Result<std::string> Canonical(const ProgramFile& file, const Limits& limits, bool locations) {
  WriteOptions options;
  options.format = file.format;
  options.text.locations = options.shlo.locations = options.bytecode.locations = locations;
  options.limits = limits;
  options.shlo.producer = options.bytecode.producer = file.programs[0].source.producer;
  std::string out;
  for (const Program& program : file.programs) {
    auto bytes = SHLO_TRY(WriteProgram(program, options));
    if (!out.empty()) out += "\n// -----\n\n";
    out += bytes;
  }
  return out;
}

void CheckCanonical(Collector& out) {
  const Format format = out.file.format;
  if (out.file.programs.empty() || format == Format::kJaxExport || format == Format::kSavedModel) return;
  for (const bool locations : {true, false}) {
    const auto bytes = Canonical(out.file, out.limits, locations);
    if (!bytes) return out.Fail(bytes.error());
    if (*bytes == out.file.file.bytes) return;
  }
  out.AddMessage(CheckRule::kNotCanonical, nullptr, "bytes differ from shlo-compat's for the program",
                 StrFormat("rewrite it: shlo-compat --emit={} -o FILE FILE", FormatName(format)));
}

}  // namespace

void CheckFileItself(Collector& out, bool verifies) {
  const CheckSettings& s = out.settings;
  if (s.max_size && out.file.file.bytes.size() > *s.max_size)
    out.AddMessage(CheckRule::kFileSize, nullptr,
                   StrFormat("the file has {}, but the budget is {}",
                             Count(out.file.file.bytes.size(), "byte"), *s.max_size));
  if (verifies && out.Wants(CheckRule::kNotCanonical)) CheckCanonical(out);
  if (!s.producers || out.file.format == Format::kText) return;
  for (const Program& program : out.file.programs) {
    const std::string& producer = program.source.producer;
    if (producer.empty())
      out.AddMessage(CheckRule::kProducer, &program, "the file states no producer");
    else if (std::ranges::none_of(*s.producers,
                                  [&](const std::string& p) { return MatchesPattern(producer, p); }))
      out.AddMessage(CheckRule::kProducer, &program, StrFormat("producer '{}' is not allowed", producer),
                     "export with an allowed tool, or add this one to 'producers' in the policy");
  }
}

void CheckPaths(Collector& out, const Program& program) {
  if (!out.Wants(CheckRule::kPathLeak)) return;
  const Module& m = program.module;
  std::string_view first;
  uint64_t count = 0;
  for (uint32_t i = 1; i < m.attrs.size(); ++i) {
    Tick();
    StringId name;
    if (const auto place = m.As<FileLineColLoc>(AttrId(i))) name = place->file;
    if (const auto range = m.As<FileRangeLoc>(AttrId(i))) name = range->file;
    if (!name || !IsPrivate(m.strings[name])) continue;
    if (count++ == 0) first = m.strings[name];
  }
  if (count)
    out.AddMessage(CheckRule::kPathLeak, &program,
                   StrFormat("{} {} such as '{}'", Count(count, "location"),
                             count == 1 ? "names a file" : "name files", first),
                   "strip them: shlo-compat --strip-debuginfo");
}

}  // namespace shlo
