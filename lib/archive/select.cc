// Names of models, and which models a command line names.
#include <algorithm>
#include <charconv>

#include "archive/state.h"
#include "base/format.h"
#include "base/guarded.h"
#include "base/nearest.h"
#include "base/try.h"
#include "shlo/archive.h"
#include "shlo/check.h"

namespace shlo::archive {
namespace {

constexpr size_t kLongestName = 200;

bool IsNameChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
         c == '+' || c == '-';
}

bool IsNumber(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

std::optional<uint64_t> NumberOf(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number == 0 || number > kLastModelVersion)
    return std::nullopt;
  return number;
}

bool HasTag(const ArchivedModel& model, std::string_view tag) {
  return std::ranges::find(model.tags, tag) != model.tags.end();
}

// Whether the part after '@' takes all versions that it matches: `@*`. Any other takes one.
bool IsPattern(std::string_view version) { return version.find_first_of("*?[") != version.npos; }

// Whether a model is one that the part after '@' names: a number, a tag, or a pattern of these.
bool HasVersion(const ArchivedModel& model, const std::string& version) {
  if (version.empty()) return true;
  if (IsPattern(version))
    return MatchesPattern(StrFormat("{}", model.version), version) ||
           std::ranges::any_of(model.tags,
                               [&](const std::string& tag) { return MatchesPattern(tag, version); });
  if (IsNumber(version)) return StrFormat("{}", model.version) == version;
  if (version.find('~') != version.npos) return model.label() == model.name + "@" + version;
  return HasTag(model, version);
}

tl::unexpected<Diagnostics> NoModel(Catalog& catalog, const std::string& folder,
                                    const std::string& selector) {
  const auto [name, version] = SplitSelector(selector);
  Nearest nearest(name);
  const auto names = catalog.Names();
  if (names)
    for (const std::string& other : *names) nearest.Try(other);
  const bool known = names && std::ranges::find(*names, name) != names->end();
  return Error(Code::kUsage, StrFormat("the archive has no model '{}'", selector), {.file = folder},
               known ? StrFormat("run 'shlo-compat archive ls \"{}@*\"' to see its versions and tags", name)
                     : DidYouMean(nearest.best(), "run 'shlo-compat archive ls' to see what it has"));
}

}  // namespace

std::pair<std::string, std::string> SplitSelector(std::string_view selector) {
  const size_t at = selector.rfind('@');
  if (at == selector.npos) return {std::string(selector), ""};
  return {std::string(selector.substr(0, at)), std::string(selector.substr(at + 1))};
}

std::string NameProblem(std::string_view name) {
  if (name.empty()) return "the name is empty";
  if (name.size() > kLongestName) return StrFormat("the name has more than {} bytes", kLongestName);
  for (size_t at = 0; at <= name.size();) {
    const size_t end = std::min(name.find('/', at), name.size());
    const std::string_view part = name.substr(at, end - at);
    if (part.empty()) return "a part of the name between '/' is empty";
    if (part[0] == '.') return "a part of the name begins with a dot";
    for (const char c : part)
      if (!IsNameChar(c)) return "the name has a character that is not a letter, a digit or one of ._+-/";
    at = end + 1;
  }
  return "";
}

std::string TagProblem(std::string_view tag) {
  if (tag.empty()) return "the tag is empty";
  if (tag.size() > kLongestName) return StrFormat("the tag has more than {} bytes", kLongestName);
  if (IsNumber(tag)) return "the tag is a number, which would name a version";
  if (tag[0] == '.') return "the tag begins with a dot";
  for (const char c : tag)
    if (!IsNameChar(c)) return "the tag has a character that is not a letter, a digit or one of ._+-";
  return "";
}

Result<ArchivedModel> Archive::Find(const std::string& selector) const {
  const auto find = [&](Catalog& catalog) -> Result<ArchivedModel> {
    const auto words = SplitSelector(selector);
    const std::string &name = words.first, &version = words.second;
    std::optional<ContentId> chosen;
    if (version.empty() || IsNumber(version)) {
      const auto number = version.empty() ? std::optional<uint64_t>(0) : NumberOf(version);
      auto model =
          SHLO_TRY(number ? catalog.ModelNamed(name, *number) : Result<std::optional<ArchivedModel>>());
      if (!model) return NoModel(catalog, folder(), selector);
      return std::move(*model);
    }
    SHLO_TRY(catalog.Rows(&name, [&](const ArchivedModel& row) {
      if (HasVersion(row, version)) chosen = row.entry;
    }));
    if (!chosen) return NoModel(catalog, folder(), selector);
    auto model = SHLO_TRY(catalog.Model(*chosen));
    if (!model) return catalog.Contradiction();
    return std::move(*model);
  };
  return Guarded([&] { return Ask(*state_, find); });
}

Result<std::vector<ArchivedModel>> Archive::Select(std::span<const std::string> patterns,
                                                   bool details) const {
  const auto select = [&](Catalog& catalog) -> Result<std::vector<ArchivedModel>> {
    std::vector<std::pair<std::string, std::string>> wanted;
    for (const std::string& pattern : patterns) wanted.push_back(SplitSelector(pattern));
    // Rows come by name and version: a pattern that takes one version of a name gives up the model that it
    // took before when the next is of the same name.
    std::vector<std::optional<size_t>> taken(wanted.size());
    std::vector<size_t> takers;  // of each model
    std::vector<ArchivedModel> models;
    // One name, as most command lines have it, need not be looked for.
    const bool one = wanted.size() == 1 && wanted[0].first.find_first_of("*?[") == std::string::npos;
    SHLO_TRY(catalog.Rows(one ? &wanted[0].first : nullptr, [&](ArchivedModel row) {
      size_t count = wanted.empty() ? 1 : 0;
      for (size_t i = 0; i < wanted.size(); ++i) {
        if (!MatchesPattern(row.name, wanted[i].first) || !HasVersion(row, wanted[i].second)) continue;
        const bool same_name = taken[i] && models[*taken[i]].name == row.name;
        // Of two with the same version, the one that is not shadowed comes first, and is meant.
        if (!IsPattern(wanted[i].second) && same_name) {
          if (models[*taken[i]].version == row.version) continue;
          --takers[*taken[i]];
        }
        taken[i] = models.size();
        ++count;
      }
      if (count == 0) return;
      models.push_back(std::move(row));
      takers.push_back(count);
    }));
    for (size_t i = 0; i < wanted.size(); ++i)
      if (!taken[i]) return NoModel(catalog, folder(), patterns[i]);
    size_t kept = 0;
    for (size_t i = 0; i < models.size(); ++i) {
      if (takers[i] == 0) continue;
      if (kept != i) models[kept] = std::move(models[i]);
      ++kept;
    }
    models.resize(kept);
    if (!details) return models;
    for (ArchivedModel& model : models) {
      auto full = SHLO_TRY(catalog.Model(model.entry));
      if (!full) return catalog.Contradiction();
      model = std::move(*full);
    }
    return models;
  };
  return Guarded([&] { return Ask(*state_, select); });
}

}  // namespace shlo::archive
