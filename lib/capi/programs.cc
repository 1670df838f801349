// Programs: reading, facts, writing.
#include <algorithm>

#include "base/deadline.h"
#include "base/format.h"
#include "capi/internal.h"
#include "ir/module/limits.h"
#include "ir/module/node_versions.h"
#include "serialize/inputs.h"
#include "shlo/container.h"
#include "shlo/convert.h"
#include "shlo/dialect.h"
#include "shlo/file_io.h"
#include "shlo/text_writer.h"

namespace shlo::capi {
namespace {

shlo_format FormatOf(Format format) { return shlo_format(format) + 1; }

// Moves the programs of a file into handles, verified unless the caller said otherwise.
std::vector<ProgramPtr> MakePrograms(ProgramFile file, const shlo_read_options& options, const Limits& limits,
                                     Diagnostics* warnings) {
  std::vector<Diagnostics> findings(file.programs.size());
  if (!options.unverified) {
    const std::vector<Dialect> dialects = DialectsOf(options.dialects, options.dialect_count);
    VerifyOptions verify;
    verify.strictness = options.lenient ? Strictness::kLenient : Strictness::kReference;
    verify.limits = limits;
    Diagnostics all;
    for (size_t i = 0; i < findings.size(); ++i) {
      findings[i] = VerifyProgram(file.programs[i], dialects, verify);
      all.insert(all.end(), findings[i].begin(), findings[i].end());
    }
    if (HasErrors(all)) throw Failed{std::move(all), shlo::RequestStatus::kNegative};
    warnings->insert(warnings->end(), all.begin(), all.end());
  }
  std::vector<ProgramPtr> programs;
  for (size_t i = 0; i < file.programs.size(); ++i) {
    ProgramPtr program = NewProgram(std::move(file.programs[i]));
    program->file = file.file;
    if (IsContainer(file.format)) program->container = file.file;
    program->format = FormatOf(file.format);
    program->bytes = file.file.bytes.size();
    program->verified = !options.unverified;
    program->findings = std::move(findings[i]);
    programs.push_back(std::move(program));
  }
  return programs;
}

std::vector<ProgramPtr> Read(InputFile input, const shlo_read_options& options, shlo_format* format) {
  if (options.warnings) *options.warnings = nullptr;
  const ReadOptions read = ReadOptionsOf(options, input);
  Diagnostics errors, reported;
  ProgramFile file = ReadPrograms(std::move(input), read, &errors, &reported);
  if (!errors.empty()) {
    reported.insert(reported.end(), errors.begin(), errors.end());
    throw Failed{std::move(reported), shlo::ReadStatusOf(errors)};
  }
  *format = FormatOf(file.format);
  std::vector<ProgramPtr> programs = MakePrograms(std::move(file), options, read.limits, &reported);
  // A call that fails has no warnings.
  PutDiagnostics(std::move(reported), options.warnings);
  return programs;
}

ProgramPtr ReadOne(InputFile input, const shlo_read_options& options) {
  shlo_format format = SHLO_FORMAT_DEFAULT;
  const std::string name = input.name;
  std::vector<ProgramPtr> programs = Read(std::move(input), options, &format);
  // Gradients come after their function.
  if (programs.size() == 1 || (programs.size() > 1 && format == SHLO_FORMAT_JAX_EXPORT))
    return std::move(programs[0]);
  if (options.warnings) {
    shlo_diagnostics_free(*options.warnings);
    *options.warnings = nullptr;
  }
  throw Failed{Error(Code::kUsage,
                     shlo::StrFormat("expected 1 program, but the file has {}", programs.size()),
                     {.file = name}, "read all of them with shlo_programs_read, or name one")
                   .value()};
}

shlo_programs* ReadAll(InputFile input, const shlo_read_options& options) {
  auto out = std::make_unique<shlo_programs>();
  std::vector<ProgramPtr> programs = Read(std::move(input), options, &out->format);
  out->list.reserve(programs.size());
  for (ProgramPtr& program : programs) out->list.push_back(program.release());
  return out.release();
}

// The bytes of a call, which are given back even if its options are wrong.
InputFile InputOf(const void* data, size_t size, const shlo_read_options* given, shlo_read_options* options) {
  // The release function must be known first: the caller gave the bytes away.
  const shlo_read_options known = KnownPart(given);
  InputFile input = BytesOf(data, size, known.borrow != 0, known.release, known.release_context,
                            known.source_name ? known.source_name : "<input>");
  *options = OptionsOf(given, "shlo_read_options");
  return input;
}

}  // namespace

ProgramPtr NewProgram(Program program) {
  ProgramPtr out(new shlo_program);
  out->origin = program.module.version;
  out->program = std::move(program);
  return out;
}

const shlo_program& Get(const shlo_program* program, const char* name) {
  Require(program, name);
  return *program;
}

const shlo_program& Valid(const shlo_program* program, const Limits& limits, const char* name) {
  const shlo_program& p = Get(program, name);
  {
    const std::lock_guard lock(p.mutex);
    if (p.verified) return p;
  }
  // Without the lock: Cancellation::poll may wait for a thread that waits for it.
  VerifyOptions verify;
  verify.strictness = Strictness::kReference;
  verify.limits = limits;
  Diagnostics found = Verify(p.program, verify);
  if (HasErrors(found)) throw Failed{std::move(found), shlo::RequestStatus::kNegative};
  const std::lock_guard lock(p.mutex);
  if (!p.verified) p.findings = std::move(found);
  p.verified = true;
  return p;
}

Result<InputFile> TryOpenFile(const char* path) {
  constexpr uint64_t kCopyBelow = uint64_t(16) << 20;
  return OpenProgramInput(FilePath(path), kCopyBelow);
}

InputFile OpenFile(const char* path) { return Take(TryOpenFile(path)); }

std::string FilePath(const char* path) {
  Require(path, "path");
  return std::string_view(path) == "-" ? "./-" : path;
}

InputFile BytesOf(const void* data, size_t size, bool borrow, shlo_release release, void* context,
                  std::string name) {
  // The owner is made first: it gives the bytes back whatever happens next.
  Buffer owner;
  if (borrow && release) owner = Buffer(data ? data : &kMaxNesting, [=](const void*) { release(context); });
  if (size) Require(data, "data");
  const std::string_view bytes(static_cast<const char*>(data), data ? size : 0);
  if (borrow) return {bytes, std::move(owner), std::move(name)};
  auto copy = std::make_shared<std::string>(bytes);
  return {*copy, copy, std::move(name)};
}

ReadOptions ReadOptionsOf(const shlo_read_options& options, const InputFile& file) {
  ReadOptions read;
  read.source_name = file.name;
  if (options.version) {
    if (options.version > UINT16_MAX || !FindVersion(Version{uint16_t(options.version)}))
      Fail(Code::kUnknownVersion, shlo::StrFormat("unknown version {}", options.version));
    read.version = Version{uint16_t(options.version)};
  }
  if (options.first_line) read.first_line = options.first_line;
  if (options.implicit_locations) read.implicit_locations = options.implicit_locations;
  read.program = Text(options.program);
  read.allow_empty = options.allow_empty != 0;
  read.check_constants = !options.skip_constants;
  read.limits = LimitsOf(options.limits, file.bytes.size());
  return read;
}

WriteOptions WriteOptionsOf(const shlo_write_options& options, const shlo_program& program) {
  WriteOptions write;
  switch (options.format) {
    case SHLO_FORMAT_DEFAULT:
    case SHLO_FORMAT_TEXT:
      break;
    case SHLO_FORMAT_SHLO:
      write.format = Format::kShlo;
      break;
    case SHLO_FORMAT_MLIRBC:
      write.format = Format::kMlirBytecode;
      break;
    case SHLO_FORMAT_JAX_EXPORT:
    case SHLO_FORMAT_SAVED_MODEL:
      Fail(Code::kUsage, "a container is written around its programs, not in place of one",
           "call shlo_container_write");
    default:
      Fail(Code::kUsage, shlo::StrFormat("unknown format {}", options.format));
  }
  if (options.zstd_level < -1 || options.zstd_level > 19)
    Fail(Code::kUsage, shlo::StrFormat("zstd_level is {}; expected -1 to 19", options.zstd_level));
  if (options.writer && (options.writer > UINT16_MAX || !FindVersion(Version{uint16_t(options.writer)})))
    Fail(Code::kUnknownVersion, shlo::StrFormat("unknown version {}", options.writer));
  write.sync = options.sync ? Sync::kAlways : Sync::kReplaced;
  write.limits = LimitsOf(options.limits, program.bytes);
  write.text.generic = options.generic != 0;
  write.text.spelling = options.vhlo ? Spelling::kVhlo : Spelling::kStablehlo;
  write.text.locations = options.locations != 0;
  write.text.style = options.mlir_style ? TextStyle::kMlir : TextStyle::kExact;
  write.text.local_scope = options.local_scope != 0;
  write.text.elide_elements = options.elide_elements;
  write.shlo.locations = write.bytecode.locations = !options.strip_debuginfo;
  write.shlo.producer = options.producer ? options.producer : shlo::ToolName();
  if (options.zstd_level) write.shlo.zstd_level = std::max(options.zstd_level, 0);
  write.shlo.compress_constants = options.compress_constants != 0;
  write.bytecode.producer = Text(options.producer);
  write.bytecode.vhlo = !options.plain;
  if (options.bytecode_format) write.bytecode.format = options.bytecode_format;
  write.bytecode.writer = Version{uint16_t(options.writer)};
  write.bytecode.origin = program.origin;
  if (options.only_vhlo) write.bytecode.other_dialects = false;
  return write;
}

namespace {

// Calls write(program, options) for what a call is to write.
template <typename Write>
void WriteWith(const shlo_program* given, const shlo_write_options& options, const Write& write) {
  if (options.warnings) *options.warnings = nullptr;
  const shlo_program& program = Get(given);
  const WriteOptions how = WriteOptionsOf(options, program);
  if (how.format != Format::kText) Valid(given, how.limits);
  // Below kOtherDialects a portable artifact has fewer attributes than text of the same version.
  const bool converts = how.format == Format::kMlirBytecode && how.bytecode.vhlo && !program.portable &&
                        program.program.module.version < kOtherDialects;
  if (!converts) return write(program.program, how);
  ConvertOptions convert;
  convert.source = &program.program.source;
  convert.portable = true;
  convert.allow_other_dialects = options.allow_other_dialects != 0;
  convert.limits = how.limits;
  Conversion converted = Take(Convert(program.program.module, program.program.module.version, convert));
  write({std::move(converted.module), program.program.source, program.program.name}, how);
  PutDiagnostics(std::move(converted.warnings), options.warnings);
}

}  // namespace
}  // namespace shlo::capi

using namespace shlo::capi;
using shlo::Code;

extern "C" {

const char* shlo_format_name(shlo_format format) {
  if (format < SHLO_FORMAT_TEXT || format > SHLO_FORMAT_SAVED_MODEL) return "";
  return shlo::FormatName(shlo::Format(format - 1)).data();
}

shlo_format shlo_format_detect(const void* data, size_t size) {
  if (!data) return SHLO_FORMAT_TEXT;
  return FormatOf(shlo::DetectFormat({static_cast<const char*>(data), size}));
}

int shlo_is_program(const void* data, size_t size) {
  return data && shlo::LooksLikeProgram({static_cast<const char*>(data), size}) ? 1 : 0;
}

shlo_error* shlo_program_read(const void* data, size_t size, const shlo_read_options* given,
                              shlo_program** out) {
  return Try([&] {
    shlo_read_options options;
    shlo::InputFile input = InputOf(data, size, given, &options);
    Require(out, "out");
    *out = nullptr;
    *out = ReadOne(std::move(input), options).release();
  });
}

shlo_error* shlo_program_read_file(const char* path, const shlo_read_options* given, shlo_program** out) {
  return Make(out, [&] {
    const shlo_read_options options = OptionsOf(given, "shlo_read_options");
    shlo::InputFile input = OpenFile(path);
    if (options.source_name) input.name = options.source_name;
    return ReadOne(std::move(input), options).release();
  });
}

shlo_program* shlo_program_retain(shlo_program* program) {
  if (program) program->references.fetch_add(1, std::memory_order_relaxed);
  return program;
}

void shlo_program_release(shlo_program* program) {
  if (program && program->references.fetch_sub(1, std::memory_order_acq_rel) == 1) delete program;
}

shlo_error* shlo_programs_read(const void* data, size_t size, const shlo_read_options* given,
                               shlo_programs** out) {
  return Try([&] {
    shlo_read_options options;
    shlo::InputFile input = InputOf(data, size, given, &options);
    Require(out, "out");
    *out = nullptr;
    *out = ReadAll(std::move(input), options);
  });
}

shlo_error* shlo_programs_read_file(const char* path, const shlo_read_options* given, shlo_programs** out) {
  return Make(out, [&] {
    const shlo_read_options options = OptionsOf(given, "shlo_read_options");
    shlo::InputFile input = OpenFile(path);
    if (options.source_name) input.name = options.source_name;
    return ReadAll(std::move(input), options);
  });
}

size_t shlo_programs_count(const shlo_programs* programs) { return programs ? programs->list.size() : 0; }

shlo_program* shlo_programs_at(const shlo_programs* programs, size_t i) {
  return i < shlo_programs_count(programs) ? programs->list[i] : nullptr;
}

shlo_format shlo_programs_format(const shlo_programs* programs) {
  return programs ? programs->format : SHLO_FORMAT_DEFAULT;
}

void shlo_programs_free(shlo_programs* programs) { delete programs; }

int shlo_program_get(const shlo_program* program, shlo_program_info* out) {
  if (!program) return 0;
  const shlo::Module& m = program->program.module;
  shlo_program_info info{};
  info.version = m.version.n;
  info.origin = program->origin.n;
  info.format = program->format;
  info.source_name = Str(program->program.source.name);
  info.name = Str(program->program.name);
  info.producer = Str(program->program.source.producer);
  info.first_line = program->program.source.first_line;
  info.version_written = program->program.source.version_written;
  info.op_count = uint32_t(m.ops.size() - 2);  // entry 0 is unused, and the module is one
  for (uint32_t i = 1; i < m.payloads.size(); ++i)
    info.constant_bytes += m.payloads.SizeOf(shlo::PayloadId(i));
  return Put(info, out);
}

shlo_version shlo_program_version(const shlo_program* program) {
  return program ? program->program.module.version.n : 0;
}

shlo_error* shlo_program_write(const shlo_program* program, const shlo_write_options* given,
                               shlo_buffer** out) {
  return Try([&] {
    Require(out, "out");
    *out = nullptr;
    WriteWith(program, OptionsOf(given, "shlo_write_options"),
              [&](const shlo::Program& written, const shlo::WriteOptions& how) {
                const shlo::DeadlineScope scope(how.limits);
                *out = NewBuffer(Take(shlo::WriteProgram(written, how)));
              });
  });
}

shlo_error* shlo_program_write_file(const shlo_program* program, const char* path,
                                    const shlo_write_options* given) {
  return Try([&] {
    shlo_write_options options = OptionsOf(given, "shlo_write_options");
    const std::string file = FilePath(path);
    if (options.format == SHLO_FORMAT_DEFAULT) {
      const std::string_view named = Take(shlo::EmitOnlyOfName(file));
      options.format = FormatOf(shlo::FormatOfEmit(named));
    }
    WriteWith(program, options, [&](const shlo::Program& written, const shlo::WriteOptions& how) {
      const shlo::DeadlineScope scope(how.limits);
      Take(shlo::WriteProgramFile(written, file, how));
    });
  });
}

shlo_error* shlo_program_write_to(const shlo_program* program, const shlo_write_options* given,
                                  shlo_sink sink, void* context) {
  return Try([&] {
    if (!sink) Fail(Code::kUsage, "argument 'sink' is NULL");
    WriteWith(program, OptionsOf(given, "shlo_write_options"),
              [&](const shlo::Program& written, const shlo::WriteOptions& how) {
                const shlo::DeadlineScope scope(how.limits);
                Take(shlo::WriteProgramTo(written, how, [&](std::string_view piece) {
                  return sink(context, piece.data(), piece.size()) == 0;
                }));
              });
  });
}

shlo_error* shlo_op_text(const shlo_program* program, uint32_t op, size_t max_bytes, shlo_buffer** out) {
  return Make(out, [&] {
    const shlo::Module& m = Get(program).program.module;
    if (op == 0 || op >= m.ops.size()) Fail(Code::kUsage, shlo::StrFormat("there is no op {}", op));
    return NewBuffer(shlo::OpTexts(m).Of(shlo::OpId(op), max_bytes));
  });
}

shlo_error* shlo_container_write(const void* data, size_t size, const shlo_program* const* programs,
                                 size_t count, const shlo_container_options* given, shlo_buffer** out) {
  return Make(out, [&] {
    const shlo_container_options options = OptionsOf(given, "shlo_container_options");
    shlo_write_options write = OptionsOf(options.write, "shlo_write_options");
    write.format = SHLO_FORMAT_MLIRBC;
    if (size) Require(data, "data");
    if (count) Require(programs, "programs");
    const std::string_view bytes(static_cast<const char*>(data), size);
    shlo::ContainerWriteOptions container;
    container.source_name = options.source_name ? options.source_name : "<input>";
    container.limits = LimitsOf(options.limits, size);
    container.container_version = Text(options.container_version);
    std::vector<std::string> held;
    for (size_t i = 0; i < count; ++i)
      WriteWith(programs[i], write, [&](const shlo::Program& written, const shlo::WriteOptions& how) {
        held.push_back(Take(shlo::WriteProgram(written, how)));
      });
    const auto list = Take(shlo::ListContainedPrograms(bytes, container));
    if (count == 0)
      for (const shlo::ContainedProgram& program : list) held.emplace_back(program.bytes);
    if (held.size() != list.size())
      Fail(Code::kUsage,
           shlo::StrFormat("the container has {}, got {}", shlo::Count(list.size(), "program"), count),
           "pass as many programs as shlo_programs_read returned");
    return NewBuffer(Take(shlo::WriteContainer(bytes, held, container)));
  });
}

}  // extern "C"
