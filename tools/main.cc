// Wires options to commands; each command has its own file (commands.h lists them).
#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>
#include <list>
#include <new>
#include <span>
#include <string_view>
#include <utility>

#include "base/deadline.h"
#include "base/format.h"
#include "base/nearest.h"
#include "base/stack.h"
#include "command_line.h"
#include "dialects.h"
#include "handlers.h"
#include "help.h"
#include "option_row.h"
#include "tool_main.h"
#include "usage.h"

namespace shlo::tool {
namespace {

// CLI11 would take the argument after "--flag=" as the value.
const char* FlagWithoutValue(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view arg = argv[i];
    if (arg == "--") break;
    if (arg.starts_with("--") && arg.find('=') == arg.size() - 1) return argv[i];
  }
  return nullptr;
}

// The flag counts wherever it is, also on a command line that cannot be parsed.
bool WantsJson(int argc, char** argv) {
  return std::find(argv, argv + argc, std::string_view("--json")) != argv + argc;
}

// --help and --version were printed.
int AfterHelp(Context& ctx) {
  std::cout.flush();
  if (std::cout && std::fflush(stdout) == 0) return kDone;
  return ctx.Fail(Code::kIo, "cannot write to the standard output", {.file = "<stdout>"});
}

// Prints text that does not depend on input.
int PrintTrusted(Context& ctx, const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  return AfterHelp(ctx);
}

// `help`, `version` and `completions` are words for what flags do elsewhere: they print text only.
int RunHelp(Context& ctx, std::span<char*> words) {
  WholeApp whole;
  const CLI::App* app = &whole.app;
  std::string parents;
  for (const char* word : words) {
    if (std::string_view(word) == "--man") return PrintTrusted(ctx, ManualPage(whole.app));
    const CLI::App* found = nullptr;
    Nearest nearest(word);
    for (const CLI::App* command : CommandsOf(*app)) {
      nearest.Try(command->get_name());
      if (command->get_name() == word) found = command;
    }
    if (!found)
      return ctx.Fail(Code::kUsage, StrFormat("there is no command '{}'", word), {},
                      DidYouMean(nearest.best(), "run 'shlo-compat help' for the list"));
    parents += (parents.empty() ? "" : " ") + app->get_name();
    app = found;
  }
  return PrintTrusted(ctx, app->help(parents));
}

int RunCompletions(Context& ctx, std::span<char*> words) {
  const std::string_view shell = words.empty() ? "" : words[0];
  if (words.size() != 1 || std::ranges::find(kShells, shell) == std::end(kShells))
    return ctx.Fail(Code::kUsage,
                    words.empty() ? "which shell?" : StrFormat("there are no completions for '{}'", shell),
                    {}, "run 'shlo-compat completions bash', 'zsh' or 'fish'");
  return PrintTrusted(ctx, Completions(WholeApp().app, shell));
}

int Run(int argc, char** argv, const Cancellation* cancellation) {
  Context ctx;
  ctx.cancellation = cancellation;
  const std::span<char*> words(argv, size_t(argc));
  const auto named = [&](std::string_view name) { return std::ranges::find(words, name) != words.end(); };
  const std::string_view first = argc > 1 ? argv[1] : "";
  if (first == "help") return RunHelp(ctx, words.subspan(2));
  if (first == "completions") return RunCompletions(ctx, words.subspan(2));
  if (first == "version") argv[1] = const_cast<char*>("--version");
  // CLI11 would take "[1, 2]" after --args for two values.
  std::list<std::string> spaced;
  if (named("eval"))
    for (char*& word : words)
      for (const std::string_view flag : {"", "--args="})
        if (std::string_view(word).starts_with(std::string(flag) + "["))
          word = spaced.emplace_back(std::string(flag) + " " + (word + flag.size())).data();
  CLI::App app(Description(), "shlo-compat");
  app.formatter(std::make_shared<HelpFormatter>(named("--help"), ShortHelp()));
  Options root(&app);
  AddCommands(&app, &root, ctx, named);
  const auto usage_error = [&](const UsageProblem& problem) {
    const int code = ctx.Fail(Code::kUsage, problem.message, {}, problem.hint);
    if (const std::string name = ChosenName(app); !name.empty()) ctx.command = name;
    return WantsJson(argc, argv) ? PrintJson(ctx, Json::object(), code) : code;
  };
  if (const char* flag = FlagWithoutValue(argc, argv))
    return usage_error({StrFormat("'{}' has no value", flag), HelpHint(app)});
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    app.exit(help);
    return AfterHelp(ctx);
  } catch (const CLI::ParseError& error) {
    return usage_error(ProblemOf(app, error, words));
  }
  const auto chosen = app.get_subcommands();
  if (!chosen.empty()) {
    for (const CLI::Option* option : app.get_options()) {
      if (option->count() != 0 && !IsForEveryCommand(option->get_name()))
        return usage_error(FlagBeforeCommand(app, option->get_name()));
    }
    ctx.command = ChosenName(app);
  }
  if (ctx.quiet) ctx.progress.Hide();
  ctx.StartTimer();
  ctx.progress.Step("{}", NameText(ctx.command));
  int code = LoadDialects(ctx, ctx.dialect_files);
  if (code == kDone)
    code = ctx.run();
  else if (ctx.json)
    PrintJson(ctx, Json::object(), code);
  ctx.progress.Clear();
  return code;
}

// Called by the name of one of the reference's tools, the binary behaves as that tool.
int RunByName(int argc, char** argv, const Cancellation* cancellation) {
  std::string_view name = argc > 0 ? argv[0] : "";
  name.remove_prefix(name.rfind('/') + 1);
  const auto dropin = FindDropin(name);
  return dropin ? dropin(argc, argv) : Run(argc, argv, cancellation);
}

// The last document of a command that ends without a chance to make one; "" unless it is wanted.
struct LastJson {
  char text[512];
  size_t size = 0;
};
LastJson LastJsonFor(int argc, char** argv, const char* code, const char* message, int exit_code) {
  LastJson out;
  if (!WantsJson(argc, argv)) return out;
  const char* command = "convert";
  int next = 0;
  for (int i = argc - 1; i > 0; --i)
    if (const CommandRow* row = RowOfCommand(argv[i])) {
      command = row->name;
      next = i + 1;
    }
  // Those of `archive` have two names.
  std::string_view second =
      next > 0 && next < argc && std::string_view(command) == "archive" ? argv[next] : "";
  if (second.find_first_not_of("abcdefghijklmnopqrstuvwxyz") != second.npos || second.size() > 20)
    second = "";
  const int size =
      std::snprintf(out.text, sizeof out.text,
                    R"({"format_version": %d, "command": "%s%s%.*s", "exit": %d, "diagnostics": )"
                    R"([{"severity": "error", "code": "%s", "message": "%s"}]})"
                    "\n",
                    kJsonVersion, command, second.empty() ? "" : " ", int(second.size()), second.data(),
                    exit_code, code, message);
  out.size = size_t(std::max(size, 0));
  return out;
}

void PrintLastJson(const LastJson& json) { std::fwrite(json.text, 1, json.size, stdout); }

int Guarded(int argc, char** argv, const Cancellation* cancellation) noexcept {
  const LastJson json = LastJsonFor(argc, argv, "io", "a file became shorter while it was read", kIoError);
  ExitOnShrunkenFiles(kIoError, {json.text, json.size});
  try {
    const DeadlineScope scope({.cancellation = cancellation});
    return RunByName(argc, argv, cancellation);
  } catch (const StackExhausted&) {
    std::fprintf(stderr, "error: %s [limit]\n  hint: %s\n", kStackMessage, kStackHint);
    PrintLastJson(LastJsonFor(argc, argv, "limit", kStackMessage, kBadInput));
    return kBadInput;
  } catch (const Canceled&) {
    WriteToStderr(TerminalText::Of("error: {} [canceled]\n", std::string_view(kCanceledMessage)));
    PrintLastJson(LastJsonFor(argc, argv, "canceled", kCanceledMessage, kBadInput));
    return kBadInput;
  } catch (const std::bad_alloc&) {
    WriteToStderr(TerminalText("error: out of memory [io]\n"));
    PrintLastJson(LastJsonFor(argc, argv, "io", "out of memory", kIoError));
    return kIoError;
  } catch (const std::exception& e) {
    WriteToStderr(TerminalText::Of("error: {} [unsupported]\n", std::string_view(e.what())));
    PrintLastJson(LastJsonFor(argc, argv, "unsupported", "unexpected failure", kBadInput));
    return kBadInput;
  }
}

}  // namespace

int Main(int argc, char** argv, std::function<bool()> canceled) {
  RemoveTemporariesOnSignals();
  LeaveTerminalOnSignals();
  // If whoever started the tool ignores it, nobody can wait for processes such as git.
  std::signal(SIGCHLD, SIG_DFL);
  // A file that reaches the limit of its size is then an error of `write`. A handler, because programs that
  // the tool starts would inherit that a signal is ignored.
  struct sigaction nothing = {}, before;
  nothing.sa_handler = [](int) {};
  if (::sigaction(SIGXFSZ, nullptr, &before) == 0 && before.sa_handler == SIG_DFL)
    ::sigaction(SIGXFSZ, &nothing, nullptr);
  struct Polled {
    std::function<bool()> canceled;
    Cancellation cancellation;
  };
  Polled polled{std::move(canceled), {}};
  if (polled.canceled) {
    polled.cancellation.context = &polled;
    polled.cancellation.poll = [](void* context) {
      Polled& of = *static_cast<Polled*>(context);
      if (of.canceled()) of.cancellation.requested = true;
    };
  }
  return Guarded(argc, argv, polled.canceled ? &polled.cancellation : nullptr);
}

}  // namespace shlo::tool
