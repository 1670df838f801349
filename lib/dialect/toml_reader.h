// Reads a TOML file key by key. Every problem is a diagnostic with its line; reading continues, so that all
// of them are reported. Internal to the library.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#define TOML_EXCEPTIONS 0  // errors are values
#define TOML_MAX_NESTED_VALUES 32
// toml++ 3.3 asserts, or with NDEBUG lets the compiler assume, that a key follows '['. A '#' may; it is an
// error that the parser reports further on.
#define TOML_ASSERT(...) static_assert(true)
#pragma push_macro("NDEBUG")
#undef NDEBUG
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

#include "dialect/toml_ascii.h"
#include "shlo/diagnostics.h"

namespace shlo {

// Entries of a list in a policy. Most are compared with each file, or do work for each.
inline constexpr size_t kMostPolicyEntries = 2000;

class TomlReader {
 public:
  // `manual` is the page that lists the keys, such as "docs/check.md". Lists with more entries than
  // `most_entries` are errors.
  TomlReader(std::string file, std::string_view manual, size_t most_entries = SIZE_MAX)
      : file_(std::move(file)), manual_(manual), most_entries_(most_entries) {}

  // Returns the root table, or nothing after a syntax error. The text must outlive the reader. Keys with
  // characters beyond ASCII are as AsciiToml spells them.
  std::optional<toml::table> Parse(std::string_view text);

  void Fail(const toml::source_region& at, std::string message, std::string hint = {});

  // Reports keys that are not among these, with the nearest one.
  void Keys(const toml::table& table, std::initializer_list<std::string_view> known);

  // Each returns whether the table has the key with such a value, and reports a value of another type.
  bool String(const toml::table& table, std::string_view key, std::string* out);
  bool Boolean(const toml::table& table, std::string_view key, bool* out);
  // A string or a list of strings.
  bool Strings(const toml::table& table, std::string_view key, std::vector<std::string>* out);

  // Returns the tables of [[key]], or of a list of inline tables.
  std::vector<const toml::table*> Tables(const toml::table& root, std::string_view key);
  // Returns the table [key], or nullptr.
  const toml::table* Table(const toml::table& parent, std::string_view key);

  // Returns whether further errors would be left out.
  bool full() const;

  Diagnostics errors;

 private:
  bool Fits(const toml::array& list, std::string_view key);
  void FailAt(size_t offset, std::string message, std::string hint);

  std::string_view text_;
  std::optional<AsciiToml> ascii_;
  const std::string file_;
  const std::string_view manual_;
  const size_t most_entries_;
};

}  // namespace shlo
