// Places and diagnostics of the text reader.
#include "serialize/text/reader_base.h"

#include <algorithm>

#include "base/format.h"

namespace shlo::text {
namespace {

std::string Printable(char ch) {
  if (ch >= ' ' && ch <= '~') return std::string("'") + ch + "'";
  constexpr char kDigits[] = "0123456789ABCDEF";
  return std::string("byte 0x") + kDigits[uint8_t(ch) >> 4] + kDigits[uint8_t(ch) & 15];
}

}  // namespace

ReaderBase::ReaderBase(std::string_view text, Buffer owner, const TextReadOptions& options)
    : text_(text), owner_(std::move(owner)), options_(options), c_(text) {}

Place ReaderBase::PlaceAt(const char* at) const {
  Place place;
  place.file = options_.source_name;
  const char* begin = text_.data();
  const char* end = begin + text_.size();
  at = std::clamp(at, begin, end);
  const char* line = at;
  while (line > begin && line[-1] != '\n') --line;
  const char* line_end = std::find(at, end, '\n');
  place.line = options_.first_line + uint32_t(std::count(begin, line, '\n'));
  place.column = uint32_t(at - line + 1);
  // Omit lines of megabytes: nobody can see the caret in them.
  if (line_end - line <= 4096) place.source_line.assign(line, line_end);
  return place;
}

AttrId ReaderBase::NewLocation(const char* at) {
  if (!located_) located_ = text_.data();
  if (at >= located_)
    located_line_ += std::count(located_, at, '\n');
  else
    located_line_ -= std::count(at, located_, '\n');
  located_ = at;
  const char* line = at;
  while (line > text_.data() && line[-1] != '\n') --line;
  return m_.Make(FileLineColLoc{.file = m_.strings.Intern(options_.implicit_locations),
                                .line = located_line_,
                                .column = at - line + 1});
}

// Location of ops that the text does not contain: line 0, column 0, as in MLIR.
AttrId ReaderBase::NowhereInFile() {
  if (options_.implicit_locations.empty()) return {};
  return m_.Make(FileLineColLoc{.file = m_.strings.Intern(options_.implicit_locations)});
}

bool ReaderBase::Fail(const char* at, std::string message, std::string hint, Code code) {
  if (stop_) return false;
  Diagnostic d;
  d.code = code;
  d.place = PlaceAt(at);
  d.message = std::move(message);
  d.hint = std::move(hint);
  diagnostics_.push_back(std::move(d));
  failed_at_ = std::max(at, c_.p);
  if (diagnostics_.size() >= std::max<size_t>(options_.max_diagnostics, 1)) stop_ = true;
  return false;
}

bool ReaderBase::FailUnknownVhlo(const char* at, std::string message, std::string_view name,
                                 bool (*is_known)(std::string_view)) {
  constexpr std::string_view kRevision = "_v";
  const size_t base = std::min(name.rfind(kRevision), name.size());
  const std::string_view number = name.substr(std::min(base + kRevision.size(), name.size()));
  const bool has_number = !number.empty() && number.find_first_not_of("0123456789") == number.npos;
  // No name has had more revisions than these.
  for (char revision = '1'; has_number && revision <= '9'; ++revision)
    if (is_known(std::string(name.substr(0, base + kRevision.size())) + revision) &&
        (number.size() > 1 || number[0] > revision))
      return Fail(at, std::move(message), "update shlo-compat, or ask the producer for an older target",
                  Code::kNewerVersion);
  return Fail(at, std::move(message),
              StrFormat("check the name; update shlo-compat if a release after {} wrote it",
                        FindVersion(kCurrentVersion)->release));
}

// For something that is missing before a token that begins a line. Returns the place where it was expected:
// the end of the last line that has more than a comment.
const char* ReaderBase::EndOfLineBefore(const char* token) const {
  const char* at = token;
  for (bool crossed = false;; crossed = true) {
    while (at > text_.data() && (at[-1] == ' ' || at[-1] == '\t')) --at;
    if (at == text_.data()) return token;
    if (at[-1] != '\n' && at[-1] != '\r') return crossed ? at : token;
    const char* line = --at;
    while (line > text_.data() && line[-1] != '\n' && line[-1] != '\r') --line;
    const size_t comment = std::string_view(line, size_t(at - line)).find("//");
    if (comment != std::string_view::npos) at = line + comment;
  }
}

bool ReaderBase::FailExpected(std::string_view what) {
  c_.Skip();
  const std::string found = c_.p == c_.end ? "the end of the text" : Printable(*c_.p);
  return Fail(EndOfLineBefore(c_.p), "expected " + std::string(what), "found " + found);
}

bool ReaderBase::FailExpect(char ch, std::string_view context) {
  return FailExpected(std::string("'") + ch + (context.empty() ? "'" : "' ") + std::string(context));
}

bool ReaderBase::ExpectWord(std::string_view word) {
  return c_.EatWord(word) || FailExpected("'" + std::string(word) + "'");
}

bool ReaderBase::ExpectArrow(std::string_view context) {
  return c_.EatArrow() || FailExpected(context.empty() ? "'->'" : "'->' " + std::string(context));
}

bool ReaderBase::FailCustom(std::string_view op, const char* at, std::string_view message) {
  return Fail(at, "custom op '" + std::string(op) + "' " + std::string(message));
}

}  // namespace shlo::text
