#include "matrix.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/format.h"
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

// Returns the releases that can represent a program: "1.10 and later", "all", "1.0 to 1.4, 1.9 and later".
std::string ReleasesText(const MatrixRow& row) {
  const std::vector<const VersionRow*> releases = Releases();
  std::string out;
  for (size_t i = 0; i < releases.size();) {
    if (!CanGoTo(row, releases[i]->version)) {
      ++i;
      continue;
    }
    size_t end = i;
    while (end < releases.size() && CanGoTo(row, releases[end]->version)) ++end;
    if (i == 0 && end == releases.size()) return "all";
    const std::string_view first = ShortRelease(releases[i]->release);
    out += out.empty() ? "" : ", ";
    if (end == releases.size())
      out += StrFormat("{} and later", first);
    else if (end - i == 1)
      out += first;
    else
      out += StrFormat("{} to {}", first, ShortRelease(releases[end - 1]->release));
    i = end;
  }
  return out.empty() ? "none" : out;
}

// Returns "1.9", or the number of a version without a release.
std::string VersionText(Version version) {
  const VersionRow* const row = FindVersion(version);
  if (!row || row->release.empty()) return StrFormat("{}", version.n);
  return std::string(ShortRelease(row->release));
}

TerminalText ToText(const std::vector<MatrixRow>& rows) {
  constexpr size_t kMostName = 44;
  size_t width = 7;
  for (const MatrixRow& row : rows) width = std::max(width, std::min(row.name.size(), kMostName));
  TerminalText out =
      TerminalText::Of("{:{}}  {:8}  {}\n", "program", width, "own", "releases that can represent it");
  for (const MatrixRow& row : rows)
    out.Add("{:{}}  {:8}  {}\n", row.name, width, VersionText(row.version), ReleasesText(row));
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

int RunMatrix(Context& ctx, Answer* out) {
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
  *out = {MatrixJson(inputs, rows), ToText(rows)};
  return worst;
}

}  // namespace shlo::tool
