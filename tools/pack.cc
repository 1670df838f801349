// `pack` and `unpack`: constants come into a program, or go into a file of tensors (docs/outside.md).
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "base/format.h"
#include "base/sha256.h"
#include "base/try.h"
#include "commands.h"
#include "outside.h"
#include "shlo/container.h"
#include "shlo/program_io.h"

namespace shlo::tool {
namespace {

namespace fs = std::filesystem;

struct PackFlags {
  std::string file, weights, archive;
  uint64_t min_size = 1024;
};

// Only these can name constants that lie outside. Returns nullopt, and reports it, for others.
std::optional<Format> OutputFormat(Context& ctx, Format input, bool outside) {
  const std::string_view named = EmitOfName(ctx.out);
  const Format format = named.empty() ? input : FormatOfEmit(named);
  if (outside && format != Format::kShlo && format != Format::kText) {
    ctx.Fail(Code::kUsage, "only .shlo files and texts can have external constants", {},
             "pass -o OUT.shlo or -o OUT.mlir");
    return std::nullopt;
  }
  return format;
}

WriteOptions PackWriteOptions(Context& ctx, Format format) {
  WriteOptions options;
  options.format = format;
  options.limits = ctx.limits();
  options.text.locations = true;
  options.shlo.producer = ToolName();
  return options;
}

int ReadForPack(Context& ctx, const PackFlags& flags, Input* input) {
  ctx.found_outside = std::make_shared<std::vector<std::pair<OutsideConstant, InputFile>>>();
  if (const int code = ReadVerified(ctx, flags.file, input); code != kDone) return code;
  if (IsContainer(input->format) || input->programs.size() != 1)
    return ctx.Fail(Code::kUsage, "expected a file with 1 program, and not a container", {.file = flags.file},
                    ChooseHint(*input));
  return kDone;
}

// Adds a command whose function fills in the answer.
std::shared_ptr<PackFlags> AddPackCommand(Options& options, Context& ctx,
                                          int (*run)(Context& ctx, const PackFlags& flags, Answer* out)) {
  return AddRun<PackFlags>(options, ctx, [run](Context& of, const PackFlags& flags) {
    Answer answer;
    const int code = run(of, flags, &answer);
    answer.json["files"] = Json::array({FileJson(flags.file, Json::array())});
    answer.json["output"] = of.out;
    // The report must not be part of the program.
    if (code != kDone || of.out == "-") answer.text = {};
    return PrintAnswer(of, answer, code);
  });
}

int CheckJsonOutput(Context& ctx) {
  if (!ctx.json || ctx.out != "-") return kDone;
  return ctx.Fail(Code::kUsage, "cannot write both JSON and a program to stdout", {}, "pass -o OUT");
}

// --- pack ---------------------------------------------------------------------------------------------

int RunPack(Context& ctx, const PackFlags& flags, Answer* out) {
  if (const int code = CheckJsonOutput(ctx); code != kDone) return code;
  Input input;
  if (const int code = ReadForPack(ctx, flags, &input); code != kDone) return code;
  const auto format = OutputFormat(ctx, input.format, /*outside=*/false);
  if (!format) return kUsage;
  SHLO_TAKE(ctx, WriteProgramFile(input.programs[0], ctx.out, PackWriteOptions(ctx, *format)));
  uint64_t bytes = 0;
  for (const auto& [constant, found] : *ctx.found_outside) bytes += constant.size;
  out->json["constants"] = ctx.found_outside->size();
  out->json["constant_bytes"] = bytes;
  out->text.Add("packed {} of {}\n", Count(ctx.found_outside->size(), "constant"), Count(bytes, "byte"));
  return kDone;
}

// --- unpack -------------------------------------------------------------------------------------------

// A constant that goes outside.
struct Leaving {
  std::vector<PayloadId> ids;  // with these bytes
  Tensor tensor;
  OutsideConstant constant;
};

// Collects the constants of ops that are large enough, each content once, in program order.
std::vector<Leaving> CollectLeaving(const Program& program, uint64_t min_size) {
  std::vector<Leaving> out;
  const Module& m = program.module;
  std::map<Sha256, size_t> known;
  std::set<uint32_t> seen;
  for (uint32_t i = 1; i < m.ops.size(); ++i) {
    const Op& op = m.ops[i];
    if (!m.RevisionIdOf(op)) continue;
    for (const AttrId attr : m.InherentAttrsOf(op)) {
      if (!attr) continue;
      const auto elements = m.As<ElementsAttr>(attr);
      const auto resource = m.As<ResourceElementsAttr>(attr);
      PayloadId payload;
      if (elements && !elements->splat) payload = elements->payload;
      if (resource)
        for (const Resource& r : m.resources)
          if (r.key == resource->key) payload = r.payload;
      if (!payload || m.payloads.SizeOf(payload) < min_size || !seen.insert(payload.v).second) continue;
      auto tensor = TensorFromAttr(m, attr);
      if (!tensor) continue;  // of a type that no file of tensors has
      const Sha256 sha256 = Sha256Of(m.payloads[payload].bytes());
      const auto [found, is_new] = known.try_emplace(sha256, out.size());
      if (is_new) {
        Leaving& leaving = out.emplace_back();
        leaving.tensor = std::move(*tensor);
        leaving.constant.sha256 = sha256;
        leaving.constant.size = m.payloads.SizeOf(payload);
      }
      out[found->second].ids.push_back(payload);
    }
  }
  return out;
}

// Finds which constants a file of tensors has. Those that it lacks stay in the program.
Result<void> MatchWeights(const std::string& path, std::vector<Leaving>* leaving) {
  auto file = SHLO_TRY(OpenInput(path));
  auto open = SHLO_TRY(TensorFile::Open(file.bytes, file.owner, file.name));
  std::map<Sha256, std::string> names;
  for (size_t i = 0; i < open.size(); ++i) {
    auto tensor = open.Read(i);
    if (!tensor) continue;
    const InputFile bytes = BytesOfTensor(std::move(*tensor), path);
    names.try_emplace(Sha256Of(bytes.bytes), open.name(i));
  }
  std::erase_if(*leaving, [&](Leaving& l) {
    const auto found = names.find(l.constant.sha256);
    if (found != names.end()) l.constant.key = found->second;
    return found == names.end();
  });
  return {};
}

// Writes the constants to a new file of tensors. Those whose type it does not have stay in the program.
Result<void> WriteWeights(const std::string& path, std::vector<Leaving>* leaving) {
  NamedTensors tensors;
  const bool safetensors = !path.ends_with(".npz");
  std::erase_if(*leaving, [&](const Leaving& l) {
    const Sink nowhere = [](std::string_view) { return true; };
    return safetensors && !WriteSafetensorsTo({{"x", l.tensor}}, nowhere);
  });
  for (size_t i = 0; i < leaving->size(); ++i) {
    Leaving& l = (*leaving)[i];
    l.constant.key = StrFormat("w{}", i);
    tensors.emplace_back(l.constant.key, l.tensor);
  }
  OutputFile file(path, Sync::kAlways, /*replace=*/false);
  SHLO_TRY(file.Open(/*binary=*/true));
  const Sink sink = [&](std::string_view piece) { return file.Append(piece); };
  auto written = safetensors ? WriteSafetensorsTo(tensors, sink) : WriteNpzTo(tensors, sink);
  if (!written && !file.failed()) return written;
  return file.Commit();
}

// Keeps the constants that an archive has.
Result<void> MatchArchive(const std::string& folder, std::vector<Leaving>* leaving) {
  auto archive = SHLO_TRY(archive::Archive::Open(folder));
  std::erase_if(*leaving, [&](const Leaving& l) { return !archive.Has({l.constant.sha256}); });
  return {};
}

int RunUnpack(Context& ctx, const PackFlags& flags, Answer* out) {
  if (const int code = CheckJsonOutput(ctx); code != kDone) return code;
  if (ctx.out == "-" && flags.weights.empty() && flags.archive.empty())
    return ctx.Fail(Code::kUsage, "there is no name for the file of tensors", {},
                    "pass --tensors=FILE or -o OUT");
  if (!flags.weights.empty() && !flags.archive.empty())
    return ctx.Fail(Code::kUsage, "--tensors and --to-archive both say where constants go", {},
                    "pass one of them");
  Input input;
  if (const int code = ReadForPack(ctx, flags, &input); code != kDone) return code;
  const auto format = OutputFormat(ctx, input.format, /*outside=*/true);
  if (!format) return kUsage;
  Program& program = input.programs[0];
  std::vector<Leaving> leaving = CollectLeaving(program, flags.min_size);
  if (leaving.empty())
    return ctx.Fail(Code::kUsage, StrFormat("no constant has {} or more", Count(flags.min_size, "byte")),
                    FileOnly(flags.file), "pass a smaller --min-size, or keep the program as it is");
  std::string weights = flags.weights;
  if (weights.empty()) weights = fs::path(ctx.out).replace_extension(".safetensors").string();
  std::error_code error;
  const bool exists = fs::exists(weights, error);
  SHLO_TAKE(ctx, !flags.archive.empty() ? MatchArchive(flags.archive, &leaving)
                 : exists               ? MatchWeights(weights, &leaving)
                                        : WriteWeights(weights, &leaving));
  // Where the program is, or next to it.
  const fs::path base = ctx.out == "-" ? fs::path(".") : fs::path(ctx.out).parent_path();
  const std::string hint =
      flags.archive.empty()
          ? fs::path(weights).lexically_proximate(base.empty() ? "." : base).generic_string()
          : "";
  OutsideTable outside;
  uint64_t bytes = 0;
  for (Leaving& l : leaving) {
    l.constant.file = hint;
    bytes += l.constant.size;
    for (const PayloadId id : l.ids) outside[id] = l.constant;
  }
  if (*format == Format::kText) MakeResources(&program.module, outside, "w");
  WriteOptions options = PackWriteOptions(ctx, *format);
  options.text.outside = options.shlo.outside = &outside;
  SHLO_TAKE(ctx, WriteProgramFile(program, ctx.out, options));
  out->json["weights"] = flags.archive.empty() ? weights : flags.archive;
  out->json["constants"] = leaving.size();
  out->json["constant_bytes"] = bytes;
  out->text.Add("unpacked {} of {}{}\n", Count(leaving.size(), "constant"), Count(bytes, "byte"),
                exists || !flags.archive.empty() ? ", which are there already" : " to " + NameText(weights));
  return kDone;
}

}  // namespace

void AddPack(Options& options, Context& ctx) {
  auto flags = AddPackCommand(options, ctx, RunPack);
  options.Argument("FILE", &flags->file, "program with external constants");
  options.Option("-o,--output", &ctx.out, "OUT", "output file (default: -, standard output)");
  options.Remark(
      "Constants are looked for in the files of --weights, by content, and in the file\n"
      "that the program names, next to it. None is used whose SHA-256 differs.\n\n"
      "  shlo-compat pack small.shlo -o whole.shlo --weights=model.safetensors");
  AddReadFlags(options, ctx);
}

void AddUnpack(Options& options, Context& ctx) {
  auto flags = AddPackCommand(options, ctx, RunUnpack);
  options.Argument("FILE", &flags->file, "program to unpack");
  options.Option("-o,--output", &ctx.out, "OUT", "output file, .shlo or text (default: -, standard output)");
  options.Option(
      "--tensors", &flags->weights, "FILE",
      "file of tensors, .safetensors or .npz; if it exists, the constants that it has leave the program "
      "(default: OUT with the ending .safetensors)");
  options.Option("--to-archive", &flags->archive, "DIR",
                 "archive; the constants that it has leave the program");
  options.Number(
      "--min-size", &flags->min_size, uint64_t(1) << 40,
      "smallest constant to put outside, in bytes; .shlo files have those below 1024 inside (default: 1024)");
  AddReadFlags(options, ctx);
}

}  // namespace shlo::tool
