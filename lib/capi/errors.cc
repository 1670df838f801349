// Errors, diagnostics and buffers.
#include <exception>
#include <new>
#include <stdexcept>

#include "base/deadline.h"
#include "base/format.h"
#include "base/stack.h"
#include "capi/internal.h"

// The error for which there is no memory is not an object: functions recognize its address.
namespace {

const char kNoMemory[] = "out of memory";
const char kNoMemoryText[] = "error: out of memory [io]\n";
char no_memory_error, no_memory_list;

bool IsNoMemory(const shlo_error* error) { return reinterpret_cast<const char*>(error) == &no_memory_error; }
bool IsNoMemory(const shlo_diagnostics* list) {
  return reinterpret_cast<const char*>(list) == &no_memory_list;
}
shlo_error* NoMemory() { return reinterpret_cast<shlo_error*>(&no_memory_error); }

shlo::Diagnostics ListOf(const shlo_diagnostics* list) {
  if (IsNoMemory(list)) return shlo::Error(shlo::Code::kIo, kNoMemory).value();
  return list ? list->list : shlo::Diagnostics();
}

std::string TextOf(const shlo::Diagnostics& list, bool color) {
  std::string text;
  for (const shlo::Diagnostic& d : list) text += shlo::Render(d, color);
  return text;
}

shlo_error* NewError(shlo::Diagnostics why, std::optional<shlo::RequestStatus> status = {}) noexcept {
  try {
    auto error = std::make_unique<shlo_error>();
    error->text = TextOf(why, false);
    error->status = int(status ? *status : shlo::StatusOf(why));
    error->diagnostics.list = std::move(why);
    return error.release();
  } catch (...) {
    return NoMemory();
  }
}

shlo_error* NewError(shlo::Code code, const char* message, const char* hint) noexcept {
  try {
    return NewError(shlo::Error(code, message, {}, hint).value());
  } catch (...) {
    return NoMemory();
  }
}

}  // namespace

namespace shlo::capi {

static_assert(int(RequestStatus::kDone) == SHLO_STATUS_DONE &&
              int(RequestStatus::kSystem) == SHLO_STATUS_SYSTEM);

shlo_error* ErrorOfException() noexcept {
  try {
    throw;
  } catch (Failed& failed) {
    return NewError(std::move(failed.why), failed.status);
  } catch (const StackExhausted&) {
    return NewError(Code::kLimit, kStackMessage, kStackHint);
  } catch (const std::bad_alloc&) {
    return NoMemory();
  } catch (const std::length_error&) {  // more than any memory holds
    return NoMemory();
  } catch (const Canceled&) {
    return NewError(Code::kCanceled, kCanceledMessage, "");
  } catch (const DeadlinePassed&) {
    return NewError(Code::kLimit, "not done at the deadline", "raise the limit: timeout_ms");
  } catch (const std::exception& e) {
    return NewError(Code::kUnsupported, e.what(), "");
  } catch (...) {
    return NewError(Code::kUnsupported, "unexpected failure", "");
  }
}

Diagnostics DiagnosticsOf(shlo_error* error) {
  Diagnostics list = ListOf(shlo_error_diagnostics(error));
  shlo_error_free(error);
  return list;
}

void Fail(Code code, std::string message, std::string hint) {
  throw Failed{Error(code, std::move(message), {}, std::move(hint)).value()};
}

void Require(const void* pointer, const char* name) {
  if (!pointer) Fail(Code::kUsage, shlo::StrFormat("argument '{}' is NULL", name));
}

void CheckSize(const void* data, size_t size, size_t known, const char* name) {
  if (size < sizeof(size_t))
    Fail(Code::kUsage, shlo::StrFormat("struct_size of '{}' is {}", name, size),
         "initialize the struct with its SHLO_..._INIT");
  for (size_t i = known; i < size; ++i)
    if (static_cast<const char*>(data)[i] != 0)
      Fail(Code::kUsage,
           shlo::StrFormat("'{}' has {} bytes, and this library knows only the first {}", name, size, known),
           "update the library, or leave the newer options at 0");
}

shlo_buffer* NewBuffer(std::string bytes) {
  auto buffer = std::make_unique<shlo_buffer>();
  buffer->bytes = std::move(bytes);
  return buffer.release();
}

void PutDiagnostics(Diagnostics list, shlo_diagnostics** out) {
  if (!out) return;
  *out = nullptr;
  if (list.empty()) return;
  auto diagnostics = std::make_unique<shlo_diagnostics>();
  diagnostics->list = std::move(list);
  *out = diagnostics.release();
}

}  // namespace shlo::capi

using namespace shlo::capi;

extern "C" {

uint32_t shlo_api_version(void) { return SHLO_API_MAJOR << 16 | SHLO_API_MINOR; }

const char* shlo_library_version(void) { return shlo::ToolVersion().data(); }

const char* shlo_buffer_data(const shlo_buffer* buffer) { return buffer ? buffer->bytes.c_str() : nullptr; }

size_t shlo_buffer_size(const shlo_buffer* buffer) { return buffer ? buffer->bytes.size() : 0; }

shlo_error* shlo_buffer_create(const void* data, size_t size, shlo_buffer** out) {
  return Make(out, [&] {
    if (size) Require(data, "data");
    return NewBuffer(size ? std::string(static_cast<const char*>(data), size) : std::string());
  });
}

void shlo_buffer_free(shlo_buffer* buffer) { delete buffer; }

const char* shlo_code_name(shlo_code code) {
  if (code < 0 || code > SHLO_CODE_CANCELED) return "";
  return shlo::CodeName(shlo::Code(code)).data();
}

size_t shlo_diagnostics_count(const shlo_diagnostics* list) {
  if (IsNoMemory(list)) return 1;
  return list ? list->list.size() : 0;
}

int shlo_diagnostics_get(const shlo_diagnostics* list, size_t i, shlo_diagnostic* out) {
  if (i >= shlo_diagnostics_count(list)) return 0;
  const shlo_str empty{"", 0};
  shlo_diagnostic d{};
  d.offset = SHLO_NO_OFFSET;
  if (IsNoMemory(list)) {
    d.code = SHLO_CODE_IO;
    d.count = 1;
    d.message = {kNoMemory, sizeof kNoMemory - 1};
    d.hint = d.op = d.file = d.section = d.function = d.location = d.source_line = empty;
    return Put(d, out);
  }
  const shlo::Diagnostic& from = list->list[i];
  d.severity = shlo_severity(from.severity);
  d.code = shlo_code(from.code);
  d.message = Str(from.message);
  d.hint = Str(from.hint);
  d.op = Str(from.op);
  d.version = from.version.n;
  d.file = Str(from.place.file);
  d.line = from.place.line;
  d.column = from.place.column;
  d.section = Str(from.place.section);
  d.offset = from.place.offset;
  d.function = Str(from.place.function);
  d.location = Str(from.place.location);
  d.source_line = Str(from.place.source_line);
  d.count = from.count;
  return Put(d, out);
}

shlo_error* shlo_diagnostics_text(const shlo_diagnostics* list, int color, shlo_buffer** out) {
  return Make(out, [&] { return NewBuffer(TextOf(ListOf(list), color != 0)); });
}

shlo_error* shlo_diagnostics_json(const shlo_diagnostics* list, shlo_buffer** out) {
  return Make(out, [&] { return NewBuffer(shlo::Dumped(shlo::ToJson(ListOf(list)))); });
}

void shlo_diagnostics_free(shlo_diagnostics* list) {
  if (!IsNoMemory(list)) delete list;
}

const shlo_diagnostics* shlo_error_diagnostics(const shlo_error* error) {
  if (IsNoMemory(error)) return reinterpret_cast<const shlo_diagnostics*>(&no_memory_list);
  return error ? &error->diagnostics : nullptr;
}

shlo_code shlo_error_code(const shlo_error* error) {
  if (!error) return -1;
  if (IsNoMemory(error)) return SHLO_CODE_IO;
  for (const shlo::Diagnostic& d : error->diagnostics.list)
    if (d.severity == shlo::Severity::kError) return shlo_code(d.code);
  return shlo_code(error->diagnostics.list[0].code);
}

int shlo_error_exit_code(const shlo_error* error) {
  if (IsNoMemory(error)) return SHLO_STATUS_SYSTEM;
  return error ? error->status : SHLO_STATUS_DONE;
}

const char* shlo_error_text(const shlo_error* error) {
  if (IsNoMemory(error)) return kNoMemoryText;
  return error ? error->text.c_str() : "";
}

shlo_error* shlo_error_create(shlo_code code, const char* message, const char* hint) {
  const bool known = code >= 0 && code <= SHLO_CODE_CANCELED;
  return NewError(known ? shlo::Code(code) : shlo::Code::kUnsupported, message ? message : "unknown error",
                  hint ? hint : "");
}

void shlo_error_free(shlo_error* error) {
  if (!IsNoMemory(error)) delete error;
}

}  // extern "C"
