// Signals that come while the library works.
//
// The main thread works on a call itself, without the GIL, and takes it about every 50 ms to run the handlers
// of signals that have come, as `time.sleep` does. A separate thread for each call would let the main
// thread wait for signals instead; but custom calls and other callbacks would run there, where no signal
// reaches them and contexts of the caller are missing, and each of the many short calls would start a thread.
#include "call.h"

namespace shlo::python {
namespace {

// The thread that runs handlers of signals. Other threads do not exist after a fork.
unsigned long main_thread;

void FindMainThread() { main_thread = PyThread_get_thread_ident(); }

bool OnMainThread() { return PyThread_get_thread_ident() == main_thread; }

// The exception of a handler during a call of the main thread, until it is thrown. Needs the GIL.
PyObject* raised = nullptr;

void PollOf(void* interrupts) { static_cast<Interrupts*>(interrupts)->Poll(); }

void Raise() {
  nb::object exception = nb::steal(std::exchange(raised, nullptr));
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
}

int RaiseLater(void*) {
  if (raised == nullptr) return 0;
  Raise();
  return -1;
}

using Cancellation = Owned<shlo_cancellation>;

shlo_cancellation* NewCancellation(shlo_poll poll, void* context) {
  shlo_cancellation* out = nullptr;
  Check(shlo_cancellation_create(poll, context, &out));
  return out;
}

}  // namespace

nb::object TakeException() {
  PyObject *kind = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&kind, &value, &trace);
  PyErr_NormalizeException(&kind, &value, &trace);
  if (value != nullptr && trace != nullptr) PyException_SetTraceback(value, trace);
  Py_XDECREF(kind);
  Py_XDECREF(trace);
  return nb::steal(value);
}

Interrupts::Interrupts() {
  if (!OnMainThread()) return;
  own_ = NewCancellation(&PollOf, this);
  before_ = shlo_cancellation_use(own_);
}

bool Interrupts::Poll() {
  if (!OnMainThread()) return shlo_is_canceled(own_) != 0;
  CallbackGil gil;
  // A callback that has failed leaves its exception for the end of the call.
  if (!gil || PyErr_Occurred() != nullptr || PyErr_CheckSignals() == 0) return false;
  PyObject* exception = TakeException().release().ptr();
  Py_XDECREF(std::exchange(raised, exception));
  shlo_cancel(own_);
  return true;
}

Interrupts::~Interrupts() {
  if (own_ == nullptr) return;
  shlo_cancellation_use(before_);
  shlo_cancellation_free(own_);
}

bool ThrowsInterrupt(bool failed) {
  if (raised == nullptr || !OnMainThread()) return false;
  if (failed)
    Raise();
  else
    Py_AddPendingCall(&RaiseLater, nullptr);  // what the call returned belongs to nobody yet
  return failed;
}

void DefineInterrupts(nb::module_& module) {
  // The first import of the package may be that of another thread.
  main_thread =
      nb::cast<unsigned long>(nb::module_::import_("threading").attr("main_thread")().attr("ident"));
  nb::object os = nb::module_::import_("os");
  module.def("_find_main_thread", &FindMainThread);
  if (nb::hasattr(os, "register_at_fork"))
    os.attr("register_at_fork")(nb::arg("after_in_child") = module.attr("_find_main_thread"));
  nb::class_<Cancellation>(module, "Cancellation")
      .def("__init__", [](Cancellation* made) { new (made) Cancellation(NewCancellation(nullptr, nullptr)); })
      .def("cancel", [](const Cancellation& cancellation) { shlo_cancel(cancellation.handle); });
  module.def(
      "use_cancellation",
      [](const Cancellation& cancellation) { shlo_cancellation_use(cancellation.handle); },
      nb::arg("cancellation"));
}

}  // namespace shlo::python
