// The inputs of a command that takes many: files, folders and patterns of the command line become one list.
// The files are read elsewhere; this only tells programs from other files.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shlo/diagnostics.h"
#include "shlo/program_io.h"

namespace shlo {

// One input, or the reason why there is none.
struct InputPath {
  std::string path;      // to open: a file, the folder of a SavedModel, or "-"
  std::string relative;  // the path below the folder, or below the first wildcard of the pattern, that it was
                         // found in; the name of a file that the command line names itself
  Diagnostics problem;   // not empty: a folder that cannot be read, a pattern that nothing matches
};

struct Inputs {
  std::vector<InputPath> files;  // in the order of the arguments, those of a folder or pattern sorted by path
  size_t not_programs = 0;       // files that were found but left out
  bool many = false;             // the arguments are anything but one file
};

// Expands arguments:
// - A file is an input, whatever its content; it may be missing. So is the folder of a SavedModel.
// - A folder stands for the programs in it and in its folders. A file that is found so is an input if its
//   content is a program, if its name claims that (.mlir, .mlirbc, .shlo), or if it cannot be read.
// - A pattern, if there is no file of that name, stands for what matches it: `*`, `?` and `[...]` within a
//   name, `**` for any number of folders. A folder that matches stands for its programs.
// Names that begin with a dot are found only by a pattern that has the dot. Links to files are followed. A
// folder is visited once, even if links lead to it again: by its own name if that is below the argument. The
// folder `exclude` is not visited unless it is an argument. A file found twice is listed once.
// Files must be in one of the folders `within`, if there are any, after links are followed. Links to folders
// elsewhere are not visited; other inputs elsewhere have a problem.
Inputs CollectInputs(const std::vector<std::string>& arguments, const std::string& exclude = {},
                     std::span<const std::string> within = {});

// Returns a path without links and dots.
std::string AbsolutePath(const std::string& path);
// Returns whether a path is one of these folders or in it. All are absolute, and without links.
bool IsWithin(const std::string& path, std::span<const std::string> folders);
// Returns the folder that a pattern's wildcards are below; the path itself if it has none.
std::string FixedPart(const std::string& argument);

// Two inputs to compare; null: it has no counterpart.
struct InputPair {
  const InputPath* a;
  const InputPath* b;
};
// Pairs inputs with the same relative path, and then those that differ only in the ending of their format
// (.mlir, .mlirbc, .bc, .shlo) if there is one candidate. Sorted by path; the inputs must outlive the pairs.
std::vector<InputPair> MatchInputs(const std::vector<InputPath>& a, const std::vector<InputPath>& b);

// Returns the format that the name of an output file states by its ending, in letters of either case, as a
// value of --emit: "text", "shlo" or "mlirbc"; "" for other names.
std::string_view EmitOfName(const std::string& path);
// As above, for a file of which only the name states the format. Fails with kUsage for other names.
Result<std::string_view> EmitOnlyOfName(const std::string& path);
// Returns the format of such a value; the others are spellings of text.
Format FormatOfEmit(std::string_view emit);
// Returns a path without the ending of a program's format, if it has one.
std::string WithoutFormat(const std::string& path);
// Returns whether the name of a file claims that it is a program.
bool ClaimsToBeProgram(const std::string& path);

// Returns the error of a command line that reads standard input twice.
Diagnostics ReadAlready();

}  // namespace shlo
