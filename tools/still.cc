#include "still.h"

#include <algorithm>
#include <cctype>

#include "base/format.h"
#include "base/try.h"
#include "child.h"
#include "shlo/convert.h"

namespace shlo::tool {
namespace {

// Exit codes of the shell for a command that it cannot run.
constexpr uint64_t kCannotRun = 126, kNotFound = 127;

std::string Quoted(std::string_view path) {
  std::string out = "'";
  for (char c : path) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// The path stands for {}, whatever quotes are around it.
std::string WithPath(std::string command, const std::string& path) {
  const std::string quoted = Quoted(path);
  bool found = false;
  for (const std::string_view name : {"\"{}\"", "'{}'", "{}"})
    for (size_t at = 0; (at = command.find(name, at)) != std::string::npos; at += quoted.size()) {
      command.replace(at, name.size(), quoted);
      found = true;
    }
  return found ? command : command + " " + quoted;
}

// Returns how a command ended that does not show it, with the first line that it printed.
std::string HowItEnded(const StillCommand& command, uint64_t code, std::string_view output) {
  constexpr size_t kMost = 200;
  std::string out = code == command.exit_code
                        ? StrFormat("the command exited with {}, but did not print '{}'", code, command.text)
                        : StrFormat("the command exited with {}, not {}", code, command.exit_code);
  output = output.substr(0, output.find('\n'));
  return out +
         (output.empty() ? ", and printed nothing" : StrFormat("; it printed: {}", output.substr(0, kMost)));
}

// A message without what changes as a program gets smaller: numbers.
std::string Class(const Diagnostic& d) {
  std::string out = StrFormat("{} {} ", CodeName(d.code), d.op);
  for (char c : d.message)
    if (!std::isdigit(static_cast<unsigned char>(c))) out += c;
  return out;
}

// Returns whether a list has an error of this class.
bool HasClass(const Diagnostics& list, const std::string& wanted) {
  return std::ranges::any_of(
      list, [&](const Diagnostic& d) { return d.severity == Severity::kError && Class(d) == wanted; });
}
std::string FirstClass(const Diagnostics& list) {
  for (const Diagnostic& d : list)
    if (d.severity == Severity::kError) return Class(d);
  return "";
}

}  // namespace

StillShows ByCommand(StillCommand command, TemporaryFolder* folder) {
  return [command = std::move(command), folder](const Module& candidate) -> Result<bool> {
    Program program;
    program.module = candidate;
    auto bytes = WriteProgram(program, command.write);
    // A program that the format cannot represent does not show it.
    if (!bytes && bytes.error()[0].code != Code::kIo) return false;
    if (!bytes) return tl::unexpected(bytes.error());
    const char* const name = command.write.format == Format::kText           ? "program.mlir"
                             : command.write.format == Format::kMlirBytecode ? "program.mlirbc"
                                                                             : "program.shlo";
    const auto path = SHLO_TRY(folder->Write(name, *bytes));
    const auto output = SHLO_TRY(folder->Write("output.txt", ""));
    Limits::Clock::time_point until = command.deadline;
    if (command.timeout.count() > 0) until = std::min(until, Limits::Clock::now() + command.timeout);
    const auto end = SHLO_TRY(RunShell(WithPath(command.command, path), output, until));
    if (command.how) *command.how = "the command ran longer than the time limit";
    if (end.stopped) return false;
    const auto code = uint64_t(end.exit_code);
    if ((code == kCannotRun || code == kNotFound) && code != command.exit_code)
      return Error(Code::kUsage, StrFormat("the shell cannot run '{}'", command.command), {},
                   "pass a command that works in this folder");
    const auto file = SHLO_TRY(OpenInput(output));
    if (command.how) *command.how = HowItEnded(command, code, file.bytes);
    return code == command.exit_code &&
           (command.text.empty() || file.bytes.find(command.text) != std::string_view::npos);
  };
}

StillShows ByInvalidity(const Module& module) {
  return [wanted = FirstClass(Verify(module))](const Module& candidate) -> Result<bool> {
    return !wanted.empty() && HasClass(Verify(candidate), wanted);
  };
}

StillShows ByBlocker(const Module& module, Version target) {
  return [wanted = FirstClass(Blockers(module, target)), target](const Module& candidate) -> Result<bool> {
    return !wanted.empty() && HasClass(Blockers(candidate, target), wanted);
  };
}

}  // namespace shlo::tool
