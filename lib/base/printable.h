// Text that people see in a terminal, a log or a report. Names come from files, archives and other programs;
// shown as they are, they could move the cursor, begin a new line, or be a command to a CI system.
//
// A Printable is made from literals of the source, and from arguments, which are escaped for where it is
// shown. So what a file says cannot reach a sink unescaped: the sinks take no std::string. Not for programs
// and documents that other programs read: these have separate writers.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/format.h"

namespace shlo {

// Where a text is shown. Everywhere, bytes of control characters (of C1, too), of characters that are
// invisible or change the direction of text, and bytes that are not UTF-8 become \HH, as in MLIR's strings.
enum class Medium {
  kTerminal,  // terminals and logs
  kXml,       // XML and HTML: also entities for <, >, & and quotes
  kMarkdown,  // as code, unless it is plain words: names of users are not mentions
  kCommand,   // commands of GitHub's workflows
  kProperty,  // values of their properties
};

// Returns a text of one line for a medium.
std::string EscapedFor(Medium medium, std::string_view text);
// Likewise, but line ends stay.
std::string EscapedLinesFor(Medium medium, std::string_view text);

// Returns a symbol as MLIR prints it: @main, @"main\1B[8m". Long names are shortened (see Shown).
std::string SymbolText(std::string_view name);
// Returns the name of a file, a program or a key: as it is if nobody can take it for more than a name,
// otherwise quoted: "::error::", "a.mlir: verifies".
std::string NameText(std::string_view name);
// Returns a word of a command line, for hints: a shell that it is pasted into takes it as one word.
std::string ShellText(std::string_view word);
// Returns a text in quotes, with \" and \\ and \HH.
std::string QuotedText(std::string_view text);
// Returns a line of a source text, byte for byte, with ' ' for control characters, and '?' for what else is
// not shown. Columns stay.
std::string SourceLineText(std::string_view line);
// Returns a text with \HH for bytes that are not UTF-8, and everything else as it is.
std::string Utf8Text(std::string_view text);
// Returns a document of JSON in which characters that act in terminals are \u escapes, with the same meaning.
std::string JsonForTerminals(std::string_view document);

// A constant of the source.
struct Literal {
  consteval Literal(const char* constant) : text(constant) {}  // NOLINT(google-explicit-constructor)
  std::string_view text;
};

template <Medium M>
class Printable;
struct Diagnostic;

namespace printable {

template <typename T>
inline constexpr bool kIsNumber = std::is_arithmetic_v<T> && !std::is_same_v<T, char>;

template <Medium M, typename T>
requires kIsNumber<T> T Shown(const T& number) { return number; }
template <Medium M>
std::string Shown(std::string_view text) {
  return EscapedFor(M, text);
}
template <Medium M>
std::string Shown(char c) {
  return EscapedFor(M, std::string_view(&c, 1));
}
template <Medium M, Medium P>
requires(P == M || (M == Medium::kCommand && P == Medium::kProperty)) std::string_view
    Shown(const Printable<P>& text) {
  return text.pieces();
}

// Not defined: what calls it in a constant expression does not compile.
void SymbolsArePrintedBySymbolText();

// A format string, which is checked when it is compiled.
template <Medium M, typename... Args>
struct Format {
  template <typename S>
  requires std::convertible_to<const S&, std::string_view>
  consteval Format(const S& format) : checked(format) {  // NOLINT(google-explicit-constructor)
    // A name such as "f: equal" could be taken for a verdict.
    if (std::string_view(format).find("@{") != std::string_view::npos) SymbolsArePrintedBySymbolText();
  }
  fmt::format_string<decltype(Shown<M>(std::declval<const Args&>()))...> checked;
};

template <typename... Shown>
void Append(std::string* out, fmt::string_view format, const Shown&... args) {
  out->append(StrFormatArgs(format, fmt::make_format_args(args...)));
}

// Returns the text of a terminal without lines that begin with a workflow command ("::error::"), wherever its
// parts come from, and without "##[", which some CI systems look for anywhere.
std::string WithoutCommands(std::string text);

}  // namespace printable

// A text for a medium.
template <Medium M>
class Printable {
 public:
  Printable() = default;
  Printable(Literal text) : text_(text.text) {}  // NOLINT(google-explicit-constructor)

  // Formats like fmt::format. Arguments that are strings are escaped; they may be numbers, and texts for the
  // same medium.
  template <typename... Args>
  static Printable Of(std::type_identity_t<printable::Format<M, Args...>> format, const Args&... args) {
    Printable out;
    out.Add(format, args...);
    return out;
  }
  // Appends likewise.
  template <typename... Args>
  Printable& Add(std::type_identity_t<printable::Format<M, Args...>> format, const Args&... args) {
    printable::Append(&text_, format.checked, printable::Shown<M>(args)...);
    return *this;
  }
  // Returns a text with the lines that it has: for what the library prints itself, such as tensors and pages.
  static Printable Lines(std::string_view text) {
    Printable out;
    out.text_ = EscapedLinesFor(M, text);
    return out;
  }

  Printable& operator+=(const Printable& other) {
    text_ += other.text_;
    return *this;
  }
  Printable& operator+=(Literal text) {
    text_ += text.text;
    return *this;
  }
  friend Printable operator+(Printable a, const Printable& b) { return std::move(a += b); }
  friend Printable operator+(Printable a, Literal b) { return std::move(a += b); }
  friend Printable operator+(Literal a, const Printable& b) { return Printable(a) + b; }
  friend bool operator==(const Printable&, const Printable&) = default;
  bool empty() const { return text_.empty(); }
  std::string_view pieces() const { return text_; }

  // Returns what a sink writes.
  std::string str() const {
    if constexpr (M == Medium::kTerminal)
      return printable::WithoutCommands(text_);
    else
      return text_;
  }

 private:
  std::string text_;
};

using TerminalText = Printable<Medium::kTerminal>;
using XmlText = Printable<Medium::kXml>;
using MarkdownText = Printable<Medium::kMarkdown>;
using CommandText = Printable<Medium::kCommand>;
using PropertyText = Printable<Medium::kProperty>;

// Returns a diagnostic as Render does (shlo/diagnostics.h). `code` takes the place of its code, unless it is
// empty.
TerminalText RenderText(const Diagnostic& diagnostic, bool color = false, std::string_view code = {});

// Returns strings with a separator between them.
template <Medium M = Medium::kTerminal, typename RangeT>
Printable<M> Joined(const RangeT& range, Literal separator) {
  Printable<M> out;
  bool first = true;
  for (const auto& item : range) {
    if (!std::exchange(first, false)) out += separator;
    out.Add("{}", item);
  }
  return out;
}

}  // namespace shlo
