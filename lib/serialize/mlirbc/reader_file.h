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
