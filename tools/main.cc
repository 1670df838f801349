// Wires options to commands; each command has its own file (commands.h lists them).
#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>
#include <new>
#include <string_view>
#include <utility>

#include "commands.h"
#include "dialects.h"
#include "ir/deadline.h"
#include "ir/format.h"
#include "ir/nearest.h"
#include "ir/stack.h"
#include "opt.h"
#include "tool_main.h"
#include "translate.h"

namespace shlo::tool {
namespace {

struct Row {
  const char* name;
  void (*add)(Options&, Context&);
  const char* help;
};
constexpr Row kRows[] = {
#define SHLO_COMMAND(name, add, help) {#name, add, help},
    SHLO_COMMANDS(SHLO_COMMAND)
#undef SHLO_COMMAND
};

constexpr const char* kDescription =
    "Converts StableHLO programs between versions and formats.\n\n"
    "  shlo-compat --target=1.9.0 m.mlir             print text for 1.9.0\n"
    "  shlo-compat --target=1.9.0 -o m.shlo m.mlir   write an archive for 1.9.0\n"
    "  shlo-compat --target=current m.shlo           print the newest version\n"
    "  shlo-compat --target=40 --out-dir=new models  convert the programs of a folder\n\n"
    "FILE may be MLIR text, MLIR bytecode, a .shlo archive, a jax.export file or a\n"
    "TensorFlow SavedModel (saved_model.pb or its folder); the format is detected\n"
    "from its content. '-' is standard input. -o OUT keeps a jax.export file or\n"
    "SavedModel around its programs; --extract takes one out.\n"
    "MHLO of 2021 to 2024 is read as well: with a target it becomes StableHLO.\n"
    "PATH may be such a file, a folder, which stands for the programs in it, or a\n"
    "quoted pattern with *, ?, [...] and ** (any number of folders).\n"
    "A version V is a number (40, v40), a release (1.9.0), 'current', 'minimum', a\n"
    "date (2025-06-01: the newest release by then), WEEK_4, WEEK_12 or MAX.";

constexpr const char* kFooter =
    "Exit codes:\n"
    "  0  done\n"
    "  1  negative result: does not verify, different, not equal or not covered,\n"
    "     not representable at the target, or outside the compatibility window\n"
    "  2  usage error\n"
    "  3  invalid input: cannot be parsed or evaluated\n"
    "  4  system error (file access, memory)";

int UsageError(Context& ctx, const std::string& message, std::string_view meant = {}) {
  return ctx.Fail(Code::kUsage, message, {}, DidYouMean(meant, "run 'shlo-compat --help' for usage"));
}

// Returns the command that was chosen, after those that it is one of.
std::vector<const CLI::App*> Chosen(const CLI::App& app) {
  std::vector<const CLI::App*> out;
  for (const CLI::App* at = &app; !at->get_subcommands().empty();)
    out.push_back(at = at->get_subcommands()[0]);
  return out;
}

// Returns the name of the command that was chosen: "archive add".
std::string ChosenName(const CLI::App& app) {
  std::string name;
  for (const CLI::App* command : Chosen(app)) name += (name.empty() ? "" : " ") + command->get_name();
  return name;
}

// Returns a flag of the command, or a command, that is spelled like an argument that is neither; "" if there
// is none.
std::string Meant(const CLI::App& app, int argc, char** argv) {
  const auto chosen = Chosen(app);
  const CLI::App& command = chosen.empty() ? app : *chosen.back();
  for (int i = 1; i < argc; ++i) {
    std::string_view arg = argv[i];
    arg = arg.substr(0, arg.find('='));
    if (arg == "--") break;
    if (!arg.starts_with("--")) continue;
    Nearest nearest(arg);
    bool known = false;
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options())
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : names) {
      known = known || name == arg;
      nearest.Try(name);
    }
    if (!known && !nearest.best().empty()) return std::string(nearest.best());
  }
  return chosen.empty() && argc > 1 ? std::string(NearestCommand(argv[1])) : "";
}

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

// Prints options without the value that a flag stands for.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option_name(const CLI::Option* option, bool positional) const override {
    std::string name = CLI::Formatter::make_option_name(option, positional);
    if (const size_t at = name.find("{*}"); at != name.npos) name.erase(at, 3);
    return name;
  }
};

int Run(int argc, char** argv, const Cancellation* cancellation) {
  Context ctx;
  ctx.cancellation = cancellation;
  CLI::App app(kDescription, "shlo-compat");
  app.formatter(std::make_shared<HelpFormatter>());
  app.footer(kFooter);
  app.require_subcommand(0, 1);
  app.set_version_flag("--version", StrFormat("shlo-compat {} (StableHLO {})", SHLO_TOOL_VERSION,
                                              VersionName(kCurrentVersion)));
  Options root(&app);
  AddConvert(root, ctx);
  const auto named = [&](std::string_view name) { return std::find(argv, argv + argc, name) != argv + argc; };
  for (const Row& row : kRows) {
    CLI::App* sub = app.add_subcommand(row.name, row.help);
    sub->footer(kFooter);
    Options options(sub);
    // Making the options of all commands takes longer than most commands.
    if (named(row.name)) row.add(options, ctx);
  }
  const auto usage_error = [&](const std::string& message, std::string_view meant) {
    const int code = UsageError(ctx, message, meant);
    if (const std::string name = ChosenName(app); !name.empty()) ctx.command = name;
    return WantsJson(argc, argv) ? PrintJson(ctx, Json::object(), code) : code;
  };
  if (const char* flag = FlagWithoutValue(argc, argv))
    return usage_error(StrFormat("'{}' has no value", flag), {});
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    app.exit(help);
    return AfterHelp(ctx);
  } catch (const CLI::ParseError& error) {
    return usage_error(error.what(), Meant(app, argc, argv));
  }
  const auto chosen = app.get_subcommands();
  if (!chosen.empty()) {
    for (const CLI::Option* option : app.get_options()) {
      if (option->count() == 0 || option->get_name() == "--json" || option->get_name() == "--no-color")
        continue;
      return usage_error(StrFormat("{} has no effect before '{}'; pass options after the subcommand",
                                   option->get_name(), chosen[0]->get_name()),
                         {});
    }
    ctx.command = ChosenName(app);
  }
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

}  // namespace

std::string_view NearestCommand(std::string_view word) {
  Nearest nearest(word);
  for (const Row& row : kRows) nearest.Try(row.name);
  return nearest.best();
}

namespace {

// Called by the name of one of the reference's tools, the binary behaves as that tool.
int RunByName(int argc, char** argv, const Cancellation* cancellation) {
  std::string_view name = argc > 0 ? argv[0] : "";
  name.remove_prefix(name.rfind('/') + 1);
  if (name == "stablehlo-opt") return RunOpt(argc, argv);
  if (name == "stablehlo-translate") return RunTranslate(argc, argv);
  return Run(argc, argv, cancellation);
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
    for (const Row& row : kRows)
      if (std::string_view(argv[i]) == row.name) {
        command = row.name;
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
