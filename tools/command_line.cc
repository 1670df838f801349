#include "command_line.h"

#include "base/format.h"
#include "help.h"
#include "option_row.h"

namespace shlo::tool {
namespace {

constexpr const char* kFooter =
    "Words:\n"
    "  help [COMMAND]         print help, of one command or of all; --man: a page\n"
    "  version                print the version\n"
    "  completions SHELL      print completions for bash, zsh or fish\n\n"
    "FILE may be MLIR text, MLIR bytecode, a .shlo archive, a jax.export file or a\n"
    "TensorFlow SavedModel (saved_model.pb or its folder); the format is detected\n"
    "from its content. '-' is standard input. -o OUT keeps a jax.export file or\n"
    "SavedModel around its programs; --extract takes one out.\n"
    "MHLO of 2021 to 2024 is read as well: with a target it becomes StableHLO.\n"
    "PATH may be such a file, a folder, for all programs in it, or a\n"
    "quoted pattern with *, ?, [...] and ** (any number of folders).\n"
    "A version V is a number (62, v62), a release (1.9.0), 'current', 'minimum', a\n"
    "date (2025-06-01: the newest release by then), WEEK_4, WEEK_12 or MAX.\n\n"
    "Exit codes:\n"
    "  0  done\n"
    "  1  negative result: does not verify, different, not equal or not covered,\n"
    "     not representable at the target, or outside the compatibility window\n"
    "  2  usage error\n"
    "  3  invalid input: cannot be parsed or evaluated\n"
    "  4  system error (file access, memory)";

}  // namespace

const CommandRow* RowOfCommand(std::string_view name) {
  for (const CommandRow& row : CommandRows())
    if (row.name == name) return &row;
  return nullptr;
}

std::string ShortHelp() {
  std::string out =
      "Usage: shlo-compat [--target=V] [-o OUT] FILE   convert a program\n"
      "       shlo-compat COMMAND ...                  anything else\n\n"
      "Commands:";
  std::string_view purpose;
  for (const CommandRow& row : CommandRows()) {
    out += row.purpose == purpose ? StrFormat(", {}", row.name)
                                  : StrFormat("\n  {:20} {}", row.purpose, row.name);
    purpose = row.purpose;
  }
  out +=
      "\n  this tool            help [COMMAND], version, completions SHELL\n\n"
      "Flags:\n"
      "  --target=V           version to convert to: 1.9.0, 62, current, 2025-06-01\n"
      "  --for=CONSUMER       or consumer of the output: jaxlib==0.9.0\n"
      "  --emit=KIND          text, generic, vhlo, shlo, mlirbc (default: by OUT)\n"
      "  -o, --output=OUT     output file (default: standard output)\n"
      "  --out-dir=DIR        folder for the outputs of several inputs\n"
      "  --expand             rewrite ops that the target lacks\n";
  if (!kMinimal) out += "  --prove              write nothing unless proved equal to the input\n";
  return out +
         "  --lenient            accept violations of the specification\n\n"
         "'shlo-compat --help' has everything, 'shlo-compat COMMAND -h' a command's flags.\n";
}

std::string Description() {
  std::string out =
      "Converts StableHLO programs between versions and formats.\n\n"
      "  shlo-compat --target=1.9.0 m.mlir             print text for 1.9.0\n"
      "  shlo-compat --target=1.9.0 -o m.shlo m.mlir   write an archive for 1.9.0\n"
      "  shlo-compat --target=current m.shlo           print the newest version\n"
      "  shlo-compat --target=62 --out-dir=new models  convert the programs of a folder";
  if (kMinimal) out += "\n\nThis is the minimal build: it does not evaluate or prove, and has no archives.";
  return out;
}

void AddCommands(CLI::App* app, Options* root, Context& ctx,
                 const std::function<bool(std::string_view)>& wanted) {
  app->require_subcommand(0, 1);
  app->set_help_flag("-h,--help", "print this help; -h: a screen of it")->group(kGeneralFlags);
  AddConvert(*root, ctx);
  AddCommonFlags(*root, ctx);
  for (const CommandRow& row : CommandRows()) {
    CLI::App* sub = app->add_subcommand(row.name, row.help);
    sub->get_help_ptr()->group(kGeneralFlags);
    Options options(sub);
    if (!wanted(row.name)) continue;
    row.add(options, ctx);
    if (CommandsOf(*sub).empty()) AddCommonFlags(options, ctx);
  }
  app->footer(kFooter);
  app->set_version_flag("-V,--version", StrFormat("shlo-compat {}{} (StableHLO {})", ToolVersion(),
                                                  kMinimal ? " minimal" : "", VersionName(kCurrentVersion)))
      ->description("print the version")
      ->group(kGeneralFlags);
}

WholeApp::WholeApp() : app(Description(), "shlo-compat") {
  app.formatter(std::make_shared<HelpFormatter>(/*all=*/true, ""));
  AddCommands(&app, &root, ctx, [](std::string_view) { return true; });
}

std::string ChosenName(const CLI::App& app) {
  std::string name;
  for (const CLI::App* at = &app; !at->get_subcommands().empty();) {
    at = at->get_subcommands()[0];
    name += (name.empty() ? "" : " ") + at->get_name();
  }
  return name;
}

}  // namespace shlo::tool
