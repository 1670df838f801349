// The rendering of texts for the Python package, which has its own reports.
#include <string>
#include <string_view>

#include "base/printable.h"
#include "shlo/diagnostics.h"
#include "tool_main.h"

namespace shlo::tool {

std::string PrintedText(std::string_view text, std::string_view medium) {
  if (medium == "xml") return EscapedFor(Medium::kXml, text);
  if (medium == "xml-lines") return EscapedLinesFor(Medium::kXml, text);
  if (medium == "markdown") return EscapedFor(Medium::kMarkdown, text);
  if (medium == "command") return EscapedFor(Medium::kCommand, text);
  if (medium == "property") return EscapedFor(Medium::kProperty, text);
  if (medium == "name") return NameText(text);
  if (medium == "symbol") return SymbolText(text);
  if (medium == "line") return SourceLineText(text);
  if (medium == "json") return JsonForTerminals(text);
  if (medium == "message") return EscapedFor(Medium::kTerminal, shlo::Shown(text));
  if (medium == "shown") return Utf8Text(shlo::Shown(text));
  if (medium == "lines") return TerminalText::Lines(text).str();
  return EscapedFor(Medium::kTerminal, text);
}

}  // namespace shlo::tool
