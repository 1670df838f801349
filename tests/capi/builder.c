/* Building and editing programs. */
#include "check.h"

static shlo_type type_of(shlo_builder* builder, const char* text) {
  shlo_type type = 0;
  OK(shlo_builder_type(builder, text, &type));
  return type;
}

static shlo_attr attr_of(shlo_builder* builder, const char* text) {
  shlo_attr attr = 0;
  OK(shlo_builder_attr(builder, text, &attr));
  return attr;
}

static shlo_op add_op(shlo_builder* builder, const char* name, const shlo_value* operands, size_t count) {
  shlo_op_spec spec = SHLO_OP_SPEC_INIT;
  shlo_op op = 0;
  spec.name = name;
  spec.operands = operands;
  spec.operand_count = count;
  spec.infer_results = 1;
  OK(shlo_builder_op(builder, &spec, &op));
  return op;
}

static int prints(const shlo_program* program, const char* expected) {
  shlo_buffer* buffer = NULL;
  int same;
  OK(shlo_program_write(program, NULL, &buffer));
  same = buffer && strcmp(shlo_buffer_data(buffer), expected) == 0;
  if (!same) fprintf(stderr, "expected:\n%sgot:\n%s", expected, buffer ? shlo_buffer_data(buffer) : "");
  shlo_buffer_free(buffer);
  return same;
}

/* sum(x * 2) over dimension 1 */
static void test_build(void) {
  shlo_builder* builder = NULL;
  shlo_program* program = NULL;
  shlo_op_spec spec = SHLO_OP_SPEC_INIT;
  shlo_type matrix, scalar, vector;
  shlo_op function = 0, op = 0;
  shlo_region region;
  shlo_block body, combiner = 0;
  shlo_value values[2];
  shlo_attr attr = 0;
  const char* name;
  const float two = 2, zero = 0;
  shlo_type scalars[2];
  OK(shlo_builder_create(0, &builder));
  matrix = type_of(builder, "tensor<2x3xf32>");
  vector = type_of(builder, "tensor<2xf32>");
  scalar = type_of(builder, "tensor<f32>");
  scalars[0] = scalars[1] = scalar;
  OK(shlo_builder_function(builder, "main", &matrix, 1, &vector, 1, &function));
  body = shlo_builder_region_block(builder, shlo_builder_region(builder, function, 0), 0);
  values[0] = shlo_builder_block_arg(builder, body, 0);
  CHECK(values[0] && shlo_builder_value_type(builder, values[0]) == matrix);
  OK(shlo_builder_elements(builder, matrix, &two, sizeof two, 1, 0, NULL, NULL, &attr));
  name = "value";
  spec.name = "stablehlo.constant";
  spec.attr_names = &name;
  spec.attrs = &attr;
  spec.attr_count = 1;
  spec.results = &matrix;
  spec.result_count = 1;
  OK(shlo_builder_op(builder, &spec, &op));
  values[1] = shlo_builder_result(builder, op, 0);
  op = add_op(builder, "stablehlo.multiply", values, 2);
  values[0] = shlo_builder_result(builder, op, 0);
  CHECK(shlo_builder_value_type(builder, values[0]) == matrix && shlo_builder_result(builder, op, 1) == 0);
  OK(shlo_builder_elements(builder, scalar, &zero, sizeof zero, 0, 0, NULL, NULL, &attr));
  spec.results = &scalar;
  OK(shlo_builder_op(builder, &spec, &op));
  values[1] = shlo_builder_result(builder, op, 0);
  memset(&spec, 0, sizeof spec);
  spec.struct_size = sizeof spec;
  name = "dimensions";
  attr = attr_of(builder, "array<i64: 1>");
  spec.name = "stablehlo.reduce";
  spec.operands = values;
  spec.operand_count = 2;
  spec.attr_names = &name;
  spec.attrs = &attr;
  spec.attr_count = 1;
  spec.results = &vector;
  spec.result_count = 1;
  spec.region_count = 1;
  spec.location = attr_of(builder, "loc(\"model.py\":3:1)");
  OK(shlo_builder_op(builder, &spec, &op));
  region = shlo_builder_region(builder, op, 0);
  OK(shlo_builder_block(builder, region, scalars, 2, &combiner));
  values[0] = shlo_builder_block_arg(builder, combiner, 0);
  values[1] = shlo_builder_block_arg(builder, combiner, 1);
  values[0] = shlo_builder_result(builder, add_op(builder, "stablehlo.add", values, 2), 0);
  add_op(builder, "stablehlo.return", values, 1);
  OK(shlo_builder_insert_at_end(builder, body));
  values[0] = shlo_builder_result(builder, op, 0);
  /* Not before the function ends. */
  FAILS(shlo_builder_finish(builder, NULL, &program), SHLO_CODE_INVALID_PROGRAM, "terminator");
  CHECK(!program);
  add_op(builder, "func.return", values, 1);
  OK(shlo_builder_finish(builder, NULL, &program));
  CHECK(prints(program,
               "module {\n"
               "  func.func @main(%arg0: tensor<2x3xf32>) -> tensor<2xf32> {\n"
               "    %cst = stablehlo.constant dense<2.000000e+00> : tensor<2x3xf32>\n"
               "    %0 = stablehlo.multiply %arg0, %cst : tensor<2x3xf32>\n"
               "    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>\n"
               "    %1 = stablehlo.reduce(%0 init: %cst_0) applies stablehlo.add across dimensions = [1] : "
               "(tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>\n"
               "    return %1 : tensor<2xf32>\n"
               "  }\n"
               "}\n"));
  shlo_program_release(program);
  shlo_builder_free(builder);
}

static shlo_op op_named(const shlo_program* program, const char* name) {
  shlo_op op;
  for (op = 1; op <= shlo_op_count(program); ++op)
    if (equals(shlo_op_name(program, op), name)) return op;
  return 0;
}

/* The quiet form of equals() for searches. */
static shlo_op find(const shlo_program* program, const char* name) {
  shlo_op op;
  for (op = 1; op <= shlo_op_count(program); ++op) {
    const shlo_str found = shlo_op_name(program, op);
    if (found.size == strlen(name) && memcmp(found.data, name, found.size) == 0) return op;
  }
  return op_named(program, name);
}

static void test_edit(void) {
  shlo_program* program = read_text(kProgram);
  shlo_program* edited = NULL;
  shlo_builder* builder = NULL;
  shlo_op tanh_op = find(program, "stablehlo.tanh"), add = find(program, "stablehlo.add");
  shlo_op call = find(program, "func.call"), compare = find(program, "stablehlo.compare");
  shlo_value input = shlo_op_operands(program, tanh_op, NULL)[0];
  shlo_value sine;
  shlo_op op;
  shlo_buffer* buffer = NULL;
  OK(shlo_builder_copy(program, &builder));
  /* sine before tanh, which then has no use. */
  OK(shlo_builder_insert_before(builder, tanh_op));
  op = add_op(builder, "stablehlo.sine", &input, 1);
  sine = shlo_builder_result(builder, op, 0);
  FAILS(shlo_builder_erase(builder, tanh_op), SHLO_CODE_USAGE, "has a use");
  OK(shlo_builder_replace_uses(builder, shlo_op_result(program, tanh_op, 0), sine));
  OK(shlo_builder_erase(builder, tanh_op));
  FAILS(shlo_builder_erase(builder, tanh_op), SHLO_CODE_USAGE, "there is no op");
  OK(shlo_builder_rename_symbol(builder, "twice", "double"));
  FAILS(shlo_builder_rename_symbol(builder, "twice", "x"), SHLO_CODE_USAGE, "no symbol @twice");
  FAILS(shlo_builder_rename_symbol(builder, "double", "main"), SHLO_CODE_USAGE, "there is a symbol @main");
  OK(shlo_builder_set_attr(builder, compare, "comparison_direction",
                           attr_of(builder, "#stablehlo<comparison_direction GE>")));
  OK(shlo_builder_set_attr(builder, add, "acme.fast", attr_of(builder, "unit")));
  OK(shlo_builder_set_location(builder, add, attr_of(builder, "loc(\"other.py\":1:2)")));
  OK(shlo_builder_set_operand(builder, compare, 0, shlo_op_result(program, call, 0)));
  OK(shlo_builder_move_before(builder, call, op));
  OK(shlo_builder_move_before(builder, call, compare));
  OK(shlo_builder_finish(builder, NULL, &edited));
  OK(shlo_program_write(edited, NULL, &buffer));
  CHECK(strstr(shlo_buffer_data(buffer), "stablehlo.sine") && !strstr(shlo_buffer_data(buffer), "tanh"));
  CHECK(strstr(shlo_buffer_data(buffer), "func.func private @double") &&
        strstr(shlo_buffer_data(buffer), "call @double"));
  CHECK(strstr(shlo_buffer_data(buffer), "compare") && strstr(shlo_buffer_data(buffer), "GE, "));
  CHECK(strstr(shlo_buffer_data(buffer), "acme.fast") != NULL);
  shlo_buffer_free(buffer);
  /* The original is as it was. */
  CHECK(shlo_function_find(program, "twice") && find(program, "stablehlo.tanh") == tanh_op);
  shlo_program_release(edited);
  /* Removing again. */
  OK(shlo_builder_set_attr(builder, add, "acme.fast", 0));
  OK(shlo_builder_set_type(builder, sine, type_of(builder, "tensor<3xf32>")));
  FAILS(shlo_builder_finish(builder, NULL, &edited), SHLO_CODE_CONSTRAINT, "compatible types");
  shlo_builder_free(builder);
  shlo_program_release(program);
}

static int released = 0;
static void count_release(void* context) { *(int*)context += 1; }

static void test_mistakes(void) {
  static const int64_t numbers[2] = {1, 2};
  shlo_builder* builder = NULL;
  shlo_program* program = NULL;
  shlo_op_spec spec = SHLO_OP_SPEC_INIT;
  shlo_attr attr = 0;
  shlo_type type = 0;
  shlo_value one = 1;
  shlo_buffer* buffer = NULL;
  FAILS(shlo_builder_create(36, &builder), SHLO_CODE_UNKNOWN_VERSION, "36");
  OK(shlo_builder_create(40, &builder));
  FAILS(shlo_builder_type(builder, "tensor<", &type), SHLO_CODE_SYNTAX, "");
  FAILS(shlo_builder_attr(builder, "1 2", &attr), SHLO_CODE_SYNTAX, "");
  FAILS(shlo_builder_op(builder, &spec, NULL), SHLO_CODE_USAGE, "'name' is NULL");
  spec.name = "stablehlo.ad";
  FAILS(shlo_builder_op(builder, &spec, NULL), SHLO_CODE_USAGE, "unknown op 'stablehlo.ad'");
  spec.name = "stablehlo.tan";
  FAILS(shlo_builder_op(builder, &spec, NULL), SHLO_CODE_USAGE, "does not exist in version 40");
  spec.name = "acme.any";
  spec.operands = &one;
  spec.operand_count = 1;
  FAILS(shlo_builder_op(builder, &spec, NULL), SHLO_CODE_USAGE, "there is no value 1");
  spec.operand_count = 0;
  spec.infer_results = 1;
  FAILS(shlo_builder_op(builder, &spec, NULL), SHLO_CODE_UNSUPPORTED, "do not follow");
  spec.name = "stablehlo.add";
  FAILS(shlo_builder_op(builder, &spec, NULL), SHLO_CODE_INVALID_PROGRAM, "expected 2 operands");
  OK(shlo_builder_string(builder, "a\0b", 3, &attr));
  OK(shlo_builder_type(builder, "tensor<2xi64>", &type));
  FAILS(shlo_builder_elements(builder, type, numbers, 8, 0, 1, count_release, &released, &attr),
        SHLO_CODE_USAGE, "expected 16 bytes");
  CHECK(released == 1);
  OK(shlo_builder_elements(builder, type, numbers, 16, 0, 1, count_release, &released, &attr));
  CHECK(released == 1);
  OK(shlo_builder_type(builder, "f32", &type));
  FAILS(shlo_builder_elements(builder, type, numbers, 16, 0, 0, NULL, NULL, &attr), SHLO_CODE_USAGE,
        "static tensor type");
  FAILS(shlo_builder_insert_at_end(builder, 9), SHLO_CODE_USAGE, "there is no block 9");
  FAILS(shlo_builder_insert_before(builder, 9), SHLO_CODE_USAGE, "there is no op 9");
  FAILS(shlo_builder_block(builder, 9, NULL, 0, NULL), SHLO_CODE_USAGE, "there is no region 9");
  FAILS(shlo_builder_erase(builder, 1), SHLO_CODE_USAGE, "module cannot be erased");
  OK(shlo_builder_op_attr(builder, "stablehlo.compare", "comparison_direction", "LT", &attr));
  FAILS(shlo_builder_op_attr(builder, "stablehlo.compare", "comparison_direction", "LTT", &attr),
        SHLO_CODE_USAGE, "has no case 'LTT'");
  OK(shlo_builder_op_attr(builder, "stablehlo.dot_general", "precision_config", "[HIGH, DEFAULT]", &attr));
  OK(shlo_builder_op_attr(builder, "acme.any", "x", "1 : i64", &attr));
  FAILS(shlo_builder_op_attr(builder, "acme.any", "x", "LT", &attr), SHLO_CODE_SYNTAX, "");
  FAILS(shlo_builder_type_text(builder, 99999, &buffer), SHLO_CODE_USAGE, "there is no type 99999");
  OK(shlo_builder_type(builder, "tensor<2xf32>", &type));
  OK(shlo_builder_type_text(builder, type, &buffer));
  CHECK(has(buffer, "tensor<2xf32>"));
  OK(shlo_builder_attr(builder, "unit", &attr));
  FAILS(shlo_builder_set_location(builder, 1, attr), SHLO_CODE_USAGE, "is not a location");
  CHECK(!shlo_builder_region(builder, 9, 0) && !shlo_builder_region_block(builder, 9, 0));
  CHECK(!shlo_builder_block_arg(builder, 9, 0) && !shlo_builder_value_type(NULL, 1));
  OK(shlo_builder_finish(builder, NULL, &program));
  CHECK(shlo_program_version(program) == 40);
  shlo_builder_free(builder);
  /* The program may hold the bytes still. */
  shlo_program_release(program);
  CHECK(released == 2);
}

/* The class of an attribute says what its text leaves out. */
static void test_attribute_classes(void) {
  shlo_builder* builder = NULL;
  shlo_attr attr = 0;
  OK(shlo_builder_create(0, &builder));
  OK(shlo_builder_op_attr(builder, "stablehlo.custom_call", "call_target_name", "a \"b\"", &attr));
  CHECK(attr == attr_of(builder, "\"a \\\"b\\\"\""));
  OK(shlo_builder_op_attr(builder, "stablehlo.custom_call", "api_version", "2", &attr));
  CHECK(attr == attr_of(builder, "2 : i32"));
  OK(shlo_builder_op_attr(builder, "stablehlo.custom_call", "backend_config", "x", &attr));
  CHECK(attr == attr_of(builder, "\"x\""));
  OK(shlo_builder_op_attr(builder, "func.call", "callee", "f", &attr));
  CHECK(attr == attr_of(builder, "@f"));
  OK(shlo_builder_op_attr(builder, "func.call", "callee", "@f", &attr));
  CHECK(attr == attr_of(builder, "@f"));
  OK(shlo_builder_op_attr(builder, "stablehlo.batch_norm_training", "epsilon", "1", &attr));
  CHECK(attr == attr_of(builder, "1.0 : f32"));
  shlo_builder_free(builder);
}

/* What an op cannot be made of. Nothing of the program changes. */
static void test_wrong_specs(void) {
  shlo_builder* builder = NULL;
  shlo_program* program = NULL;
  shlo_op_spec spec = SHLO_OP_SPEC_INIT;
  const char* names[2] = {"acme.a", "acme.a"};
  shlo_attr attrs[2];
  shlo_type types[1] = {1000};
  shlo_op op = 7;
  OK(shlo_builder_create(0, &builder));
  attrs[0] = attrs[1] = attr_of(builder, "unit");
  spec.name = "acme.any";
  spec.results = types;
  spec.result_count = 1;
  FAILS_WITH(shlo_builder_op(builder, &spec, &op), SHLO_CODE_USAGE, "there is no type 1000", "");
  CHECK(op == 0);
  types[0] = type_of(builder, "tensor<f32>");
  spec.infer_results = 1;
  FAILS_WITH(shlo_builder_op(builder, &spec, &op), SHLO_CODE_USAGE,
             "result types are stated, and to be inferred", "state the result types");
  spec.result_count = 0;
  spec.region_count = 1;
  FAILS_WITH(shlo_builder_op(builder, &spec, &op), SHLO_CODE_USAGE,
             "result types of an op with regions cannot be inferred", "state the result types");
  spec.infer_results = 0;
  spec.region_count = 0;
  spec.attr_names = names;
  spec.attrs = attrs;
  spec.attr_count = 2;
  FAILS_WITH(shlo_builder_op(builder, &spec, &op), SHLO_CODE_USAGE, "attribute 'acme.a' is stated twice", "");
  names[1] = "";
  FAILS_WITH(shlo_builder_op(builder, &spec, &op), SHLO_CODE_USAGE, "an attribute has no name", "");
  names[1] = NULL;
  FAILS(shlo_builder_op(builder, &spec, &op), SHLO_CODE_USAGE, "'attr_names[i]' is NULL");
  names[1] = "acme.b";
  attrs[1] = 1000;
  FAILS_WITH(shlo_builder_op(builder, &spec, &op), SHLO_CODE_USAGE, "there is no attribute 1000", "");
  spec.attrs = NULL;
  FAILS(shlo_builder_op(builder, &spec, &op), SHLO_CODE_USAGE, "'attrs' is NULL");
  spec.attr_names = NULL;
  FAILS(shlo_builder_op(builder, &spec, &op), SHLO_CODE_USAGE, "'attr_names' is NULL");
  /* An attribute has a slot, or is in a struct that has several. */
  spec.name = "stablehlo.constant";
  spec.attr_names = names;
  spec.attrs = attrs;
  names[0] = names[1] = "value";
  attrs[0] = attrs[1] = attr_of(builder, "dense<1.0> : tensor<f32>");
  FAILS_WITH(shlo_builder_op(builder, &spec, &op), SHLO_CODE_USAGE, "attribute 'value' is stated twice", "");
  spec.name = "stablehlo.dot_general";
  names[0] = "lhs_contracting_dimensions";
  names[1] = "dot_dimension_numbers";
  attrs[0] = attr_of(builder, "array<i64: 1>");
  FAILS_WITH(shlo_builder_op(builder, &spec, &op), SHLO_CODE_USAGE,
             "attribute 'dot_dimension_numbers' is not a #stablehlo.dot", "");
  attrs[1] =
      attr_of(builder, "#stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>");
  FAILS_WITH(shlo_builder_op(builder, &spec, &op), SHLO_CODE_USAGE,
             "attribute 'lhs_contracting_dimensions' is stated twice", "");
  /* Counts without arrays, and names that no op has. */
  memset(&spec, 0, sizeof spec);
  spec.struct_size = sizeof spec;
  spec.name = "acme.any";
  spec.operand_count = 1;
  FAILS(shlo_builder_op(builder, &spec, &op), SHLO_CODE_USAGE, "'operands' is NULL");
  spec.operand_count = 0;
  spec.result_count = 1;
  FAILS(shlo_builder_op(builder, &spec, &op), SHLO_CODE_USAGE, "'results' is NULL");
  spec.result_count = 0;
  spec.successor_count = 1;
  FAILS(shlo_builder_op(builder, &spec, &op), SHLO_CODE_USAGE, "'successors' is NULL");
  spec.successor_count = 0;
  {
    const char* unknown[] = {"vhlo.add_v1", "chlo.any", "func.any", "builtin.any", "any", ".any", "any."};
    size_t i;
    for (i = 0; i < sizeof unknown / sizeof unknown[0]; ++i) {
      spec.name = unknown[i];
      FAILS(shlo_builder_op(builder, &spec, &op), SHLO_CODE_USAGE, "unknown op '");
    }
  }
  FAILS_WITH(shlo_builder_set_attr(builder, 1, "", attr_of(builder, "unit")), SHLO_CODE_USAGE,
             "an attribute has no name", "");
  OK(shlo_builder_finish(builder, NULL, &program));
  CHECK(prints(program, "module {\n}\n"));
  shlo_program_release(program);
  shlo_builder_free(builder);
}

/* The places of ops: order, and what cannot be moved or named. */
static void test_places(void) {
  shlo_program* program = read_text(kAdd);
  shlo_program* edited = NULL;
  shlo_builder* builder = NULL;
  const shlo_op module = shlo_module_op(program), function = shlo_function_find(program, "main");
  const shlo_op add = find(program, "stablehlo.add"), end = find(program, "func.return");
  const shlo_value sum = shlo_op_result(program, add, 0);
  const shlo_value argument = shlo_op_operands(program, add, NULL)[0];
  shlo_op_spec spec = SHLO_OP_SPEC_INIT;
  shlo_op note = 0, sine;
  static const char kNothing[] = "an op cannot be moved into itself, and nothing before the module";
  OK(shlo_builder_copy(program, &builder));
  FAILS_WITH(shlo_builder_insert_before(builder, module), SHLO_CODE_USAGE,
             "nothing can be inserted before the module", "");
  FAILS_WITH(shlo_builder_move_before(builder, function, add), SHLO_CODE_USAGE, kNothing, "");
  FAILS_WITH(shlo_builder_move_before(builder, module, add), SHLO_CODE_USAGE, kNothing, "");
  FAILS_WITH(shlo_builder_move_before(builder, add, module), SHLO_CODE_USAGE, kNothing, "");
  OK(shlo_builder_move_before(builder, add, add));
  FAILS_WITH(shlo_builder_set_operand(builder, add, 2, sum), SHLO_CODE_USAGE, "the op has 2 operands, not 3",
             "");
  FAILS_WITH(shlo_builder_set_operand(builder, module, 0, sum), SHLO_CODE_USAGE,
             "the op has 0 operands, not 1", "");
  FAILS(shlo_builder_set_operand(builder, add, 0, 1000), SHLO_CODE_USAGE, "there is no value 1000");
  FAILS(shlo_builder_set_type(builder, sum, 0), SHLO_CODE_USAGE, "there is no type 0");
  FAILS(shlo_builder_replace_uses(builder, argument, 0), SHLO_CODE_USAGE, "there is no value 0");
  FAILS(shlo_builder_set_attr(builder, add, "acme.x", 1000), SHLO_CODE_USAGE, "there is no attribute 1000");
  FAILS(shlo_builder_set_location(builder, add, 1000), SHLO_CODE_USAGE, "there is no attribute 1000");
  CHECK(shlo_builder_result(builder, add, 0) == sum && !shlo_builder_result(builder, add, 1));
  CHECK(!shlo_builder_result(NULL, add, 0) && !shlo_builder_result(builder, 1000, 0));
  CHECK(!shlo_builder_region(builder, function, 1) && !shlo_builder_region(NULL, function, 0));
  CHECK(!shlo_builder_region_block(NULL, 1, 0) &&
        !shlo_builder_region_block(builder, shlo_builder_region(builder, function, 0), 1));
  CHECK(!shlo_builder_block_arg(NULL, 1, 0) && !shlo_builder_value_type(builder, 1000));
  /* Ops before the insertion point, which an op that goes away, or moves, does not take along. */
  OK(shlo_builder_insert_before(builder, end));
  sine = add_op(builder, "stablehlo.sine", &sum, 1);
  spec.name = "acme.note";
  OK(shlo_builder_insert_before(builder, sine));
  OK(shlo_builder_op(builder, &spec, &note));
  OK(shlo_builder_erase(builder, sine));
  OK(shlo_builder_move_before(builder, note, add));
  spec.name = "acme.last"; /* the end of the block: what it stood before is gone */
  OK(shlo_builder_op(builder, &spec, &note));
  FAILS(shlo_builder_finish(builder, NULL, &edited), SHLO_CODE_INVALID_PROGRAM,
        "'func.return' op must be the last operation in the parent block");
  OK(shlo_builder_move_before(builder, note, end));
  OK(shlo_builder_finish(builder, NULL, &edited));
  CHECK(prints(edited,
               "func.func @main(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {\n"
               "  \"acme.note\"() : () -> ()\n"
               "  %0 = stablehlo.add %arg0, %arg0 : tensor<2x3xf32>\n"
               "  \"acme.last\"() : () -> ()\n"
               "  return %0 : tensor<2x3xf32>\n"
               "}\n"));
  shlo_program_release(edited);
  /* With the function goes its block, and the insertion point to the module. */
  OK(shlo_builder_insert_at_end(
      builder, shlo_builder_region_block(builder, shlo_builder_region(builder, function, 0), 0)));
  OK(shlo_builder_erase(builder, function));
  FAILS(shlo_builder_set_type(builder, argument, shlo_value_type(program, argument)), SHLO_CODE_USAGE,
        "there is no value");
  spec.name = "acme.top";
  OK(shlo_builder_op(builder, &spec, NULL));
  OK(shlo_builder_finish(builder, NULL, &edited));
  CHECK(prints(edited, "\"acme.top\"() : () -> ()\n"));
  shlo_program_release(edited);
  shlo_builder_free(builder);
  shlo_program_release(program);
}

/* An op that branches into another region than its own: nobody could read the program. */
static void test_branches(void) {
  shlo_builder* builder = NULL;
  shlo_program* program = NULL;
  shlo_op_spec spec = SHLO_OP_SPEC_INIT;
  shlo_op outer = 0, inner = 0;
  shlo_block block = 0, nested = 0;
  OK(shlo_builder_create(0, &builder));
  spec.name = "acme.outer";
  spec.region_count = 1;
  OK(shlo_builder_op(builder, &spec, &outer));
  OK(shlo_builder_block(builder, shlo_builder_region(builder, outer, 0), NULL, 0, &block));
  spec.name = "acme.inner";
  OK(shlo_builder_op(builder, &spec, &inner));
  OK(shlo_builder_block(builder, shlo_builder_region(builder, inner, 0), NULL, 0, &nested));
  OK(shlo_builder_insert_at_end(builder, block));
  spec.name = "acme.branch";
  spec.region_count = 0;
  spec.successors = &nested;
  spec.successor_count = 1;
  OK(shlo_builder_op(builder, &spec, NULL));
  FAILS_WITH(shlo_builder_finish(builder, NULL, &program), SHLO_CODE_INVALID_PROGRAM,
             "branching to block of a different region", "");
  OK(shlo_builder_erase(builder, inner));
  FAILS(shlo_builder_finish(builder, NULL, &program), SHLO_CODE_INVALID_PROGRAM, "different region");
  CHECK(!program);
  FAILS(shlo_builder_op(builder, &spec, NULL), SHLO_CODE_USAGE, "there is no block");
  shlo_builder_free(builder);
}

void test_builder(void) {
  test_build();
  test_edit();
  test_mistakes();
  test_attribute_classes();
  test_wrong_specs();
  test_places();
  test_branches();
}
