#include "tasks/program_file.h"

#include <utility>

#include "base/format.h"
#include "base/printable.h"
#include "shlo/container.h"
#include "shlo/mhlo.h"

namespace shlo::tasks {

Diagnostics VerifyPrograms(std::span<const Dialect> dialects, const VerifyOptions& options,
                           VerifiedFile* file) {
  Diagnostics all;
  for (const Program& program : file->programs) {
    file->findings.push_back(VerifyProgram(program, dialects, options));
    all.insert(all.end(), file->findings.back().begin(), file->findings.back().end());
  }
  return all;
}

Json VerifyJson(const std::string& path, const ProgramFile& file, std::span<const Dialect> dialects,
                bool verifies) {
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
  j["verifies"] = verifies;
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

}  // namespace shlo::tasks
