/* Reading and writing. */
#include "check.h"

static int released = 0;
static void count_release(void* context) { *(int*)context += 1; }

struct pieces {
  size_t bytes;
  int calls, stop_at;
};
static int take_piece(void* context, const void* data, size_t size) {
  struct pieces* pieces = context;
  CHECK(data || !size);
  pieces->bytes += size;
  return ++pieces->calls == pieces->stop_at;
}

static void test_read(void) {
  shlo_read_options options = SHLO_READ_OPTIONS_INIT;
  shlo_program_info info = SHLO_PROGRAM_INFO_INIT;
  shlo_limits limits = SHLO_LIMITS_INIT;
  shlo_diagnostics* warnings = NULL;
  shlo_program *program = NULL, *converted = NULL;
  const char* odd =
      "func.func @main(%arg0: tensor<3xf32>) -> tensor<2xf32> {\n"
      "  %0 = stablehlo.slice %arg0 [0:2] : (tensor<3xf32>) -> tensor<2xf32>\n"
      "  %1 = \"stablehlo.slice\"(%arg0) {start_indices = array<i64: 0>, limit_indices = "
      "array<i64: 2>, strides = array<i64: 1>} : (tensor<3xf32>) -> tensor<3xf32>\n"
      "  return %0 : tensor<2xf32>\n}\n";
  options.borrow = 1;
  options.release = count_release;
  options.release_context = &released;
  options.source_name = "kept.mlir";
  OK(shlo_program_read(kProgram, strlen(kProgram), &options, &program));
  CHECK(released == 0);
  CHECK(shlo_program_get(program, &info));
  CHECK(equals(info.source_name, "kept.mlir") && info.format == SHLO_FORMAT_TEXT);
  CHECK(info.version == shlo_program_version(program) && info.origin == info.version);
  CHECK(info.op_count > 10 && info.constant_bytes == 28 && !info.version_written && info.first_line == 1);
  CHECK(shlo_program_retain(program) == program);
  shlo_program_release(program);
  CHECK(released == 0);
  shlo_program_release(program);
  CHECK(released == 1);
  /* The bytes come back if the call fails, too. */
  FAILS(shlo_program_read("module {", 8, &options, &program), SHLO_CODE_SYNTAX, "");
  CHECK(released == 2);
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;

  /* Violated constraints are errors, or warnings. */
  options.warnings = &warnings;
  FAILS(shlo_program_read(odd, strlen(odd), &options, &program), SHLO_CODE_CONSTRAINT, "inferred type");
  CHECK(!warnings);
  options.lenient = 1;
  OK(shlo_program_read(odd, strlen(odd), &options, &program));
  CHECK(shlo_diagnostics_count(warnings) > 0);
  shlo_diagnostics_free(warnings);
  /* What was accepted once is judged again where it is written for others. */
  FAILS(shlo_convert(program, 62, NULL, &converted, NULL), SHLO_CODE_CONSTRAINT, "inferred type");
  shlo_program_release(program);
  options.lenient = 0;
  /* Without verification, until something needs it. */
  odd =
      "func.func @main(%arg0: tensor<f32>) -> tensor<f32> {\n"
      "  %0 = func.call @none(%arg0) : (tensor<f32>) -> tensor<f32>\n  return %0 : tensor<f32>\n}\n";
  FAILS(shlo_program_read(odd, strlen(odd), &options, &program), SHLO_CODE_INVALID_PROGRAM, "none");
  options.unverified = 1;
  OK(shlo_program_read(odd, strlen(odd), &options, &program));
  FAILS(shlo_convert(program, 62, NULL, &converted, NULL), SHLO_CODE_INVALID_PROGRAM, "none");
  shlo_program_release(program);
  options.unverified = 0;

  options.version = 36;
  FAILS(shlo_program_read(kAdd, strlen(kAdd), &options, &program), SHLO_CODE_UNKNOWN_VERSION, "36");
  options.version = 60;
  OK(shlo_program_read(kAdd, strlen(kAdd), &options, &program));
  CHECK(shlo_program_version(program) == 60);
  shlo_program_release(program);
  options.version = 0;
  FAILS(shlo_program_read("", 0, &options, &program), SHLO_CODE_SYNTAX, "empty");
  options.allow_empty = 1;
  OK(shlo_program_read("", 0, &options, &program));
  shlo_program_release(program);
  limits.max_depth = 5000;
  options.limits = &limits;
  FAILS(shlo_program_read(kAdd, strlen(kAdd), &options, &program), SHLO_CODE_USAGE, "max_depth");
  limits.max_depth = 1;
  FAILS(shlo_program_read(kProgram, strlen(kProgram), &options, &program), SHLO_CODE_LIMIT, "");
  limits.max_depth = 0;
  limits.threads = 4096;
  FAILS(shlo_program_read(kAdd, strlen(kAdd), &options, &program), SHLO_CODE_USAGE, "threads");
  CHECK(!shlo_program_get(NULL, &info) && shlo_program_version(NULL) == 0);
}

static void test_several(void) {
  const char* text = "func.func @a() {\n  return\n}\n// -----\nfunc.func @b() {\n  return\n}\n";
  const char* broken = "func.func @a() {\n  return\n}\n// -----\nfunc.func @b( {\n// -----\nfunc @c\n";
  shlo_programs* programs = NULL;
  shlo_program* program = NULL;
  shlo_program_info info = SHLO_PROGRAM_INFO_INIT;
  FAILS(shlo_program_read(text, strlen(text), NULL, &program), SHLO_CODE_USAGE, "expected 1 program");
  OK(shlo_programs_read(text, strlen(text), NULL, &programs));
  CHECK(shlo_programs_count(programs) == 2 && shlo_programs_format(programs) == SHLO_FORMAT_TEXT);
  CHECK(!shlo_programs_at(programs, 2));
  program = shlo_program_retain(shlo_programs_at(programs, 1));
  shlo_programs_free(programs);
  CHECK(shlo_program_get(program, &info) && info.first_line == 4);
  shlo_program_release(program);
  FAILS(shlo_programs_read(broken, strlen(broken), NULL, &programs), SHLO_CODE_SYNTAX, "");
  CHECK(!programs && shlo_programs_count(NULL) == 0 && shlo_programs_format(NULL) == SHLO_FORMAT_DEFAULT);
  FAILS(shlo_programs_read_file("no/such/file", NULL, &programs), SHLO_CODE_IO, "cannot open");
}

static void test_write(void) {
  shlo_program* program = read_text(kProgram);
  shlo_program* again = NULL;
  shlo_write_options options = SHLO_WRITE_OPTIONS_INIT;
  shlo_programs* programs = NULL;
  shlo_buffer* buffer = NULL;
  struct pieces pieces = {0, 0, 0};
  const shlo_format formats[] = {SHLO_FORMAT_TEXT, SHLO_FORMAT_SHLO, SHLO_FORMAT_MLIRBC};
  const char* paths[] = {"capi_test.mlir", "capi_test.shlo", "capi_test.mlirbc"};
  size_t i;
  OK(shlo_program_write(program, NULL, &buffer));
  CHECK(has(buffer, "stablehlo.compare"));
  options.locations = 1;
  options.generic = 1;
  OK(shlo_program_write(program, &options, &buffer));
  CHECK(has(buffer, "\"stablehlo.compare\"(") && 1);
  OK(shlo_program_write(program, &options, &buffer));
  CHECK(has(buffer, "model.py"));
  options.vhlo = 1;
  OK(shlo_program_write(program, &options, &buffer));
  CHECK(has(buffer, "vhlo.compare_v1"));
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.elide_elements = 2;
  OK(shlo_program_write(program, &options, &buffer));
  CHECK(has(buffer, "__elided__"));
  options.elide_elements = 0;
  for (i = 0; i < 3; ++i) {
    const void* bytes;
    options.format = formats[i];
    OK(shlo_program_write(program, &options, &buffer));
    CHECK(shlo_format_detect(shlo_buffer_data(buffer), shlo_buffer_size(buffer)) == formats[i]);
    CHECK(shlo_is_program(shlo_buffer_data(buffer), shlo_buffer_size(buffer)) == 1);
    CHECK(shlo_is_program("a letter", 8) == 0 && shlo_is_program(NULL, 0) == 0);
    memset(&pieces, 0, sizeof pieces);
    OK(shlo_program_write_to(program, &options, take_piece, &pieces));
    CHECK(pieces.bytes == shlo_buffer_size(buffer) && pieces.calls > 0);
    pieces.calls = 0;
    pieces.stop_at = 1;
    FAILS(shlo_program_write_to(program, &options, take_piece, &pieces), SHLO_CODE_IO, "");
    /* The ending of the name decides. */
    OK(shlo_program_write_file(program, paths[i], NULL));
    OK(shlo_program_read_file(paths[i], NULL, &again));
    shlo_program_release(again);
    OK(shlo_programs_read_file(paths[i], NULL, &programs));
    CHECK(shlo_programs_format(programs) == formats[i]);
    shlo_programs_free(programs);
    remove(paths[i]);
    bytes = shlo_buffer_data(buffer);
    OK(shlo_program_read(bytes, shlo_buffer_size(buffer), NULL, &again));
    shlo_program_release(again);
    shlo_buffer_free(buffer);
  }
  options.strip_debuginfo = 1;
  options.producer = "the test";
  options.format = SHLO_FORMAT_SHLO;
  options.zstd_level = -1;
  OK(shlo_program_write(program, &options, &buffer));
  OK(shlo_program_read(shlo_buffer_data(buffer), shlo_buffer_size(buffer), NULL, &again));
  shlo_buffer_free(buffer);
  shlo_program_release(again);
  options.zstd_level = 20;
  FAILS(shlo_program_write(program, &options, &buffer), SHLO_CODE_USAGE, "zstd_level");
  options.zstd_level = 0;
  options.format = SHLO_FORMAT_SAVED_MODEL;
  FAILS(shlo_program_write(program, &options, &buffer), SHLO_CODE_USAGE, "container");
  options.format = SHLO_FORMAT_MLIRBC;
  for (i = 0; i < 2; ++i) {
    char message[40];
    options.writer = i ? 65536 + 60 : 36;
    sprintf(message, "unknown version %u", (unsigned)options.writer);
    FAILS_WITH(shlo_program_write(program, &options, &buffer), SHLO_CODE_UNKNOWN_VERSION, message, "");
    CHECK(!buffer);
  }
  options.writer = 0;
  options.format = 77;
  FAILS(shlo_program_write(program, &options, &buffer), SHLO_CODE_USAGE, "unknown format 77");
  FAILS(shlo_program_write_file(program, "no/such/folder/x.mlir", NULL), SHLO_CODE_IO, "");
  FAILS(shlo_program_write_file(program, "x.pb", NULL), SHLO_CODE_USAGE, "the ending '.pb' states no format");
  FAILS(shlo_program_write_file(program, "x.y/x", NULL), SHLO_CODE_USAGE, "the name has no ending");
  FAILS(shlo_program_write_to(program, NULL, NULL, NULL), SHLO_CODE_USAGE, "sink");
  FAILS(shlo_container_write("not one", 7, NULL, 0, NULL, &buffer), SHLO_CODE_USAGE, "");
  CHECK(strcmp(shlo_format_name(SHLO_FORMAT_MLIRBC), "mlirbc") == 0);
  CHECK(strcmp(shlo_format_name(0), "") == 0);
  shlo_program_release(program);
}

/* Appends a field of a protobuf message that has bytes. */
static void put(char* message, size_t* size, int number, const char* data, size_t count) {
  size_t rest = count;
  message[(*size)++] = (char)(number << 3 | 2);
  for (; rest > 127; rest >>= 7) message[(*size)++] = (char)(rest | 128);
  message[(*size)++] = (char)rest;
  memcpy(message + *size, data, count);
  *size += count;
}

/* A container keeps the number of its programs: here a SavedModel whose graph has two. */
static void test_container(void) {
  static char attr[4000], entry[4000], node[4000], graph[9000], meta_graph[9000], model[9000];
  shlo_program* program = read_text(kAdd);
  shlo_program* converted = NULL;
  const shlo_program* given[3];
  shlo_write_options options = SHLO_WRITE_OPTIONS_INIT;
  shlo_programs* programs = NULL;
  shlo_buffer* buffer = NULL;
  size_t i, graph_size = 0, size = 0, model_size = 2;
  options.format = SHLO_FORMAT_MLIRBC;
  OK(shlo_program_write(program, &options, &buffer));
  CHECK(shlo_buffer_size(buffer) < 3000);
  for (i = 0; i < 2; ++i) {
    size_t attr_size = 0, entry_size = 0, node_size = 0;
    put(attr, &attr_size, 2, shlo_buffer_data(buffer), shlo_buffer_size(buffer));
    put(entry, &entry_size, 1, "module", 6);
    put(entry, &entry_size, 2, attr, attr_size);
    put(node, &node_size, 1, i ? "second" : "first", i ? 6 : 5);
    put(node, &node_size, 2, "XlaCallModule", 13);
    put(node, &node_size, 5, entry, entry_size);
    put(graph, &graph_size, 1, node, node_size);
  }
  shlo_buffer_free(buffer);
  put(meta_graph, &size, 2, graph, graph_size);
  memcpy(model, "\010\001", 2); /* schema version 1 */
  put(model, &model_size, 2, meta_graph, size);
  OK(shlo_convert(program, 70, NULL, &converted, NULL));
  given[0] = given[1] = given[2] = converted;
  for (i = 1; i <= 3; i += 2) {
    char message[60];
    sprintf(message, "the container has 2 programs, got %d", (int)i);
    FAILS_WITH(shlo_container_write(model, model_size, given, i, NULL, &buffer), SHLO_CODE_USAGE, message,
               "pass as many programs as shlo_programs_read returned");
    CHECK(!buffer);
  }
  FAILS(shlo_container_write(model, model_size, NULL, 2, NULL, &buffer), SHLO_CODE_USAGE, "'programs' is NULL");
  OK(shlo_container_write(model, model_size, given, 2, NULL, &buffer));
  OK(shlo_programs_read(shlo_buffer_data(buffer), shlo_buffer_size(buffer), NULL, &programs));
  shlo_buffer_free(buffer);
  CHECK(shlo_programs_format(programs) == SHLO_FORMAT_SAVED_MODEL && shlo_programs_count(programs) == 2);
  CHECK(shlo_program_version(shlo_programs_at(programs, 1)) == 70);
  shlo_programs_free(programs);
  /* No programs: those that it has. */
  OK(shlo_container_write(model, model_size, NULL, 0, NULL, &buffer));
  CHECK(shlo_buffer_size(buffer) == model_size &&
        memcmp(shlo_buffer_data(buffer), model, model_size) == 0);
  shlo_buffer_free(buffer);
  shlo_program_release(converted);
  shlo_program_release(program);
}

/* A .shlo file can hold every byte, also those of no text. */
static void test_op_text(void) {
  shlo_program* program = read_text(kAdd);
  shlo_buffer* buffer = NULL;
  shlo_op op;
  int found = 0;
  for (op = 1; op <= shlo_op_count(program); ++op) {
    OK(shlo_op_text(program, op, 200, &buffer));
    if (strcmp(shlo_buffer_data(buffer), "%0 = stablehlo.add %arg0, %arg0 : tensor<2x3xf32>") == 0) ++found;
    shlo_buffer_free(buffer);
  }
  CHECK(found == 1);
  FAILS(shlo_op_text(program, 0, 200, &buffer), SHLO_CODE_USAGE, "there is no op 0");
  shlo_program_release(program);
}

void test_programs(void) {
  test_read();
  test_several();
  test_write();
  test_container();
  test_op_text();
}
