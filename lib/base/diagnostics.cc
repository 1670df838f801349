#include "shlo/diagnostics.h"

#include "base/excerpt.h"
#include "base/format.h"
#include "base/printable.h"

namespace shlo {

std::string_view SeverityName(Severity severity) {
  constexpr std::string_view kNames[] = {"error", "warning", "note"};
  return kNames[size_t(severity)];
}

std::string_view CodeName(Code code) {
  switch (code) {
    case Code::kSyntax:
      return "syntax";
    case Code::kMalformed:
      return "malformed";
    case Code::kChecksum:
      return "checksum";
    case Code::kLimit:
      return "limit";
    case Code::kUnknownVersion:
      return "unknown-version";
    case Code::kNewerVersion:
      return "newer-version";
    case Code::kInvalidProgram:
      return "invalid-program";
    case Code::kConstraint:
      return "constraint";
    case Code::kBlocked:
      return "blocked";
    case Code::kOutsideWindow:
      return "outside-window";
    case Code::kUnsupported:
      return "unsupported";
    case Code::kEvaluation:
      return "evaluation";
    case Code::kNotEqual:
      return "not-equal";
    case Code::kPolicy:
      return "policy";
    case Code::kUsage:
      return "usage";
    case Code::kIo:
      return "io";
    case Code::kCanceled:
      return "canceled";
  }
  return "unknown";
}

tl::unexpected<Diagnostics> Error(Diagnostic diagnostic) {
  Diagnostics list;
  list.push_back(std::move(diagnostic));
  return tl::make_unexpected(std::move(list));
}

tl::unexpected<Diagnostics> Error(Code code, std::string message, Place place, std::string hint) {
  Diagnostic d;
  d.code = code;
  d.place = std::move(place);
  d.message = std::move(message);
  d.hint = std::move(hint);
  return Error(std::move(d));
}

Diagnostic Warning(Code code, std::string message, Place place, std::string hint) {
  Diagnostic d;
  d.severity = Severity::kWarning;
  d.code = code;
  d.place = std::move(place);
  d.message = std::move(message);
  d.hint = std::move(hint);
  return d;
}

std::optional<Excerpt> ExcerptOf(const Place& place) {
  if (place.source_line.empty() || !place.line || !place.column) return std::nullopt;
  constexpr size_t kWidth = 160;
  const size_t column = place.column - 1;
  const size_t first = column > kWidth * 3 / 4 ? column - kWidth / 2 : 0;
  if (first >= place.source_line.size()) return std::nullopt;
  return Excerpt{SourceLineText(std::string_view(place.source_line).substr(first, kWidth)), column - first};
}

TerminalText RenderText(const Diagnostic& d, bool color, std::string_view code) {
  TerminalText out;
  const Place& p = d.place;
  if (!p.file.empty()) out.Add("{}:", NameText(p.file));
  if (p.line) out.Add("{}:{}:", p.line, p.column);
  if (!p.section.empty()) out.Add("{}:", p.section);
  if (p.offset != Place::kNone) out.Add("byte {}:", p.offset);
  if (!out.empty()) out += " ";
  const Literal colors[] = {"\033[1;31m", "\033[1;35m", "\033[1;36m"};
  if (color) out += colors[size_t(d.severity)];
  out.Add("{}:", SeverityName(d.severity));
  if (color) out += "\033[0m";
  out += " ";
  // Mirrored messages begin with the op already: "'stablehlo.add' op ...".
  if (!d.op.empty() && !d.message.starts_with(StrFormat("'{}' op", d.op))) out.Add("'{}': ", Shown(d.op));
  out.Add("{}", Shown(d.message));
  if (d.count > 1) out.Add(" ({} times)", d.count);
  // Without a line of text, the function and the op's location tell where.
  if (!p.function.empty() && !p.line) out.Add(", in {}", SymbolText(p.function));
  if (!p.location.empty()) out.Add(", at {}", Shown(p.location));
  // A note says how something was done, or belongs to the error before it.
  if (!code.empty() || d.severity != Severity::kNote)
    out.Add(" [{}]", code.empty() ? CodeName(d.code) : code);
  out += "\n";
  if (const auto excerpt = ExcerptOf(p))
    out.Add("  {}\n  {}^\n", excerpt->line, std::string(excerpt->column, ' '));
  if (!d.hint.empty()) out.Add("  hint: {}\n", Shown(d.hint));
  return out;
}

std::string Render(const Diagnostic& d, bool color) { return RenderText(d, color).str(); }

std::string Shown(std::string_view text) {
  constexpr size_t kFirst = 8192, kLast = 4096;
  if (text.size() <= kFirst + kLast) return std::string(text);
  // Characters of several bytes stay whole.
  const auto is_inside = [&](size_t at) { return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80; };
  size_t end = kFirst, begin = text.size() - kLast;
  while (end > kFirst - 4 && is_inside(end)) --end;
  while (begin < text.size() - kLast + 4 && is_inside(begin)) ++begin;
  return StrFormat("{}... ({} left out) ...{}", text.substr(0, end), Count(begin - end, "byte"),
                   text.substr(begin));
}

std::string Count(uint64_t n, std::string_view noun) {
  return StrFormat("{} {}{}", n, noun, n == 1 ? "" : "s");
}

}  // namespace shlo
