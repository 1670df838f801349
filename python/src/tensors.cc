// Tensors, files of tensors, and evaluation.
#include <cstring>
#include <memory>

#include "bind.h"
#include "callbacks.h"

struct DLManagedTensor;

namespace shlo::python {
namespace {

// --- Views and tensors -------------------------------------------------------------------------------------

int GetBuffer(PyObject* self, Py_buffer* buffer, int flags) {
  const View* view = nb::inst_ptr<View>(self);
  return PyBuffer_FillInfo(buffer, self, const_cast<void*>(view->data), Py_ssize_t(view->size), 1, flags);
}

// The shape of a buffer of a tensor.
struct Layout {
  std::vector<Py_ssize_t> shape, strides;
  char format[3];
};

// Returns the format of struct, or NumPy's of complex numbers, for an element type; "" if there is none.
const char* BufferFormat(std::string_view element) {
  static constexpr std::pair<std::string_view, const char*> kFormats[] = {
      {"i1", "?"},    {"i8", "b"},  {"i16", "h"},  {"i32", "i"},           {"i64", "q"},
      {"index", "q"}, {"ui8", "B"}, {"ui16", "H"}, {"ui32", "I"},          {"ui64", "Q"},
      {"f16", "e"},   {"f32", "f"}, {"f64", "d"},  {"complex<f32>", "Zf"}, {"complex<f64>", "Zd"}};
  for (const auto& [name, format] : kFormats)
    if (name == element) return format;
  return "";
}

// Fills in the buffer of an object whose `_handle` is a tensor. Without a format for its elements, there is
// only a buffer of bytes for callers that ask for no format: NumPy would take the bytes for numbers.
void FillBuffer(PyObject* self, Py_buffer* buffer, int flags) {
  const nb::object owner = nb::borrow(self).attr("_handle");
  const auto& tensor = nb::cast<const Tensor&>(owner);
  const void* data = nullptr;
  size_t size = 0;
  Check(WithoutGil([&] { return shlo_tensor_data(tensor.handle, &data, &size); }));
  static char empty = 0;
  if (PyBuffer_FillInfo(buffer, self, size == 0 ? &empty : const_cast<void*>(data), Py_ssize_t(size), 1,
                        flags) != 0)
    throw nb::python_error();
  shlo_tensor_info info = SHLO_TENSOR_INFO_INIT;
  shlo_tensor_get(tensor.handle, &info);
  const char* format = BufferFormat({info.element.data, info.element.size});
  if (*format == 0 && (flags & PyBUF_FORMAT) == PyBUF_FORMAT) {
    const std::string name(info.element.data, info.element.size);
    throw std::runtime_error("Python has no format for elements of type " + name + ": call numpy()");
  }
  if (*format == 0 || (flags & PyBUF_ND) != PyBUF_ND) return;
  auto layout = std::make_unique<Layout>();
  std::strcpy(layout->format, format);
  layout->shape.assign(info.shape, info.shape + info.rank);
  layout->strides.resize(info.rank);
  Py_ssize_t stride = info.element_bytes;
  for (size_t i = info.rank; i-- > 0; stride *= layout->shape[i]) layout->strides[i] = stride;
  if ((flags & PyBUF_FORMAT) == PyBUF_FORMAT) buffer->format = layout->format;
  buffer->itemsize = info.element_bytes;
  buffer->ndim = int(info.rank);
  buffer->shape = layout->shape.data();
  if ((flags & PyBUF_STRIDES) == PyBUF_STRIDES) buffer->strides = layout->strides.data();
  buffer->internal = layout.release();
}

int GetTensorBuffer(PyObject* self, Py_buffer* buffer, int flags) {
  try {
    FillBuffer(self, buffer, flags);
    return 0;
  } catch (nb::python_error& error) {
    error.restore();
    nb::chain_error(PyExc_BufferError, "%s", "a token or tuple has no elements");
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_BufferError, error.what());
  }
  PyBuffer_Release(buffer);
  buffer->obj = nullptr;
  return -1;
}

void ReleaseTensorBuffer(PyObject*, Py_buffer* buffer) { delete static_cast<Layout*>(buffer->internal); }

// The base of shlo.Tensor. Classes of Python have no buffer protocol before 3.12.
nb::object BufferType() {
  static PyType_Slot slots[] = {{Py_bf_getbuffer, reinterpret_cast<void*>(&GetTensorBuffer)},
                                {Py_bf_releasebuffer, reinterpret_cast<void*>(&ReleaseTensorBuffer)},
                                {0, nullptr}};
  static PyType_Spec spec = {"shlo._core.TensorBuffer", int(sizeof(PyObject)), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
  PyObject* type = PyType_FromSpec(&spec);
  if (type == nullptr) throw nb::python_error();
  return nb::steal(type);
}

// Makes a tensor that uses the memory of an object with the buffer protocol, and keeps it alive.
Tensor* MakeTensor(nb::handle data, nb::handle element, nb::handle type, const std::vector<int64_t>& shape) {
  shlo_tensor_desc desc = SHLO_TENSOR_DESC_INIT;
  const auto element_text = element.is_none() ? std::string() : nb::cast<std::string>(element);
  const auto type_text = type.is_none() ? std::string() : nb::cast<std::string>(type);
  if (!element.is_none()) desc.element = element_text.c_str();
  if (!type.is_none()) desc.type = type_text.c_str();
  desc.rank = uint32_t(shape.size());
  desc.shape = shape.data();
  const Input input(data);
  desc.data = const_cast<void*>(input.data());
  desc.borrow = 1;
  desc.release = &ReleaseHeld;
  desc.release_context = Hold(data);
  shlo_tensor* out = nullptr;
  Check(WithoutGil([&] { return shlo_tensor_create(&desc, &out); }));
  return new Tensor(out);
}

// (type, element, shape, number of elements, bytes of an element, bytes, members)
nb::object TensorInfo(const Tensor& tensor) {
  shlo_tensor_info info = SHLO_TENSOR_INFO_INIT;
  shlo_tensor_get(tensor.handle, &info);
  nb::list shape;
  for (uint32_t i = 0; i < info.rank; ++i) shape.append(info.shape[i]);
  return nb::make_tuple(Text(info.type), Text(info.element), nb::tuple(shape), info.count, info.element_bytes,
                        info.bytes, info.member_count);
}

View* TensorData(nb::object owner) {
  const auto& tensor = nb::cast<const Tensor&>(owner);
  const void* data = nullptr;
  size_t size = 0;
  Check(WithoutGil([&] { return shlo_tensor_data(tensor.handle, &data, &size); }));
  return new View{owner, data, size};
}

nb::list TensorMembers(const Tensor& tensor) {
  shlo_tensor_info info = SHLO_TENSOR_INFO_INIT;
  shlo_tensor_get(tensor.handle, &info);
  nb::list out;
  for (uint32_t i = 0; i < info.member_count; ++i) {
    auto* member = const_cast<shlo_tensor*>(shlo_tensor_member(tensor.handle, i));
    out.append(nb::cast(new Tensor(shlo_tensor_retain(member)), nb::rv_policy::take_ownership));
  }
  return out;
}

// By hand: a text with a number is not bytes with their size.
Tensor* RandomTensor(const std::string& type, uint64_t seed) {
  shlo_tensor* out = nullptr;
  Check(WithoutGil([&] { return shlo_tensor_random(type.c_str(), seed, &out); }));
  return new Tensor(out);
}

// --- DLPack ------------------------------------------------------------------------------------------------

// The layout of a DLManagedTensor up to its deleter, which is all that a capsule needs of it.
struct ManagedTensor {
  void* data;
  struct {
    int32_t type, id;
  } device;
  int32_t rank;
  struct {
    uint8_t code, bits;
    uint16_t lanes;
  } type;
  int64_t* shape;
  int64_t* strides;
  uint64_t byte_offset;
  void* context;
  void (*deleter)(ManagedTensor*);
};

// A capsule that nobody took has its tensor still.
void DeleteCapsule(PyObject* capsule) {
  if (PyCapsule_IsValid(capsule, "dltensor") == 0) return;
  auto* managed = static_cast<ManagedTensor*>(PyCapsule_GetPointer(capsule, "dltensor"));
  if (managed->deleter != nullptr) managed->deleter(managed);
}

nb::object ToDlpack(const Tensor& tensor) {
  DLManagedTensor* managed = nullptr;
  Check(WithoutGil([&] { return shlo_tensor_to_dlpack(tensor.handle, &managed); }));
  PyObject* capsule = PyCapsule_New(managed, "dltensor", &DeleteCapsule);
  if (capsule == nullptr) {
    auto* unused = reinterpret_cast<ManagedTensor*>(managed);
    if (unused->deleter != nullptr) unused->deleter(unused);
    throw nb::python_error();
  }
  return nb::steal(capsule);
}

Tensor* FromDlpack(nb::handle capsule) {
  void* managed = PyCapsule_GetPointer(capsule.ptr(), "dltensor");
  if (managed == nullptr || PyCapsule_SetName(capsule.ptr(), "used_dltensor") != 0) throw nb::python_error();
  shlo_tensor* out = nullptr;
  // With the GIL: the call may run the deleter of another Python package.
  Check(shlo_tensor_from_dlpack(static_cast<DLManagedTensor*>(managed), &out));
  return new Tensor(out);
}

// --- Files of tensors --------------------------------------------------------------------------------------

// [(name, tensor)]
nb::list TakeTensors(shlo_tensors* tensors) {
  const Owned<shlo_tensors> owned(tensors);
  nb::list out;
  for (size_t i = 0; i < shlo_tensors_count(tensors); ++i) {
    nb::object tensor =
        nb::cast(new Tensor(shlo_tensor_retain(shlo_tensors_at(tensors, i))), nb::rv_policy::take_ownership);
    out.append(nb::make_tuple(Text(shlo_tensors_name(tensors, i)), tensor));
  }
  return out;
}

nb::list ReadTensors(nb::bytes path, nb::handle program, nb::handle function) {
  const shlo_program* types = program.is_none() ? nullptr : nb::cast<const Program&>(program).handle;
  const auto name = function.is_none() ? std::string() : nb::cast<std::string>(function);
  shlo_tensors* out = nullptr;
  Check(WithoutGil([&] {
    return shlo_tensors_read_file(path.c_str(), types, function.is_none() ? nullptr : name.c_str(), nullptr,
                                  &out);
  }));
  return TakeTensors(out);
}

void WriteTensors(const std::vector<std::pair<std::string, const Tensor*>>& named, nb::bytes path,
                  shlo_tensor_format format) {
  shlo_tensors* list = nullptr;
  Check(shlo_tensors_create(&list));
  const Owned<shlo_tensors> owned(list);
  for (const auto& [name, tensor] : named)
    Check(shlo_tensors_add(list, name.empty() ? nullptr : name.c_str(), tensor->handle));
  Check(WithoutGil([&] { return shlo_tensors_write_file(list, path.c_str(), format); }));
}

// --- Evaluation --------------------------------------------------------------------------------------------

void Print(void* context, const char* data, size_t size) {
  CallbackGil gil;
  if (!gil) return;
  auto& callbacks = *static_cast<Callbacks*>(context);
  PyObject* text = PyUnicode_DecodeUTF8(data, Py_ssize_t(size), "replace");
  PyObject* done =
      text == nullptr ? nullptr : PyObject_CallFunctionObjArgs(callbacks.print.ptr(), text, nullptr);
  if (done == nullptr) callbacks.Keep();
  Py_XDECREF(text);
  Py_XDECREF(done);
}

// (results, failed checks, profile as JSON or None)
nb::object Evaluate(const Program& program, const std::vector<const Tensor*>& args, nb::dict dict) {
  Options options(std::move(dict));
  shlo_eval_options eval = SHLO_EVAL_OPTIONS_INIT;
  options.Get("function", &eval.function);
  options.Get("fast", &eval.fast);
  options.Get("replicas", &eval.replicas);
  options.Get("partitions", &eval.partitions);
  size_t function_count = 0;
  options.Get("functions", &eval.functions, &function_count);
  options.Get("infeed", &eval.infeed, &eval.infeed_count);
  options.Get("wait_timeout_ms", &eval.wait_timeout_ms);
  options.Get("platform_index", &eval.platform_index);
  // The caller trusts the program, and can interrupt it.
  options.GetLimits(&eval.limits, /*work=*/UINT64_MAX);
  Callbacks callbacks;
  callbacks.print = options.Take("print");
  if (!callbacks.print.is_none()) {
    eval.print = &Print;
    eval.print_context = &callbacks;
  }
  callbacks.place = options.Take("place");
  if (!callbacks.place.is_none()) {
    eval.place = &CallPlacement;
    eval.place_context = &callbacks;
  }
  const CustomCalls calls(options.Take("custom_calls"), &callbacks, &eval);
  shlo_diagnostics* failed_checks = nullptr;
  if (!options.Take("keep_failed_checks").is_none()) eval.failed_checks = &failed_checks;
  shlo_buffer* profile = nullptr;
  if (!options.Take("profile").is_none()) eval.profile = &profile;
  options.End();
  const auto handles = HandlesOf(args);
  shlo_tensors* out = nullptr;
  shlo_error* error =
      WithoutGil([&] { return shlo_evaluate(program.handle, handles.data(), handles.size(), &eval, &out); });
  nb::list checks = TakeDiagnostics(failed_checks);
  nb::object measured = profile == nullptr ? nb::none() : TakeText(profile);
  if (callbacks.exception.is_valid()) shlo_tensors_free(std::exchange(out, nullptr));
  callbacks.Rethrow(error);
  return nb::make_tuple(TakeTensors(out), checks, measured);
}

}  // namespace

void DefineTensors(nb::module_& module) {
  static PyType_Slot slots[] = {{Py_bf_getbuffer, reinterpret_cast<void*>(&GetBuffer)}, {0, nullptr}};
  nb::class_<View>(module, "View", nb::type_slots(slots)).def("__len__", [](const View& view) {
    return view.size;
  });
  nb::class_<Tensor>(module, "Tensor");
  module.attr("TensorBuffer") = BufferType();
  module.def("tensor_create", &MakeTensor, nb::arg(), nb::arg().none(), nb::arg().none(), nb::arg());
  SHLO_BIND_WORK(tensor_parse);
  module.def("tensor_random", &RandomTensor);
  module.def("tensor_get", &TensorInfo);
  module.def("tensor_data", &TensorData);
  module.def("tensor_members", &TensorMembers);
  SHLO_BIND(tensor_tuple);
  SHLO_BIND_WORK(tensor_text);
  SHLO_BIND_WORK(tensor_equal);
  module.def("tensor_to_dlpack", &ToDlpack);
  module.def("tensor_from_dlpack", &FromDlpack);
  module.def("tensors_read_file", &ReadTensors, nb::arg(), nb::arg().none(), nb::arg().none());
  module.def("tensors_write_file", &WriteTensors);
  module.def("evaluate", &Evaluate);
}

}  // namespace shlo::python
