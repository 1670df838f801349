#include "matrix.h"

#include <algorithm>
#include <string>
#include <vector>

#include "ir/format.h"
#include "many.h"
#include "shlo/convert.h"

namespace shlo::tool {
namespace {

struct MatrixRow {
  size_t file = 0;   // index into the inputs
  Json json;         // ProgramJson
  std::string name;  // file name, plus the line if the file has several programs
  Version version;
  std::vector<Version> targets;
};

std::vector<const VersionRow*> Releases() {
  std::vector<const VersionRow*> releases;
  for (const VersionRow& row : VersionLine())
    if (!row.release.empty()) releases.push_back(&row);
  return releases;
}

bool CanGoTo(const MatrixRow& row, Version target) {
  return std::find(row.targets.begin(), row.targets.end(), target) != row.targets.end();
}

// Omits the patch level, which is 0 for all releases.
std::string_view ShortRelease(std::string_view release) { return release.substr(0, release.rfind('.')); }

TerminalText ToText(const std::vector<MatrixRow>& rows) {
  size_t width = 4;
  for (const MatrixRow& row : rows) width = std::max(width, row.name.size());
  TerminalText out = TerminalText::Of("{:{}}", "", width);
  for (const VersionRow* release : Releases()) out.Add(" {:>4}", ShortRelease(release->release));
  out += "\n";
  for (const MatrixRow& row : rows) {
    out.Add("{:{}}", row.name, width);
    for (const VersionRow* release : Releases())
      out.Add(" {:>4}", release->version == row.version  ? "own"
                        : CanGoTo(row, release->version) ? "yes"
                                                         : ".");
    out += "\n";
  }
  return out;
}

Json MatrixJson(const Inputs& inputs, const std::vector<MatrixRow>& rows) {
  Json releases = Json::array(), files = Json::array();
  for (const InputPath& input : inputs.files) files.push_back(FileJson(input.path, Json::array()));
  for (const VersionRow* release : Releases()) releases.push_back(std::string(release->release));
  for (const MatrixRow& row : rows) {
    Json targets = Json::array();
    for (const VersionRow* release : Releases())
      if (CanGoTo(row, release->version)) targets.push_back(std::string(release->release));
    Json program = row.json;
    program["targets"] = std::move(targets);
    files[row.file]["programs"].push_back(std::move(program));
  }
  Json j;
  j["files"] = std::move(files);
  j["releases"] = std::move(releases);
  return j;
}

}  // namespace

int RunMatrix(Context& ctx) {
  ConvertOptions options;
  options.allow_other_dialects = ctx.allow_other_dialects;
  std::vector<MatrixRow> rows;
  const Inputs inputs = CollectInputs(ctx.files);
  int worst = CheckInputs(ctx, inputs, ctx.files);
  for (size_t i = 0; i < inputs.files.size(); ++i) {
    const std::string& path = inputs.files[i].path;
    if (!inputs.files[i].problem.empty()) {
      worst = std::max(worst, ctx.Fail(inputs.files[i].problem));
      continue;
    }
    Input input;
    worst = std::max(worst, ReadInput(ctx, path, &input));
    options.limits = ctx.limits();
    for (const Program& program : input.programs) {
      auto targets = PossibleTargets(program.module, options);
      if (!targets) {
        worst = std::max(worst, ctx.Fail(targets.error()));
        continue;
      }
      std::string name = NameText(path);
      if (!program.name.empty())
        name += StrFormat(" ({})", NameText(program.name));
      else if (input.programs.size() > 1)
        name += StrFormat(":{}", program.source.first_line);
      rows.push_back({i, ProgramJson(program), std::move(name), program.module.version, std::move(*targets)});
    }
  }
  if (ctx.json) return PrintJson(ctx, MatrixJson(inputs, rows), worst);
  const int printed = Print(ctx, ToText(rows));
  return printed == kDone ? worst : printed;
}

}  // namespace shlo::tool
