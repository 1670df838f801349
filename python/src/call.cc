#include "call.h"

#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

namespace shlo::python {

// --- Errors ------------------------------------------------------------------------------------------------

static nb::list ListOf(const shlo_diagnostics* list) {
  nb::list out;
  const size_t count = shlo_diagnostics_count(list);
  for (size_t i = 0; i < count; ++i) {
    shlo_diagnostic d = SHLO_DIAGNOSTIC_INIT;
    if (shlo_diagnostics_get(list, i, &d) == 0) break;
    static constexpr const char* kSeverities[] = {"error", "warning", "note"};
    const nb::object offset = d.offset == SHLO_NO_OFFSET ? nb::none() : nb::object(nb::int_(d.offset));
    out.append(nb::make_tuple(kSeverities[d.severity], shlo_code_name(d.code), Text(d.message), Text(d.hint),
                              Text(d.op), d.version, Text(d.file), d.line, d.column, Text(d.section), offset,
                              Text(d.function), Text(d.location), Text(d.source_line), d.count));
  }
  return out;
}

nb::list TakeDiagnostics(shlo_diagnostics* list) {
  nb::list out = ListOf(list);
  shlo_diagnostics_free(list);
  return out;
}

void Check(shlo_error* error) {
  if (ThrowsInterrupt(error != nullptr)) {
    shlo_error_free(error);
    throw nb::python_error();
  }
  if (error == nullptr) return;
  nb::object text = Text(shlo_error_text(error));
  nb::list diagnostics = ListOf(shlo_error_diagnostics(error));
  const int exit_code = shlo_error_exit_code(error);
  const char* code = shlo_code_name(shlo_error_code(error));
  shlo_error_free(error);
  nb::object made =
      nb::module_::import_("shlo._errors").attr("make_error")(text, diagnostics, code, exit_code);
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
  throw nb::python_error();
}

void FailArgument(const char* name, const std::string& message) {
  nb::object made = nb::module_::import_("shlo._errors").attr("argument_error")(name, message);
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
  throw nb::python_error();
}

void FailNumber(const char* name, nb::handle value, nb::handle least, nb::handle most) {
  FailArgument(
      name,
      nb::cast<std::string>(
          nb::str("expected a whole number from {} to {}, got {!r}").attr("format")(least, most, value)));
}

// A text for the library: it ends at the first NUL, so there must be none.
static const char* TextOf(const char* key, nb::handle value) {
  Py_ssize_t size = 0;
  const char* text = PyUnicode_Check(value.ptr()) ? PyUnicode_AsUTF8AndSize(value.ptr(), &size) : nullptr;
  if (text != nullptr && std::strlen(text) == size_t(size)) return text;
  PyErr_Clear();
  FailArgument(key, nb::cast<std::string>(
                        nb::str("expected text without NUL characters, got {!r}").attr("format")(value)));
}

// --- The GIL -----------------------------------------------------------------------------------------------

namespace {

// Set by the thread that ends the interpreter, which continues as before.
std::atomic<bool> ending{false};
std::thread::id ending_thread;
// Threads between the question whether the interpreter is ending and the GIL.
std::atomic<int> returning{0};
// Callbacks that run Python code.
std::atomic<int> callbacks{0};

bool Ending() { return ending.load() && std::this_thread::get_id() != ending_thread; }

[[noreturn]] void Park() {
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

// Runs at exit, with the GIL. Other threads are daemons: from now on none of them comes back from the
// library.
void BeginEnding() {
  ending_thread = std::this_thread::get_id();
  ending = true;
  PyThreadState* state = PyEval_SaveThread();
  // A callback may wait for something that never comes.
  for (int wait = 0; wait < 5000 && (returning.load() != 0 || callbacks.load() != 0); ++wait)
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  PyEval_RestoreThread(state);
}

// Other threads do not exist in the child of a fork.
void AfterFork() {
  returning = 0;
  callbacks = 0;
}

}  // namespace

PyThreadState* ReleaseGil() { return PyEval_SaveThread(); }

void RetakeGil(PyThreadState* state) {
  returning.fetch_add(1);
  if (Ending()) {
    returning.fetch_sub(1);
    Park();
  }
  PyEval_RestoreThread(state);
  returning.fetch_sub(1);
}

CallbackGil::CallbackGil() {
  callbacks.fetch_add(1);
  if (Ending()) {
    callbacks.fetch_sub(1);
    return;
  }
  state_ = PyGILState_Ensure();
  held_ = true;
}

CallbackGil::~CallbackGil() {
  if (!held_) return;
  PyGILState_Release(state_);
  callbacks.fetch_sub(1);
}

void DefineEnding(nb::module_& module) {
  module.def("_begin_ending", &BeginEnding);
  module.def("_after_fork", &AfterFork);
  nb::module_::import_("atexit").attr("register")(module.attr("_begin_ending"));
  nb::object os = nb::module_::import_("os");
  if (nb::hasattr(os, "register_at_fork"))
    os.attr("register_at_fork")(nb::arg("after_in_child") = module.attr("_after_fork"));
}

// --- Texts and buffers -------------------------------------------------------------------------------------

nb::object Text(shlo_str text) {
  PyObject* made =
      PyUnicode_DecodeUTF8(text.size == 0 ? "" : text.data, Py_ssize_t(text.size), "surrogateescape");
  if (made == nullptr) throw nb::python_error();
  return nb::steal(made);
}
nb::object Text(const char* text) { return Text(shlo_str{text, std::strlen(text)}); }

nb::object Name(shlo_str text) {
  PyObject* made = Text(text).release().ptr();
  PyUnicode_InternInPlace(&made);
  return nb::steal(made);
}

nb::bytes Bytes(shlo_str text) { return nb::bytes(text.size == 0 ? "" : text.data, text.size); }

nb::object TakeText(shlo_buffer* buffer) {
  const Owned<shlo_buffer> owned(buffer);
  return Text(shlo_str{shlo_buffer_data(buffer), shlo_buffer_size(buffer)});
}

nb::bytes TakeBytes(shlo_buffer* buffer) {
  const Owned<shlo_buffer> owned(buffer);
  return nb::bytes(shlo_buffer_data(buffer), shlo_buffer_size(buffer));
}

nb::list ListOf(const uint32_t* numbers, size_t count) {
  nb::list out;
  for (size_t i = 0; i < count; ++i) out.append(numbers[i]);
  return out;
}

Input::Input(nb::handle object) {
  if (PyObject_GetBuffer(object.ptr(), &buffer_, PyBUF_SIMPLE) != 0) throw nb::python_error();
}
Input::~Input() { PyBuffer_Release(&buffer_); }

void* Hold(nb::handle object) { return object.inc_ref().ptr(); }

void ReleaseHeld(void* held) {
  if (CallbackGil gil; gil) Py_DECREF(static_cast<PyObject*>(held));
}

// --- Options -----------------------------------------------------------------------------------------------

Options::Options(nb::dict options) : options_(std::move(options)) {}
Options::~Options() = default;

nb::object Options::Take(const char* key) {
  if (!options_.contains(key)) return nb::none();
  ++taken_;
  return options_[key];
}

void Options::Get(const char* key, const char** out) {
  nb::object value = Take(key);
  if (value.is_none()) return;
  *out = TextOf(key, value);
  kept_.push_back(std::move(value));
}

void Options::GetLimits(const shlo_limits** out, uint64_t work) {
  nb::object value = Take("limits");
  *out = &limits_;
  if (!value.is_none()) {
    const auto numbers = nb::cast<std::vector<uint64_t>>(value);
    if (numbers.size() != 7) throw nb::value_error("limits");
    limits_.max_memory = numbers[0];
    limits_.max_output = numbers[1];
    limits_.max_steps = numbers[2];
    limits_.max_work = numbers[3];
    limits_.timeout_ms = numbers[4];
    limits_.max_depth = uint32_t(numbers[5]);
    limits_.threads = uint32_t(numbers[6]);
  }
  if (limits_.max_steps == 0) limits_.max_steps = work;
  if (limits_.max_work == 0) limits_.max_work = work;
}

void Options::Get(const char* key, const char* const** out, size_t* count) {
  nb::object value = Take(key);
  if (value.is_none()) return;
  std::vector<const char*>& texts = texts_.emplace_back();
  for (nb::handle text : value) {
    kept_.push_back(nb::borrow(text));
    texts.push_back(TextOf(key, text));
  }
  *out = texts.data();
  *count = texts.size();
}

void Options::Get(const char* key, const shlo_dialect* const** out, size_t* count) {
  nb::object value = Take(key);
  if (value.is_none()) return;
  for (nb::handle dialect : value) {
    dialects_.push_back(nb::cast<const Dialect&>(dialect).handle);
    kept_.push_back(nb::borrow(dialect));
  }
  *out = dialects_.data();
  *count = dialects_.size();
}

void Options::Get(const char* key, const shlo_consumer* const** out, size_t* count) {
  nb::object value = Take(key);
  if (value.is_none()) return;
  for (nb::handle consumer : value) {
    consumers_.push_back(nb::cast<const Consumer&>(consumer).handle);
    kept_.push_back(nb::borrow(consumer));
  }
  *out = consumers_.data();
  *count = consumers_.size();
}

void Options::End() {
  if (taken_ != options_.size()) throw nb::type_error("unknown option");
}

}  // namespace shlo::python
