"""The C API from Python with ctypes: the parts of shlo/shlo.h that the example and the tests use.

Structs that the caller fills in begin with their size; members that are not set are 0, which is their default.
"""
import ctypes
from ctypes import (CFUNCTYPE, POINTER, Structure, byref, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t,
                    c_uint32, c_uint64, c_void_p, sizeof)

TEXT, SHLO, MLIRBC = 1, 2, 3  # shlo_format


class Str(Structure):
    _fields_ = [("data", c_void_p), ("size", c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.data, self.size).decode(errors="replace") if self.size else ""


class Sized(Structure):
    """A struct whose first member is its size."""

    def __init__(self, **members):
        super().__init__(**members)
        self.struct_size = sizeof(type(self))


RELEASE = CFUNCTYPE(None, c_void_p)


class ReadOptions(Sized):
    _fields_ = [("struct_size", c_size_t), ("source_name", c_char_p), ("version", c_uint32), ("program", c_char_p),
                ("first_line", c_uint32), ("borrow", c_int32), ("release", RELEASE), ("release_context", c_void_p),
                ("allow_empty", c_int32), ("unverified", c_int32), ("lenient", c_int32), ("skip_constants", c_int32),
                ("dialects", c_void_p), ("dialect_count", c_size_t), ("limits", c_void_p), ("warnings", c_void_p)]


class WriteOptions(Sized):
    _fields_ = [("struct_size", c_size_t), ("format", c_int32), ("generic", c_int32), ("vhlo", c_int32),
                ("locations", c_int32), ("mlir_style", c_int32), ("local_scope", c_int32),
                ("elide_elements", c_uint32), ("strip_debuginfo", c_int32), ("producer", c_char_p),
                ("zstd_level", c_int32), ("compress_constants", c_int32), ("plain", c_int32),
                ("bytecode_format", c_int32), ("writer", c_uint32), ("allow_other_dialects", c_int32),
                ("sync", c_int32), ("limits", c_void_p), ("warnings", c_void_p)]


class ConvertOptions(Sized):
    _fields_ = [("struct_size", c_size_t), ("consumers", c_void_p), ("consumer_count", c_size_t), ("expand", c_int32),
                ("expand_composites", c_int32), ("fold", c_int32), ("fold_limit", c_uint64), ("window", c_char_p),
                ("allow_outside_window", c_int32), ("allow_other_dialects", c_int32), ("portable", c_int32),
                ("lenient", c_int32), ("dialects", c_void_p), ("dialect_count", c_size_t),
                ("dialect_targets", c_void_p), ("dialect_target_count", c_size_t), ("max_blockers", c_size_t),
                ("limits", c_void_p), ("warnings", c_void_p)]


class TensorDesc(Sized):
    _fields_ = [("struct_size", c_size_t), ("element", c_char_p), ("type", c_char_p), ("rank", c_uint32),
                ("shape", POINTER(c_int64)), ("strides", POINTER(c_int64)), ("data", c_void_p), ("borrow", c_int32),
                ("release", RELEASE), ("release_context", c_void_p)]


# Every function of the header that returns something other than an error or a number of 32 bits.
_RETURNS = {"shlo_buffer_data": c_void_p, "shlo_buffer_size": c_size_t, "shlo_error_text": c_char_p,
            "shlo_error_diagnostics": c_void_p, "shlo_programs_at": c_void_p, "shlo_programs_count": c_size_t,
            "shlo_op_name": Str, "shlo_library_version": c_char_p, "shlo_tensors_at": c_void_p,
            "shlo_tensors_count": c_size_t}


class Error(Exception):
    """A call failed: `exit_code` is that of the command, `diagnostics` is JSON."""


class Shlo:
    """The functions of a library that was loaded: each checks its error."""

    def __init__(self, path):
        self.lib = ctypes.CDLL(path)
        for name, restype in _RETURNS.items():
            getattr(self.lib, name).restype = restype

    def call(self, name, *args):
        """Calls a function that returns an error, and raises it."""
        function = getattr(self.lib, name)
        function.restype = c_void_p
        error = function(*args)
        if not error:
            return
        error = c_void_p(error)
        raised = Error(self.lib.shlo_error_text(error).decode(errors="replace"))
        raised.exit_code = self.lib.shlo_error_exit_code(error)
        raised.diagnostics = self.buffer("shlo_diagnostics_json", c_void_p(self.lib.shlo_error_diagnostics(error)))
        self.lib.shlo_error_free(error)
        raise raised

    def handle(self, name, *args):
        """Calls a function whose last argument receives a handle."""
        out = c_void_p()
        self.call(name, *args, byref(out))
        return out

    def buffer(self, name, *args):
        """Calls a function whose last argument receives a buffer, and returns its bytes."""
        out = self.handle(name, *args)
        try:
            return ctypes.string_at(self.lib.shlo_buffer_data(out), self.lib.shlo_buffer_size(out))
        finally:
            self.lib.shlo_buffer_free(out)

    def read(self, data, **options):
        return self.handle("shlo_program_read", data, c_size_t(len(data)), byref(ReadOptions(**options)))

    def read_file(self, path, **options):
        return self.handle("shlo_program_read_file", str(path).encode(), byref(ReadOptions(**options)))

    def convert(self, program, version, **options):
        out = c_void_p()
        self.call("shlo_convert", program, c_uint32(version), byref(ConvertOptions(**options)), byref(out), None)
        return out

    def write(self, program, **options):
        return self.buffer("shlo_program_write", program, byref(WriteOptions(**options)))

    def release(self, program):
        self.lib.shlo_program_release(program)
