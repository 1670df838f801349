// The frame of an MLIR bytecode file: header, sections, strings, dialects and op names. Types and attributes
// are in reader_nodes.h, ops in reader_program.h.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "serialize/mlirbc/cursor.h"
#include "shlo/mlirbc_reader.h"
#include "shlo/module.h"

namespace shlo::mlirbc {

struct DialectEntry {
  std::string_view name;
  Dialect dialect = Dialect::kOther;
  std::string_view version;  // its bytes; empty: none
};

struct OpNameEntry {
  uint32_t dialect = 0;
  std::string_view name;   // without the dialect
  bool registered = true;  // properties are laid out by the op; otherwise they are one attribute
};

// The release that a portable artifact states in its producer string.
struct ArtifactRelease {
  std::string_view text;  // "" if not a portable artifact
  Version version;     // of its program; none if the release is older than all known ones, or not a release
  bool newer = false;  // than all known ones
};
ArtifactRelease ReleaseOf(std::string_view producer);
// Returns the remedy for an artifact of a newer release.
std::string UpdateHint(const ArtifactRelease& release);

class FileIn {
 public:
  FileIn(std::string_view bytes, Failure* failure) : bytes_(bytes), failure_(failure) {}

  // Each reads the part that it names, in this order. False after a failure.
  bool Open();
  bool ReadStrings();
  bool ReadDialects();

  std::string_view bytes() const { return bytes_; }
  uint64_t format() const { return format_; }
  std::string_view producer() const { return producer_; }
  bool Has(Section section) const { return sections_[section].data() != nullptr; }
  std::string_view ContentOf(Section section) const { return sections_[section]; }
  InCursor In(Section section) const { return {sections_[section], section, failure_}; }
  // Fails for a code or a name that this tool does not know. The artifact is newer if its producer string
  // says so; of a release that is known, or of none, it is damaged as far as anybody can tell. Returns false.
  bool FailUnknown(InCursor& c, const char* at, std::string message) const;
  // Reads the frame of a section at a cursor.
  bool ReadSection(InCursor& c, Section* id, std::string_view* content) const;

  const std::vector<std::string_view>& strings() const { return strings_; }
  const std::vector<DialectEntry>& dialects() const { return dialects_; }
  const std::vector<OpNameEntry>& op_names() const { return op_names_; }

 private:
  std::string_view bytes_;
  Failure* failure_;
  uint64_t format_ = 0;
  std::string_view producer_;
  std::array<std::string_view, kNumSections> sections_{};
  std::vector<std::string_view> strings_;
  std::vector<DialectEntry> dialects_;
  std::vector<OpNameEntry> op_names_;
};

}  // namespace shlo::mlirbc
