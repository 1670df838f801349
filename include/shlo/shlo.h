// The C API: every task of the library for C, and for bindings of other languages. It needs a C99 compiler,
// or any C++ compiler, and no other header of shlo. docs/c-api.md has the rules in prose, with examples.
//
// - Handles (`shlo_program*`) are opaque. The caller owns what a function passes through an `out` parameter,
//   and frees it with the function named after the type. Freeing NULL does nothing.
// - A function that can fail returns a `shlo_error*`: NULL for success; otherwise the caller frees it, and
//   all `out` parameters are NULL or 0. A function that cannot fail answers 0, NULL or an empty text for an
//   id or an index that does not exist, and for a handle that is NULL.
// - Options are structs whose first member is their size: SHLO_..._OPTIONS_INIT sets it. In every member 0 or
//   NULL is the default. NULL for the whole struct means that all members have their defaults.
// - Objects do not change once they are made, and several threads may use one at the same time. Builders and
//   lists that are being filled are for one thread at a time.
// - Texts that go in end with NUL. Texts that come out are a `shlo_str`, whose bytes belong to the object
//   that was asked; they may contain NUL, and end with it only where this is stated.
// - Nothing is printed, no signal is handled, no state is kept between calls, no exception leaves a function.

#ifndef SHLO_SHLO_H_
#define SHLO_SHLO_H_

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32) && defined(SHLO_BUILDING_LIBRARY)
#define SHLO_API __declspec(dllexport)
#elif defined(_WIN32) && !defined(SHLO_STATIC)
#define SHLO_API __declspec(dllimport)
#elif defined(__GNUC__)
#define SHLO_API __attribute__((visibility("default")))
#else
#define SHLO_API
#endif

// An initializer of a struct that has its size as the first member: all other members are 0.
#ifdef __cplusplus
template <typename T>
inline T shlo_sized() {
  T sized = T();
  sized.struct_size = sizeof(T);
  return sized;
}
#define SHLO_INIT(type) shlo_sized<type>()
extern "C" {
#else
#define SHLO_INIT(type) \
  { .struct_size = sizeof(type) }
#endif

// The version of this interface. Additions raise the minor version; a change that breaks callers raises the
// major one, together with the number of the shared library.
#define SHLO_API_MAJOR 0
#define SHLO_API_MINOR 1

// Returns the interface of the library that runs: major * 65536 + minor.
SHLO_API uint32_t shlo_api_version(void);
// Returns the version of the library: "0.1.0". The text ends with NUL.
SHLO_API const char* shlo_library_version(void);
// Returns 1 if the library can evaluate and prove. In libshlo_lite, functions that need this fail with
// SHLO_CODE_UNSUPPORTED.
SHLO_API int shlo_has_evaluator(void);

// --- Texts and buffers -------------------------------------------------------------------------------------

// Why a call failed. See below.
typedef struct shlo_error shlo_error;

// Bytes of an object that outlives them.
typedef struct shlo_str {
  const char* data;  // NULL if there are none
  size_t size;       // number of bytes
} shlo_str;

// Bytes that the caller owns: a text, an artifact. One NUL follows them, which is not counted.
typedef struct shlo_buffer shlo_buffer;
// Returns the first byte; never NULL for a buffer.
SHLO_API const char* shlo_buffer_data(const shlo_buffer* buffer);
// Returns the number of bytes.
SHLO_API size_t shlo_buffer_size(const shlo_buffer* buffer);
// Makes a buffer of a copy of bytes, for callbacks to return.
SHLO_API shlo_error* shlo_buffer_create(const void* data, size_t size, shlo_buffer** out);
// Frees a buffer.
SHLO_API void shlo_buffer_free(shlo_buffer* buffer);

// --- Errors and diagnostics --------------------------------------------------------------------------------

// Severity of a diagnostic: only errors make a call fail.
typedef int32_t shlo_severity;
enum {
  SHLO_SEVERITY_ERROR = 0,    // the call failed, or would with this input
  SHLO_SEVERITY_WARNING = 1,  // the result may be unintended
  SHLO_SEVERITY_NOTE = 2      // about the diagnostic before it, or the interpretation of a request
};

// Category of a diagnostic. New ones may be added.
typedef int32_t shlo_code;
enum {
  SHLO_CODE_SYNTAX = 0,           // text that does not follow the grammar
  SHLO_CODE_MALFORMED = 1,        // bytes that do not follow the format
  SHLO_CODE_CHECKSUM = 2,         // bytes changed after they were written
  SHLO_CODE_LIMIT = 3,            // a limit was exceeded
  SHLO_CODE_UNKNOWN_VERSION = 4,  // not a known version
  SHLO_CODE_NEWER_VERSION = 5,    // written by a newer release than this one knows
  SHLO_CODE_INVALID_PROGRAM = 6,  // a program that does not verify
  SHLO_CODE_CONSTRAINT = 7,       // legal structure, but outside the specification's constraints
  SHLO_CODE_BLOCKED = 8,          // the target version cannot represent this
  SHLO_CODE_OUTSIDE_WINDOW = 9,   // outside the compatibility window
  SHLO_CODE_UNSUPPORTED = 10,     // valid, but not implemented
  SHLO_CODE_EVALUATION = 11,      // evaluation failed
  SHLO_CODE_NOT_EQUAL = 12,       // two programs or values differ
  SHLO_CODE_POLICY = 13,          // a rule of the gate was broken
  SHLO_CODE_USAGE = 14,           // the call is wrong for any program
  SHLO_CODE_IO = 15,              // system error: file access, memory
  SHLO_CODE_CANCELED = 16         // the caller ended the call: see shlo_cancel
};
// Returns the name of a code, as messages and JSON have it: "invalid-program". The text ends with NUL.
SHLO_API const char* shlo_code_name(shlo_code code);

// Where something is: as much as is known. Texts are empty, numbers 0, if unknown.
typedef struct shlo_place {
  size_t struct_size;    // sizeof(shlo_place), set by the caller
  shlo_str file;         // name of the source, such as its path
  uint32_t line;         // of the file, from 1
  uint32_t column;       // of the line, in bytes, from 1
  shlo_str section;      // binary section that `offset` is relative to
  uint64_t offset;       // bytes from the start of that section or file; SHLO_NO_OFFSET if unknown
  shlo_str function;     // symbol of the enclosing function
  shlo_str location;     // the op's MLIR location, as text
  shlo_str source_line;  // the line of text that the diagnostic is about
} shlo_place;
// An offset that is unknown.
#define SHLO_NO_OFFSET UINT64_MAX
#define SHLO_PLACE_INIT SHLO_INIT(shlo_place)

// The version of a program: a number of the version history, such as 62 for release 1.9.0. 0: unknown.
typedef uint32_t shlo_version;

// An error, warning or note. Its texts belong to the list that it is in, and end with NUL.
typedef struct shlo_diagnostic {
  size_t struct_size;      // sizeof(shlo_diagnostic), set by the caller
  shlo_severity severity;  // only errors make a call fail
  shlo_code code;          // for scripts; the message is for people
  shlo_str message;        // lower case, no full stop
  shlo_str hint;           // the remedy; may be empty
  shlo_str op;             // op name, such as "stablehlo.add"; may be empty
  shlo_version version;    // the version concerned, if any
  shlo_str file;           // this and the rest: as in shlo_place
  uint32_t line;           // of the file, from 1
  uint32_t column;         // of the line, in bytes, from 1
  shlo_str section;        // binary section that `offset` is relative to
  uint64_t offset;         // bytes from the start of that section or file
  shlo_str function;       // symbol of the enclosing function
  shlo_str location;       // the op's MLIR location, as text
  shlo_str source_line;    // the line of text that the diagnostic is about
  uint64_t count;          // places with the same cause, of which this is the first; 1 if it is the only one
} shlo_diagnostic;
#define SHLO_DIAGNOSTIC_INIT SHLO_INIT(shlo_diagnostic)

// A list of diagnostics, in the order in which they were found. A function that returns one through a pointer
// sets it to NULL if there are none.
typedef struct shlo_diagnostics shlo_diagnostics;
// Returns the number of diagnostics.
SHLO_API size_t shlo_diagnostics_count(const shlo_diagnostics* list);
// Fills in *out and returns 1, or returns 0 if there is no such diagnostic.
SHLO_API int shlo_diagnostics_get(const shlo_diagnostics* list, size_t i, shlo_diagnostic* out);
// Renders all diagnostics as the command prints them: "file:3:5: error: message [code]", the source line with
// a caret, and the hint. `color` wraps severities in ANSI colors.
SHLO_API shlo_error* shlo_diagnostics_text(const shlo_diagnostics* list, int color, shlo_buffer** out);
// Renders all diagnostics as a JSON array, as the key `diagnostics` of a document has them (docs/json.md).
SHLO_API shlo_error* shlo_diagnostics_json(const shlo_diagnostics* list, shlo_buffer** out);
// Frees a list.
SHLO_API void shlo_diagnostics_free(shlo_diagnostics* list);

// An error has at least one diagnostic. Returns them; they belong to the error.
SHLO_API const shlo_diagnostics* shlo_error_diagnostics(const shlo_error* error);
// Returns the code of the first error; -1 for NULL.
SHLO_API shlo_code shlo_error_code(const shlo_error* error);
// Outcomes of requests, from the best to the worst. `exit` of a document is one of them, and so is the exit
// code of a command.
enum {
  SHLO_STATUS_DONE = 0,
  SHLO_STATUS_NEGATIVE = 1,   // does not verify, not equal, not representable at the target
  SHLO_STATUS_USAGE = 2,      // the request is invalid for any input
  SHLO_STATUS_BAD_INPUT = 3,  // the input cannot be parsed or evaluated
  SHLO_STATUS_SYSTEM = 4      // file access, memory
};
// Returns the status of a request that failed with this error; SHLO_STATUS_DONE for NULL.
SHLO_API int shlo_error_exit_code(const shlo_error* error);
// Returns all diagnostics as shlo_diagnostics_text renders them, without color. The text ends with NUL.
SHLO_API const char* shlo_error_text(const shlo_error* error);
// Makes an error with one diagnostic, for callbacks to return. `hint` may be NULL. Never returns NULL: if
// memory runs out, the error says so.
SHLO_API shlo_error* shlo_error_create(shlo_code code, const char* message, const char* hint);
// Frees an error.
SHLO_API void shlo_error_free(shlo_error* error);

// --- Limits ------------------------------------------------------------------------------------------------

// Ends calls from outside: when a user presses Ctrl-C, or a server stops. It is in the limits of any number
// of calls, also at the same time.
typedef struct shlo_cancellation shlo_cancellation;
// Called about every 50 ms by each thread that works on a call or waits for such a thread, with the locks
// that the thread holds: it may call shlo_cancel, but no other function of the library on the objects of the
// call.
typedef void (*shlo_poll)(void* context);
// Makes a cancellation, which ends nothing yet. `poll` may be NULL.
SHLO_API shlo_error* shlo_cancellation_create(shlo_poll poll, void* context, shlo_cancellation** out);
// Ends the calls that have it in their limits, and all later ones: they fail with SHLO_CODE_CANCELED, within
// some 10 ms. Only a routine of LAPACK, and a callback of the caller, end first. For any thread, and for
// signal handlers. The objects of the calls can be used as before.
SHLO_API void shlo_cancel(shlo_cancellation* cancellation);
// Returns 1 after shlo_cancel, for callbacks that take long.
SHLO_API int shlo_is_canceled(const shlo_cancellation* cancellation);
// Lets a cancellation also end the calls of this thread that have none in their limits, or no limits; NULL:
// nothing ends them. Returns the one before. It must not be freed before the next shlo_cancellation_use of
// the thread.
SHLO_API shlo_cancellation* shlo_cancellation_use(shlo_cancellation* cancellation);
// Frees a cancellation that no call uses.
SHLO_API void shlo_cancellation_free(shlo_cancellation* cancellation);

// The budget of one call. Exceeding a limit is an error that names it (SHLO_CODE_LIMIT). By default, limits
// grow with the input: an input of 1 MB takes no more than about 2 s and 256 MB. UINT64_MAX means no limit.
typedef struct shlo_limits {
  size_t struct_size;   // set by SHLO_LIMITS_INIT
  uint64_t max_memory;  // bytes of decoding beyond the input, or of live tensors; 0: by the size of the input
  uint64_t max_output;  // bytes of text; 0: by the size of the input
  uint64_t max_steps;   // evaluated ops; 0: by the size of the input
  uint64_t max_work;    // of evaluation, in approximate nanoseconds; 0: by the size of the input
  uint64_t timeout_ms;  // time of the call, in milliseconds; 0: no limit
  uint32_t max_depth;   // nesting of regions, types and attributes, up to 2000; 0: 500
  uint32_t threads;     // per program; results do not depend on it; 0: one per processor
  shlo_cancellation* cancellation;  // ends the call from outside; must outlive it; NULL: the thread's
} shlo_limits;
#define SHLO_LIMITS_INIT SHLO_INIT(shlo_limits)

// --- Versions and consumers --------------------------------------------------------------------------------

// A row of the version history. Texts are constants and end with NUL.
typedef struct shlo_version_info {
  size_t struct_size;       // sizeof(shlo_version_info), set by the caller
  shlo_version version;     // the number
  shlo_str release;         // "1.9.0"; empty for the prototype versions 37 to 40
  uint32_t year;            // of the release
  uint32_t month;           // 1 to 12
  uint32_t day;             // 1 to 31
  int32_t date_is_bound;    // the date is an upper bound; the exact one is unknown
  int32_t bytecode_format;  // MLIR bytecode format of that release; -1 for none
  shlo_str change;          // what changed
} shlo_version_info;
#define SHLO_VERSION_INFO_INIT SHLO_INIT(shlo_version_info)

// Return the newest and the oldest known version, and the first one with a release.
SHLO_API shlo_version shlo_version_current(void);
SHLO_API shlo_version shlo_version_minimum(void);
SHLO_API shlo_version shlo_version_first_release(void);
// Returns the number of known versions.
SHLO_API size_t shlo_version_count(void);
// Returns a known version by index, oldest first; 0 if there is none.
SHLO_API shlo_version shlo_version_at(size_t i);
// Fills in *out and returns 1, or returns 0 if the version is unknown.
SHLO_API int shlo_version_get(shlo_version version, shlo_version_info* out);
// Parses a version in any notation: a number ("40", "v40"), a release ("1.9.0"), "current", "minimum", a date
// ("2025-06-01": the newest release by then), or a duration of StableHLO's compatibility API ("WEEK_4",
// "WEEK_12", "MAX"), which counts back from `today` ("YYYY-MM-DD"; NULL: the system's date, UTC). Fails with
// SHLO_CODE_UNKNOWN_VERSION.
SHLO_API shlo_error* shlo_version_parse(const char* text, const char* today, shlo_version* out);

// The packages that are known to read programs: jaxlib, tensorflow, ..., with the release of StableHLO that
// each embeds, and the dialects and element types that it has.
typedef struct shlo_consumers shlo_consumers;
// A reader of programs: a package, or the release that a reader embeds.
typedef struct shlo_consumer shlo_consumer;

// A consumer. Texts belong to it and end with NUL.
typedef struct shlo_consumer_info {
  size_t struct_size;        // sizeof(shlo_consumer_info), set by the caller
  shlo_str name;             // as messages have it: "jaxlib 0.4.30", "WEEK_12"
  shlo_version version;      // the version to convert to; 0 if its release is older than the first one
  shlo_str package;          // "jaxlib"; empty if only a version is known
  shlo_str package_version;  // "0.4.30"
  shlo_str release;          // of StableHLO: "1.1.3"
  int32_t is_version;        // `package` is only the newest known one with at most the release that was named
  shlo_str assumed_as;       // of an unknown `package_version`: the version of all facts; else empty
} shlo_consumer_info;
#define SHLO_CONSUMER_INFO_INIT SHLO_INIT(shlo_consumer_info)

// Makes a list of the consumers of `json`, followed by the known ones. docs/command-line.md describes the
// document, {"consumers": [...]}, for --consumers. `json` may be NULL.
SHLO_API shlo_error* shlo_consumers_create(const char* json, size_t size, shlo_consumers** out);
// Returns the number of consumers.
SHLO_API size_t shlo_consumers_count(const shlo_consumers* consumers);
// Returns a consumer by index, which belongs to the list; NULL if there is none.
SHLO_API const shlo_consumer* shlo_consumers_at(const shlo_consumers* consumers, size_t i);
// Finds what a text names: a requirement ("jaxlib==0.4.30", "jaxlib>=0.4", "tensorflow==2.13"), or a version
// in any notation of shlo_version_parse. `consumers` and `today` may be NULL. Fails with SHLO_CODE_USAGE or
// SHLO_CODE_UNKNOWN_VERSION.
SHLO_API shlo_error* shlo_consumer_find(const shlo_consumers* consumers, const char* text, const char* today,
                                        shlo_consumer** out);
// Fills in *out and returns 1, or returns 0 for NULL.
SHLO_API int shlo_consumer_get(const shlo_consumer* consumer, shlo_consumer_info* out);
// Renders all consumers as JSON, in the form that shlo_consumers_create reads.
SHLO_API shlo_error* shlo_consumers_json(const shlo_consumers* consumers, shlo_buffer** out);
// Each frees a list, or a consumer that was found. Other objects do not need them any more.
SHLO_API void shlo_consumers_free(shlo_consumers* consumers);
SHLO_API void shlo_consumer_free(shlo_consumer* consumer);

// A dialect that a file defines (docs/dialect.md): its ops, types and attributes, in numbered versions.
typedef struct shlo_dialect shlo_dialect;
// Reads a dialect from TOML. Diagnostics use `name` as the file's name.
SHLO_API shlo_error* shlo_dialect_read(const char* toml, size_t size, const char* name, shlo_dialect** out);
// Returns the name of the dialect. The text ends with NUL.
SHLO_API shlo_str shlo_dialect_name(const shlo_dialect* dialect);
// Frees a dialect. Other objects do not need it any more.
SHLO_API void shlo_dialect_free(shlo_dialect* dialect);

// --- Programs ----------------------------------------------------------------------------------------------

// A program: a module at a version, and where it came from. Its memory is released with the last reference.
typedef struct shlo_program shlo_program;
// The programs of one file.
typedef struct shlo_programs shlo_programs;

// File formats.
typedef int32_t shlo_format;
enum {
  SHLO_FORMAT_DEFAULT = 0,     // for writing: text in memory; of a file, by the ending of its name
  SHLO_FORMAT_TEXT = 1,        // MLIR text
  SHLO_FORMAT_SHLO = 2,        // a .shlo archive
  SHLO_FORMAT_MLIRBC = 3,      // MLIR bytecode: portable artifacts
  SHLO_FORMAT_JAX_EXPORT = 4,  // a container: a file of jax.export
  SHLO_FORMAT_SAVED_MODEL = 5  // a container: a SavedModel of TensorFlow
};
// Returns the name of a format: "text", "shlo", "mlirbc", "jax-export", "saved-model". The text ends with
// NUL.
SHLO_API const char* shlo_format_name(shlo_format format);
// Detects the format of a file by its content. A file that nothing else recognizes is text.
SHLO_API shlo_format shlo_format_detect(const void* data, size_t size);
// Returns whether a file is a program, complete or not, rather than another text or data: 1 or 0. The first
// few kilobytes of a file are enough.
SHLO_API int shlo_is_program(const void* data, size_t size);

// Called when bytes that were borrowed from the caller are no longer needed, from any thread.
typedef void (*shlo_release)(void* context);

// Options of reading.
typedef struct shlo_read_options {
  size_t struct_size;       // set by SHLO_READ_OPTIONS_INIT
  const char* source_name;  // of the bytes, for diagnostics; NULL: "<input>", or the path
  shlo_version version;     // of a text that does not state one; 0: the newest that has everything in it
  const char* program;      // name of a program in a container; NULL: all, or the main one
  uint32_t first_line;      // of a text; 0: 1
  // With `borrow`, constants are views of the bytes, which must not change; otherwise the bytes are copied.
  // `release` is called once, when nothing needs them any more, also if the call fails; without it, they must
  // outlive everything that is made from the program.
  int32_t borrow;
  shlo_release release;                 // may be NULL
  void* release_context;                // argument of `release`
  int32_t allow_empty;                  // a text without ops is an empty program, not an error
  int32_t unverified;                   // do not verify: functions that need a valid program then do it
  int32_t lenient;                      // violated constraints of the specification are warnings, not errors
  int32_t skip_constants;               // do not compare the checksums of constants in a .shlo file
  const shlo_dialect* const* dialects;  // dialects of the user, to verify
  size_t dialect_count;                 // number of them
  const shlo_limits* limits;            // NULL: by default
  shlo_diagnostics** warnings;          // receives warnings and notes; may be NULL
  // File name of the locations that ops of a text get which state none, as MLIR's parser does; NULL: their
  // locations stay unknown.
  const char* implicit_locations;
} shlo_read_options;
#define SHLO_READ_OPTIONS_INIT SHLO_INIT(shlo_read_options)

// Reads one program of any format: the only one of a text or artifact; of a container, `options->program` or
// the only one; of a jax.export file, the function rather than its gradients. Fails with SHLO_CODE_USAGE if
// there are several.
SHLO_API shlo_error* shlo_program_read(const void* data, size_t size, const shlo_read_options* options,
                                       shlo_program** out);
// Likewise, from a file, or the folder of a SavedModel. Files above 16 MiB are mapped: they must not become
// shorter while the program is in use.
SHLO_API shlo_error* shlo_program_read_file(const char* path, const shlo_read_options* options,
                                            shlo_program** out);
// Adds a reference, and returns the program.
SHLO_API shlo_program* shlo_program_retain(shlo_program* program);
// Removes a reference; the last one frees the program.
SHLO_API void shlo_program_release(shlo_program* program);

// Reads all programs of a text divided by `// -----`, or of a container. Fails with the errors of all
// programs if one cannot be read.
SHLO_API shlo_error* shlo_programs_read(const void* data, size_t size, const shlo_read_options* options,
                                        shlo_programs** out);
SHLO_API shlo_error* shlo_programs_read_file(const char* path, const shlo_read_options* options,
                                             shlo_programs** out);
// Returns the number of programs; a SavedModel may have none.
SHLO_API size_t shlo_programs_count(const shlo_programs* programs);
// Returns a program, which belongs to the list unless it is retained; NULL if there is none.
SHLO_API shlo_program* shlo_programs_at(const shlo_programs* programs, size_t i);
// Returns the format of the file.
SHLO_API shlo_format shlo_programs_format(const shlo_programs* programs);
// Frees a list.
SHLO_API void shlo_programs_free(shlo_programs* programs);

// Facts about a program. Texts belong to the program.
typedef struct shlo_program_info {
  size_t struct_size;       // sizeof(shlo_program_info), set by the caller
  shlo_version version;     // of the program
  shlo_version origin;      // before it was converted
  shlo_format format;       // that it was read from; SHLO_FORMAT_DEFAULT if it was built
  shlo_str source_name;     // of the file
  shlo_str name;            // in its container; may be empty
  shlo_str producer;        // of the artifact; may be empty
  uint32_t first_line;      // line of the file in which the program begins
  int32_t version_written;  // the program stated its version
  uint32_t op_count;        // ops of all nesting levels, without the module
  uint64_t constant_bytes;  // of all constants
} shlo_program_info;
#define SHLO_PROGRAM_INFO_INIT SHLO_INIT(shlo_program_info)
// Fills in *out and returns 1, or returns 0 for NULL.
SHLO_API int shlo_program_get(const shlo_program* program, shlo_program_info* out);
// Returns the version of a program.
SHLO_API shlo_version shlo_program_version(const shlo_program* program);

// --- Writing -----------------------------------------------------------------------------------------------

// Options of writing. Members for other formats have no effect.
typedef struct shlo_write_options {
  size_t struct_size;  // set by SHLO_WRITE_OPTIONS_INIT
  shlo_format format;  // not a container: see shlo_container_write
  // Text.
  int32_t generic;          // every op in generic form
  int32_t vhlo;             // VHLO's spelling
  int32_t locations;        // print locations
  int32_t mlir_style;       // as MLIR's printer, byte for byte; otherwise, reading it gives the same program
  int32_t local_scope;      // no aliases, even in MLIR's style
  uint32_t elide_elements;  // elide constants with more elements: the text cannot be read; 0: never
  // Archives and portable artifacts.
  int32_t strip_debuginfo;  // omit locations
  const char* producer;     // NULL: "shlo-compat" and its version, or "StableHLO_v" and the release
  // Archives.
  int32_t zstd_level;          // 1 to 19; 0: 6; -1: nothing is compressed
  int32_t compress_constants;  // compress large constants, too; weights hardly compress
  // Portable artifacts.
  int32_t plain;                 // StableHLO instead of VHLO, which no release promises to read
  int32_t bytecode_format;       // of MLIR bytecode; 0: the release's, or the newest with `plain`
  shlo_version writer;           // release of the reference serializer to mirror; 0: the program's
  int32_t allow_other_dialects;  // allow ops of other dialects in versions older than 1.11.0
  // Files.
  int32_t sync;                 // wait until the file is on the disk; 0: only if it replaces a file
  const shlo_limits* limits;    // NULL: by default
  shlo_diagnostics** warnings;  // receives warnings and notes; may be NULL
  int32_t only_vhlo;  // of portable artifacts: refuse parts without a VHLO equivalent, as the reference does
} shlo_write_options;
#define SHLO_WRITE_OPTIONS_INIT SHLO_INIT(shlo_write_options)

// Receives consecutive pieces of an output, each valid during the call. Returns 0 to go on; another value
// stops the writer, whose error is then SHLO_CODE_IO.
typedef int (*shlo_sink)(void* context, const void* data, size_t size);

// Writes a program into memory, as the command does: the same program and options give the same bytes.
SHLO_API shlo_error* shlo_program_write(const shlo_program* program, const shlo_write_options* options,
                                        shlo_buffer** out);
// Writes a file next to `path` and puts it in place when it is complete, so that readers never see a part of
// it. Without a format, the ending of the name decides: .mlir or .txt for text, .mlirbc or .bc for MLIR
// bytecode, .shlo for an archive. Fails with SHLO_CODE_USAGE for any other ending.
SHLO_API shlo_error* shlo_program_write_file(const shlo_program* program, const char* path,
                                             const shlo_write_options* options);
// Passes an output to a callback in pieces, without a copy of large constants.
SHLO_API shlo_error* shlo_program_write_to(const shlo_program* program, const shlo_write_options* options,
                                           shlo_sink sink, void* context);
// Writes the text of one op in one line of at most `max_bytes`, with {...} for regions.
SHLO_API shlo_error* shlo_op_text(const shlo_program* program, uint32_t op, size_t max_bytes,
                                  shlo_buffer** out);

// Options of shlo_container_write.
typedef struct shlo_container_options {
  size_t struct_size;       // set by SHLO_CONTAINER_OPTIONS_INIT
  const char* source_name;  // of the container, for diagnostics; NULL: "<input>"
  // Release of jax that must read the file ("0.8.1"), or its serialization version ("4"); NULL: as it is.
  const char* container_version;
  const shlo_write_options* write;  // of the programs; format and text options do not apply
  const shlo_limits* limits;        // NULL: by default
} shlo_container_options;
#define SHLO_CONTAINER_OPTIONS_INIT SHLO_INIT(shlo_container_options)
// Writes a container with other programs in place of those it has: as many, in the order of
// shlo_programs_read. Everything else in it keeps its meaning.
SHLO_API shlo_error* shlo_container_write(const void* data, size_t size, const shlo_program* const* programs,
                                          size_t count, const shlo_container_options* options,
                                          shlo_buffer** out);

// --- Verification and conversion ---------------------------------------------------------------------------

// Options of verification.
typedef struct shlo_verify_options {
  size_t struct_size;                   // set by SHLO_VERIFY_OPTIONS_INIT
  int32_t lenient;                      // violated constraints of the specification are warnings, not errors
  size_t max_diagnostics;               // a note counts the rest; 0: 1000
  const shlo_dialect* const* dialects;  // dialects of the user, to verify
  size_t dialect_count;                 // number of them
  const shlo_limits* limits;            // NULL: by default
  shlo_diagnostics** warnings;          // receives warnings and notes if the program is valid; may be NULL
} shlo_verify_options;
#define SHLO_VERIFY_OPTIONS_INIT SHLO_INIT(shlo_verify_options)
// Verifies a program. The error has all diagnostics, in program order.
SHLO_API shlo_error* shlo_verify(const shlo_program* program, const shlo_verify_options* options);

// Options of conversion.
typedef struct shlo_convert_options {
  size_t struct_size;                     // set by SHLO_CONVERT_OPTIONS_INIT
  const shlo_consumer* const* consumers;  // that must read the program; fails if one cannot
  size_t consumer_count;                  // number of them
  int32_t expand;                // rewrite ops that the target lacks, and all of CHLO, into ops that it has
  int32_t expand_composites;     // rewrite ops that the target lacks; composites become calls
  int32_t fold;                  // fold constants
  uint64_t fold_limit;           // largest constant to create, in elements; 0: 65536
  const char* window;            // "backward=180d,forward=3w"; NULL: 5 years back, 2 years forward
  int32_t allow_outside_window;  // skip the check of the window
  int32_t allow_other_dialects;  // allow ops of other dialects for targets older than 1.11.0
  // The result is meant for a portable artifact, which has fewer attributes. Writing one checks this, too.
  int32_t portable;
  int32_t lenient;                      // violated constraints at the target are warnings, not errors
  const shlo_dialect* const* dialects;  // dialects of the user, to convert and verify
  size_t dialect_count;                 // number of them
  const char* const* dialect_targets;   // "NAME=V" for a dialect; NULL: the version for the target
  size_t dialect_target_count;          // number of them
  size_t max_blockers;                  // blockers to list; 0: 1000
  const shlo_limits* limits;            // NULL: by default
  shlo_diagnostics** warnings;          // receives warnings and notes; may be NULL
  int32_t drop_hints;                   // leave out attributes that only tell a compiler how to run it
  int32_t every_place;                  // list a blocker for each place, not for each cause
} shlo_convert_options;
#define SHLO_CONVERT_OPTIONS_INIT SHLO_INIT(shlo_convert_options)

// The record of a conversion.
typedef struct shlo_conversion shlo_conversion;
// A rewrite that was applied to ops. Texts belong to the conversion and end with NUL.
typedef struct shlo_step {
  size_t struct_size;     // sizeof(shlo_step), set by the caller
  shlo_str from;          // "stablehlo.sub", "vhlo.gather_v1"; of an expansion, the op
  shlo_str to;            // as `from`; empty for an expansion
  shlo_version boundary;  // first version that has the newer form; 0 for an expansion
  uint64_t op_count;      // ops that it was applied to
} shlo_step;
#define SHLO_STEP_INIT SHLO_INIT(shlo_step)

// Converts a program to a version; 0: the newest one that all consumers read, or the program's own.
// On failure the error has every blocker: the op, its first place and their number, and the first version
// that can represent it; its last diagnostic is a note that names the lowest possible target, or the highest
// one. `conversion` may be NULL.
SHLO_API shlo_error* shlo_convert(const shlo_program* program, shlo_version target,
                                  const shlo_convert_options* options, shlo_program** out,
                                  shlo_conversion** conversion);
// Returns the number of steps and expansions.
SHLO_API size_t shlo_conversion_step_count(const shlo_conversion* conversion);
// Fills in *out and returns 1, or returns 0 if there is no such step. Steps come before expansions.
SHLO_API int shlo_conversion_step(const shlo_conversion* conversion, size_t i, shlo_step* out);
// Renders a conversion as JSON: `from`, `to`, `steps`, `expanded`, `dropped_hints` and `dialects`, as for a
// program in the document of `convert`.
SHLO_API shlo_error* shlo_conversion_json(const shlo_conversion* conversion, shlo_buffer** out);
// Frees a conversion.
SHLO_API void shlo_conversion_free(shlo_conversion* conversion);

// Lists what keeps a program from a target, the lacks of consumers included; NULL if nothing does. Each
// diagnostic names the first version that can represent the thing. The window is not considered.
SHLO_API shlo_error* shlo_blockers(const shlo_program* program, shlo_version target,
                                   const shlo_convert_options* options, shlo_diagnostics** out);
// Finds the oldest version that the program can be converted to, such that it can also be converted to every
// version from there to its own.
SHLO_API shlo_error* shlo_lowest_target(const shlo_program* program, const shlo_convert_options* options,
                                        shlo_version* out);
// Finds every version that the program can be converted to, oldest first: writes up to `capacity` of them,
// and sets *count to the number of all.
SHLO_API shlo_error* shlo_possible_targets(const shlo_program* program, const shlo_convert_options* options,
                                           shlo_version* out, size_t capacity, size_t* count);

// The statements of a producer and a consumer about themselves. Versions are texts as of shlo_version_parse;
// releases that are newer than all known ones are allowed.
typedef struct shlo_negotiation {
  size_t struct_size;                   // set by SHLO_NEGOTIATION_INIT
  const shlo_program* program;          // to send; NULL: any program
  const char* producer_minimum;         // oldest version that the producer writes; NULL: the first release
  const char* producer_current;         // newest one; NULL: the newest known
  const shlo_consumer* consumer;        // the reader; NULL: any reader of the following versions
  const char* consumer_minimum;         // oldest version that the consumer reads; NULL: any
  const char* consumer_current;         // newest one; NULL: the version of `consumer`, then required
  const char* today;                    // day that durations count back from; NULL: the system's date, UTC
  const shlo_convert_options* convert;  // options of the conversion; NULL: defaults
} shlo_negotiation;
#define SHLO_NEGOTIATION_INIT SHLO_INIT(shlo_negotiation)
// Finds the newest release that both sides have and the program can be converted to, which shlo_convert with
// the same options then does. If there is none, the error states the obstacle: disjoint ranges
// (SHLO_CODE_BLOCKED), the blockers at the newest common release, the window, or the consumer's
// gaps.
SHLO_API shlo_error* shlo_negotiate(const shlo_negotiation* negotiation, shlo_version* out);

// --- Documents ---------------------------------------------------------------------------------------------
// The documents of --json (schemas: docs/json.md), byte for byte as the command prints them. An unreadable
// file, or a program that does not verify, is not an error of the call: the document has `exit` and
// `diagnostics`.

// Makes the document of `inspect` for a file: `source_name` of the options names it.
SHLO_API shlo_error* shlo_inspect_json(const void* data, size_t size, const shlo_read_options* options,
                                       shlo_buffer** out);
SHLO_API shlo_error* shlo_inspect_file_json(const char* path, const shlo_read_options* options,
                                            shlo_buffer** out);
// Makes the entry that a program has in the `programs` of that document.
SHLO_API shlo_error* shlo_program_inspect_json(const shlo_program* program, shlo_buffer** out);
// Makes the `container` that the document has for the container that a program, or the program that it was
// converted from, was read from. Sets *out to NULL if it was read from none.
SHLO_API shlo_error* shlo_program_container_json(const shlo_program* program, shlo_buffer** out);
// Makes the document of `verify` for a file.
SHLO_API shlo_error* shlo_verify_json(const void* data, size_t size, const shlo_read_options* options,
                                      shlo_buffer** out);
SHLO_API shlo_error* shlo_verify_file_json(const char* path, const shlo_read_options* options,
                                           shlo_buffer** out);
// Makes the document of `ops`: of one op by any of its names, or of all (NULL). Fails with SHLO_CODE_USAGE if
// there is no such op.
SHLO_API shlo_error* shlo_ops_json(const char* name, shlo_buffer** out);
// Makes the document of `versions`: of one version, of the changes between two ("1.0.0..1.9.0"), or of all
// (NULL).
SHLO_API shlo_error* shlo_versions_json(const char* which, const char* today, shlo_buffer** out);
// Makes the document of `rules`: of one rule of `check`, or of all (NULL).
SHLO_API shlo_error* shlo_rules_json(const char* rule, shlo_buffer** out);

// --- Comparison --------------------------------------------------------------------------------------------

// Options of shlo_diff.
typedef struct shlo_diff_options {
  size_t struct_size;         // set by SHLO_DIFF_OPTIONS_INIT
  int32_t locations;          // compare locations, too
  const shlo_limits* limits;  // NULL: by default
  uint64_t lines;             // of the text; 0: all
} shlo_diff_options;
#define SHLO_DIFF_OPTIONS_INIT SHLO_INIT(shlo_diff_options)
// Compares two programs by structure, at the newer of their versions. Sets *equal to 1 or 0, and makes the
// document of `diff`; either may be NULL.
SHLO_API shlo_error* shlo_diff(const shlo_program* a, const shlo_program* b, const shlo_diff_options* options,
                               int* equal, shlo_buffer** json);
// Likewise, and renders the differences and the verdict as `diff` prints them.
SHLO_API shlo_error* shlo_diff_text(const shlo_program* a, const shlo_program* b,
                                    const shlo_diff_options* options, shlo_buffer** out);

// Outcome of a proof.
typedef int32_t shlo_verdict;
enum {
  SHLO_VERDICT_EQUAL = 0,           // values and contract; the evidence says how strongly that is known
  SHLO_VERDICT_OTHER_CONTRACT = 1,  // equal values, but different promises, permissions or requests
  SHLO_VERDICT_DIFFERENT = 2,       // a result differs for an input that is known, or the signature does
  SHLO_VERDICT_NOT_COVERED = 3      // not known
};
// The grounds of a verdict of equality, from weak to strong.
typedef int32_t shlo_evidence;
enum {
  SHLO_EVIDENCE_NONE = 0,        // there are none
  SHLO_EVIDENCE_SAMPLED = 1,     // not told apart by some inputs
  SHLO_EVIDENCE_EXHAUSTIVE = 2,  // equal on all inputs
  SHLO_EVIDENCE_LAWS = 3,        // equal by congruence and laws
  SHLO_EVIDENCE_CONGRUENCE = 4   // equal by congruence
};
// Return the names of both: "equal", "not told apart", "sampled". The texts end with NUL.
SHLO_API const char* shlo_verdict_name(shlo_verdict verdict, shlo_evidence evidence);
SHLO_API const char* shlo_evidence_name(shlo_evidence evidence);

// Options of shlo_prove.
typedef struct shlo_prove_options {
  size_t struct_size;         // set by SHLO_PROVE_OPTIONS_INIT
  uint64_t seed;              // of random inputs; 0: 1
  uint32_t max_inputs;        // input sets per function or part; 0: 256
  uint64_t max_elements;      // limit of elements per argument; 0: 2^24
  int32_t evaluate_only;      // compare functions by evaluating them only
  int32_t certifiable;        // keep what shlo_proof_certificate needs
  const shlo_limits* limits;  // of all evaluations; NULL: by default
} shlo_prove_options;
#define SHLO_PROVE_OPTIONS_INIT SHLO_INIT(shlo_prove_options)

// The comparison of two programs.
typedef struct shlo_proof shlo_proof;
// The comparison of one function. Texts belong to the proof and end with NUL.
typedef struct shlo_function_proof {
  size_t struct_size;      // sizeof(shlo_function_proof), set by the caller
  shlo_str function;       // symbol name
  shlo_verdict verdict;    // of this function
  shlo_evidence evidence;  // of equality
  uint64_t inputs;         // input sets that were evaluated
  int32_t exhaustive;      // these were all possible inputs
  shlo_str detail;         // the comparison, the reason for no coverage, or the first difference
} shlo_function_proof;
#define SHLO_FUNCTION_PROOF_INIT SHLO_INIT(shlo_function_proof)

// Compares what two programs compute, and their contracts: by congruence, by laws, and by evaluating the
// rest. Programs that differ are not an error: ask the proof.
SHLO_API shlo_error* shlo_prove(const shlo_program* a, const shlo_program* b,
                                const shlo_prove_options* options, shlo_proof** out);
// Return the verdict, and the weakest evidence of all functions.
SHLO_API shlo_verdict shlo_proof_verdict(const shlo_proof* proof);
SHLO_API shlo_evidence shlo_proof_evidence(const shlo_proof* proof);
// Returns the number of functions.
SHLO_API size_t shlo_proof_function_count(const shlo_proof* proof);
// Fills in *out and returns 1, or returns 0 if there is no such function.
SHLO_API int shlo_proof_function(const shlo_proof* proof, size_t i, shlo_function_proof* out);
// Render the report as `prove` prints it, and its document.
SHLO_API shlo_error* shlo_proof_text(const shlo_proof* proof, shlo_buffer** out);
SHLO_API shlo_error* shlo_proof_json(const shlo_proof* proof, shlo_buffer** out);
// Makes a certificate of equality, for shlo_certificate_check. Both programs must have been read, not built
// or converted: it names them by the SHA-256 of their files. `in_toto`: as an in-toto statement, for signing.
// Fails with SHLO_CODE_NOT_EQUAL if the programs are not known to be equal.
SHLO_API shlo_error* shlo_proof_certificate(const shlo_proof* proof, int in_toto, shlo_buffer** out);
// Makes a program that shows the difference: evaluating it fails. Fails with SHLO_CODE_NOT_EQUAL if no input
// is known that tells the programs apart.
SHLO_API shlo_error* shlo_proof_counterexample(const shlo_proof* proof, shlo_program** out);
// Frees a proof.
SHLO_API void shlo_proof_free(shlo_proof* proof);

// Verifies a certificate of two programs that were read: compares matched ops, and repeats evaluations.
// Sets *evidence to the weakest of all functions. Fails with SHLO_CODE_NOT_EQUAL if the certificate does not
// hold, or is about other files. `evidence` may be NULL. Of the options, only the limits apply.
SHLO_API shlo_error* shlo_certificate_check(const char* json, size_t size, const shlo_program* a,
                                            const shlo_program* b, const shlo_prove_options* options,
                                            shlo_evidence* evidence);

// Formats of the report of shlo_check.
typedef int32_t shlo_report_format;
enum {
  SHLO_REPORT_JSON = 0,      // the document of `check`
  SHLO_REPORT_TEXT = 1,      // for a terminal
  SHLO_REPORT_SARIF = 2,     // SARIF 2.1.0
  SHLO_REPORT_JUNIT = 3,     // JUnit XML
  SHLO_REPORT_GITHUB = 4,    // workflow commands of GitHub
  SHLO_REPORT_GITLAB = 5,    // Code Quality of GitLab
  SHLO_REPORT_MARKDOWN = 6,  // a summary
  SHLO_REPORT_HTML = 7       // a page
};

// Options of shlo_check.
typedef struct shlo_check_options {
  size_t struct_size;                   // set by SHLO_CHECK_OPTIONS_INIT
  const char* policy;                   // path of a policy (docs/check.md); NULL: none
  const char* const* rules;             // "ID=SEVERITY" each: off, note, warning or error
  size_t rule_count;                    // number of them
  const char* const* requirements;      // consumers, as for shlo_consumer_find, instead of the policy's
  size_t requirement_count;             // number of them
  const shlo_consumers* consumers;      // known ones; NULL: the library's
  const shlo_dialect* const* dialects;  // dialects of the user
  size_t dialect_count;                 // number of them
  // Folder with the files as they were, under the same paths as below the policy's folder, or the current
  // one; NULL: none.
  const char* baseline;
  const char* today;          // NULL: the system's date, UTC
  int32_t lenient;            // violated constraints of the specification are warnings, not errors
  shlo_report_format format;  // of the report
  uint32_t jobs;              // files to check at the same time; 0: one per processor
  const shlo_limits* limits;  // of each file; NULL: by default
} shlo_check_options;
#define SHLO_CHECK_OPTIONS_INIT SHLO_INIT(shlo_check_options)
// Applies the rules of `check` to files, folders and patterns. Sets *exit_code to a status:
// SHLO_STATUS_NEGATIVE for errors, SHLO_STATUS_BAD_INPUT or SHLO_STATUS_SYSTEM for unreadable files. Either
// `exit_code` or `report` may be NULL.
SHLO_API shlo_error* shlo_check(const char* const* paths, size_t path_count,
                                const shlo_check_options* options, int* exit_code, shlo_buffer** report);

// The findings of a check, to be rendered in several formats.
typedef struct shlo_report shlo_report;
// Likewise, and returns the report. `format` of the options does not apply.
SHLO_API shlo_error* shlo_report_create(const char* const* paths, size_t path_count,
                                        const shlo_check_options* options, shlo_report** out);
// Reads a report from its document: of `check --json`, or several of these in one. A document of another
// command may have the keys `files` and `policy_findings` of such a document: the rules of its findings are
// then the codes of their diagnostics. A diagnostic may have its line of text as `source_line`, for the
// formats that show it. Totals, fingerprints and the status are computed again.
SHLO_API shlo_error* shlo_report_read(const char* json, size_t size, shlo_report** out);
// Returns the status of the report; SHLO_STATUS_DONE for NULL.
SHLO_API int shlo_report_exit_code(const shlo_report* report);
// Renders the report in a format.
SHLO_API shlo_error* shlo_report_render(const shlo_report* report, shlo_report_format format,
                                        shlo_buffer** out);
// Frees a report.
SHLO_API void shlo_report_free(shlo_report* report);

// --- Walking a program -------------------------------------------------------------------------------------
// ------------------------------------------------------------------------------------------ Parts of a
// program are numbers, dense from 1; 0 means none. They are valid for this program only. Reading them
// takes no memory and no lock.

typedef uint32_t shlo_op;      // an operation
typedef uint32_t shlo_value;   // a result of an op, or an argument of a block
typedef uint32_t shlo_block;   // a block of a region
typedef uint32_t shlo_region;  // a region of an op
typedef uint32_t shlo_type;    // a type; equal types have equal numbers
typedef uint32_t shlo_attr;    // an attribute or location; equal ones have equal numbers

// Return the largest number of each kind that a program has.
SHLO_API uint32_t shlo_op_count(const shlo_program* program);
SHLO_API uint32_t shlo_value_count(const shlo_program* program);
SHLO_API uint32_t shlo_block_count(const shlo_program* program);
SHLO_API uint32_t shlo_region_count(const shlo_program* program);
SHLO_API uint32_t shlo_type_count(const shlo_program* program);
SHLO_API uint32_t shlo_attr_count(const shlo_program* program);

// Returns the builtin.module op, which everything else is in.
SHLO_API shlo_op shlo_module_op(const shlo_program* program);
// Return the functions, in program order: their number, one by index, one by its symbol name.
SHLO_API uint32_t shlo_function_count(const shlo_program* program);
SHLO_API shlo_op shlo_function_at(const shlo_program* program, uint32_t i);
SHLO_API shlo_op shlo_function_find(const shlo_program* program, const char* name);

// Return the name of an op ("stablehlo.add"), its VHLO name at the program's version ("vhlo.add_v1", or ""),
// and its symbol name ("main", or "").
SHLO_API shlo_str shlo_op_name(const shlo_program* program, shlo_op op);
SHLO_API shlo_str shlo_op_vhlo_name(const shlo_program* program, shlo_op op);
SHLO_API shlo_str shlo_op_symbol(const shlo_program* program, shlo_op op);
// Return the block that an op is in, and the op around that.
SHLO_API shlo_block shlo_op_block(const shlo_program* program, shlo_op op);
SHLO_API shlo_op shlo_op_parent(const shlo_program* program, shlo_op op);
// Each returns an array of numbers that belongs to the program, and sets *count: operands of an op, regions
// of an op, blocks that a terminator leads to, ops of a block, blocks of a region.
SHLO_API const shlo_value* shlo_op_operands(const shlo_program* program, shlo_op op, size_t* count);
SHLO_API const shlo_region* shlo_op_regions(const shlo_program* program, shlo_op op, size_t* count);
SHLO_API const shlo_block* shlo_op_successors(const shlo_program* program, shlo_op op, size_t* count);
SHLO_API const shlo_op* shlo_block_ops(const shlo_program* program, shlo_block block, size_t* count);
SHLO_API const shlo_block* shlo_region_blocks(const shlo_program* program, shlo_region region, size_t* count);
// Return the results of an op: their number, and one by index. They have consecutive numbers.
SHLO_API uint32_t shlo_op_result_count(const shlo_program* program, shlo_op op);
SHLO_API shlo_value shlo_op_result(const shlo_program* program, shlo_op op, uint32_t i);
// Return the arguments of a block, in the same way.
SHLO_API uint32_t shlo_block_arg_count(const shlo_program* program, shlo_block block);
SHLO_API shlo_value shlo_block_arg(const shlo_program* program, shlo_block block, uint32_t i);
// Return the region that a block is in, and the op that a region belongs to.
SHLO_API shlo_region shlo_block_region(const shlo_program* program, shlo_block block);
SHLO_API shlo_op shlo_region_op(const shlo_program* program, shlo_region region);

// Return the type of a value; the op that it is a result of, or 0; the block that it is an argument of, or 0;
// and its index among those.
SHLO_API shlo_type shlo_value_type(const shlo_program* program, shlo_value value);
SHLO_API shlo_op shlo_value_op(const shlo_program* program, shlo_value value);
SHLO_API shlo_block shlo_value_block(const shlo_program* program, shlo_value value);
SHLO_API uint32_t shlo_value_index(const shlo_program* program, shlo_value value);
// Returns the name of a block's argument from its location, or from the text of the program ("x" for %x).
// Empty without a name, and for other values.
SHLO_API shlo_str shlo_value_name(const shlo_program* program, shlo_value value);
// A use of a value.
typedef struct shlo_use {
  shlo_op op;        // that has it
  uint32_t operand;  // index of the operand
} shlo_use;
// Sets *uses to the uses of a value, in the order of op numbers; the array belongs to the program. The first
// call for a program takes time in proportion to its size.
SHLO_API shlo_error* shlo_value_uses(const shlo_program* program, shlo_value value, const shlo_use** uses,
                                     size_t* count);

// An attribute of an op or of a dictionary.
typedef struct shlo_named_attr {
  shlo_str name;     // belongs to the program
  shlo_attr value;   // never 0
  int32_t inherent;  // one that the op defines; other attributes are discardable
} shlo_named_attr;
// Return the attributes of an op that are written, inherent ones first: their number, one by index, one by
// its name. An inherent attribute that is absent has its default.
SHLO_API uint32_t shlo_op_attr_count(const shlo_program* program, shlo_op op);
SHLO_API int shlo_op_attr_at(const shlo_program* program, shlo_op op, uint32_t i, shlo_named_attr* out);
SHLO_API shlo_attr shlo_op_attr(const shlo_program* program, shlo_op op, const char* name);
// Returns the name of a group of attributes of an op that text writes as one, such as `dot_dimension_numbers`
// for lhs_contracting_dimensions and others, of which at least one is written; an empty text if there are
// fewer.
SHLO_API shlo_str shlo_op_attr_group(const shlo_program* program, shlo_op op, uint32_t i);
// Writes a group as generic text has it: "#stablehlo.dot<lhs_contracting_dimensions = [1], ...>". Fails with
// SHLO_CODE_USAGE if there is none.
SHLO_API shlo_error* shlo_op_attr_group_text(const shlo_program* program, shlo_op op, uint32_t i,
                                             shlo_buffer** out);
// Returns the location of an op, as an attribute; 0 if it is unknown.
SHLO_API shlo_attr shlo_op_location(const shlo_program* program, shlo_op op);
// Fills in *out: where an op is in the text that the program was read from, or what its location states.
// Returns 0 if neither is known. `source_line` stays empty.
SHLO_API int shlo_op_place(const shlo_program* program, shlo_op op, shlo_place* out);
// Fills in file, line and column that a location states, the first one of several. Returns 0 if it states
// none.
SHLO_API int shlo_location_place(const shlo_program* program, shlo_attr location, shlo_place* out);

// Write a type or an attribute as MLIR text, in StableHLO's spelling.
SHLO_API shlo_error* shlo_type_text(const shlo_program* program, shlo_type type, shlo_buffer** out);
SHLO_API shlo_error* shlo_attr_text(const shlo_program* program, shlo_attr attr, shlo_buffer** out);

// Return the kind of a type or attribute: "tensor", "f32", "unit", "dense", "dictionary",
// "comparison_direction", ..., without the dialect for stablehlo, chlo and quant. Types and attributes of
// unknown dialects, which are kept as text, are "opaque". The text ends with NUL.
SHLO_API shlo_str shlo_type_kind(const shlo_program* program, shlo_type type);
SHLO_API shlo_str shlo_attr_kind(const shlo_program* program, shlo_attr attr);

// The size of a dimension that is dynamic.
#define SHLO_DYNAMIC INT64_MIN
// A type with a shape, or one of its elements.
typedef struct shlo_type_info {
  size_t struct_size;      // sizeof(shlo_type_info), set by the caller
  int32_t shaped;          // 1: a tensor, vector or buffer; 0: any other type
  int32_t ranked;          // 1: `shape` is known
  uint32_t rank;           // number of dimensions
  const int64_t* shape;    // of each dimension, SHLO_DYNAMIC for a dynamic one; belongs to the program
  const int64_t* bounds;   // of each dimension, SHLO_DYNAMIC for one without; NULL if there are none
  shlo_type element;       // the element type; of a type without a shape, the type itself
  shlo_attr encoding;      // of a tensor; 0: none
  shlo_str element_kind;   // kind of `element`: "f32", "complex", "uniform"; ends with NUL
  uint32_t element_bits;   // bits that carry information, both parts of complex; 0 if there are no elements
  uint32_t element_bytes;  // bytes of one element in constants and tensors; 0 if it has none
} shlo_type_info;
#define SHLO_TYPE_INFO_INIT SHLO_INIT(shlo_type_info)
// Fills in *out and returns 1, or returns 0 if there is no such type.
SHLO_API int shlo_type_get(const shlo_program* program, shlo_type type, shlo_type_info* out);

// The content of a field of a type or attribute; those from SHLO_FIELD_INTS on are lists.
typedef int32_t shlo_field_kind;
enum {
  SHLO_FIELD_INT = 0,      // an integer
  SHLO_FIELD_FLOAT = 1,    // a double
  SHLO_FIELD_STRING = 2,   // a text
  SHLO_FIELD_TYPE = 3,     // a type
  SHLO_FIELD_ATTR = 4,     // an attribute, or 0
  SHLO_FIELD_BYTES = 5,    // the bytes of a constant: see shlo_attr_elements
  SHLO_FIELD_INTS = 6,     // integers
  SHLO_FIELD_FLOATS = 7,   // doubles
  SHLO_FIELD_STRINGS = 8,  // texts
  SHLO_FIELD_TYPES = 9,    // types
  SHLO_FIELD_ATTRS = 10,   // attributes
  SHLO_FIELD_NAMED = 11    // attributes with names
};
// A field of a type or attribute, such as `lhs_contracting_dimensions`. It is a view of the program.
typedef struct shlo_field {
  size_t struct_size;     // sizeof(shlo_field), set by the caller
  shlo_str name;          // as in MLIR; ends with NUL
  shlo_field_kind kind;   // of its value
  size_t count;           // number of items; 1 unless it is a list
  const uint64_t* words;  // for the functions below
} shlo_field;
#define SHLO_FIELD_INIT SHLO_INIT(shlo_field)
// Return the fields of a type or attribute: their number, and one by index, or 0 if there is none.
SHLO_API uint32_t shlo_type_field_count(const shlo_program* program, shlo_type type);
SHLO_API uint32_t shlo_attr_field_count(const shlo_program* program, shlo_attr attr);
SHLO_API int shlo_type_field(const shlo_program* program, shlo_type type, uint32_t i, shlo_field* out);
SHLO_API int shlo_attr_field(const shlo_program* program, shlo_attr attr, uint32_t i, shlo_field* out);
// Each returns an item of a field, if it has this kind; otherwise 0. shlo_field_id is for types and
// attributes.
SHLO_API int64_t shlo_field_int(const shlo_field* field, size_t i);
SHLO_API double shlo_field_float(const shlo_field* field, size_t i);
SHLO_API uint32_t shlo_field_id(const shlo_field* field, size_t i);
SHLO_API shlo_str shlo_field_string(const shlo_program* program, const shlo_field* field, size_t i);
SHLO_API shlo_named_attr shlo_field_named(const shlo_program* program, const shlo_field* field, size_t i);

// Each sets *out and returns 1 if the attribute is of that kind: an integer of up to 64 bits, a boolean, a
// float, a string, a symbol reference (its root), a case of an enum ("EQ"), a type. Otherwise it returns 0.
SHLO_API int shlo_attr_int(const shlo_program* program, shlo_attr attr, int64_t* out);
SHLO_API int shlo_attr_bool(const shlo_program* program, shlo_attr attr, int* out);
SHLO_API int shlo_attr_float(const shlo_program* program, shlo_attr attr, double* out);
SHLO_API int shlo_attr_string(const shlo_program* program, shlo_attr attr, shlo_str* out);
SHLO_API int shlo_attr_symbol(const shlo_program* program, shlo_attr attr, shlo_str* out);
SHLO_API int shlo_attr_enum(const shlo_program* program, shlo_attr attr, shlo_str* out);
SHLO_API int shlo_attr_type_value(const shlo_program* program, shlo_attr attr, shlo_type* out);
// Returns the type of an attribute that has one: an integer, float, string or elements; 0 for others.
SHLO_API shlo_type shlo_attr_type(const shlo_program* program, shlo_attr attr);
// Return the items of an array: their number, and one by index; and in the same way the entries of a
// dictionary, which are sorted by name.
SHLO_API size_t shlo_attr_array_count(const shlo_program* program, shlo_attr attr);
SHLO_API shlo_attr shlo_attr_array_at(const shlo_program* program, shlo_attr attr, size_t i);
SHLO_API size_t shlo_attr_dict_count(const shlo_program* program, shlo_attr attr);
SHLO_API int shlo_attr_dict_at(const shlo_program* program, shlo_attr attr, size_t i, shlo_named_attr* out);

// The bytes of a constant: row-major, ceil(bits / 8) bytes per element, little-endian, complex as (real,
// imaginary).
typedef struct shlo_elements {
  size_t struct_size;     // sizeof(shlo_elements), set by the caller
  shlo_type type;         // of the constant; 0 for array<...>
  shlo_type element;      // of its elements; 0 for array<i64: ...>
  shlo_str element_kind;  // "f32"; ends with NUL
  uint32_t rank;          // number of dimensions
  const int64_t* shape;   // of each dimension; belongs to the program; NULL for array<...>
  uint64_t count;         // number of elements
  int32_t splat;          // `data` is one element, equal to all
  const void* data;       // belongs to the program
  size_t size;            // bytes at `data`
} shlo_elements;
#define SHLO_ELEMENTS_INIT SHLO_INIT(shlo_elements)
// Views the elements of dense<...>, dense_resource<...> or array<...>. Fails with SHLO_CODE_UNSUPPORTED for
// other attributes. A constant that the text has as digits is decoded once, and then kept by the program.
SHLO_API shlo_error* shlo_attr_elements(const shlo_program* program, shlo_attr attr, shlo_elements* out);

// --- Building and editing ----------------------------------------------------------------------------------

// A program under construction. Its numbers are its own, except that a copy keeps the numbers of the
// original.
typedef struct shlo_builder shlo_builder;
// Makes an empty program at a version; 0: the newest.
SHLO_API shlo_error* shlo_builder_create(shlo_version version, shlo_builder** out);
// Makes a copy of a program, to change it. Constants are shared. The version stays.
SHLO_API shlo_error* shlo_builder_copy(const shlo_program* program, shlo_builder** out);
// Frees a builder.
SHLO_API void shlo_builder_free(shlo_builder* builder);
// Makes the program and verifies it. The builder may be used further.
SHLO_API shlo_error* shlo_builder_finish(const shlo_builder* builder, const shlo_verify_options* options,
                                         shlo_program** out);

// Parse the text of a type ("tensor<2x3xf32>"), or of an attribute ("array<i64: 1, 0>"); a location is an
// attribute ("loc(\"a.py\":1:2)").
SHLO_API shlo_error* shlo_builder_type(shlo_builder* builder, const char* text, shlo_type* out);
SHLO_API shlo_error* shlo_builder_attr(shlo_builder* builder, const char* text, shlo_attr* out);
// Parses the text of an attribute of an op, by the names of both. The op's definition completes it: "LT" is
// the case of an enum, a text without quotes a string, a name without '@' a symbol, and a number has its
// type.
SHLO_API shlo_error* shlo_builder_op_attr(shlo_builder* builder, const char* op, const char* name,
                                          const char* text, shlo_attr* out);
// Makes a constant of a type from bytes in the layout of shlo_elements: all elements, or one with `splat`.
// They are copied, unless `borrow`: then `release` is called when nothing needs them any more.
SHLO_API shlo_error* shlo_builder_elements(shlo_builder* builder, shlo_type type, const void* data,
                                           size_t size, int splat, int borrow, shlo_release release,
                                           void* context, shlo_attr* out);
// Makes a string attribute from any bytes.
SHLO_API shlo_error* shlo_builder_string(shlo_builder* builder, const char* data, size_t size,
                                         shlo_attr* out);

// Adds a function with a body: a block with an argument for each input. Inserts at the end of that block from
// now on. The function's type has its inputs and results.
SHLO_API shlo_error* shlo_builder_function(shlo_builder* builder, const char* name, const shlo_type* inputs,
                                           size_t input_count, const shlo_type* results, size_t result_count,
                                           shlo_op* out);
// An op to add.
typedef struct shlo_op_spec {
  size_t struct_size;          // set by SHLO_OP_SPEC_INIT
  const char* name;            // "stablehlo.add"
  const shlo_value* operands;  // in the order of the op
  size_t operand_count;        // number of them
  const shlo_type* results;    // types of the results
  size_t result_count;         // number of them
  int32_t infer_results;       // infer the types of the results instead; fails if the op's are not inferred
  const char* const* attr_names;  // of attributes, as generic text has them
  const shlo_attr* attrs;         // their values
  size_t attr_count;              // number of them
  size_t region_count;            // regions to make, without blocks
  const shlo_block* successors;   // of a terminator
  size_t successor_count;         // number of them
  shlo_attr location;             // 0: unknown
} shlo_op_spec;
#define SHLO_OP_SPEC_INIT SHLO_INIT(shlo_op_spec)
// Adds an op at the insertion point. `out` may be NULL. The results of an op with regions are inferred if
// they have the types of its operands, as for while and sort.
SHLO_API shlo_error* shlo_builder_op(shlo_builder* builder, const shlo_op_spec* spec, shlo_op* out);
// Set the insertion point: the end of a block, or before an op. At the beginning it is the end of the module.
SHLO_API shlo_error* shlo_builder_insert_at_end(shlo_builder* builder, shlo_block block);
SHLO_API shlo_error* shlo_builder_insert_before(shlo_builder* builder, shlo_op op);
// Adds a block to a region, with an argument for each type, and sets the insertion point to its end.
SHLO_API shlo_error* shlo_builder_block(shlo_builder* builder, shlo_region region, const shlo_type* args,
                                        size_t arg_count, shlo_block* out);
// Return parts of an op of the builder; 0 if there is none.
SHLO_API shlo_value shlo_builder_result(const shlo_builder* builder, shlo_op op, size_t i);
SHLO_API shlo_region shlo_builder_region(const shlo_builder* builder, shlo_op op, size_t i);
SHLO_API shlo_block shlo_builder_region_block(const shlo_builder* builder, shlo_region region, size_t i);
SHLO_API shlo_value shlo_builder_block_arg(const shlo_builder* builder, shlo_block block, size_t i);
SHLO_API shlo_type shlo_builder_value_type(const shlo_builder* builder, shlo_value value);
// Writes a type of the builder as MLIR text.
SHLO_API shlo_error* shlo_builder_type_text(const shlo_builder* builder, shlo_type type, shlo_buffer** out);
// Sets an attribute by its name, inherent or discardable; 0 removes it.
SHLO_API shlo_error* shlo_builder_set_attr(shlo_builder* builder, shlo_op op, const char* name,
                                           shlo_attr value);
// Sets the location of an op; 0: unknown.
SHLO_API shlo_error* shlo_builder_set_location(shlo_builder* builder, shlo_op op, shlo_attr location);
// Sets an operand of an op.
SHLO_API shlo_error* shlo_builder_set_operand(shlo_builder* builder, shlo_op op, size_t i, shlo_value value);
// Sets the type of a value. The types of functions are not adapted.
SHLO_API shlo_error* shlo_builder_set_type(shlo_builder* builder, shlo_value value, shlo_type type);
// Replaces all uses of a value by another one.
SHLO_API shlo_error* shlo_builder_replace_uses(shlo_builder* builder, shlo_value value, shlo_value with);
// Erases an op with its regions. Fails with SHLO_CODE_USAGE if one of its results has a use.
SHLO_API shlo_error* shlo_builder_erase(shlo_builder* builder, shlo_op op);
// Moves an op before another one.
SHLO_API shlo_error* shlo_builder_move_before(shlo_builder* builder, shlo_op op, shlo_op before);
// Renames a symbol, and all references to it.
SHLO_API shlo_error* shlo_builder_rename_symbol(shlo_builder* builder, const char* name, const char* to);

// --- Tensors -----------------------------------------------------------------------------------------------

// A value: a tensor, a token or a tuple. Its memory is released with the last reference.
typedef struct shlo_tensor shlo_tensor;
// Tensors with names, in order: results, or the content of a file.
typedef struct shlo_tensors shlo_tensors;
struct DLManagedTensor;  // of dlpack/dlpack.h

// Memory of the caller that holds a tensor: little-endian, ceil(bits / 8) bytes per element, booleans 0 or 1.
typedef struct shlo_tensor_desc {
  size_t struct_size;      // set by SHLO_TENSOR_DESC_INIT
  const char* element;     // "f32", "bf16", "i1", "ui8", "complex<f32>", ...; or NULL with `type`
  const char* type;        // all of it as MLIR text, for quantized tensors; NULL: element, rank and shape
  uint32_t rank;           // number of dimensions
  const int64_t* shape;    // of each dimension
  const int64_t* strides;  // in elements, of any sign; NULL: row-major
  void* data;              // the first element
  // With `borrow`, memory that is row-major is used as it is; otherwise it is copied. `release` is called
  // once, when nothing needs the memory any more, also if the call fails; without it, it must outlive the
  // tensor.
  int32_t borrow;
  shlo_release release;   // may be NULL
  void* release_context;  // argument of `release`
} shlo_tensor_desc;
#define SHLO_TENSOR_DESC_INIT SHLO_INIT(shlo_tensor_desc)

// A tensor. Texts and arrays belong to it.
typedef struct shlo_tensor_info {
  size_t struct_size;      // sizeof(shlo_tensor_info), set by the caller
  shlo_str type;           // "tensor<2x3xf32>"; ends with NUL
  shlo_str element;        // "f32"; of a quantized tensor, the storage type; empty for others; ends with NUL
  uint32_t rank;           // number of dimensions
  const int64_t* shape;    // of each dimension
  uint64_t count;          // number of elements
  uint32_t element_bytes;  // bytes of one element
  uint64_t bytes;          // of all elements
  uint32_t member_count;   // members of a tuple
} shlo_tensor_info;
#define SHLO_TENSOR_INFO_INIT SHLO_INIT(shlo_tensor_info)

// Makes a tensor of memory of the caller.
SHLO_API shlo_error* shlo_tensor_create(const shlo_tensor_desc* desc, shlo_tensor** out);
// Parses a constant: "dense<[1, 2]> : tensor<2xi32>".
SHLO_API shlo_error* shlo_tensor_parse(const char* text, shlo_tensor** out);
// Makes a tensor of random elements, the same for the same seed everywhere: floats in [-1, 1), integers in
// [0, 9]. `type` is MLIR text.
SHLO_API shlo_error* shlo_tensor_random(const char* type, uint64_t seed, shlo_tensor** out);
// Views the elements of a constant of a program, which stays in memory as long.
SHLO_API shlo_error* shlo_tensor_of_attr(const shlo_program* program, shlo_attr attr, shlo_tensor** out);
// Adds a reference, and returns the tensor.
SHLO_API shlo_tensor* shlo_tensor_retain(shlo_tensor* tensor);
// Removes a reference; the last one frees the tensor.
SHLO_API void shlo_tensor_release(shlo_tensor* tensor);
// Fills in *out and returns 1, or returns 0 for NULL.
SHLO_API int shlo_tensor_get(const shlo_tensor* tensor, shlo_tensor_info* out);
// Sets *data to all elements, row-major, and *size to their bytes. They belong to the tensor. A tensor of
// equal elements, which is kept as one, is expanded by the first call.
SHLO_API shlo_error* shlo_tensor_data(const shlo_tensor* tensor, const void** data, size_t* size);
// Copies all elements to memory of the caller: `desc` has the element type and shape of the tensor.
SHLO_API shlo_error* shlo_tensor_copy_to(const shlo_tensor* tensor, const shlo_tensor_desc* desc);
// Returns a member of a tuple, which belongs to the tensor; NULL if there is none.
SHLO_API const shlo_tensor* shlo_tensor_member(const shlo_tensor* tensor, uint32_t i);
// Makes a tuple.
SHLO_API shlo_error* shlo_tensor_tuple(const shlo_tensor* const* members, size_t count, shlo_tensor** out);
// Writes "dense<[1, 2]> : tensor<2xi32>", with "..." after `max_elements`; 0: all.
SHLO_API shlo_error* shlo_tensor_text(const shlo_tensor* tensor, uint64_t max_elements, shlo_buffer** out);
// Returns 1 if types and all bits are equal.
SHLO_API int shlo_tensor_equal(const shlo_tensor* a, const shlo_tensor* b);
// Takes a tensor of DLPack in memory of the CPU, which is deleted when nothing needs it any more, also if the
// call fails. Memory that is not row-major is copied.
SHLO_API shlo_error* shlo_tensor_from_dlpack(struct DLManagedTensor* managed, shlo_tensor** out);
// Makes a view of a tensor for DLPack, which the consumer deletes, and must not write to. Fails with
// SHLO_CODE_UNSUPPORTED for elements that DLPack does not have.
SHLO_API shlo_error* shlo_tensor_to_dlpack(const shlo_tensor* tensor, struct DLManagedTensor** out);

// Makes an empty list.
SHLO_API shlo_error* shlo_tensors_create(shlo_tensors** out);
// Adds a tensor, which the list retains. `name` may be NULL.
SHLO_API shlo_error* shlo_tensors_add(shlo_tensors* tensors, const char* name, shlo_tensor* tensor);
// Return the number of tensors, one by index, which belongs to the list, and its name, which ends with NUL.
SHLO_API size_t shlo_tensors_count(const shlo_tensors* tensors);
SHLO_API shlo_tensor* shlo_tensors_at(const shlo_tensors* tensors, size_t i);
SHLO_API shlo_str shlo_tensors_name(const shlo_tensors* tensors, size_t i);
// Frees a list.
SHLO_API void shlo_tensors_free(shlo_tensors* tensors);
// Read a file of tensors: .npz, .safetensors or .npy; the content decides. `program` and `function` say what
// elements of types that NumPy does not have are: array i is for argument i. Both may be NULL. The bytes are
// copied.
SHLO_API shlo_error* shlo_tensors_read(const void* data, size_t size, const shlo_program* program,
                                       const char* function, const shlo_limits* limits, shlo_tensors** out);
SHLO_API shlo_error* shlo_tensors_read_file(const char* path, const shlo_program* program,
                                            const char* function, const shlo_limits* limits,
                                            shlo_tensors** out);
// Formats of files of tensors.
typedef int32_t shlo_tensor_format;
enum {
  SHLO_TENSORS_DEFAULT = 0,     // by the ending of the file's name, otherwise .npz
  SHLO_TENSORS_NPZ = 1,         // as np.savez writes
  SHLO_TENSORS_SAFETENSORS = 2  // .safetensors
};
// Write a file of tensors, into memory or in place when it is complete.
SHLO_API shlo_error* shlo_tensors_write(const shlo_tensors* tensors, shlo_tensor_format format,
                                        shlo_buffer** out);
SHLO_API shlo_error* shlo_tensors_write_file(const shlo_tensors* tensors, const char* path,
                                             shlo_tensor_format format);

// --- Evaluation --------------------------------------------------------------------------------------------

// A custom call that is being evaluated.
typedef struct shlo_custom_call_info {
  size_t struct_size;           // set by the library
  const char* target;           // its name
  const shlo_program* program;  // that is evaluated
  shlo_op op;                   // the op, for its attributes and result types
} shlo_custom_call_info;
// Computes a custom call: sets `result_count` results, which the library takes over, or returns an error,
// which it takes over as well. May be called from any thread.
typedef shlo_error* (*shlo_custom_call_function)(void* context, const shlo_custom_call_info* call,
                                                 const shlo_tensor* const* operands, size_t operand_count,
                                                 shlo_tensor** results, size_t result_count);
// A custom call that the caller implements.
typedef struct shlo_custom_call {
  const char* target;                  // name of the call
  shlo_custom_call_function function;  // computes it
  void* context;                       // argument of `function`
} shlo_custom_call;
// Receives a text that interpreter.print prints, from any thread.
typedef void (*shlo_print)(void* context, const char* data, size_t size);

// The processes of a grid, for a placement. Jobs and grid are opaque: bytes for the same release of
// this library, on any machine.
typedef struct shlo_process_jobs {
  size_t struct_size;    // set by the library
  uint32_t replicas;     // of the grid
  uint32_t partitions;   // per replica
  shlo_str grid;         // for shlo_grid_create
  const shlo_str* jobs;  // one per process, replica by replica, for shlo_run_process
  size_t job_count;      // number of them
} shlo_process_jobs;
// Runs the processes of a grid elsewhere, all at the same time: sets `count` outcomes, the results of
// shlo_run_process for each job, or returns an error. The library takes ownership of the outcomes or the
// error.
typedef shlo_error* (*shlo_placement)(void* context, const shlo_process_jobs* jobs, shlo_buffer** outcomes,
                                      size_t count);

// Options of evaluation.
typedef struct shlo_eval_options {
  size_t struct_size;                    // set by SHLO_EVAL_OPTIONS_INIT
  const char* function;                  // symbol name; NULL: main, or the only one
  int32_t fast;                          // reassociation, FMA contraction, errors of up to 3 ulp
  const shlo_custom_call* custom_calls;  // by target; they take precedence over built-in ones
  size_t custom_call_count;              // number of them
  shlo_print print;                      // receives the output of interpreter.print; NULL: discard it
  void* print_context;                   // argument of `print`
  // Run a grid of processes, each in its own thread: replicas, and partitions of each. Arguments and results
  // are of all processes. 0: 1, or if both are 0 and `functions` is NULL, the program's numbers, if
  // it needs other processes (mhlo.num_replicas, mhlo.num_partitions, or the mesh of its collectives).
  uint32_t replicas;
  uint32_t partitions;
  const char* const* functions;      // of each process; NULL: `function` for all
  const char* const* infeed;         // functions that infeed ops call in turn
  size_t infeed_count;               // number of them
  uint32_t wait_timeout_ms;          // time that a process waits for another one; 0: 10000
  uint32_t platform_index;           // platform of a program that jax exported for several, by position
  shlo_diagnostics** failed_checks;  // receives failed check.expect_* ops; NULL: they are an error
  shlo_buffer** profile;             // receives time and memory per op, as JSON; may be NULL
  const shlo_limits* limits;         // NULL: by the size of the program and its arguments
  // Runs the processes of a grid, or of interpreter.run_parallel, elsewhere; NULL: each is a thread.
  shlo_placement place;
  void* place_context;  // argument of `place`
} shlo_eval_options;
#define SHLO_EVAL_OPTIONS_INIT SHLO_INIT(shlo_eval_options)

// Evaluates a function. Arguments must have the types of its signature; the platform index of jax is left
// out. Results depend neither on the machine nor on the number of threads.
SHLO_API shlo_error* shlo_evaluate(const shlo_program* program, const shlo_tensor* const* args,
                                   size_t arg_count, const shlo_eval_options* options, shlo_tensors** out);
// Evaluates a function and copies its results into the caller's memory: `results` has the element type and
// the shape of each. If they differ from the actual ones, fails with SHLO_CODE_USAGE before it copies
// anything.
SHLO_API shlo_error* shlo_evaluate_into(const shlo_program* program, const shlo_tensor* const* args,
                                        size_t arg_count, const shlo_eval_options* options,
                                        const shlo_tensor_desc* results, size_t result_count);
// Where the processes of a grid meet that a placement runs elsewhere: one for each run, where all of them
// reach it.
typedef struct shlo_grid shlo_grid;
// Makes the grid of a placement.
SHLO_API shlo_error* shlo_grid_create(const void* data, size_t size, shlo_grid** out);
// Answers a request of a process, when the processes that it waits for have come: call it on several threads,
// one for each process. A request that cannot be answered has an answer that says why.
SHLO_API shlo_error* shlo_grid_answer(shlo_grid* grid, const void* request, size_t size,
                                      shlo_buffer** answer);
// Makes all processes that wait fail, because one is lost. May be called on any thread.
SHLO_API void shlo_grid_abandon(shlo_grid* grid);
// Frees a grid, when no thread answers any more.
SHLO_API void shlo_grid_free(shlo_grid* grid);

// Carries a request of a process to shlo_grid_answer, wherever that is, exactly once: sets *answer, which the
// library takes over, or returns an error, which it takes over as well, and of which the process fails.
typedef shlo_error* (*shlo_exchange)(void* context, const void* request, size_t size, shlo_buffer** answer);
// Runs a process of a grid on the calling thread. `program` must equal the evaluated one, op by op. Limits
// and options come with the job; `options` must have all custom calls of the caller of the evaluation, and
// its other members have no effect. The outcome includes failures of the process. Fails only for an invalid
// job; then call shlo_grid_abandon.
SHLO_API shlo_error* shlo_run_process(const shlo_program* program, const void* job, size_t size,
                                      shlo_exchange exchange, void* context, const shlo_eval_options* options,
                                      shlo_buffer** outcome);
// Writes the types of the arguments, or of the results, of a function as MLIR text, one a line; `function`
// NULL: main, or the only one.
SHLO_API shlo_error* shlo_argument_types(const shlo_program* program, const char* function,
                                         shlo_buffer** out);
SHLO_API shlo_error* shlo_result_types(const shlo_program* program, const char* function, shlo_buffer** out);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // SHLO_SHLO_H_
