#include "serialize/inputs.h"

#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <deque>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "base/deadline.h"
#include "base/format.h"
#include "base/stack.h"
#include "shlo/file_io.h"
#include "shlo/program_io.h"

namespace shlo {
namespace {

namespace fs = std::filesystem;

// A file or folder, whatever its path.
using FileId = std::pair<dev_t, ino_t>;

bool Stat(const std::string& path, struct stat* info) { return ::stat(path.c_str(), info) == 0; }
bool IsFolder(const std::string& path) {
  struct stat info;
  return Stat(path, &info) && S_ISDIR(info.st_mode);
}
bool IsFile(const std::string& path) {
  struct stat info;
  return Stat(path, &info) && S_ISREG(info.st_mode);
}

std::string Join(const std::string& folder, const std::string& name) {
  if (folder.empty() || folder.ends_with('/')) return folder + name;
  return folder + "/" + name;
}

bool IsSavedModelFolder(const std::string& path) { return IsFile(Join(path, "saved_model.pb")); }

bool HasWildcard(std::string_view text) { return text.find_first_of("*?[") != std::string_view::npos; }

// The last name of a path, also of one that ends in a slash.
std::string NameOf(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path.substr(path.rfind('/') + 1);
}

// Orders the content of a folder before what its name is only a part of: a/b, a-b.
bool ComesBefore(const InputPath& a, const InputPath& b) {
  const auto rank = [](char c) { return c == '/' ? 0 : 1 + int(static_cast<unsigned char>(c)); };
  return std::ranges::lexicographical_compare(a.relative, b.relative, {}, rank, rank);
}

// A pattern below a folder without wildcards.
struct Pattern {
  std::string folder;
  std::vector<std::string> names;  // none: everything in the folder

  explicit Pattern(std::string_view text) {
    bool fixed = true;
    for (size_t at = 0; at <= text.size();) {
      const size_t end = std::min(text.find('/', at), text.size());
      const std::string_view name = text.substr(at, end - at);
      fixed = fixed && !HasWildcard(name);
      if (fixed)
        folder = text.substr(0, std::min(end + 1, text.size()));
      else if (!name.empty() && (name != "**" || names.empty() || names.back() != name))
        names.emplace_back(name);
      at = end + 1;
    }
  }
};

// Where in a pattern the names of a path may lead: a flag for each of its names, and one for its end.
class Match {
 public:
  explicit Match(const Pattern& pattern) : pattern_(&pattern), at_(pattern.names.size() + 1) { Reach(0); }

  // Returns where one more name leads.
  Match Then(const std::string& name) const {
    Match next(*this);
    next.at_.assign(at_.size(), false);
    const bool hidden = name.starts_with('.');
    for (size_t i = 0; i < at_.size(); ++i) {
      if (!at_[i]) continue;
      const bool any = i == pattern_->names.size() || pattern_->names[i] == "**";
      if (any && !hidden) next.Reach(i);
      if (!any && ::fnmatch(pattern_->names[i].c_str(), name.c_str(), FNM_PERIOD) == 0) next.Reach(i + 1);
    }
    return next;
  }
  // The names match, or those of a folder around them do.
  bool complete() const { return at_.back(); }
  bool possible() const { return std::ranges::find(at_, true) != at_.end(); }

 private:
  void Reach(size_t i) {
    at_[i] = true;
    if (i < pattern_->names.size() && pattern_->names[i] == "**") Reach(i + 1);
  }
  const Pattern* pattern_;
  std::vector<bool> at_;
};

bool IsElsewhere(const std::string& path, std::span<const std::string> within) {
  return !within.empty() && !IsWithin(AbsolutePath(path), within);
}
// Whether an input is in a folder that may be read: of a SavedModel, the file in it counts, too.
bool MayOpen(const std::string& path, std::span<const std::string> within) {
  return !IsElsewhere(path, within) &&
         (!IsSavedModelFolder(path) || !IsElsewhere(Join(path, "saved_model.pb"), within));
}
Diagnostics LeadsElsewhere(const std::string& path) {
  return Error(Code::kUsage, "the file is outside of the policy's folder", {.file = path},
               "name it on the command line")
      .value();
}

// Finds what one argument stands for.
class Finder {
 public:
  Finder(const Pattern& pattern, const FileId* exclude, std::span<const std::string> within, Inputs* out)
      : pattern_(pattern), exclude_(exclude), within_(within), out_(*out) {}

  std::vector<InputPath> Find() {
    Visit({pattern_.folder.empty() ? "." : pattern_.folder, pattern_.folder, "", Match(pattern_)},
          /*is_root=*/true);
    // Links come last, so that folders are found by their own names.
    for (; !links_.empty(); links_.pop_front()) Visit(links_.front(), /*is_root=*/false);
    std::ranges::stable_sort(found_, ComesBefore);
    return std::move(found_);
  }

 private:
  struct Folder {
    std::string path;      // to open
    std::string prefix;    // of the paths of what is in it: nothing for the folder "."
    std::string relative;  // to the folder of the pattern
    Match match;
  };

  void Visit(const Folder& folder, bool is_root) {
    CheckStack();
    struct stat info;
    if (!Stat(folder.path, &info)) return Problem(folder, std::error_code(errno, std::generic_category()));
    const FileId id(info.st_dev, info.st_ino);
    if ((!is_root && exclude_ && id == *exclude_) || !visited_.insert(id).second) return;
    if (is_root && !MayOpen(folder.path, within_)) return Elsewhere(folder.path, folder.relative);
    if (folder.match.complete() && IsSavedModelFolder(folder.path)) {
      if (!MayOpen(folder.path, within_)) return Elsewhere(folder.path, folder.relative);
      found_.push_back({folder.path, is_root ? NameOf(folder.path) : folder.relative, {}});
      return;
    }
    std::error_code error;
    std::vector<std::string> names;
    for (auto it = fs::directory_iterator(folder.path, error); !error && it != fs::directory_iterator();
         it.increment(error))
      names.push_back(it->path().filename().string());
    if (error) Problem(folder, error);
    std::ranges::sort(names);
    for (const std::string& name : names) {
      const Match match = folder.match.Then(name);
      if (match.possible()) Meet(folder, name, match);
    }
  }

  void Meet(const Folder& folder, const std::string& name, const Match& match) {
    Tick(100);
    const std::string path = Join(folder.prefix, name), relative = Join(folder.relative, name);
    struct stat info;
    if (::lstat(path.c_str(), &info) != 0) return;  // removed meanwhile
    const bool is_link = S_ISLNK(info.st_mode);
    const bool leads_nowhere = is_link && !Stat(path, &info);
    if (S_ISDIR(info.st_mode)) {
      const Folder inner{path, path, relative, match};
      if (is_link && IsElsewhere(path, within_)) return;
      if (is_link)
        links_.push_back(inner);
      else
        Visit(inner, /*is_root=*/false);
    } else if (match.complete() && (leads_nowhere || S_ISREG(info.st_mode))) {
      Consider(path, relative, leads_nowhere, is_link && IsElsewhere(path, within_));
    }
  }

  void Consider(const std::string& path, const std::string& relative, bool leads_nowhere, bool is_elsewhere) {
    if (is_elsewhere) {
      if (ClaimsToBeProgram(path)) return Elsewhere(path, relative);
      out_.not_programs++;
      return;
    }
    if (!ClaimsToBeProgram(path)) {
      if (leads_nowhere) return;
      const auto file = OpenInput(path);
      if (file && !LooksLikeProgram(file->bytes)) {
        out_.not_programs++;
        return;
      }
    }
    found_.push_back({path, relative, {}});
  }

  void Problem(const Folder& folder, const std::error_code& error) {
    auto problem = Error(Code::kIo, "cannot read the folder: " + error.message(), {.file = folder.path});
    found_.push_back({folder.path, folder.relative, std::move(problem.value())});
  }

  void Elsewhere(const std::string& path, const std::string& relative) {
    found_.push_back({path, relative, LeadsElsewhere(path)});
  }

  const Pattern& pattern_;
  const FileId* exclude_;
  std::span<const std::string> within_;
  Inputs& out_;
  std::set<FileId> visited_;
  std::deque<Folder> links_;
  std::vector<InputPath> found_;
};

// Returns the ending of a name in small letters, with its dot.
std::string EndingOf(const std::string& path) {
  std::string ending = path.substr(std::min(path.size(), path.rfind('.')));
  for (char& c : ending) c = char(std::tolower(static_cast<unsigned char>(c)));
  return ending;
}

}  // namespace

std::string_view EmitOfName(const std::string& path) {
  const std::string ending = EndingOf(path);
  if (ending == ".mlirbc" || ending == ".bc") return "mlirbc";
  if (ending == ".shlo") return "shlo";
  return ending == ".mlir" ? "text" : "";
}

Format FormatOfEmit(std::string_view emit) {
  return emit == "shlo" ? Format::kShlo : emit == "mlirbc" ? Format::kMlirBytecode : Format::kText;
}

Result<std::string_view> EmitOnlyOfName(const std::string& path) {
  const std::string_view emit = EmitOfName(path);
  if (!emit.empty()) return emit;
  const std::string ending = EndingOf(path);
  // Too many files have this ending to be programs.
  if (ending == ".txt") return "text";
  return Error(
      Code::kUsage,
      ending.empty() || ending.find('/') != ending.npos
          ? "the name has no ending that states a format"
          : StrFormat("the ending '{}' states no format", ending),
      {.file = path},
      "state the format, or use .mlir or .txt (text), .mlirbc or .bc (MLIR bytecode), .shlo (archive)");
}

Diagnostics ReadAlready() {
  return Error(Code::kUsage, "'-' was read already", {.file = "<stdin>"},
               "pass a file for one of the programs")
      .value();
}

std::string WithoutFormat(const std::string& path) {
  return EmitOfName(path).empty() ? path : path.substr(0, path.rfind('.'));
}

std::vector<InputPair> MatchInputs(const std::vector<InputPath>& a, const std::vector<InputPath>& b) {
  std::vector<InputPair> pairs;
  std::vector<const InputPath*> rest_a;
  std::map<std::string, const InputPath*> rest_b;
  for (const InputPath& input : b) rest_b.emplace(input.relative, &input);
  for (const InputPath& input : a) {
    if (const auto found = rest_b.extract(input.relative))
      pairs.push_back({&input, found.mapped()});
    else
      rest_a.push_back(&input);
  }
  // Without endings, several may have the same path.
  std::map<std::string, std::pair<std::vector<const InputPath*>, std::vector<const InputPath*>>> similar;
  for (const InputPath* input : rest_a) similar[WithoutFormat(input->relative)].first.push_back(input);
  for (const auto& [path, input] : rest_b) similar[WithoutFormat(path)].second.push_back(input);
  for (const auto& [path, inputs] : similar) {
    const auto& [of_a, of_b] = inputs;
    if (of_a.size() == 1 && of_b.size() == 1) {
      pairs.push_back({of_a[0], of_b[0]});
      continue;
    }
    for (const InputPath* input : of_a) pairs.push_back({input, nullptr});
    for (const InputPath* input : of_b) pairs.push_back({nullptr, input});
  }
  std::ranges::stable_sort(pairs, [](const InputPair& x, const InputPair& y) {
    return ComesBefore(x.a ? *x.a : *x.b, y.a ? *y.a : *y.b);
  });
  return pairs;
}

bool ClaimsToBeProgram(const std::string& path) {
  // LLVM's bitcode is called .bc as well.
  return !EmitOfName(path).empty() && EmitOfName(path.substr(path.size() - 3)).empty();
}

std::string AbsolutePath(const std::string& path) {
  std::error_code error;
  const fs::path out = fs::weakly_canonical(path, error);
  return (error ? fs::absolute(path) : out).string();
}

bool IsWithin(const std::string& path, std::span<const std::string> folders) {
  return std::ranges::any_of(folders, [&](const std::string& folder) {
    const fs::path relative = fs::path(path).lexically_relative(folder);
    return !relative.empty() && *relative.begin() != "..";
  });
}

std::string FixedPart(const std::string& argument) {
  if (!HasWildcard(argument) || ::access(argument.c_str(), F_OK) == 0) return argument;
  const std::string folder = Pattern(argument).folder;
  return folder.empty() ? "." : folder;
}

Inputs CollectInputs(const std::vector<std::string>& arguments, const std::string& exclude,
                     std::span<const std::string> within) {
  Inputs inputs;
  inputs.many = arguments.size() != 1;
  struct stat info;
  FileId excluded;
  const bool excludes = !exclude.empty() && Stat(exclude, &info);
  if (excludes) excluded = {info.st_dev, info.st_ino};
  std::unordered_set<std::string> seen, searched;
  bool read_stdin = false;
  for (const std::string& argument : arguments) {
    const bool is_folder = argument != "-" && IsFolder(argument) && !IsSavedModelFolder(argument);
    const bool is_pattern = !is_folder && HasWildcard(argument) && ::access(argument.c_str(), F_OK) != 0;
    if (!is_folder && !is_pattern) {
      InputPath named{argument, NameOf(argument), {}};
      // Which one would read it depends on the order in which they run.
      if (argument == "-" && std::exchange(read_stdin, true)) named.problem = ReadAlready();
      if (argument != "-" && !MayOpen(argument, within)) named.problem = LeadsElsewhere(argument);
      seen.insert(argument);
      inputs.files.push_back(std::move(named));
      continue;
    }
    inputs.many = true;
    if (!searched.insert(argument).second) continue;
    if (is_pattern && argument.size() > PATH_MAX) {
      auto problem =
          Error(Code::kUsage, StrFormat("the pattern has more than {} bytes", PATH_MAX), {.file = argument});
      inputs.files.push_back({argument, argument, std::move(problem.value())});
      continue;
    }
    Pattern pattern(is_folder ? "" : argument);
    if (is_folder) pattern.folder = argument;
    const size_t before = inputs.files.size() + inputs.not_programs;
    auto found = Finder(pattern, excludes ? &excluded : nullptr, within, &inputs).Find();
    if (is_pattern && found.empty() && inputs.files.size() + inputs.not_programs == before) {
      auto problem = Error(Code::kIo, "no file matches the pattern", {.file = argument});
      found.push_back({argument, argument, std::move(problem.value())});
    }
    for (InputPath& file : found)
      if (seen.insert(file.path).second) inputs.files.push_back(std::move(file));
  }
  return inputs;
}

}  // namespace shlo
