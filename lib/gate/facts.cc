#include "gate/facts.h"

#include <algorithm>

namespace shlo::gate {

void Facts::Add(Section section, std::string key, std::string value, Version since, Version until,
                uint32_t line) {
  std::vector<FactRun>& runs = all[{section, std::move(key)}];
  for (FactRun& run : runs) {
    if (run.since <= since && until <= run.until && run.value != value) {
      run.value += " | " + value;
      return;
    }
  }
  runs.push_back({since, until, std::move(value), line});
  std::ranges::stable_sort(runs, {}, &FactRun::since);
  // Neighbors of the same value are one run.
  for (size_t i = 0; i + 1 < runs.size();) {
    if (runs[i].value == runs[i + 1].value && runs[i + 1].since.n <= runs[i].until.n + 1) {
      runs[i].until = std::max(runs[i].until, runs[i + 1].until);
      runs.erase(runs.begin() + std::ptrdiff_t(i) + 1);
    } else {
      ++i;
    }
  }
}

namespace {

const FactRun* RunAt(const std::vector<FactRun>& runs, Version version) {
  for (const FactRun& run : runs)
    if (run.since <= version && version <= run.until) return &run;
  return nullptr;
}

}  // namespace

const FactRun* Facts::At(Section section, const std::string& key, Version version) const {
  const auto found = all.find({section, key});
  return found == all.end() ? nullptr : RunAt(found->second, version);
}

const Versions::Row& Versions::Of(Version version) const {
  const Version first = rows.front().version;
  return rows[std::min(size_t(std::max(version, first).n - first.n), rows.size() - 1)];
}

Versions StablehloVersions() {
  Versions out{.stablehlo = true};
  for (const VersionRow& row : VersionLine())
    out.rows.push_back({row.version, VersionName(row.version), ShortVersionName(row.version)});
  return out;
}

std::vector<Difference> Compare(const Facts& frozen, const Facts& working, Version first_version,
                                Version last) {
  static const std::vector<FactRun> kNone;
  std::vector<Difference> out;
  const auto compare = [&](const FactName& name, const std::vector<FactRun>& old,
                           const std::vector<FactRun>& now) {
    const size_t first = out.size();
    for (Version v = first_version; v <= last; ++v.n) {
      const FactRun *x = RunAt(old, v), *y = RunAt(now, v);
      if (!x && !y) continue;
      if (x && y && x->value == y->value) continue;
      Difference d{.name = name, .since = v, .until = v};
      if (x) d.frozen = x->value, d.line = x->line, d.file = std::max(x->since, first_version);
      if (y) d.working = y->value;
      if (out.size() > first && out.back().until.n + 1 == v.n && out.back().frozen == d.frozen &&
          out.back().working == d.working)
        out.back().until = v;
      else
        out.push_back(std::move(d));
    }
  };
  for (const auto& [name, runs] : frozen.all) {
    const auto now = working.all.find(name);
    compare(name, runs, now == working.all.end() ? kNone : now->second);
  }
  for (const auto& [name, runs] : working.all)
    if (!frozen.all.contains(name)) compare(name, kNone, runs);
  std::ranges::stable_sort(out, {}, &Difference::name);
  return out;
}

}  // namespace shlo::gate
