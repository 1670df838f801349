// Conversion of many files into a folder that has the paths of the inputs.
#include <sys/stat.h>

#include <filesystem>
#include <map>
#include <set>

#include "base/format.h"
#include "base/sha256.h"
#include "conversion.h"
#include "many.h"
#include "resume.h"

namespace shlo::tool {
namespace {

namespace fs = std::filesystem;

// Returns the path of an output below the folder. Without --emit an output has the name of its input, and so
// its format.
std::string OutputOf(const InputPath& input, const std::string& emit) {
  if (emit.empty()) return input.relative;
  return WithoutFormat(input.relative) + (emit == "shlo" ? ".shlo" : emit == "mlirbc" ? ".mlirbc" : ".mlir");
}

// Checks flags that are about one file.
int CheckFlags(Context& ctx, const ConvertFlags& flags) {
  const auto usage = [&](std::string message, std::string hint) {
    return ctx.Fail(Code::kUsage, std::move(message), {}, std::move(hint));
  };
  if (flags.out_dir.empty())
    return usage(ctx.out == "-" ? "several inputs require a folder for the outputs"
                                : "-o is one file, and there are several inputs",
                 "pass --out-dir=DIR");
  if (ctx.out != "-") return usage("-o and --out-dir both state the output", "pass one of them");
  if (!flags.prove.certificate.file.empty())
    return usage("--certificate is one file, and there may be several outputs",
                 "pass --prove=carry, or convert the files one by one");
  if (!flags.container.extract.empty() && flags.emit.empty())
    return usage("--extract requires a format for the outputs in a folder", "pass --emit");
  return kDone;
}

using FileId = std::pair<dev_t, ino_t>;

// Every input needs an output that no other input has, and that is not an input itself. Sets their paths.
int ChooseOutputs(Context& ctx, const ConvertFlags& flags, const Inputs& inputs,
                  std::vector<std::string>* outputs) {
  int worst = kDone;
  const auto fail = [&](const InputPath& input, std::string message, std::string hint) {
    worst = ctx.Fail(Code::kUsage, std::move(message), {.file = input.path}, std::move(hint));
  };
  std::map<FileId, const InputPath*> by_id;
  struct stat info;
  for (const InputPath& input : inputs.files)
    if (::stat(input.path.c_str(), &info) == 0) by_id[{info.st_dev, info.st_ino}] = &input;
  std::map<std::string, const InputPath*> by_output;
  for (const InputPath& input : inputs.files) {
    const std::string output = outputs->emplace_back(OutputOf(input, flags.emit));
    if (input.relative == "-" || input.relative == "." || input.relative == "..") {
      fail(input, "has no name for an output", "pass -o OUT instead of --out-dir");
      continue;
    }
    const std::string path = (fs::path(flags.out_dir) / output).string();
    if (const auto [other, is_new] = by_output.emplace(output, &input); !is_new)
      fail(input, StrFormat("has the same output as '{}': {}", other->second->path, path),
           "convert them into different folders, or pass a folder that has both");
    if (::stat(path.c_str(), &info) != 0) continue;
    if (const auto found = by_id.find({info.st_dev, info.st_ino}); found != by_id.end())
      fail(input, StrFormat("its output would replace the input '{}'", found->second->path),
           "pass a different --out-dir");
  }
  for (const auto& [output, input] : by_output)
    for (fs::path above = fs::path(output).parent_path(); !above.empty(); above = above.parent_path())
      if (const auto other = by_output.find(above.string()); other != by_output.end())
        fail(*input,
             StrFormat("its output is below the output of '{}': {}", other->second->path, above.string()),
             "convert them into different folders");
  return worst;
}

// Returns a text that differs if outputs of the same inputs may differ.
std::string OptionsText(const Context& ctx, const Options& options, const ConversionRequest& request) {
  std::string text = StrFormat("{}\ntarget {}\n", ToolName(), request.target.n);
  for (const Consumer& consumer : ctx.consumers.found)
    text += Json({consumer.package, consumer.version, consumer.release, consumer.dialects,
                  consumer.lacks_types, consumer.uncompiled})
                .dump(-1, ' ', false, Json::error_handler_t::replace) +
            "\n";
  return text + options.Given({"PATH", "--out-dir", "--jobs", "--keep-going", "--resume", "--json", "--color",
                               "--no-color", "--quiet", "--trace", "--timeout"});
}

int Finish(Context& ctx, const ConvertFlags& flags, int code, ManyResult* result = nullptr) {
  if (!ctx.json) return code;
  Json j;
  j["files"] = result ? std::move(result->files) : Json::array();
  if (!ctx.consumers.resolved.empty()) j["consumers"] = ctx.consumers.resolved;
  j["output"] = flags.out_dir.empty() ? ctx.out : flags.out_dir;
  if (result) j["summary"] = SummaryJson(*result);
  return PrintJson(ctx, j, code);
}

}  // namespace

int ConvertMany(Context& ctx, const Options& options, const ConvertFlags& flags, const Inputs& inputs) {
  ConversionRequest request;
  std::vector<std::string> outputs;
  int code = ResolveRequest(ctx, flags, &request);
  if (code == kDone) code = CheckInputs(ctx, inputs, ctx.files);
  // A pattern that nothing matches is not several inputs.
  for (const InputPath& input : inputs.files)
    if (flags.out_dir.empty() && !input.problem.empty()) code = std::max(code, ctx.Fail(input.problem));
  if (code == kDone) code = CheckFlags(ctx, flags);
  if (code == kDone) code = ChooseOutputs(ctx, flags, inputs, &outputs);
  if (code != kDone) return Finish(ctx, flags, code);
  std::error_code error;
  fs::create_directories(flags.out_dir, error);
  ResumeLog log(flags.out_dir, OptionsText(ctx, options, request));
  if (error)
    return Finish(
        ctx, flags,
        ctx.Fail(Code::kIo, "cannot create the folder: " + error.message(), {.file = flags.out_dir}));
  if (auto opened = log.Open(flags.resume); !opened) return Finish(ctx, flags, ctx.Fail(opened.error()));

  ManyWork work;
  work.verb = "converting";
  work.done = "converted";
  work.jobs = flags.jobs;
  work.keep_going = flags.keep_going;
  work.not_programs = inputs.not_programs;
  for (const InputPath& input : inputs.files) work.names.push_back(input.path);
  work.file = [&](Context& own, size_t i) {
    const InputPath& input = inputs.files[i];
    const std::string& output = outputs[i];
    const ConvertedPaths paths{input.path, (fs::path(flags.out_dir) / output).string()};
    FileResult result;
    ConvertedFile file;
    const auto finish = [&] {
      result.json = FileJson(input.path, ProgramsJson(file.outcomes));
      result.json["output"] = paths.to;
      result.json["up_to_date"] = result.up_to_date;
      return result;
    };
    if (!input.problem.empty()) {
      result.code = own.Fail(input.problem);
      return finish();
    }
    // A folder is more than what is read of it here, and a file may change before it is read.
    std::error_code failed;
    const bool is_folder = fs::is_directory(input.path, failed);
    const bool known = log.Knows(output);
    std::string hash = is_folder || known ? ContentHash(input.path) : "";
    result.up_to_date = known && log.IsUpToDate(output, hash);
    if (result.up_to_date) return finish();
    if (const auto created = CreateFoldersBelow(flags.out_dir, output); !created)
      result.code = own.Fail(created.error());
    else
      result.code = ConvertFile(own, flags, request, paths, &file);
    if (result.code != kDone) return finish();
    if (!is_folder) hash = Sha256Text(Sha256Of(file.input.file.bytes));
    log.Add(output, hash);
    return finish();
  };
  // All outputs are synced at once. A system that ends before may leave incomplete ones, which --resume
  // finds.
  ctx.sync = Sync::kNever;
  ManyResult result = RunMany(ctx, work);
  code = result.code;
  if (const auto synced = SyncFileSystem(flags.out_dir); !synced)
    code = std::max(code, ctx.Fail(synced.error()));
  // A run that has nothing left to do leaves nothing, unless later runs are to find it.
  const auto closed = log.Close(flags.resume || code != kDone);
  if (!closed) code = std::max(code, ctx.Fail(closed.error()));
  return Finish(ctx, flags, code, &result);
}

}  // namespace shlo::tool
