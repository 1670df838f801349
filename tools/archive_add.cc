// `archive add`: files become models. They are read, verified and, for goldens, evaluated in several threads;
// one of them writes, in the order of the command line.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>

#include "archive.h"
#include "arguments/eval_arguments.h"
#include "base/format.h"
#include "base/workers.h"
#include "many.h"

namespace shlo::tool {
namespace {

namespace fs = std::filesystem;
using archive::Archive;
using archive::Writer;

struct AddFlags : ArchiveFlags {
  std::string name, producer, bundle, tolerance;
  std::vector<std::string> tags, metadata, parents;
  std::string golden, entry;
  bool again = false;
  uint64_t jobs = 0;
};

// A file that was read, or why not.
struct PreparedModel {
  Captured printed;
  Diagnostics reported;
  int code = kDone;
  Input input;
  std::vector<std::pair<std::string, InputFile>> files;        // by path in the model
  size_t main_file = 0;                                        // that has the programs
  std::vector<archive::ConstantRange> constants;               // of that file
  std::vector<std::pair<OutsideConstant, InputFile>> outside;  // constants that the file does not have
  archive::NewModel model;
  std::vector<archive::NewGolden> goldens;
};

// The outcome for a file.
struct AddedModel {
  std::string label;
  bool existed = false;
  size_t goldens = 0;
  Json json;
};

class Adder {
 public:
  Adder(Context& ctx, const AddFlags& flags) : ctx_(ctx), flags_(flags) {}

  int Run(Answer* out) {
    const int code = RunAll();
    writer_.reset();
    out->json["files"] = std::move(acknowledged_);
    for (AddedModel& added : failed_) out->json["files"].push_back(std::move(added.json));
    out->json["summary"] = {{"done", done_}, {"failed", not_done_}};
    return code;
  }

 private:
  int RunAll() {
    if (const int code = Check(); code != kDone) return code;
    ctx_.StopTimer();
    inputs_ = CollectInputs(ctx_.files);
    if (const int code = CheckInputs(ctx_, inputs_, ctx_.files); code != kDone) return code;
    if (const int code = NameModels(); code != kDone) return code;
    archive_ = SHLO_TAKE(ctx_, OpenArchive(ctx_, flags_));
    archive::WriterOptions options = WriterOptionsFor(ctx_, flags_);
    options.bundle = flags_.bundle;
    writer_ = SHLO_TAKE(ctx_, Writer::Begin(*archive_, options));
    for (const std::string& parent : flags_.parents) {
      const auto model = SHLO_TAKE(ctx_, archive_->Find(parent));
      parents_.push_back(model.entry);
    }
    // As for other commands on many files.
    ctx_.copy_below = inputs_.many ? uint64_t(16) << 20 : 0;
    const size_t count = inputs_.files.size();
    ctx_.progress.Step("reading {}", NameText(inputs_.files[0].path));
    prepared_.resize(count);
    const size_t threads = NumThreads(uint32_t(flags_.jobs));
    RunInOrder(
        count, threads, 2 * threads, [&](size_t i) { Prepare(i); }, [&](size_t i) { return Take(i); });
    if (!stopped_) Commit();
    return code_;
  }

  int Check() {
    for (const std::string& pair : flags_.metadata) {
      const size_t equals = pair.find('=');
      if (equals == 0 || equals == pair.npos)
        return ctx_.Fail(Code::kUsage, StrFormat("--meta={} is not KEY=VALUE", pair));
      metadata_[pair.substr(0, equals)] = pair.substr(equals + 1);
    }
    if (!flags_.tolerance.empty()) {
      double value = 0;
      const char* const end = flags_.tolerance.data() + flags_.tolerance.size();
      const auto parsed = std::from_chars(flags_.tolerance.data(), end, value);
      if (parsed.ec != std::errc() || parsed.ptr != end || !(value >= 0) || !std::isfinite(value))
        return ctx_.Fail(Code::kUsage, StrFormat("--tolerance={} is not a number from 0", flags_.tolerance));
      tolerance_ = value;
      if (flags_.golden.empty()) return ctx_.Fail(Code::kUsage, "--tolerance requires --golden");
    }
    return kDone;
  }

  // Gives each input the name of its model.
  int NameModels() {
    std::string name = flags_.name;
    const size_t at = name.rfind('@');
    if (at != name.npos) {
      const char* const end = name.data() + name.size();
      const auto parsed = std::from_chars(name.data() + at + 1, end, version_);
      if (parsed.ec != std::errc() || parsed.ptr != end || version_ == 0 ||
          version_ > archive::kLastModelVersion)
        return ctx_.Fail(Code::kUsage, StrFormat("--name={}: the version is not a number from 1 to {}", name,
                                                 archive::kLastModelVersion));
      name.resize(at);
    }
    const bool is_prefix = name.ends_with('/');
    if (!name.empty() && !is_prefix && inputs_.files.size() > 1)
      return ctx_.Fail(Code::kUsage,
                       StrFormat("--name={} names one model, but there are {}", flags_.name,
                                 Count(inputs_.files.size(), "file")),
                       {}, StrFormat("pass --name={}/ to put them below it", name));
    std::map<std::string, std::string> known;
    for (const InputPath& input : inputs_.files) {
      std::string own = name;
      if (own.empty() || is_prefix) {
        std::error_code error;
        const fs::path relative = input.path == "-" ? "" : input.relative;
        const bool folder = fs::is_directory(input.path, error);
        own +=
            folder ? relative.generic_string() : (relative.parent_path() / relative.stem()).generic_string();
      }
      const auto [other, is_new] = known.try_emplace(own, input.path);
      if (!is_new)
        return ctx_.Fail(Code::kUsage,
                         StrFormat("'{}' and '{}' would both be '{}'", other->second, input.path, own), {},
                         "add them one by one, to make them versions of it, or pass --name");
      names_.push_back(std::move(own));
    }
    return kDone;
  }

  void Prepare(size_t i) {
    PreparedModel& out = prepared_[i];
    Context own(ctx_, &out.printed);
    own.about = inputs_.files[i].path;
    own.found_outside = std::make_shared<std::vector<std::pair<OutsideConstant, InputFile>>>();
    out.code = Read(own, i, &out);
    out.reported = std::move(own.reported);
  }

  int Read(Context& own, size_t i, PreparedModel* out) {
    const InputPath& input = inputs_.files[i];
    if (!input.problem.empty()) return own.Fail(input.problem);
    if (const int code = ReadVerified(own, input.path, &out->input, Strictness::kSpecification);
        code != kDone)
      return code;
    if (const int code = OpenFiles(own, input.path, out); code != kDone) return code;
    archive::NewModel& model = out->model;
    model.name = names_[i];
    model.version = version_;
    model.format = out->input.format;
    model.producer = flags_.producer;
    for (const Program& program : out->input.programs) {
      model.programs.push_back(archive::DescribeProgram(program));
      if (model.producer.empty()) model.producer = program.source.producer;
    }
    model.tags = flags_.tags;
    model.metadata = metadata_;
    model.parents = parents_;
    model.again = flags_.again;
    out->outside = std::move(*own.found_outside);
    out->constants = archive::ConstantRanges(out->input.file.bytes, out->input.programs);
    return flags_.golden.empty() ? kDone : Evaluate(own, out);
  }

  // Lists the files of the model: the input, or those of its folder.
  int OpenFiles(Context& own, const std::string& path, PreparedModel* out) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      const std::string name = path == "-" ? out->model.name : fs::path(path).filename().string();
      out->files.emplace_back(name.empty() ? "stdin" : name, out->input.file);
      return kDone;
    }
    // Links may stand for files and folders of the model; one to nothing must not be left out silently.
    std::vector<std::string> paths;
    std::vector<fs::path> around = {fs::canonical(path, error)};
    for (auto it =
             fs::recursive_directory_iterator(path, fs::directory_options::follow_directory_symlink, error);
         !error && it != fs::recursive_directory_iterator(); it.increment(error)) {
      std::error_code ignored;  // opening the file tells
      const fs::file_status status = it->status(ignored);
      if (fs::is_directory(status)) {
        around.resize(size_t(it.depth()) + 1);
        const fs::path& folder = around.emplace_back(fs::canonical(it->path(), ignored));
        if (std::ranges::find(around, folder) != std::prev(around.end()))
          return own.Fail(Code::kIo, "the folder leads back to one that it is in",
                          {.file = it->path().string()}, "remove the link");
      } else if (!fs::is_other(status)) {
        paths.push_back(it->path().lexically_relative(path).generic_string());
      }
    }
    if (error) return own.Fail(Code::kIo, "cannot read the folder: " + error.message(), {.file = path});
    std::ranges::sort(paths);
    for (const std::string& relative : paths) {
      if (relative == "saved_model.pb") {
        out->main_file = out->files.size();
        out->files.emplace_back(relative, out->input.file);
        continue;
      }
      auto file = SHLO_TAKE(own, OpenInput((fs::path(path) / relative).string(), kNoStream, own.copy_below));
      out->files.emplace_back(relative, std::move(file));
    }
    return kDone;
  }

  // As `eval` does: arguments that do not match the program are invalid input.
  static int NotEvaluated(Context& own, const Diagnostics& why) {
    const int code = own.Fail(why);
    return code == kFinding || code == kUsage ? kBadInput : code;
  }

  int Evaluate(Context& own, PreparedModel* out) {
    for (const Program& program : out->input.programs) {
      // Gradients of a jax.export file have other arguments.
      if (&program != out->input.programs.data() && out->input.format == Format::kJaxExport) break;
      EvalOptions eval;
      eval.source = &program.source;
      eval.limits = own.limits();
      ArgumentFlags arguments;
      arguments.entry = flags_.entry;
      arguments.inputs = flags_.golden;
      const auto limits_for = [&](uint64_t bytes) { return own.LimitsFor(bytes); };
      auto args = GetArguments(limits_for, own.bytes_read, program.module, arguments, &eval);
      if (!args) return NotEvaluated(own, args.error());
      auto golden = archive::ComputeGolden(program, flags_.entry, std::move(*args), eval);
      if (!golden) return NotEvaluated(own, golden.error());
      // The programs of a text have no names.
      const ptrdiff_t index = &program - out->input.programs.data();
      if (program.name.empty() && index > 0) golden->program = StrFormat("{}", index + 1);
      if (tolerance_) {
        golden->tolerance = *tolerance_;
        golden->reason = "as it was given";
      }
      out->goldens.push_back(std::move(*golden));
    }
    return kDone;
  }

  bool Take(size_t i) {
    PreparedModel prepared = std::move(prepared_[i]);
    prepared_[i] = {};
    if (!prepared.printed.err.empty()) ctx_.PutError(prepared.printed.err);  // it erases the progress
    ctx_.progress.Step("adding {} of {}: {}", i + 1, inputs_.files.size(), NameText(names_[i]));
    ctx_.reported.insert(ctx_.reported.end(), prepared.reported.begin(), prepared.reported.end());
    int code = prepared.code;
    AddedModel added;
    if (code == kDone) code = Write(&prepared, &added);
    code_ = std::max(code_, code);
    if (ctx_.json) {
      Json programs = Json::array();
      for (const Program& program : prepared.input.programs) programs.push_back(ProgramJson(program));
      added.json = FileJson(inputs_.files[i].path, std::move(programs));
      added.json["exit"] = code;
      added.json["model"] = added.label.empty() ? Json(nullptr) : Json(added.label);
      added.json["existed"] = added.existed;
      added.json["goldens"] = added.goldens;
    }
    (code == kDone ? pending_ : failed_).push_back(std::move(added));
    ++(code == kDone ? done_ : not_done_);
    // Models that were added so far are committed with the rest.
    if (!stopped_ && writer_->full()) Commit();
    return !stopped_;
  }

  int Write(PreparedModel* prepared, AddedModel* added) {
    const auto fail = [&](const Diagnostics& why) {
      Diagnostics at = why;
      for (Diagnostic& d : at)
        if (d.place.file.empty()) d.place.file = prepared->input.file.name;
      const int code = ctx_.Fail(at);
      // The disk is full, or the archive cannot be written: the next file would fail as well.
      stopped_ = code == kIoError;
      return code;
    };
    for (size_t i = 0; i < prepared->files.size(); ++i) {
      const auto& [path, file] = prepared->files[i];
      const auto constants = i == prepared->main_file
                                 ? std::span<const archive::ConstantRange>(prepared->constants)
                                 : std::span<const archive::ConstantRange>();
      auto id = writer_->AddBytes(file.bytes, constants);
      if (!id) return fail(id.error());
      prepared->model.files.push_back({path, *id, file.bytes.size()});
    }
    for (const auto& [constant, bytes] : prepared->outside) {
      auto id = writer_->AddBytes(bytes.bytes);
      if (!id) return fail(id.error());
      prepared->model.outside.push_back(*id);
    }
    // Bytes that were read while the file became shorter must not be kept.
    if (auto whole = CheckMappedFiles(); !whole) return fail(whole.error());
    uint64_t version = 0;
    const auto entry = writer_->AddModel(prepared->model, &version, &added->existed);
    if (!entry) return fail(entry.error());
    added->label = StrFormat("{}@{}", prepared->model.name, version);
    for (const archive::NewGolden& golden : prepared->goldens) {
      const auto kept = archive::AddGolden(*writer_, *entry, golden);
      if (!kept) return fail(kept.error());
      ++added->goldens;
    }
    return kDone;
  }

  // Makes what was added durable, and only then says so.
  void Commit() {
    if (pending_.empty() && flags_.bundle.empty()) return;
    ctx_.progress.Step("adding {} of {}: writing them", done_, inputs_.files.size());
    if (auto done = writer_->Commit(); !done) {
      code_ = std::max(code_, ctx_.Fail(done.error()));
      stopped_ = true;
      pending_.clear();
      return;
    }
    TerminalText text;
    for (AddedModel& added : pending_) {
      text.Add("{}  {}{}\n", NameText(added.label), added.existed ? "is there already" : "added",
               added.goldens ? StrFormat(", with {}", Count(added.goldens, "golden")) : "");
      if (ctx_.json) acknowledged_.push_back(std::move(added.json));
    }
    pending_.clear();
    if (!ctx_.json) code_ = std::max(code_, Print(ctx_, text));
  }

  Context& ctx_;
  const AddFlags& flags_;
  std::map<std::string, std::string> metadata_;
  std::optional<double> tolerance_;
  uint64_t version_ = 0;
  Inputs inputs_;
  std::vector<std::string> names_;
  std::optional<Archive> archive_;
  std::optional<Writer> writer_;
  std::vector<archive::ContentId> parents_;
  std::vector<PreparedModel> prepared_;
  std::vector<AddedModel> pending_, failed_;
  Json acknowledged_ = Json::array();
  size_t done_ = 0, not_done_ = 0;
  int code_ = kDone;
  bool stopped_ = false;
};

}  // namespace

void AddArchiveAdd(Options& options, Context& ctx) {
  auto flags = AddAnswer<AddFlags>(options, ctx, [](Context& of, const AddFlags& given, Answer* out) {
    return Adder(of, given).Run(out);
  });
  options.Arguments("PATH", &ctx.files, "files, folders, patterns or SavedModels to add");
  options.Option(
      "--name", &flags->name, "NAME",
      "name of the model, or NAME@VERSION; NAME/ puts several below it (default: the name of the file)");
  options.Repeated("--tag", &flags->tags, "TAG", "tag of the models");
  options.Repeated("--meta", &flags->metadata, "KEY=VALUE", "metadata of the models");
  options.Option("--producer", &flags->producer, "TEXT",
                 "who made the models (default: what the files state)");
  options.Repeated("--parent", &flags->parents, "MODEL", "model of the archive that these were made from");
  options.Flag("--new-version", &flags->again, "add a version even if one has the same content");
  options.Option("--golden", &flags->golden, "FILE|random:SEED",
                 "keep the results on these inputs (.npz, .npy or .safetensors)");
  options.Option("--entry", &flags->entry, "NAME", "function of the golden (default: main, or the only one)");
  options.Option("--tolerance", &flags->tolerance, "X",
                 "difference that the golden allows (default: the one that evaluation justifies)");
  options.Option("--bundle", &flags->bundle, "FILE", "write a bundle instead, which 'archive import' adds");
  AddJobsFlag(options, &flags->jobs);
  AddArchiveFlags(options, flags.get());
  AddWaitFlag(options, flags.get());
  AddReadFlags(options, ctx);
  AddEvaluationFlags(options, ctx);
}

}  // namespace shlo::tool
