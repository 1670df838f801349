#include "shlo/program_io.h"

#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <iterator>

#include "base/format.h"
#include "base/guarded.h"
#include "base/try.h"
#include "serialize/container/foreign_formats.h"
#include "serialize/container/formats.h"
#include "serialize/looks_like_program.h"
#include "serialize/text/lexer.h"
#include "shlo/container.h"
#include "shlo/file_io.h"
#include "shlo/mlirbc_reader.h"
#include "shlo/shlo_reader.h"
#include "shlo/text_reader.h"

namespace shlo {
namespace {

TextReadOptions TextOptions(const ReadOptions& options) {
  TextReadOptions text;
  text.source_name = options.source_name;
  text.version = options.version;
  text.allow_empty = options.allow_empty;
  text.first_line = options.first_line;
  text.limits = options.limits;
  text.implicit_locations = options.implicit_locations;
  text.outside = options.outside;
  text.trace = options.trace;
  return text;
}

Result<Module> ReadModule(Format format, std::string_view bytes, Buffer owner, const ReadOptions& options,
                          Diagnostics* warnings, Source* source) {
  switch (format) {
    case Format::kMlirBytecode: {
      MlirBytecodeReadOptions bytecode;
      bytecode.source_name = options.source_name;
      bytecode.limits = options.limits;
      bytecode.trace = options.trace;
      return ReadMlirBytecode(bytes, std::move(owner), bytecode, warnings, source);
    }
    case Format::kShlo: {
      ShloReadOptions shlo;
      shlo.source_name = options.source_name;
      shlo.limits = options.limits;
      shlo.verify_checksums = options.check_constants;
      shlo.outside = options.outside;
      shlo.trace = options.trace;
      return ReadShlo(bytes, std::move(owner), shlo, source);
    }
    case Format::kJaxExport:
    case Format::kSavedModel:
      return Error(Code::kUnsupported, "a container in a container", {.file = options.source_name});
    case Format::kText:
      break;
  }
  return ReadText(bytes, std::move(owner), TextOptions(options), source);
}

// Reports a file that no format recognizes and that is not text once, instead of a syntax error per byte.
Diagnostics CheckText(std::string_view bytes, const ReadOptions& options) {
  Place place;
  place.file = options.source_name;
  if (const auto* foreign = container::DetectForeignFormat(bytes))
    return Error(Code::kMalformed, StrFormat("the file is {}", foreign->name), std::move(place),
                 std::string(foreign->hint))
        .value();
  const size_t nul = bytes.substr(0, 4096).find('\0');
  if (nul == std::string_view::npos) return {};
  if (const std::string_view what = container::DamagedMagic(bytes); !what.empty())
    return Error(Code::kMalformed, StrFormat("the magic number of {} is damaged", what), std::move(place),
                 "copy the file again, or make it again")
        .value();
  place.offset = nul;
  return Error(Code::kMalformed,
               "unrecognized format: not MLIR text (contains a NUL byte), MLIR bytecode or .shlo",
               std::move(place), "check that the file is complete")
      .value();
}

// Replaces the errors of a text that was never a program by one error that shows none of the text, which may
// be any file: others may read the output.
void SummarizeErrors(std::string_view text, const ReadOptions& options, Diagnostics* errors) {
  const auto one = [&](std::string message, std::string_view hint) {
    *errors = std::move(
        Error(Code::kSyntax, std::move(message), {.file = options.source_name}, std::string(hint)).value());
  };
  if (std::ranges::none_of(*errors, [](const Diagnostic& d) { return d.place.line != 0; })) return;
  if (HasConflictMarkers(text))
    one("the text has the markers of a merge conflict", "resolve the conflict: git mergetool");
  else if (LooksLikeOtherText(text))
    one("the file is not a program", container::kNotAProgram);
}

// Reads one program that is not in a container.
Result<Program> ReadPlain(Format format, std::string_view bytes, Buffer owner, const ReadOptions& options,
                          Diagnostics* warnings) {
  const bool is_text = format == Format::kText;
  if (is_text)
    if (Diagnostics wrong = CheckText(bytes, options); !wrong.empty())
      return tl::unexpected(std::move(wrong));
  Program program;
  auto module = ReadModule(format, bytes, std::move(owner), options, warnings, &program.source);
  if (!module) {
    if (is_text) SummarizeErrors(bytes, options, &module.error());
    return tl::unexpected(std::move(module.error()));
  }
  program.module = std::move(*module);
  return program;
}

// Lists the programs of a container that the options ask for.
Result<std::vector<ContainedProgram>> ListChosen(std::string_view bytes, const ReadOptions& options) {
  ContainerOptions container;
  container.source_name = options.source_name;
  container.limits = options.limits;
  auto list = SHLO_TRY(ListContainedPrograms(bytes, container));
  Place place;
  place.file = options.source_name;
  if (list.empty())
    return Error(Code::kUnsupported,
                 "the SavedModel holds no StableHLO program: it has no XlaCallModule node", std::move(place),
                 "export the model from jax, or export its original to StableHLO");
  if (options.program.empty()) return list;
  for (ContainedProgram& program : list)
    if (program.name == options.program) return std::vector{std::move(program)};
  return Error(Code::kUsage, StrFormat("no program is named '{}'", options.program), std::move(place),
               "choose one of: " + ProgramNames(list));
}

Result<Program> ReadContained(const ContainedProgram& contained, bool is_only, Buffer owner,
                              ReadOptions options, Diagnostics* warnings) {
  if (!is_only) options.source_name += StrFormat(" ({})", contained.name);
  auto program =
      ReadPlain(DetectFormat(contained.bytes), contained.bytes, std::move(owner), options, warnings);
  if (program) program->name = contained.name;
  return program;
}

Result<Program> ReadMain(Format format, std::string_view bytes, Buffer owner, const ReadOptions& options,
                         Diagnostics* warnings) {
  auto list = SHLO_TRY(ListChosen(bytes, options));
  if (list.size() > 1 && format != Format::kJaxExport)
    return Error(Code::kUsage, StrFormat("expected 1 program, the file has {}", list.size()),
                 {.file = options.source_name}, "choose one of: " + ProgramNames(list));
  return ReadContained(list.front(), list.size() == 1, std::move(owner), options, warnings);
}

// Returns the options of the written format with those that all formats share.
template <typename OptionsT>
OptionsT Completed(OptionsT of_format, const Program& program, const WriteOptions& options) {
  of_format.source = &program.source;
  of_format.limits = options.limits;
  of_format.trace = options.trace;
  return of_format;
}

}  // namespace

std::string_view FormatName(Format format) {
  switch (format) {
    case Format::kShlo:
      return "shlo";
    case Format::kMlirBytecode:
      return "mlirbc";
    case Format::kJaxExport:
      return "jax-export";
    case Format::kSavedModel:
      return "saved-model";
    case Format::kText:
      break;
  }
  return "text";
}

Format DetectFormat(std::string_view bytes) {
  if (IsMlirBytecode(bytes)) return Format::kMlirBytecode;
  if (IsShlo(bytes)) return Format::kShlo;
  if (IsJaxExport(bytes)) return Format::kJaxExport;
  return IsSavedModel(bytes) ? Format::kSavedModel : Format::kText;
}

Result<InputFile> OpenProgramInput(const std::string& path, uint64_t copy_below, uint64_t max_stream) {
  const auto open = [=](const std::string& file) { return OpenInput(file, max_stream, copy_below); };
  const std::string inside = path + (path.ends_with('/') ? "" : "/") + "saved_model.pb";
  struct stat info;
  if (path == "-" || ::stat(path.c_str(), &info) != 0 || !S_ISDIR(info.st_mode)) return open(path);
  if (::stat(inside.c_str(), &info) == 0) return open(inside);
  if (::stat((path + "/shlo-archive").c_str(), &info) == 0)
    return Error(
        Code::kUsage, "the folder is an archive of models", {.file = path},
        StrFormat("name one of them, {}:MODEL; list them: shlo-compat archive ls --archive={}", path, path));
  return Error(Code::kIo, "the folder is not a SavedModel: it has no saved_model.pb", {.file = path},
               "pass a file");
}

Result<Program> ReadProgram(std::string_view bytes, Buffer owner, const ReadOptions& options,
                            Diagnostics* warnings) {
  return Guarded(
      options.limits,
      [&] {
        const Format format = DetectFormat(bytes);
        return IsContainer(format) ? ReadMain(format, bytes, std::move(owner), options, warnings)
                                   : ReadPlain(format, bytes, std::move(owner), options, warnings);
      },
      options.source_name);
}

namespace {

// Divides a text into the programs to read.
Result<std::vector<TextChunk>> ChunksOf(std::string_view text, const ReadOptions& options) {
  auto chunks = SHLO_TRY(SplitText(text, options.limits.threads));
  // A marker at either end, or twice, separates nothing; a file without any program is an error.
  const auto blank = [](const TextChunk& chunk) { return text::Cursor(chunk.text).AtEnd(); };
  if (chunks.size() > 1 && !std::ranges::all_of(chunks, blank)) std::erase_if(chunks, blank);
  // Even an empty program takes memory, and nothing else counts how many there are.
  constexpr uint64_t kPerProgram = 20 << 10;
  if (chunks.size() > 1 + options.limits.max_memory / kPerProgram)
    return Error(Code::kLimit,
                 StrFormat("{} programs exceed the memory limit of {} MiB", chunks.size(),
                           options.limits.max_memory >> 20),
                 {.file = options.source_name}, "pass --max-memory to raise the limit");
  return chunks;
}

// Reads the programs of `out->file`, whose format is known. Returns the errors.
Diagnostics ReadAll(const ReadOptions& options, Diagnostics* warnings, ProgramFile* out) {
  const auto& [bytes, owner, name] = out->file;
  Diagnostics found;
  const auto add = [&](Result<Program> program) {
    if (program)
      out->programs.push_back(std::move(*program));
    else
      std::move(program.error().begin(), program.error().end(), std::back_inserter(found));
  };
  if (IsContainer(out->format)) {
    auto list = ListChosen(bytes, options);
    if (!list) return std::move(list.error());
    for (const ContainedProgram& contained : *list)
      add(ReadContained(contained, list->size() == 1, owner, options, warnings));
    return found;
  }
  if (out->format != Format::kText) {
    add(ReadPlain(out->format, bytes, owner, options, warnings));
    return found;
  }
  if (Diagnostics wrong = CheckText(bytes, options); !wrong.empty()) return wrong;
  const auto chunks = ChunksOf(bytes, options);
  if (!chunks) return chunks.error();
  ReadOptions of_chunk = options;
  for (const TextChunk& chunk : *chunks) {
    of_chunk.first_line = options.first_line + chunk.first_line - 1;
    add(ReadPlain(Format::kText, chunk.text, owner, of_chunk, warnings));
  }
  return found;
}

// Reads the only program of a file.
Result<Program> ReadOne(const std::string& path, ReadOptions options, Diagnostics* warnings) {
  auto file = SHLO_TRY(OpenProgramInput(path));
  options.source_name = file.name;
  ProgramFile read;
  read.file = std::move(file);
  read.format = DetectFormat(read.file.bytes);
  if (IsContainer(read.format))
    return ReadMain(read.format, read.file.bytes, read.file.owner, options, warnings);
  if (Diagnostics errors = ReadAll(options, warnings, &read); !errors.empty())
    return tl::unexpected(std::move(errors));
  if (read.programs.size() != 1)
    return Error(Code::kUsage, StrFormat("expected 1 program, the file has {}", read.programs.size()),
                 {.file = options.source_name}, "split the file at its '// -----' lines");
  return std::move(read.programs.front());
}

}  // namespace

ProgramFile ReadPrograms(InputFile file, const ReadOptions& options, Diagnostics* errors,
                         Diagnostics* warnings) {
  ProgramFile out;
  out.file = std::move(file);
  out.format = DetectFormat(out.file.bytes);
  Diagnostics found = Guarded(
      options.limits, [&] { return ReadAll(options, warnings, &out); }, options.source_name);
  if (auto whole = CheckMappedFiles(); !whole) found = std::move(whole.error());
  std::ranges::move(found, std::back_inserter(*errors));
  return out;
}

Result<Program> ReadProgramFile(const std::string& path, const ReadOptions& options, Diagnostics* warnings) {
  return Guarded(
      options.limits, [&] { return ReadOne(path, options, warnings); }, path);
}

namespace {

Result<void> NotAContainer(const WriteOptions& options) {
  if (!IsContainer(options.format)) return {};
  return Error(Code::kUsage, "a container is written around its programs, not in place of one");
}

Result<std::string> Write(const Program& program, const WriteOptions& options) {
  SHLO_TRY(NotAContainer(options));
  if (options.format == Format::kShlo)
    return WriteShlo(program.module, Completed(options.shlo, program, options));
  if (options.format == Format::kMlirBytecode)
    return WriteMlirBytecode(program.module, Completed(options.bytecode, program, options));
  return WriteText(program.module, Completed(options.text, program, options));
}

Result<uint64_t> Stream(const Program& program, const WriteOptions& options, const Sink& sink) {
  SHLO_TRY(NotAContainer(options));
  if (options.format == Format::kShlo)
    return WriteShloTo(program.module, Completed(options.shlo, program, options), sink);
  if (options.format == Format::kMlirBytecode)
    return WriteMlirBytecodeTo(program.module, Completed(options.bytecode, program, options), sink);
  return WriteTextTo(program.module, Completed(options.text, program, options), sink);
}

Result<uint64_t> WriteToFile(std::span<const Program> programs, const std::string& path,
                             std::span<const WriteOptions> options) {
  OutputFile file(path, options[0].sync);
  SHLO_TRY(file.Open(options[0].format != Format::kText));
  constexpr std::string_view kBetween = "\n// -----\n\n";
  uint64_t size = 0;
  for (size_t i = 0; i < programs.size() && !file.failed(); ++i) {
    if (i) file.Append(kBetween);
    WriteOptions of_file = options[i];
    of_file.text.complete = of_file.text.complete || !file.hidden();
    auto written = Stream(programs[i], of_file, [&](std::string_view bytes) { return file.Append(bytes); });
    // If writing failed, Commit reports it with the system's reason; otherwise it would put an incomplete
    // file in place.
    if (!written && !file.failed()) return written;
    if (written) size += *written + (i ? kBetween.size() : 0);
  }
  SHLO_TRY(file.Commit());
  return size;
}

}  // namespace

Result<std::string> WriteProgram(const Program& program, const WriteOptions& options) {
  return Guarded([&] { return Write(program, options); }, program.source.name);
}

Result<uint64_t> WriteProgramTo(const Program& program, const WriteOptions& options, const Sink& sink) {
  return Guarded([&] { return Stream(program, options, sink); }, program.source.name);
}

Result<uint64_t> WriteProgramFile(const Program& program, const std::string& path,
                                  const WriteOptions& options) {
  return Guarded([&] { return WriteToFile({&program, 1}, path, {&options, 1}); }, path);
}

Result<uint64_t> WriteProgramsFile(std::span<const Program> programs, const std::string& path,
                                   std::span<const WriteOptions> options) {
  return Guarded([&] { return WriteToFile(programs, path, options); }, path);
}

}  // namespace shlo
