#include "tasks/program_file.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/format.h"
#include "base/printable.h"
#include "shlo/container.h"
#include "shlo/file_io.h"
#include "shlo/mhlo.h"

namespace shlo::tasks {

int ReadProgramsOf(const ReadOptions& options, ProgramFile* out, Diagnostics* reported) {
  out->format = DetectFormat(out->file.bytes);
  Diagnostics errors;
  out->programs = ReadPrograms(out->file.bytes, out->file.owner, options, &errors, reported);
  const auto add = [&](const Diagnostics& found) {
    reported->insert(reported->end(), found.begin(), found.end());
  };
  if (auto whole = CheckMappedFiles(); !whole) {
    add(whole.error());
    return ExitCodeOf(whole.error());
  }
  add(errors);
  return errors.empty() ? kDone : ReadExitCodeOf(errors);
}

Diagnostics VerifyProgram(const Program& program, std::span<const Dialect> dialects, VerifyOptions options) {
  options.source = &program.source;
  Diagnostics found = Verify(program.module, options);
  if (HasErrors(found)) return found;
  for (const Dialect& dialect : dialects) {
    Diagnostics own =
        VerifyDialect(program.module, dialect, {.source = options.source, .limits = options.limits});
    std::ranges::move(own, std::back_inserter(found));
  }
  return found;
}

int VerifyPrograms(std::span<const Dialect> dialects, const VerifyOptions& options, bool show_warnings,
                   ProgramFile* file, Diagnostics* reported) {
  int worst = kDone;
  for (const Program& program : file->programs) {
    Diagnostics found = VerifyProgram(program, dialects, options);
    if (HasErrors(found)) worst = kFinding;
    for (const Diagnostic& d : found)
      if (show_warnings || d.severity != Severity::kWarning) reported->push_back(d);
    file->findings.push_back(std::move(found));
  }
  return worst;
}

std::map<std::string, uint64_t> UncheckedOps(const Module& module, std::span<const Dialect> dialects) {
  std::map<std::string, uint64_t> out;
  std::map<StringId, uint64_t> by_name;
  for (size_t i = 1; i < module.ops.size(); ++i)
    if (!module.RevisionIdOf(module.ops[i])) ++by_name[module.NameIdOf(module.ops[i])];
  for (const auto& [id, count] : by_name) {
    const std::string_view name = module.strings[id];
    const std::string dialect(name.substr(0, name.find('.')));
    // Shardings are verified without rows of ops.
    if (dialect != "sdy" && std::ranges::find(dialects, dialect, &Dialect::name) == dialects.end())
      out[dialect] += count;
  }
  return out;
}

Json VerifyJson(const std::string& path, const ProgramFile& file, std::span<const Dialect> dialects,
                int code) {
  Json programs = Json::array();
  for (const Program& program : file.programs) {
    Json p = ProgramJson(program);
    p["op_count"] = program.module.ops.size() - 1;
    p["unchecked"] = Json::array();
    for (const auto& [dialect, count] : UncheckedOps(program.module, dialects))
      p["unchecked"].push_back({{"dialect", dialect}, {"op_count", count}});
    programs.push_back(std::move(p));
  }
  Json j = FileJson(path, std::move(programs));
  j["verifies"] = code == kDone;
  return j;
}

std::string ChooseHint(const ProgramFile& file) {
  if (!IsContainer(file.format)) return "split the file at its '// -----' lines";
  std::string names;
  for (const Program& program : file.programs)
    names += StrFormat("{}{}", names.empty() ? "" : ", ", NameText(program.name));
  return "pass --program=NAME with one of: " + names;
}

bool LeaveMhlo(std::span<Program> programs) {
  bool any = false;
  for (Program& program : programs)
    if (std::exchange(program.source.mhlo, false)) {
      shlo::LeaveMhlo(&program.module, nullptr);
      any = true;
    }
  return any;
}

Result<void> LeaveMhlo(Program* program) {
  if (Diagnostics left = shlo::LeaveMhlo(&program->module, &program->source); !left.empty())
    return tl::unexpected(std::move(left));
  program->source.mhlo = false;
  return {};
}

}  // namespace shlo::tasks
