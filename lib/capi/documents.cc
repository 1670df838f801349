// Documents of --json.
#include <fmt/format.h>

#include <optional>

#include "capi/internal.h"
#include "inspect/inspection.h"
#include "inspect/release_diff.h"
#include "serialize/container/report.h"
#include "shlo/container.h"

namespace shlo::capi {
namespace {

using shlo::Json;

// Reads an input for a document; what cannot be read is part of the document.
template <typename Describe>
std::string DocumentOf(std::string_view command, Result<InputFile> input, shlo_read_options options,
                       const Describe& describe) {
  options.warnings = nullptr;
  ProgramFile file;
  ReadOptions read;
  Diagnostics reported;
  RequestStatus status = RequestStatus::kDone;
  if (input) {
    read = ReadOptionsOf(options, *input);
    Diagnostics errors;
    file = ReadPrograms(std::move(*input), read, &errors, &reported);
    if (!errors.empty()) status = ReadStatusOf(errors);
    reported.insert(reported.end(), errors.begin(), errors.end());
  } else {
    status = StatusOf(input.error());
    reported = std::move(input.error());
  }
  Json entry = describe(file, read, &status, &reported);
  return shlo::JsonText(command, {{"files", Json::array({std::move(entry)})}}, int(status), reported);
}

std::string InspectDocument(const std::string& path, Result<InputFile> input, shlo_read_options options) {
  options.skip_constants = 1;  // gigabytes; verify and conversions read them
  return DocumentOf(
      "inspect", std::move(input), options,
      [&](const ProgramFile& file, const ReadOptions& read, RequestStatus* status, Diagnostics* reported) {
        shlo::Inspection inspection =
            shlo::InspectFile(path, file, *status == RequestStatus::kDone,
                              {.limits = read.limits, .version_given = read.version.valid()});
        for (const Diagnostics& failure : inspection.failures) {
          reported->insert(reported->end(), failure.begin(), failure.end());
          *status = StatusOf(failure);
        }
        return std::move(inspection.json);
      });
}

std::string VerifyDocument(const std::string& path, Result<InputFile> input, shlo_read_options options) {
  const std::vector<Dialect> dialects = DialectsOf(options.dialects, options.dialect_count);
  return DocumentOf(
      "verify", std::move(input), options,
      [&](const ProgramFile& file, const ReadOptions& read, RequestStatus* status, Diagnostics* reported) {
        VerifyOptions verify;
        if (options.lenient) verify.strictness = Strictness::kLenient;
        verify.limits = read.limits;
        if (*status == RequestStatus::kDone)
          for (const Program& program : file.programs) {
            const Diagnostics found = VerifyProgram(program, dialects, verify);
            if (HasErrors(found)) *status = RequestStatus::kNegative;
            reported->insert(reported->end(), found.begin(), found.end());
          }
        return shlo::VerifyJson(path, file, dialects, *status == RequestStatus::kDone);
      });
}

// Makes a document about an input, which a caller names `path`.
using Document = std::string(const std::string& path, Result<InputFile> input, shlo_read_options options);

// Makes a document from the bytes, or the file, of a caller.
shlo_error* FromBytes(const void* data, size_t size, const shlo_read_options* given, shlo_buffer** out,
                      Document* document) {
  return Make(out, [&] {
    const shlo_read_options options = OptionsOf(given, "shlo_read_options");
    // Nothing outlives the call.
    InputFile input = BytesOf(data, size, /*borrow=*/true, options.borrow ? options.release : nullptr,
                              options.release_context, options.source_name ? options.source_name : "<input>");
    const std::string name = input.name;
    return NewBuffer(document(name, std::move(input), options));
  });
}

shlo_error* FromFile(const char* path, const shlo_read_options* given, shlo_buffer** out,
                     Document* document) {
  return Make(out, [&] {
    const shlo_read_options options = OptionsOf(given, "shlo_read_options");
    Result<InputFile> input = TryOpenFile(path);
    if (input && options.source_name) input->name = options.source_name;
    return NewBuffer(document(options.source_name ? options.source_name : path, std::move(input), options));
  });
}

}  // namespace
}  // namespace shlo::capi

using namespace shlo::capi;
using shlo::Code;
using shlo::Json;

extern "C" {

shlo_error* shlo_inspect_json(const void* data, size_t size, const shlo_read_options* options,
                              shlo_buffer** out) {
  return FromBytes(data, size, options, out, InspectDocument);
}

shlo_error* shlo_inspect_file_json(const char* path, const shlo_read_options* options, shlo_buffer** out) {
  return FromFile(path, options, out, InspectDocument);
}

shlo_error* shlo_program_inspect_json(const shlo_program* program, shlo_buffer** out) {
  return Make(out, [&] {
    const shlo_program& p = Get(program);
    return NewBuffer(
        shlo::Dumped(Take(shlo::InspectProgram(p.program, {.limits = LimitsOf(nullptr, p.bytes)}))));
  });
}

shlo_error* shlo_program_container_json(const shlo_program* program, shlo_buffer** out) {
  return Try([&] {
    Require(out, "out");
    *out = nullptr;
    const shlo::InputFile& file = Get(program).container;
    if (file.bytes.empty()) return;
    shlo::ContainerOptions options;
    options.source_name = file.name;
    options.limits = LimitsOf(nullptr, file.bytes.size());
    *out = NewBuffer(shlo::Dumped(shlo::ContainerJson(Take(shlo::InspectContainer(file.bytes, options)))));
  });
}

shlo_error* shlo_verify_json(const void* data, size_t size, const shlo_read_options* options,
                             shlo_buffer** out) {
  return FromBytes(data, size, options, out, VerifyDocument);
}

shlo_error* shlo_verify_file_json(const char* path, const shlo_read_options* options, shlo_buffer** out) {
  return FromFile(path, options, out, VerifyDocument);
}

shlo_error* shlo_versions_json(const char* which, const char* today, shlo_buffer** out) {
  return Make(out, [&] {
    const shlo::Date day = TodayOf(today);
    const auto parse = [&](const std::string& text, shlo::Version otherwise) {
      if (text.empty()) return otherwise;
      const auto version = shlo::ParseVersion(text, day);
      if (!version) Fail(Code::kUnknownVersion, version.error());
      return *version;
    };
    const std::string text = Text(which);
    const size_t dots = text.find("..");
    shlo::Version only;
    std::optional<shlo::VersionRange> range;
    if (dots == text.npos)
      only = parse(text, {});
    else
      range = {parse(text.substr(0, dots), shlo::kMinimumVersion),
               parse(text.substr(dots + 2), shlo::kCurrentVersion)};
    return NewBuffer(shlo::JsonText("versions", shlo::VersionsJson(only, range), SHLO_STATUS_DONE, {}));
  });
}

}  // extern "C"
