#include "still.h"

#include <algorithm>
#include <cctype>

#include "child.h"
#include "ir/format.h"
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

std::string WithPath(std::string command, const std::string& path) {
  const std::string quoted = Quoted(path);
  size_t at = command.find("{}");
  if (at == std::string::npos) return command + " " + quoted;
  for (; at != std::string::npos; at = command.find("{}", at + quoted.size())) command.replace(at, 2, quoted);
  return command;
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
    const auto path = folder->Write(name, *bytes);
    if (!path) return tl::unexpected(path.error());
    const auto output = folder->Write("output.txt", "");
    if (!output) return tl::unexpected(output.error());
    Limits::Clock::time_point until = command.deadline;
    if (command.timeout.count() > 0) until = std::min(until, Limits::Clock::now() + command.timeout);
    const auto end = RunShell(WithPath(command.command, *path), *output, until);
    if (!end) return tl::unexpected(end.error());
    if (end->stopped) return false;
    const auto code = uint64_t(end->exit_code);
    if ((code == kCannotRun || code == kNotFound) && code != command.exit_code)
      return Error(Code::kUsage, StrFormat("the shell cannot run '{}'", command.command), {},
                   "pass a command that works in this folder");
    if (code != command.exit_code) return false;
    if (command.text.empty()) return true;
    const auto file = OpenInput(*output);
    if (!file) return tl::unexpected(file.error());
    return file->bytes.find(command.text) != std::string_view::npos;
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
