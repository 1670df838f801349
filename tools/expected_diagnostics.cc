#include "expected_diagnostics.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "base/format.h"
#include "common.h"

namespace shlo::tool {
namespace {

// One expectation.
struct Expected {
  uint32_t written = 0;  // line of the comment
  uint32_t line = 0;     // line of the diagnostic; 0: any line, or none
  std::string_view kind;
  std::string_view text;
  std::optional<std::regex> pattern;
  bool matched = false;

  bool Matches(std::string_view message) const {
    if (!pattern) return message.find(text) != message.npos;
    message = message.substr(0, 4096);  // std::regex recurses
    return std::regex_search(message.begin(), message.end(), *pattern);
  }
};

bool Report(std::string_view file, uint32_t line, std::string_view message) {
  WriteToStderr(line ? TerminalText::Of("{}:{}: error: {}\n", NameText(file), line, message)
                     : TerminalText::Of("{}: error: {}\n", NameText(file), message));
  return false;
}

// Translates text with {{regular expressions}}, as in FileCheck, to one regular expression.
std::string PatternOf(std::string_view text) {
  std::string pattern;
  const auto literal = [&](std::string_view part) {
    for (char c : part) {
      if (std::string_view("^$\\.*+?()[]{}|").find(c) != std::string_view::npos) pattern += '\\';
      pattern += c;
    }
  };
  while (!text.empty()) {
    const size_t open = text.find("{{");
    literal(text.substr(0, open));
    if (open == text.npos) break;
    const size_t close = text.find("}}", open + 2);
    if (close == text.npos) {
      literal(text.substr(open));
      break;
    }
    pattern += StrFormat("({})", text.substr(open + 2, close - open - 2));
    text.remove_prefix(close + 2);
  }
  return pattern;
}

bool Eat(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

void SkipSpaces(std::string_view& text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
}

// Parses "@+1", "@-2", "@above", "@below" or "@unknown", which select the line of the diagnostic. "above" and
// "below" skip lines that are expectations themselves. Returns false for anything else after "@".
enum class Counts { kLines, kAbove, kBelow };
bool ReadPlace(std::string_view& rest, Expected* e, Counts* counts) {
  std::string_view at = rest;
  SkipSpaces(at);
  *counts = Counts::kLines;
  if (!Eat(at, "@")) return true;
  rest = at;
  if (Eat(rest, "above")) {
    *counts = Counts::kAbove;
    return true;
  }
  if (Eat(rest, "below")) {
    *counts = Counts::kBelow;
    return true;
  }
  if (Eat(rest, "unknown")) {
    e->line = 0;
    return true;
  }
  const bool minus = Eat(rest, "-");
  if (!minus && !Eat(rest, "+")) return false;
  uint32_t n = 0;
  const auto parsed = std::from_chars(rest.data(), rest.data() + rest.size(), n);
  if (parsed.ec != std::errc()) return false;
  rest.remove_prefix(size_t(parsed.ptr - rest.data()));
  e->line = minus ? e->written - std::min(n, e->written) : e->written + n;
  return true;
}

// Collects the expectations of a text.
class ExpectedReader {
 public:
  ExpectedReader(std::string_view file, uint32_t first_line) : file_(file), number_(first_line) {}

  bool Read(std::string_view text) {
    for (size_t at = 0; at < text.size(); ++number_) {
      const size_t end = std::min(text.find('\n', at), text.size());
      if (!ReadLine(text.substr(at, end - at))) {
        // "above" and "below" refer to lines without an expectation.
        for (size_t i : waiting_) expected[i].line = number_;
        waiting_.clear();
        last_plain_ = number_;
      }
      at = end + 1;
    }
    return ok_;
  }

  std::vector<Expected> expected;

 private:
  // Returns whether the line states an expectation.
  bool ReadLine(std::string_view line) {
    const size_t start = line.find("expected-");
    if (start == line.npos) return false;
    std::string_view rest = line.substr(start + 9);
    Expected e;
    e.written = e.line = number_;
    for (std::string_view kind : {"error", "warning", "note", "remark"})
      if (Eat(rest, kind)) e.kind = kind;
    if (e.kind.empty()) return false;
    const bool is_pattern = Eat(rest, "-re");
    Counts counts;
    if (!ReadPlace(rest, &e, &counts)) return false;
    SkipSpaces(rest);
    while (!rest.empty() && (rest.back() == ' ' || rest.back() == '\r')) rest.remove_suffix(1);
    if (!rest.starts_with("{{") || !rest.ends_with("}}") || rest.size() < 4) return false;
    e.text = rest.substr(2, rest.size() - 4);
    if (counts == Counts::kAbove) e.line = last_plain_;
    if (counts == Counts::kBelow) waiting_.push_back(expected.size());
    if (is_pattern) {
      try {
        e.pattern.emplace(PatternOf(e.text), std::regex::ECMAScript);
      } catch (const std::regex_error&) {
        ok_ = Report(file_, number_, StrFormat("invalid regular expression \"{}\"", e.text));
      }
    }
    expected.push_back(std::move(e));
    return true;
  }

  std::string_view file_;
  uint32_t number_;
  uint32_t last_plain_ = 0;
  std::vector<size_t> waiting_;  // expectations with "@below", until the next plain line
  bool ok_ = true;
};

// Matches diagnostics with expectations, and prints differences if `report`. The messages mirror MLIR.
bool Match(std::vector<Expected>& expected, std::string_view file, const Diagnostics& found, bool report) {
  bool ok = true;
  const auto fail = [&](uint32_t line, const std::string& message) {
    ok = false;
    if (report) Report(file, line, message);
  };
  for (Expected& e : expected) e.matched = false;
  for (const Diagnostic& d : found) {
    if (d.severity == Severity::kNote) continue;
    const std::string_view kind = SeverityName(d.severity);
    const auto match = std::ranges::find_if(expected, [&](const Expected& e) {
      return !e.matched && e.kind == kind && (e.line == 0 || e.line == d.place.line) && e.Matches(d.message);
    });
    if (match != expected.end())
      match->matched = true;
    else if (d.severity == Severity::kError)
      fail(d.place.line, StrFormat("unexpected {}: {}", kind, d.message));
  }
  for (const Expected& e : expected)
    if (!e.matched)
      fail(e.written, StrFormat("expected {} \"{}\" was not produced{}", e.kind, e.text,
                                e.line && e.line != e.written ? StrFormat(" at line {}", e.line) : ""));
  return ok;
}

}  // namespace

bool MatchExpected(std::string_view text, uint32_t first_line, std::string_view file,
                   const Diagnostics& found, const Diagnostics& first_found) {
  ExpectedReader reader(file, first_line);
  const bool readable = reader.Read(text);
  const bool two_ways = !first_found.empty();
  return (Match(reader.expected, file, found, !two_ways) ||
          (two_ways && Match(reader.expected, file, first_found, true))) &&
         readable;
}

}  // namespace shlo::tool
