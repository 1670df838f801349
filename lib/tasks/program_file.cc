#include "tasks/program_file.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "ir/format.h"
#include "ir/printable.h"
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

Json VerifyJson(const std::string& path, const ProgramFile& file, int code) {
  Json programs = Json::array();
  for (const Program& program : file.programs) {
    Json p = ProgramJson(program);
    p["op_count"] = program.module.ops.size() - 1;
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

void LeaveMhlo(std::span<Program> programs) {
  for (Program& program : programs)
    if (std::exchange(program.source.mhlo, false)) shlo::LeaveMhlo(&program.module, nullptr);
}

Result<void> LeaveMhlo(Program* program) {
  if (Diagnostics left = shlo::LeaveMhlo(&program->module, &program->source); !left.empty())
    return tl::unexpected(std::move(left));
  program->source.mhlo = false;
  return {};
}

}  // namespace shlo::tasks
