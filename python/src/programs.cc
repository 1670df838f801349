// Programs as a whole: reading, writing, verification and conversion.
#include "bind.h"

namespace shlo::python {
namespace {

// Options of reading. `warnings` receives what was found.
struct ReadCall {
  explicit ReadCall(nb::dict dict) : options(std::move(dict)) {
    options.Get("source_name", &read.source_name);
    options.Get("version", &read.version);
    options.Get("program", &read.program);
    options.Get("first_line", &read.first_line);
    options.Get("implicit_locations", &read.implicit_locations);
    options.Get("allow_empty", &read.allow_empty);
    options.Get("unverified", &read.unverified);
    options.Get("lenient", &read.lenient);
    options.Get("skip_constants", &read.skip_constants);
    options.Get("dialects", &read.dialects, &read.dialect_count);
    options.Get("limits", &read.limits);
    options.End();
    read.warnings = &warnings;
  }

  // Constants may be views of `bytes` objects, which do not change.
  void Borrow(nb::handle data) {
    if (!PyBytes_CheckExact(data.ptr())) return;
    read.borrow = 1;
    read.release = &ReleaseHeld;
    read.release_context = Hold(data);
  }

  Options options;
  shlo_read_options read = SHLO_READ_OPTIONS_INIT;
  shlo_diagnostics* warnings = nullptr;
};

// (program, warnings)
nb::object Read(nb::handle data, nb::dict dict) {
  ReadCall call(std::move(dict));
  const Input input(data);
  call.Borrow(data);
  shlo_program* out = nullptr;
  Check(WithoutGil([&] { return shlo_program_read(input.data(), input.size(), &call.read, &out); }));
  return nb::make_tuple(new Program(out), TakeDiagnostics(call.warnings));
}

nb::object ReadFile(nb::bytes path, nb::dict dict) {
  ReadCall call(std::move(dict));
  shlo_program* out = nullptr;
  Check(WithoutGil([&] { return shlo_program_read_file(path.c_str(), &call.read, &out); }));
  return nb::make_tuple(new Program(out), TakeDiagnostics(call.warnings));
}

// (programs, format, warnings)
nb::object TakePrograms(shlo_programs* programs, shlo_diagnostics* warnings) {
  const Owned<shlo_programs> owned(programs);
  nb::list list;
  for (size_t i = 0; i < shlo_programs_count(programs); ++i)
    list.append(nb::cast(new Program(shlo_program_retain(shlo_programs_at(programs, i))),
                         nb::rv_policy::take_ownership));
  return nb::make_tuple(list, shlo_format_name(shlo_programs_format(programs)), TakeDiagnostics(warnings));
}

nb::object ReadAll(nb::handle data, nb::dict dict) {
  ReadCall call(std::move(dict));
  const Input input(data);
  call.Borrow(data);
  shlo_programs* out = nullptr;
  Check(WithoutGil([&] { return shlo_programs_read(input.data(), input.size(), &call.read, &out); }));
  return TakePrograms(out, call.warnings);
}

nb::object ReadAllFile(nb::bytes path, nb::dict dict) {
  ReadCall call(std::move(dict));
  shlo_programs* out = nullptr;
  Check(WithoutGil([&] { return shlo_programs_read_file(path.c_str(), &call.read, &out); }));
  return TakePrograms(out, call.warnings);
}

// The documents of a file: `make` is shlo_inspect_json or shlo_verify_json.
template <auto Make>
nb::object Document(nb::handle data, nb::dict dict) {
  ReadCall call(std::move(dict));
  const Input input(data);
  shlo_buffer* out = nullptr;
  Check(WithoutGil([&] { return Make(input.data(), input.size(), &call.read, &out); }));
  return TakeText(out);
}

nb::dict Info(const Program& program) {
  shlo_program_info info = SHLO_PROGRAM_INFO_INIT;
  shlo_program_get(program.handle, &info);
  nb::dict out;
  out["version"] = info.version;
  out["origin"] = info.origin;
  out["format"] = info.format == SHLO_FORMAT_DEFAULT ? nb::none() : Text(shlo_format_name(info.format));
  out["source_name"] = Text(info.source_name);
  out["name"] = Text(info.name);
  out["producer"] = Text(info.producer);
  out["first_line"] = info.first_line;
  out["version_written"] = info.version_written != 0;
  out["op_count"] = info.op_count;
  out["constant_bytes"] = info.constant_bytes;
  return out;
}

// Options of writing.
struct WriteCall {
  explicit WriteCall(nb::dict dict) : options(std::move(dict)) {
    options.Get("format", &write.format);
    options.Get("generic", &write.generic);
    options.Get("vhlo", &write.vhlo);
    options.Get("locations", &write.locations);
    options.Get("mlir_style", &write.mlir_style);
    options.Get("local_scope", &write.local_scope);
    options.Get("elide_elements", &write.elide_elements);
    options.Get("strip_debuginfo", &write.strip_debuginfo);
    options.Get("producer", &write.producer);
    options.Get("zstd_level", &write.zstd_level);
    options.Get("compress_constants", &write.compress_constants);
    options.Get("plain", &write.plain);
    options.Get("bytecode_format", &write.bytecode_format);
    options.Get("writer", &write.writer);
    options.Get("allow_other_dialects", &write.allow_other_dialects);
    options.Get("sync", &write.sync);
    options.Get("only_vhlo", &write.only_vhlo);
    options.Get("limits", &write.limits);
    write.warnings = &warnings;
  }
  Options options;
  shlo_write_options write = SHLO_WRITE_OPTIONS_INIT;
  shlo_diagnostics* warnings = nullptr;
};

// (bytes, warnings)
nb::object Write(const Program& program, nb::dict dict) {
  WriteCall call(std::move(dict));
  call.options.End();
  shlo_buffer* out = nullptr;
  Check(WithoutGil([&] { return shlo_program_write(program.handle, &call.write, &out); }));
  return nb::make_tuple(TakeBytes(out), TakeDiagnostics(call.warnings));
}

nb::list WriteFile(const Program& program, nb::bytes path, nb::dict dict) {
  WriteCall call(std::move(dict));
  call.options.End();
  Check(WithoutGil([&] { return shlo_program_write_file(program.handle, path.c_str(), &call.write); }));
  return TakeDiagnostics(call.warnings);
}

// Where the pieces of an output go, and the exception that ended it.
struct Sink {
  nb::object write;
  bool failed = false;
};

int WritePiece(void* context, const void* data, size_t size) {
  Sink& sink = *static_cast<Sink*>(context);
  CallbackGil gil;
  if (!gil) return 1;
  PyObject* piece =
      PyMemoryView_FromMemory(static_cast<char*>(const_cast<void*>(data)), Py_ssize_t(size), PyBUF_READ);
  PyObject* done =
      piece == nullptr ? nullptr : PyObject_CallFunctionObjArgs(sink.write.ptr(), piece, nullptr);
  // The memory is valid during the call only.
  if (piece != nullptr) {
    PyObject *kind = nullptr, *value = nullptr, *trace = nullptr;
    PyErr_Fetch(&kind, &value, &trace);
    PyObject* released = PyObject_CallMethod(piece, "release", nullptr);
    Py_XDECREF(released);
    PyErr_Clear();
    PyErr_Restore(kind, value, trace);
    Py_DECREF(piece);
  }
  sink.failed = done == nullptr;
  Py_XDECREF(done);
  return sink.failed ? 1 : 0;
}

// Passes an output to `write(memoryview)`, whose exceptions end the call. Returns the warnings.
nb::list WriteTo(const Program& program, nb::callable write, nb::dict dict) {
  WriteCall call(std::move(dict));
  call.options.End();
  Sink sink{write, false};
  shlo_error* error =
      WithoutGil([&] { return shlo_program_write_to(program.handle, &call.write, &WritePiece, &sink); });
  if (sink.failed) {
    shlo_error_free(error);
    shlo_diagnostics_free(call.warnings);
    throw nb::python_error();
  }
  if (error != nullptr) shlo_diagnostics_free(std::exchange(call.warnings, nullptr));
  Check(error);
  return TakeDiagnostics(call.warnings);
}

nb::bytes WriteContainer(nb::handle data, const std::vector<const Program*>& programs, nb::dict dict) {
  WriteCall call(std::move(dict));
  shlo_container_options container = SHLO_CONTAINER_OPTIONS_INIT;
  call.options.Get("source_name", &container.source_name);
  call.options.Get("container_version", &container.container_version);
  call.options.End();
  container.write = &call.write;
  container.limits = call.write.limits;
  const Input input(data);
  const auto handles = HandlesOf(programs);
  shlo_buffer* out = nullptr;
  shlo_error* error = WithoutGil([&] {
    return shlo_container_write(input.data(), input.size(), handles.data(), handles.size(), &container, &out);
  });
  shlo_diagnostics_free(call.warnings);
  Check(error);
  return TakeBytes(out);
}

// Returns the warnings of a valid program.
nb::list Verify(const Program& program, nb::dict dict) {
  Options options(std::move(dict));
  shlo_verify_options verify = SHLO_VERIFY_OPTIONS_INIT;
  options.Get("lenient", &verify.lenient);
  options.Get("max_diagnostics", &verify.max_diagnostics);
  options.Get("dialects", &verify.dialects, &verify.dialect_count);
  options.Get("limits", &verify.limits);
  options.End();
  shlo_diagnostics* warnings = nullptr;
  verify.warnings = &warnings;
  Check(WithoutGil([&] { return shlo_verify(program.handle, &verify); }));
  return TakeDiagnostics(warnings);
}

}  // namespace

void DefinePrograms(nb::module_& module) {
  nb::class_<Program>(module, "Program");
  module.def("format_detect", [](nb::handle data) {
    const Input input(data);
    return shlo_format_name(shlo_format_detect(input.data(), input.size()));
  });
  SHLO_BIND(is_program);
  module.def("program_read", &Read);
  module.def("program_read_file", &ReadFile);
  module.def("programs_read", &ReadAll);
  module.def("programs_read_file", &ReadAllFile);
  module.def("inspect_json", &Document<shlo_inspect_json>);
  module.def("verify_json", &Document<shlo_verify_json>);
  module.def("program_get", &Info);
  module.def("program_write", &Write);
  module.def("program_write_file", &WriteFile);
  module.def("program_write_to", &WriteTo);
  module.def("container_write", &WriteContainer);
  module.def("verify", &Verify);
}

}  // namespace shlo::python
