// Memory of a conversion of many files, in a file of the output folder: a run that was killed continues where
// it was, and a later run skips what has not changed (--resume).
//
// The file is text. After the line "shlo-compat resume 1" it has a line for each output, appended when the
// output is in place: the SHA-256 of the options, of the input and of the output, and the output's path below
// the folder, as a field of a line (ir/tsv.h). The last line of an output counts; a line that is not
// complete counts for nothing. So an output is skipped only if its content and that of its input are what
// they were, whatever their dates.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "shlo/diagnostics.h"

namespace shlo::tool {

// Returns the SHA-256 of a file, or of all files in a folder with their paths; "" if it cannot be read.
std::string ContentHash(const std::string& path);

class ResumeLog {
 public:
  static constexpr const char* kFileName = ".shlo-compat-resume";

  // `options` is whatever the outputs depend on apart from the inputs.
  ResumeLog(std::string folder, const std::string& options);
  ResumeLog(const ResumeLog&) = delete;
  ResumeLog& operator=(const ResumeLog&) = delete;
  ~ResumeLog();

  // Creates the file, with the entries of the last run if `resume`.
  Result<void> Open(bool resume);
  // Returns whether an output was made with these options, of some input.
  bool Knows(const std::string& output) const;
  // Returns whether it was made of this input, and is as it was made.
  bool IsUpToDate(const std::string& output, const std::string& input_hash) const;
  // Notes that an output is in place. From any thread.
  void Add(const std::string& output, const std::string& input_hash);
  // Orders the entries, or removes the file. Fails if it could not be written before.
  Result<void> Close(bool keep);

 private:
  struct Entry {
    std::string options, input, output;  // hashes
  };
  static std::string Line(const std::string& path, const Entry& entry);
  std::string Text() const;
  void Read();

  const std::string folder_, path_, options_;
  mutable std::mutex mutex_;
  std::map<std::string, Entry> entries_;  // by the path of the output
  int fd_ = -1;
  int error_ = 0;
};

}  // namespace shlo::tool
