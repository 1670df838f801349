// shlo-compat: converts StableHLO programs between versions and formats, and inspects them. This file only
// wires options to commands; each command has its own file (commands.h lists them).
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>

#include "commands.h"
#include "opt.h"
#include "translate.h"

namespace shlo::tool {
namespace {

constexpr const char* kDescription =
    "Converts StableHLO programs between versions and formats.\n\n"
    "  shlo-compat --target=1.9.0 m.mlir             print text for 1.9.0\n"
    "  shlo-compat --target=1.9.0 -o m.shlo m.mlir   write an archive for 1.9.0\n"
    "  shlo-compat --target=current m.shlo           print the newest version\n\n"
    "FILE may be MLIR text, MLIR bytecode, a .shlo archive, a jax.export file or a\n"
    "TensorFlow SavedModel (saved_model.pb or its folder); the format is detected\n"
    "from its content. '-' is standard input. -o OUT keeps a jax.export file or\n"
    "SavedModel around its programs; --extract takes one out.\n"
    "A version V is a number (40, v40), a release (1.9.0), 'current', 'minimum', a\n"
    "date (2025-06-01: the newest release by then), WEEK_4, WEEK_12 or MAX.";

constexpr const char* kFooter =
    "Exit codes:\n"
    "  0  done\n"
    "  1  negative result: does not verify, not equal or not covered, not\n"
    "     representable at the target, or outside the compatibility window\n"
    "  2  usage error\n"
    "  3  invalid input: cannot be parsed or evaluated\n"
    "  4  system error (file access, memory)";

int UsageError(Context& ctx, const std::string& message) {
  return ctx.Fail(Code::kUsage, message, {}, "run 'shlo-compat --help' for usage");
}

int Run(int argc, char** argv) {
  Context ctx;
  CLI::App app(kDescription, "shlo-compat");
  app.footer(kFooter);
  app.require_subcommand(0, 1);
  app.set_version_flag("--version", fmt::format("shlo-compat {} (StableHLO {})", SHLO_TOOL_VERSION,
                                                VersionName(kCurrentVersion)));
  Options root(&app);
  AddConvert(root, ctx);
  struct Row {
    const char* name;
    void (*add)(Options&, Context&);
    const char* help;
  };
  static constexpr Row kRows[] = {
#define SHLO_COMMAND(name, add, help) {#name, add, help},
      SHLO_COMMANDS(SHLO_COMMAND)
#undef SHLO_COMMAND
  };
  for (const Row& row : kRows) {
    CLI::App* sub = app.add_subcommand(row.name, row.help);
    sub->footer(kFooter);
    Options options(sub);
    row.add(options, ctx);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {  // --help and --version
    return app.exit(help) == 0 ? kDone : kUsage;
  } catch (const CLI::ParseError& error) {
    const int code = UsageError(ctx, error.what());
    const bool json = std::find(argv, argv + argc, std::string_view("--json")) != argv + argc;
    return json ? PrintJson(ctx, Json::object(), code) : code;
  }
  const auto chosen = app.get_subcommands();
  if (!chosen.empty()) {
    for (const CLI::Option* option : app.get_options()) {
      if (option->count() == 0 || option->get_name() == "--json" || option->get_name() == "--no-color")
        continue;
      return UsageError(ctx, fmt::format("{} has no effect before '{}'; pass options after the subcommand",
                                         option->get_name(), chosen[0]->get_name()));
    }
  }
  const int code = ctx.run();
  ctx.progress.Clear();
  return code;
}

// Called by the name of one of the reference's tools, the binary behaves as that tool.
int RunByName(int argc, char** argv) {
  std::string_view name = argc > 0 ? argv[0] : "";
  name.remove_prefix(name.rfind('/') + 1);
  if (name == "stablehlo-opt") return RunOpt(argc, argv);
  if (name == "stablehlo-translate") return RunTranslate(argc, argv);
  return Run(argc, argv);
}

int Guarded(int argc, char** argv) noexcept {
  try {
    return RunByName(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fputs("error: out of memory [io]\n", stderr);
    return kIoError;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "error: %s [unsupported]\n", e.what());
    return kBadInput;
  }
}

}  // namespace
}  // namespace shlo::tool

int main(int argc, char** argv) { return shlo::tool::Guarded(argc, argv); }
