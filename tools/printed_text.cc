// Texts as the tool prints them, for the Python package.
#include <string>
#include <string_view>

#include "base/printable.h"
#include "check/report.h"
#include "tool_main.h"

namespace shlo::tool {

std::string PrintedText(std::string_view text, std::string_view medium) {
  if (medium == "xml") return EscapedFor(Medium::kXml, text);
  if (medium == "xml-lines") return EscapedLinesFor(Medium::kXml, text);
  if (medium == "name") return NameText(text);
  if (medium == "symbol") return SymbolText(text);
  if (medium == "json") return JsonForTerminals(text);
  if (medium == "message") return EscapedFor(Medium::kTerminal, shlo::Shown(text));
  if (medium == "diagnostic")
    return RenderText(shlo::DiagnosticOf(shlo::Json::parse(text, nullptr, /*allow_exceptions=*/false))).str();
  if (medium == "lines") return TerminalText::Lines(text).str();
  return EscapedFor(Medium::kTerminal, text);
}

}  // namespace shlo::tool
