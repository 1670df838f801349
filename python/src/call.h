// Tools of every part of the extension for calls of the C API: errors as Python exceptions, calls without the
// GIL, texts, and options. The extension knows no other header of the library than shlo/shlo.h.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "shlo/shlo.h"

namespace shlo::python {

namespace nb = nanobind;

// Throws the exception of shlo._errors for an error, which it frees; returns for NULL. An exception of a
// signal handler (see Interrupts) comes first; after a call without an error it is raised as soon as this
// returns to Python. Needs the GIL.
void Check(shlo_error* error);
// Throws the UsageError of an argument, whose value is not what the library takes.
[[noreturn]] void FailArgument(const char* name, const std::string& message);
[[noreturn]] void FailNumber(const char* name, nb::handle value, nb::handle least, nb::handle most);

// Returns diagnostics as a list of tuples in the order of the fields of shlo.Diagnostic, and frees them.
nb::list TakeDiagnostics(shlo_diagnostics* list);

// Releases the GIL, and takes it again. Once the interpreter is ending, a thread that returns is parked
// forever: it could neither run Python code nor unwind.
PyThreadState* ReleaseGil();
void RetakeGil(PyThreadState* state);

// Ends the calls of the library while it exists, if a signal handler of Python raises an exception meanwhile:
// the main thread runs handlers about every 50 ms while it works on a call or waits for its threads. Calls of
// other threads end by their `Cancellation`, if they have one. Check throws the exception.
class Interrupts {
 public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;
  // Runs handlers, if this is the main thread. Returns whether the call ends.
  bool Poll();

 private:
  shlo_cancellation* own_ = nullptr;
  shlo_cancellation* before_ = nullptr;
};
// Returns whether a call of this thread that `failed` did so for the exception of a handler, which is then
// set; if it did not fail, the exception is raised later.
bool ThrowsInterrupt(bool failed);
// Defines the class Cancellation, and use_cancellation, which makes one that of the calls of a thread.
void DefineInterrupts(nb::module_& module);
// Returns the exception that is set, with its traceback, and clears it.
nb::object TakeException();

// Runs `call`, which must not throw or touch Python objects, without the GIL.
template <typename Call>
auto WithoutGil(Call call) {
  const Interrupts interrupts;
  PyThreadState* state = ReleaseGil();
  if constexpr (std::is_void_v<decltype(call())>) {
    call();
    RetakeGil(state);
  } else {
    auto result = call();
    RetakeGil(state);
    return result;
  }
}
// Holds the GIL in a callback of the library, on any thread. `false` once the interpreter is ending: then no
// Python object may be touched.
class CallbackGil {
 public:
  CallbackGil();
  ~CallbackGil();
  CallbackGil(const CallbackGil&) = delete;
  CallbackGil& operator=(const CallbackGil&) = delete;
  explicit operator bool() const { return held_; }

 private:
  bool held_ = false;
  PyGILState_STATE state_{};
};
// Prepares for the end of the interpreter, and for forks.
void DefineEnding(nb::module_& module);

// Texts. MLIR's strings may hold any bytes: those that are not UTF-8 become surrogates (PEP 383).
nb::object Text(shlo_str text);
nb::object Text(const char* text);
// Likewise, for names, which repeat: Python keeps one object of each.
nb::object Name(shlo_str text);
nb::bytes Bytes(shlo_str text);
// Takes a buffer as str, or as bytes.
nb::object TakeText(shlo_buffer* buffer);
nb::bytes TakeBytes(shlo_buffer* buffer);

// A buffer of the caller: contiguous bytes.
class Input {
 public:
  explicit Input(nb::handle object);
  ~Input();
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  const void* data() const { return buffer_.buf; }
  size_t size() const { return size_t(buffer_.len); }

 private:
  Py_buffer buffer_;
};

// A reference to a Python object that the library holds through a `shlo_release` callback.
void* Hold(nb::handle object);
void ReleaseHeld(void* held);

// Reads the options of a call from a dictionary; keys that were not asked for are a TypeError. Texts and
// lists live as long as this object.
class Options {
 public:
  explicit Options(nb::dict options);
  ~Options();
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;

  template <typename Number>
  void Get(const char* key, Number* out) {
    nb::object value = Take(key);
    if (!value.is_none() && !nb::try_cast(value, *out))
      FailNumber(key, value, nb::int_(std::numeric_limits<Number>::min()),
                 nb::int_(std::numeric_limits<Number>::max()));
  }
  void Get(const char* key, const char** out);
  void Get(const char*, const shlo_limits** out) { GetLimits(out); }
  // Likewise "limits"; `work` is the limit of steps and work if the caller states none. 0: that of the
  // library.
  void GetLimits(const shlo_limits** out, uint64_t work = 0);
  // A list of texts.
  void Get(const char* key, const char* const** out, size_t* count);
  void Get(const char* key, const shlo_dialect* const** out, size_t* count);
  void Get(const char* key, const shlo_consumer* const** out, size_t* count);
  // The value itself, or None.
  nb::object Take(const char* key);
  // Throws a TypeError for keys that were not taken.
  void End();

 private:
  nb::dict options_;
  size_t taken_ = 0;
  shlo_limits limits_ = SHLO_LIMITS_INIT;
  std::vector<nb::object> kept_;
  std::vector<std::vector<const char*>> texts_;
  std::vector<const shlo_dialect*> dialects_;
  std::vector<const shlo_consumer*> consumers_;
};

// A handle of the C API, owned by a Python object. `Free` frees it.
inline void Free(shlo_program* handle) { shlo_program_release(handle); }
inline void Free(shlo_tensor* handle) { shlo_tensor_release(handle); }
#define SHLO_FREE(name) \
  inline void Free(shlo_##name* handle) { shlo_##name##_free(handle); }
SHLO_FREE(buffer)
SHLO_FREE(builder)
SHLO_FREE(cancellation)
SHLO_FREE(consumer)
SHLO_FREE(consumers)
SHLO_FREE(dialect)
SHLO_FREE(grid)
SHLO_FREE(programs)
SHLO_FREE(proof)
SHLO_FREE(report)
SHLO_FREE(tensors)
#undef SHLO_FREE
template <typename Handle>
struct Owned {
  Handle* handle = nullptr;
  explicit Owned(Handle* taken) : handle(taken) {}
  ~Owned() { Free(handle); }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
};
using Builder = Owned<shlo_builder>;
using Consumer = Owned<shlo_consumer>;
using Consumers = Owned<shlo_consumers>;
using Dialect = Owned<shlo_dialect>;
using Grid = Owned<shlo_grid>;
using Program = Owned<shlo_program>;
using Proof = Owned<shlo_proof>;
using Report = Owned<shlo_report>;
using Tensor = Owned<shlo_tensor>;

// Lists of numbers, and the handles of objects.
nb::list ListOf(const uint32_t* numbers, size_t count);
template <typename Handle>
std::vector<const Handle*> HandlesOf(const std::vector<const Owned<Handle>*>& objects) {
  std::vector<const Handle*> out;
  out.reserve(objects.size());
  for (const Owned<Handle>* object : objects) out.push_back(object->handle);
  return out;
}

// Read-only bytes of an object that `owner` keeps alive, for Python's buffer protocol.
struct View {
  nb::object owner;
  const void* data;
  size_t size;
};

// Each defines the functions of its file in the module.
void DefinePrograms(nb::module_& module);
void DefineVersions(nb::module_& module);
void DefineReports(nb::module_& module);
void DefineWalk(nb::module_& module);
void DefineTensors(nb::module_& module);
void DefineGrid(nb::module_& module);
void DefineBuilder(nb::module_& module);

}  // namespace shlo::python
