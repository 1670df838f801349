#include "base/archive_files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

namespace shlo {
namespace {

bool IsSameFile(const std::filesystem::path& a, const std::filesystem::path& b) {
  struct stat of_a, of_b;
  return ::lstat(a.c_str(), &of_a) == 0 && ::lstat(b.c_str(), &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
         of_a.st_ino == of_b.st_ino;
}

}  // namespace

Result<void> CheckNotOfArchive(const std::string& path) {
  std::error_code error;
  const std::filesystem::path given = path;
  const auto name = given.filename();
  const std::filesystem::path folder =
      std::filesystem::canonical(given.has_parent_path() ? given.parent_path() : ".", error);
  if (error) return {};  // the folder does not exist, or cannot be entered: writing tells
  const auto has_mark = [](const std::filesystem::path& of) {
    return ::access((of / kArchiveMark).c_str(), F_OK) == 0;
  };
  // A file system that ignores case has several names for one file.
  const auto is = [&](std::string_view own) {
    return name == own || IsSameFile(folder / name, folder / own);
  };
  const bool in_archive =
      has_mark(folder) && (is(kArchiveMark) || is("lock") || is("catalog.sqlite") || is("packs"));
  // Everything below packs/ is either a pack, or removed some day.
  const auto above = folder.parent_path();
  const bool in_packs =
      has_mark(above) && (folder.filename() == "packs" || IsSameFile(folder, above / "packs"));
  if (!in_archive && !in_packs) return {};
  return Error(Code::kUsage, "the file belongs to an archive", {.file = path}, "pass another output");
}

}  // namespace shlo
