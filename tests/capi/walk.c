/* Walking a program: ops, values, attributes, types, constants, locations. */
#include "check.h"

static shlo_op find_op(const shlo_program* program, const char* name) {
  shlo_op op;
  for (op = 1; op <= shlo_op_count(program); ++op) {
    const shlo_str found = shlo_op_name(program, op);
    if (found.size == strlen(name) && memcmp(found.data, name, found.size) == 0) return op;
  }
  return 0;
}

static void test_ops(const shlo_program* program) {
  const shlo_op main_op = shlo_function_find(program, "main");
  const shlo_op reduce = find_op(program, "stablehlo.reduce");
  const shlo_op module = shlo_module_op(program);
  shlo_place place = SHLO_PLACE_INIT;
  const shlo_use* uses = NULL;
  size_t count = 0, blocks = 0, i;
  const shlo_region* regions;
  const shlo_block* body;
  const shlo_op* ops;
  const shlo_value* operands;
  shlo_value value;
  CHECK(equals(shlo_op_name(program, module), "builtin.module") && shlo_op_block(program, module) == 0);
  CHECK(equals(shlo_op_symbol(program, module), "m"));
  CHECK(shlo_function_count(program) == 2 && shlo_function_at(program, 1) == main_op);
  CHECK(shlo_function_at(program, 2) == 0 && shlo_function_find(program, "none") == 0);
  CHECK(equals(shlo_op_symbol(program, main_op), "main"));
  CHECK(shlo_op_parent(program, main_op) == module);
  regions = shlo_op_regions(program, main_op, &count);
  CHECK(count == 1 && shlo_region_op(program, regions[0]) == main_op);
  body = shlo_region_blocks(program, regions[0], &blocks);
  CHECK(blocks == 1 && shlo_block_region(program, body[0]) == regions[0]);
  CHECK(shlo_block_arg_count(program, body[0]) == 1);
  value = shlo_block_arg(program, body[0], 0);
  CHECK(shlo_value_block(program, value) == body[0] && shlo_value_op(program, value) == 0);
  CHECK(equals(shlo_value_name(program, value), "arg0") && equals(shlo_value_name(program, 0), ""));
  OK(shlo_value_uses(program, value, &uses, &count));
  CHECK(count == 1 && uses[0].operand == 0);
  CHECK(equals(shlo_op_name(program, uses[0].op), "func.call"));
  ops = shlo_block_ops(program, body[0], &count);
  CHECK(count == 7 && shlo_op_block(program, ops[0]) == body[0]);
  for (i = 0; i < count; ++i) CHECK(shlo_op_parent(program, ops[i]) == main_op);
  CHECK(equals(shlo_op_name(program, ops[6]), "func.return"));
  operands = shlo_op_operands(program, ops[6], &count);
  CHECK(count == 2 && equals(shlo_op_name(program, shlo_value_op(program, operands[0])), "stablehlo.tanh"));
  CHECK(shlo_op_result_count(program, reduce) == 1 && shlo_value_index(program, operands[1]) == 0);
  CHECK(shlo_op_result(program, reduce, 0) != 0 && shlo_op_result(program, reduce, 1) == 0);
  CHECK(equals(shlo_op_vhlo_name(program, reduce), "vhlo.reduce_v1"));
  CHECK(!shlo_op_successors(program, ops[6], &count) && count == 0);
  /* The place in the text; that of the location, once the text is gone. */
  CHECK(shlo_op_place(program, ops[1], &place) && place.line == 9 && place.column == 10);
  CHECK(equals(place.function, "main"));
  CHECK(shlo_location_place(program, shlo_op_location(program, find_op(program, "stablehlo.add")), &place));
  CHECK(equals(place.file, "model.py") && place.line == 7 && place.column == 3);
  CHECK(!shlo_location_place(program, 0, &place));
  /* Numbers that do not exist. */
  CHECK(shlo_op_name(program, 100000).size == 0 && shlo_op_name(NULL, 1).size == 0);
  CHECK(shlo_op_parent(program, module) == 0 && !shlo_op_operands(program, 0, &count) && count == 0);
  CHECK(shlo_value_type(program, 100000) == 0 && shlo_block_arg(program, 100000, 0) == 0);
  CHECK(!shlo_block_ops(program, 100000, &count) && !shlo_region_blocks(program, 100000, NULL));
  OK(shlo_value_uses(program, 100000, &uses, &count));
  CHECK(!uses && count == 0);
  CHECK(shlo_value_count(program) > 0 && shlo_block_count(program) == 4 && shlo_region_count(program) == 4);
}

static void test_types(const shlo_program* program) {
  const shlo_op compare = find_op(program, "stablehlo.compare");
  const shlo_type type = shlo_value_type(program, shlo_op_result(program, compare, 0));
  shlo_type_info info = SHLO_TYPE_INFO_INIT;
  shlo_field field = SHLO_FIELD_INIT;
  shlo_buffer* buffer = NULL;
  shlo_str kind;
  OK(shlo_type_text(program, type, &buffer));
  CHECK(strcmp(shlo_buffer_data(buffer), "tensor<2x3xi1>") == 0);
  shlo_buffer_free(buffer);
  kind = shlo_type_kind(program, type);
  CHECK(equals(kind, "tensor") && strlen(kind.data) == kind.size);
  CHECK(shlo_type_get(program, type, &info));
  CHECK(info.shaped && info.ranked && info.rank == 2 && info.shape[0] == 2 && info.shape[1] == 3);
  CHECK(equals(info.element_kind, "i1") && info.element_bits == 1 && info.element_bytes == 1);
  CHECK(!info.bounds && !info.encoding);
  CHECK(shlo_type_get(program, info.element, &info) && !info.shaped && equals(info.element_kind, "i1"));
  CHECK(!shlo_type_get(program, 0, &info) && !shlo_type_get(program, shlo_type_count(program) + 1, &info));
  CHECK(shlo_type_field_count(program, type) == 3);
  CHECK(shlo_type_field(program, type, 2, &field));
  CHECK(equals(field.name, "shape") && field.kind == SHLO_FIELD_INTS && field.count == 2);
  CHECK(shlo_field_int(&field, 1) == 3 && shlo_field_int(&field, 2) == 0 && shlo_field_float(&field, 0) == 0);
  CHECK(shlo_type_field(program, type, 0, &field) && shlo_field_id(&field, 0) != 0);
  CHECK(!shlo_type_field(program, type, 3, &field));
  FAILS(shlo_type_text(program, 0, &buffer), SHLO_CODE_USAGE, "there is no type 0");
  OK(shlo_argument_types(program, NULL, &buffer));
  CHECK(has(buffer, "tensor<2x3xf32>\n"));
  OK(shlo_result_types(program, "main", &buffer));
  CHECK(has(buffer, "tensor<2xf32>\ntensor<2x3xi1>\n"));
  FAILS(shlo_result_types(program, "none", &buffer), SHLO_CODE_USAGE, "@none");
}

static void test_attributes(const shlo_program* program) {
  const shlo_op compare = find_op(program, "stablehlo.compare");
  const shlo_op tanh_op = find_op(program, "stablehlo.tanh");
  const shlo_op main_op = shlo_function_find(program, "main");
  const shlo_attr note = shlo_op_attr(program, shlo_module_op(program), "acme.note");
  shlo_named_attr named;
  shlo_field field = SHLO_FIELD_INIT;
  shlo_buffer* buffer = NULL;
  shlo_str text;
  shlo_attr attr;
  shlo_type type = 0;
  int64_t integer = 0;
  double number = 0;
  int boolean = 0;
  CHECK(shlo_op_attr_count(program, compare) >= 1 && shlo_op_attr_at(program, compare, 0, &named));
  CHECK(equals(named.name, "comparison_direction") && named.inherent);
  CHECK(shlo_attr_enum(program, named.value, &text) && equals(text, "LT"));
  CHECK(equals(shlo_attr_kind(program, named.value), "comparison_direction"));
  CHECK(!shlo_op_attr_at(program, compare, 50, &named));
  CHECK(note && shlo_attr_array_count(program, note) == 4);
  attr = shlo_attr_array_at(program, note, 0);
  CHECK(shlo_attr_int(program, attr, &integer) && integer == 1);
  CHECK(shlo_attr_type(program, attr) != 0 && !shlo_attr_bool(program, attr, &boolean));
  attr = shlo_attr_array_at(program, note, 1);
  CHECK(shlo_attr_string(program, attr, &text) && equals(text, "two"));
  CHECK(!shlo_attr_symbol(program, attr, &text));
  CHECK(equals(shlo_attr_kind(program, shlo_attr_array_at(program, note, 2)), "unit"));
  attr = shlo_attr_array_at(program, note, 3);
  CHECK(shlo_attr_dict_count(program, attr) == 1 && shlo_attr_dict_at(program, attr, 0, &named));
  CHECK(equals(named.name, "three") && shlo_attr_float(program, named.value, &number) && number == 3.5);
  CHECK(!shlo_attr_dict_at(program, attr, 1, &named) && shlo_attr_array_at(program, note, 4) == 0);
  CHECK(shlo_attr_field_count(program, attr) == 1 && shlo_attr_field(program, attr, 0, &field));
  CHECK(field.kind == SHLO_FIELD_NAMED && field.count == 1);
  CHECK(equals(shlo_field_named(program, &field, 0).name, "three"));
  CHECK(shlo_field_named(program, &field, 1).value == 0 && shlo_field_string(program, &field, 0).size == 0);
  attr = shlo_attr_array_at(program, note, 1);
  CHECK(shlo_attr_field(program, attr, 0, &field) && equals(shlo_field_string(program, &field, 0), "two"));
  attr = shlo_op_attr(program, tanh_op, "result_accuracy");
  OK(shlo_attr_text(program, attr, &buffer));
  CHECK(has(buffer, "result_accuracy_mode<HIGHEST>"));
  attr = shlo_op_attr(program, main_op, "function_type");
  CHECK(shlo_attr_type_value(program, attr, &type) && equals(shlo_type_kind(program, type), "function"));
  attr = shlo_op_attr(program, find_op(program, "func.call"), "callee");
  CHECK(shlo_attr_symbol(program, attr, &text) && equals(text, "twice"));
  CHECK(shlo_op_attr_group(program, compare, 0).size == 0 && shlo_op_attr_group(program, 0, 0).size == 0);
  FAILS(shlo_op_attr_group_text(program, compare, 0, &buffer), SHLO_CODE_USAGE, "has no group 0");
  CHECK(shlo_op_attr(program, compare, "none") == 0 && shlo_op_attr(program, 0, "none") == 0);
  CHECK(!shlo_attr_int(program, 0, &integer) &&
        !shlo_attr_enum(program, shlo_attr_count(program) + 1, &text));
  FAILS(shlo_attr_text(program, 0, &buffer), SHLO_CODE_USAGE, "there is no attribute 0");
}

static void test_constants(const shlo_program* program) {
  const shlo_attr value = shlo_op_attr(program, find_op(program, "stablehlo.constant"), "value");
  const shlo_attr dimensions = shlo_op_attr(program, find_op(program, "stablehlo.reduce"), "dimensions");
  shlo_elements elements = SHLO_ELEMENTS_INIT;
  OK(shlo_attr_elements(program, value, &elements));
  CHECK(equals(elements.element_kind, "f32") && elements.rank == 2 && elements.shape[1] == 3);
  CHECK(elements.count == 6 && elements.size == 24 && !elements.splat);
  CHECK(((const float*)elements.data)[5] == 6.0f);
  OK(shlo_attr_elements(program, dimensions, &elements));
  CHECK(elements.count == 1 && elements.type == 0 && !elements.shape);
  CHECK(equals(elements.element_kind, "i64") && *(const int64_t*)elements.data == 1);
  FAILS(shlo_attr_elements(program, shlo_op_attr(program, shlo_module_op(program), "acme.note"), &elements),
        SHLO_CODE_UNSUPPORTED, "has no bytes");
}

static void test_groups(void) {
  const char* text =
      "func.func @main(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {\n"
      "  %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] :\n"
      "      (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>\n"
      "  return %0 : tensor<2x2xf32>\n}\n";
  shlo_program* program = read_text(text);
  const shlo_op dot = find_op(program, "stablehlo.dot_general");
  shlo_buffer* buffer = NULL;
  CHECK(equals(shlo_op_attr_group(program, dot, 0), "dot_dimension_numbers"));
  CHECK(shlo_op_attr_group(program, dot, 1).size == 0 &&
        !shlo_op_attr(program, dot, "dot_dimension_numbers"));
  OK(shlo_op_attr_group_text(program, dot, 0, &buffer));
  CHECK(has(buffer, "#stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>"));
  shlo_program_release(program);
}

/* Nothing checks a program that is read unverified: a resource may have fewer bytes than its type needs. */
static void test_short_constant(void) {
  const char* text =
      "func.func @main() -> tensor<4xf32> {\n"
      "  %0 = stablehlo.constant dense_resource<r> : tensor<4xf32>\n"
      "  return %0 : tensor<4xf32>\n}\n"
      "{-#\n  dialect_resources: {\n    builtin: {\n      r: \"0x040000000000803F\"\n    }\n  }\n#-}\n";
  shlo_read_options options = SHLO_READ_OPTIONS_INIT;
  shlo_elements elements = SHLO_ELEMENTS_INIT;
  shlo_program* program = NULL;
  shlo_op op = 0;
  options.unverified = 1;
  OK(shlo_program_read(text, strlen(text), &options, &program));
  for (op = 1; op < 20 && !shlo_op_attr(program, op, "value"); ++op) continue;
  FAILS(shlo_attr_elements(program, shlo_op_attr(program, op, "value"), &elements), SHLO_CODE_INVALID_PROGRAM,
        "the constant has 4 bytes, and its type needs 4 elements of 4 bytes");
  shlo_program_release(program);
}

/* The first place in a location, whatever is around it. */
static void test_locations(void) {
  static const struct {
    const char* text;
    const char* file; /* NULL: there is none */
    uint32_t line, column;
  } rows[] = {{"\"a.py\":1:2", "a.py", 1, 2},
              {"\"a.py\":3:4 to 5:6", "a.py", 3, 4},
              {"\"name\"(\"b.py\":5:6)", "b.py", 5, 6},
              {"\"name\"", NULL, 0, 0},
              {"unknown", NULL, 0, 0},
              {"callsite(\"f\"(\"c.py\":7:8) at \"d.py\":9:10)", "c.py", 7, 8},
              {"fused[\"name\", unknown, \"e.py\":11:12, \"f.py\":1:1]", "e.py", 11, 12},
              {"fused[\"name\", callsite(unknown at \"g.py\":1:1)]", NULL, 0, 0}};
  char text[1000];
  size_t i;
  for (i = 0; i < sizeof rows / sizeof rows[0] + 2; ++i) {
    const size_t count = sizeof rows / sizeof rows[0];
    shlo_place place = SHLO_PLACE_INIT;
    shlo_program* program;
    shlo_attr location;
    int found;
    strcpy(text, "func.func @main() {\n  return loc(");
    if (i < count) {
      strcat(text, rows[i].text);
    } else { /* names within names, to the most that are followed, and one more */
      const size_t depth = i == count ? 32 : 33;
      size_t k;
      for (k = 0; k < depth; ++k) strcat(text, "\"n\"(");
      strcat(text, "\"deep.py\":1:2");
      for (k = 0; k < depth; ++k) strcat(text, ")");
    }
    strcat(text, ")\n}\n");
    program = read_text(text);
    location = shlo_op_location(program, find_op(program, "func.return"));
    found = shlo_location_place(program, location, &place);
    if (i >= count) {
      CHECK(found == (i == count));
    } else if (rows[i].file) {
      CHECK(found && equals(place.file, rows[i].file));
      CHECK(place.line == rows[i].line && place.column == rows[i].column);
    } else {
      CHECK(!found);
    }
    CHECK(!shlo_location_place(program, location, NULL) && !shlo_location_place(NULL, location, &place));
    CHECK(!shlo_location_place(program, shlo_attr_count(program) + 1, &place));
    shlo_program_release(program);
  }
}

/* Modules within the module, and several blocks. */
static void test_nested(void) {
  shlo_program* program = read_text(
      "module {\n"
      "  func.func private @a() {\n    \"cf.br\"()[^end] : () -> ()\n  ^end:\n    return\n  }\n"
      "  module @inner {\n    func.func private @b() {\n      return\n    }\n  }\n"
      "  \"acme.region\"() ({\n    \"acme.end\"() : () -> ()\n  }) : () -> ()\n"
      "  func.func private @c() {\n    return\n  }\n}\n");
  static const char* const kNames[] = {"a", "b", "c"};
  const shlo_op branch = find_op(program, "cf.br");
  const shlo_block *successors, *blocks;
  size_t count = 0;
  uint32_t i;
  CHECK(shlo_function_count(program) == 3);
  for (i = 0; i < 3; ++i) {
    const shlo_op function = shlo_function_at(program, i);
    CHECK(equals(shlo_op_symbol(program, function), kNames[i]));
    CHECK(shlo_function_find(program, kNames[i]) == function);
  }
  CHECK(equals(shlo_op_symbol(program, shlo_op_parent(program, shlo_function_find(program, "b"))), "inner"));
  successors = shlo_op_successors(program, branch, &count);
  CHECK(successors && count == 1);
  blocks = shlo_region_blocks(program, shlo_block_region(program, shlo_op_block(program, branch)), &count);
  CHECK(count == 2 && blocks[1] == successors[0] && blocks[0] == shlo_op_block(program, branch));
  CHECK(shlo_op_vhlo_name(program, find_op(program, "acme.end")).size == 0);
  CHECK(shlo_op_symbol(program, branch).size == 0);
  shlo_program_release(program);
}

/* Nothing is of no program, and numbers that do not exist have nothing. */
static void test_nothing(void) {
  shlo_program* program = read_text(kAdd);
  const shlo_program* const programs[2] = {NULL, program};
  shlo_place place = SHLO_PLACE_INIT;
  shlo_named_attr named;
  const shlo_use* uses = NULL;
  size_t i, count;
  for (i = 0; i < 2; ++i) {
    const shlo_program* const p = programs[i];
    const uint32_t no = 100000;
    CHECK(!shlo_op_name(p, no).data && !shlo_op_vhlo_name(p, no).data && !shlo_op_symbol(p, no).data);
    CHECK(!shlo_op_block(p, no) && !shlo_op_parent(p, no) && !shlo_op_location(p, no));
    count = 7;
    CHECK(!shlo_op_operands(p, no, &count) && count == 0 && !shlo_op_operands(p, no, NULL));
    CHECK(!shlo_op_regions(p, no, NULL) && !shlo_op_successors(p, no, NULL));
    CHECK(!shlo_block_ops(p, no, NULL) && !shlo_region_blocks(p, no, NULL));
    CHECK(!shlo_op_result_count(p, no) && !shlo_op_result(p, no, 0));
    CHECK(!shlo_block_arg_count(p, no) && !shlo_block_arg(p, no, 0) && !shlo_block_region(p, no));
    CHECK(!shlo_region_op(p, no) && !shlo_value_type(p, no) && !shlo_value_op(p, no));
    CHECK(!shlo_value_block(p, no) && !shlo_value_index(p, no));
    CHECK(!shlo_op_attr_count(p, no) && !shlo_op_attr_at(p, no, 0, &named) && !shlo_op_attr(p, no, "x"));
    CHECK(!shlo_op_place(p, no, &place) && !shlo_function_at(p, no));
  }
  CHECK(!shlo_function_find(program, NULL) && !shlo_function_find(NULL, "main"));
  CHECK(!shlo_op_attr(program, shlo_function_find(program, "main"), NULL));
  CHECK(!shlo_op_attr_at(program, shlo_function_find(program, "main"), 0, NULL));
  CHECK(!shlo_value_count(NULL) && !shlo_block_count(NULL) && !shlo_region_count(NULL));
  CHECK(!shlo_type_count(NULL) && !shlo_attr_count(NULL));
  count = 7;
  FAILS(shlo_value_uses(NULL, 1, &uses, &count), SHLO_CODE_USAGE, "argument 'program' is NULL");
  FAILS(shlo_value_uses(program, 1, NULL, &count), SHLO_CODE_USAGE, "argument 'uses' is NULL");
  FAILS(shlo_value_uses(program, 1, &uses, NULL), SHLO_CODE_USAGE, "argument 'count' is NULL");
  shlo_program_release(program);
}

void test_walk(void) {
  shlo_program* program = read_text(kProgram);
  shlo_program* artifact = NULL;
  shlo_buffer* buffer = NULL;
  shlo_write_options options = SHLO_WRITE_OPTIONS_INIT;
  shlo_place place = SHLO_PLACE_INIT;
  test_groups();
  test_short_constant();
  test_locations();
  test_nested();
  test_nothing();
  test_ops(program);
  test_types(program);
  test_attributes(program);
  test_constants(program);
  options.format = SHLO_FORMAT_MLIRBC;
  OK(shlo_program_write(program, &options, &buffer));
  OK(shlo_program_read(shlo_buffer_data(buffer), shlo_buffer_size(buffer), NULL, &artifact));
  shlo_buffer_free(buffer);
  CHECK(shlo_op_place(artifact, find_op(artifact, "stablehlo.add"), &place));
  CHECK(equals(place.file, "model.py") && place.line == 7);
  CHECK(!shlo_op_place(artifact, shlo_module_op(artifact), &place));
  shlo_program_release(artifact);
  shlo_program_release(program);
  CHECK(shlo_op_count(NULL) == 0 && shlo_function_count(NULL) == 0 && shlo_module_op(NULL) == 0);
}
