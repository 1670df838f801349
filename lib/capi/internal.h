// Shared by the functions of the C API: handles, errors, options. Work is done in Try, which turns whatever
// is thrown into an error; Take unwraps a Result by throwing.
#pragma once

#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/deadline.h"
#include "base/request_status.h"
#include "ir/json.h"
#include "shlo/consumers.h"
#include "shlo/conversion.h"
#include "shlo/diagnostics.h"
#include "shlo/dialect.h"
#include "shlo/limits.h"
#include "shlo/program_io.h"
#include "shlo/shlo.h"
#include "shlo/verify.h"
#include "shlo/version.h"

// --- Handles ---------------------------------------------------------------------------------------

struct shlo_buffer {
  std::string bytes;
};

struct shlo_diagnostics {
  shlo::Diagnostics list;
};

struct shlo_error {
  shlo_diagnostics diagnostics;
  std::string text;
  int status = SHLO_STATUS_DONE;
};

struct shlo_cancellation {
  shlo::Cancellation flag;
};

struct shlo_consumer {
  shlo::NamedConsumer consumer;
};

struct shlo_consumers {
  std::vector<shlo_consumer> list;
  std::vector<shlo::Consumer> packages;  // the same
};

struct shlo_dialect {
  shlo::Dialect dialect;
};

struct shlo_program {
  shlo::Program program;
  shlo::InputFile file;       // that it was read from; without bytes: built or converted
  shlo::InputFile container;  // `file` if it is a container; also after a conversion
  shlo_format format = SHLO_FORMAT_DEFAULT;
  shlo::Version origin;   // before it was converted
  uint64_t bytes = 0;     // of the input, for limits
  bool portable = false;  // it fits a portable artifact of its version

  std::atomic<uint32_t> references{1};
  // Filled in by the first call that needs them.
  mutable std::mutex mutex;
  mutable bool verified = false;
  mutable shlo::Diagnostics findings;  // of verification
  mutable std::vector<uint32_t> functions;
  mutable bool functions_known = false;
  mutable std::vector<shlo_use> uses;
  mutable std::vector<uint32_t> first_use;  // by value, and one more; empty: unknown
};

struct shlo_programs {
  std::vector<shlo_program*> list;
  shlo_format format = SHLO_FORMAT_DEFAULT;
  ~shlo_programs() {
    for (shlo_program* program : list) shlo_program_release(program);
  }
};

namespace shlo {
struct CheckRun;
}

namespace shlo::capi {

// --- Errors ----------------------------------------------------------------------------------------

// Why a call fails. Never leaves Try.
struct Failed {
  Diagnostics why;
  std::optional<RequestStatus> status = {};  // nullopt: of the first error
};

[[noreturn]] void Fail(Code code, std::string message, std::string hint = {});
// Throws if a pointer that the caller must pass is NULL.
void Require(const void* pointer, const char* name);

// Returns the value of a result.
template <typename T>
T Take(Result<T>&& result) {
  if (!result) throw Failed{std::move(result.error())};
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

// Returns the diagnostics of an error, which is freed.
Diagnostics DiagnosticsOf(shlo_error* error);

// Returns the error of an exception that is being handled. Never NULL.
shlo_error* ErrorOfException() noexcept;

// The cancellation of calls of this thread that state none; NULL: nothing.
extern constinit thread_local shlo_cancellation* cancellation_of_thread;

// Runs the work of a call.
template <typename Work>
shlo_error* Try(Work&& work) noexcept {
  try {
    const DeadlineScope scope(
        {.cancellation = cancellation_of_thread ? &cancellation_of_thread->flag : nullptr});
    work();
    return nullptr;
  } catch (...) {
    return ErrorOfException();
  }
}

// Likewise, of a call that makes something for its caller; *out is NULL if it fails.
template <typename T, typename Work>
shlo_error* Make(T** out, Work&& work) noexcept {
  return Try([&] {
    Require(out, "out");
    *out = nullptr;
    *out = work();
  });
}

// For functions that cannot fail: returns `otherwise` if memory runs out.
template <typename T, typename Work>
T Ask(T otherwise, Work&& work) noexcept {
  try {
    return work();
  } catch (...) {
    return otherwise;
  }
}

// --- Structs that know their size ------------------------------------------------------------------

// Checks the size of a struct of `known` bytes; what this library does not know must be 0.
void CheckSize(const void* data, size_t size, size_t known, const char* name);

// Returns a copy of a struct of the caller: members that it does not know are 0. Nothing is checked, for
// members that count even if others are wrong.
template <typename T>
T KnownPart(const T* given) noexcept {
  T known{};
  if (given && given->struct_size >= sizeof(size_t))
    std::memcpy(static_cast<void*>(&known), given,
                given->struct_size < sizeof(T) ? given->struct_size : sizeof(T));
  known.struct_size = sizeof(T);
  return known;
}

// Returns a copy of options: members that the caller does not know have their defaults, which are 0.
template <typename T>
T OptionsOf(const T* given, const char* name) {
  if (given) CheckSize(given, given->struct_size, sizeof(T), name);
  return KnownPart(given);
}

// Fills in a struct of the caller, as far as it reaches, and clears what this library does not know. Returns
// whether there is one.
template <typename T>
int Put(T value, T* out) noexcept {
  if (!out || out->struct_size < sizeof(size_t)) return 0;
  const size_t size = out->struct_size;
  value.struct_size = size;
  std::memcpy(static_cast<void*>(out), &value, size < sizeof(T) ? size : sizeof(T));
  if (size > sizeof(T)) std::memset(reinterpret_cast<char*>(out) + sizeof(T), 0, size - sizeof(T));
  return 1;
}

// --- Values ----------------------------------------------------------------------------------------

inline shlo_str Str(std::string_view text) { return {text.data(), text.size()}; }
inline std::string Text(const char* text) { return text ? text : ""; }

shlo_buffer* NewBuffer(std::string bytes);
// Sets the list of a caller that asks for it: NULL if there are none.
void PutDiagnostics(Diagnostics list, shlo_diagnostics** out);

// Returns the limits of a call on an input of this many bytes. Fails with kUsage.
Limits LimitsOf(const shlo_limits* given, uint64_t bytes);
// Returns the day that a caller states, or the current one.
Date TodayOf(const char* today);
std::vector<Dialect> DialectsOf(const shlo_dialect* const* dialects, size_t count);

// --- Programs --------------------------------------------------------------------------------------

// Owns what is being made, until the call succeeds.
struct Releaser {
  void operator()(shlo_program* program) const { shlo_program_release(program); }
};
using ProgramPtr = std::unique_ptr<shlo_program, Releaser>;
ProgramPtr NewProgram(Program program);

// Returns a handle of the caller; throws for NULL.
const shlo_program& Get(const shlo_program* program, const char* name = "program");
// As above, for a program that must be valid: verifies it once.
const shlo_program& Valid(const shlo_program* program, const Limits& limits, const char* name = "program");

// Opens a file for reading; never standard input. Files are copied below the size at which a change of the
// file would matter.
Result<InputFile> TryOpenFile(const char* path);
InputFile OpenFile(const char* path);
// Returns the path of a file; never the standard input or output.
std::string FilePath(const char* path);

// Bytes of the caller, or a copy of them, with their owner.
InputFile BytesOf(const void* data, size_t size, bool borrow, shlo_release release, void* context,
                  std::string name);
ReadOptions ReadOptionsOf(const shlo_read_options& options, const InputFile& file);
WriteOptions WriteOptionsOf(const shlo_write_options& options, const shlo_program& program);

// --- What one of the libraries lacks (full.cc, lite.cc) ----------------------------------------------

// Returns what folds constants of up to this many elements; 0: the default.
Folding FoldingFor(uint64_t limit);
// Adds the rules about results to a run.
void AddEvaluation(CheckRun* run);

}  // namespace shlo::capi
