#include "interpret.h"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>
#include <sstream>

#include "arguments/eval_arguments.h"
#include "base/format.h"
#include "base/try.h"
#include "ir/table/trait.h"
#include "shlo/file_io.h"
#include "shlo/npy.h"

namespace shlo::tool {
namespace {

constexpr const char* kIndexFile = "index.csv";

std::optional<std::string> ReadWhole(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  std::stringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

// Returns a field of CSV (RFC 4180): ids of probes and types may have commas, quotes and line ends.
std::string CsvField(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == text.npos) return std::string(text);
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + '"';
}

// Removes a line of CSV from the beginning of `*text`, and returns its fields.
std::vector<std::string> TakeCsvLine(std::string_view* text) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  size_t i = 0;
  for (; i < text->size(); ++i) {
    const char c = (*text)[i];
    if (c == '"' && quoted && i + 1 < text->size() && (*text)[i + 1] == '"')
      fields.back() += (*text)[i++];
    else if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      fields.emplace_back();
    else if (c == '\n' && !quoted)
      break;
    else
      fields.back() += c;
  }
  text->remove_prefix(std::min(i + 1, text->size()));
  return fields;
}

tl::unexpected<Diagnostics> ArgsError(std::string_view message) {
  // Mirrors MLIR.
  return Error(Code::kUsage, StrFormat("{}, i.e. --args=[dense<1> : tensor<2xi32>, ...]", message));
}

Result<std::vector<Tensor>> ParseArgs(const std::string& text) {
  if (text.empty()) return std::vector<Tensor>();
  const size_t first = text.find_first_not_of(" \t\n");
  if (first == std::string::npos || text[first] != '[')
    return ArgsError("expectected array attribute string for args");
  auto tensors = ParseTensors(text, "<args>");
  if (!tensors && tensors.error()[0].code == Code::kUnsupported)
    return ArgsError("expected dense elements attribute for args elements");
  return tensors;
}

// Returns the functions to evaluate: "" for @main or the only function. Without a @main, a program is a list
// of tests, as in the reference's early test suites: all functions but those that only others call.
std::vector<std::string> FunctionsOf(const Module& module) {
  std::vector<std::string> names;
  size_t count = 0;
  for (uint32_t i = 1; i < module.ops.size(); ++i) {
    const Op& op = module.ops[i];
    if (!module.Has(op, Trait::kFunction)) continue;
    ++count;
    const std::string_view name = module.SymbolOf(op);
    if (name == "main") return {""};
    if (module.VisibilityOf(op) != "private") names.emplace_back(name);
  }
  if (count == 1) return {""};
  return names;
}

// Evaluates a program and returns the text of its results.
Result<TerminalText> RunProgram(const Module& module, const std::vector<Tensor>& args, bool print_dense,
                                EvalOptions eval, Diagnostics* failed) {
  TerminalText out;
  std::mutex mutex;
  eval.print = [&](std::string_view text) {
    std::lock_guard lock(mutex);
    out += TerminalText::Lines(text);
  };
  for (const std::string& function : FunctionsOf(module)) {
    auto result = SHLO_TRY(Evaluate(module, function, args, eval));
    failed->insert(failed->end(), result.failed_checks.begin(), result.failed_checks.end());
    if (!function.empty()) out.Add("Evaluated results of function: {}\n", NameText(function));
    for (const Tensor& value : result.results)
      out += TerminalText::Lines(print_dense ? PrintDense(value) : PrintAsReference(value)) + "\n";
  }
  return out;
}

}  // namespace

void WriteProbesTo(const std::string& directory, EvalOptions* options) {
  if (directory.empty()) return;
  // Probes run on any thread. Files are numbered, because an id need not be a valid file name.
  struct State {
    std::mutex mutex;
    int64_t next = 0;
  };
  auto state = std::make_shared<State>();
  const std::filesystem::path dir(directory);
  std::error_code ignored;
  std::filesystem::remove(dir / kIndexFile, ignored);
  options->probe = [state, dir](std::string_view id, const Tensor& value) -> Result<void> {
    std::lock_guard lock(state->mutex);
    const std::string name = StrFormat("probe{}.npy", ++state->next);
    const std::filesystem::path path = dir / name;
    const std::string bytes = SHLO_TRY(WriteNpy(value));
    const bool written = CreateFoldersBelow(dir.string(), name) &&
                         WriteFile(path.string(), bytes, /*binary=*/true, Sync::kNever);
    std::ofstream index(dir / kIndexFile, std::ios::app);
    index << CsvField(id) << ',' << CsvField(TypeName(value.type())) << ',' << CsvField(path.string())
          << '\n';
    // Mirrors MLIR.
    if (!written || !index) return Error(Code::kIo, "Failed to open instrumentation metadata file.");
    return {};
  };
  options->probed = [dir](std::string_view id, int64_t iteration,
                          const ValueTypePtr& type) -> Result<Tensor> {
    const auto not_found = [&] {
      // Mirrors MLIR.
      return Error(Code::kEvaluation, StrFormat("Failed to find serialized data for probe {}.", id));
    };
    const std::optional<std::string> index = ReadWhole(dir / kIndexFile);
    if (!index) return not_found();
    int64_t match = 0;
    for (std::string_view rest = *index; !rest.empty();) {
      const std::vector<std::string> line = TakeCsvLine(&rest);
      if (line.size() != 3 || line[0] != id || match++ != iteration) continue;
      const std::string& written = line[1];
      if (written != TypeName(*type))
        return Error(Code::kEvaluation,
                     // Mirrors MLIR.
                     StrFormat("Serialized types don't match: {} (actual) vs {} (expected) for probe {}.",
                               TypeName(*type), written, id));
      auto bytes = ReadWhole(line[2]);
      if (!bytes) return not_found();
      return ReadNpy(*bytes, type);
    }
    return not_found();
  };
}

int RunInterpret(Context& ctx, const DropinFlags& flags) {
  auto args = SHLO_TAKE(ctx, ParseArgs(flags.args.value_or("")));
  const auto file = SHLO_TAKE(ctx, OpenDropinFile(flags.file, flags.split));
  TerminalText out;
  int worst = kDone;
  const auto run = [&](const Program& program) {
    EvalOptions eval;
    eval.source = &program.source;
    WriteProbesTo(flags.probe_dir.value_or(""), &eval);
    Diagnostics failed;
    auto text = RunProgram(program.module, args, flags.print_dense, std::move(eval), &failed);
    if (!text) {
      worst = std::max(worst, ctx.Fail(text.error()));
      return;
    }
    out += *text;
    if (failed.empty()) return;
    ctx.Report(failed);
    worst = std::max<int>(worst, kFinding);
  };
  if (file.format != Format::kText) {
    Program program;
    if (const int code = ReadOne(ctx, flags.file, &program); code != kDone) return code;
    run(program);
  } else {
    for (const TextChunk& chunk : file.chunks) {
      const auto program = ReadProgram(chunk.text, file.file.owner, ReadChunkOptions(file, chunk));
      if (program)
        run(*program);
      else
        worst = std::max(worst, ctx.Fail(program.error()));
    }
  }
  const int code = WriteOut(ctx, ctx.out, out.str(), /*binary=*/false);
  return std::max(worst, code);
}

}  // namespace shlo::tool
