// Dynamic loading, which a static binary does not have. SQLite asks for it to load extensions, which nobody
// does here, and the C library's dlopen would need its shared libraries at run time. The linker replaces
// dlopen by this function (--wrap).

extern "C" void* __wrap_dlopen(const char*, int);                     // NOLINT: the linker makes the name
extern "C" void* __wrap_dlopen(const char*, int) { return nullptr; }  // NOLINT
