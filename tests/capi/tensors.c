/* Tensors in memory, of DLPack, and in files. */
#include <dlpack/dlpack.h>

#include "check.h"

static int released = 0;
static void count_release(void* context) { *(int*)context += 1; }

static shlo_tensor* make(const char* element, uint32_t rank, const int64_t* shape, void* data) {
  shlo_tensor_desc desc = SHLO_TENSOR_DESC_INIT;
  shlo_tensor* tensor = NULL;
  desc.element = element;
  desc.rank = rank;
  desc.shape = shape;
  desc.data = data;
  OK(shlo_tensor_create(&desc, &tensor));
  return tensor;
}

static int prints(const shlo_tensor* tensor, const char* expected) {
  shlo_buffer* buffer = NULL;
  int same;
  OK(shlo_tensor_text(tensor, 0, &buffer));
  same = strcmp(shlo_buffer_data(buffer), expected) == 0;
  if (!same) fprintf(stderr, "expected %s, got %s\n", expected, shlo_buffer_data(buffer));
  shlo_buffer_free(buffer);
  return same;
}

static void test_memory(void) {
  int32_t numbers[6] = {1, 2, 3, 4, 5, 6};
  uint8_t bytes[4] = {0, 1, 7, 255};
  const int64_t shape[2] = {2, 3}, transposed[2] = {1, 2}, four[1] = {4}, wrong[1] = {-1};
  shlo_tensor_desc desc = SHLO_TENSOR_DESC_INIT;
  shlo_tensor_info info = SHLO_TENSOR_INFO_INIT;
  shlo_tensor* tensor = make("i32", 2, shape, numbers);
  shlo_tensor* other = NULL;
  const void* data = NULL;
  size_t size = 0;
  CHECK(prints(tensor, "dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>"));
  CHECK(shlo_tensor_get(tensor, &info) && equals(info.type, "tensor<2x3xi32>") &&
        equals(info.element, "i32"));
  CHECK(info.rank == 2 && info.shape[1] == 3 && info.count == 6 && info.bytes == 24 &&
        info.element_bytes == 4);
  OK(shlo_tensor_data(tensor, &data, &size));
  CHECK(data != numbers && size == 24 && memcmp(data, numbers, 24) == 0);
  /* Column by column, borrowed or not: it has to be copied, and is given back at once. */
  desc.element = "i32";
  desc.rank = 2;
  desc.shape = shape;
  desc.strides = transposed;
  desc.data = numbers;
  desc.borrow = 1;
  desc.release = count_release;
  desc.release_context = &released;
  OK(shlo_tensor_create(&desc, &other));
  CHECK(released == 1);
  CHECK(prints(other, "dense<[[1, 3, 5], [2, 4, 6]]> : tensor<2x3xi32>"));
  CHECK(!shlo_tensor_equal(tensor, other) && shlo_tensor_equal(tensor, tensor));
  shlo_tensor_release(other);
  desc.strides = NULL;
  OK(shlo_tensor_create(&desc, &other));
  OK(shlo_tensor_data(other, &data, NULL));
  CHECK(data == numbers && released == 1 && shlo_tensor_equal(tensor, other));
  CHECK(shlo_tensor_retain(other) == other);
  shlo_tensor_release(other);
  CHECK(released == 1);
  shlo_tensor_release(other);
  CHECK(released == 2);
  desc.shape = wrong;
  desc.rank = 1;
  FAILS(shlo_tensor_create(&desc, &other), SHLO_CODE_USAGE, "there is no tensor of [-1]");
  CHECK(released == 3 && !other);
  desc.element = "f77";
  FAILS(shlo_tensor_create(&desc, &other), SHLO_CODE_SYNTAX, "");
  desc.element = "tensor<f32>";
  FAILS_WITH(shlo_tensor_create(&desc, &other), SHLO_CODE_USAGE,
             "'tensor<f32>' is not the element type of a value", "");
  CHECK(released == 5 && !other);
  shlo_tensor_release(tensor);
  /* Booleans are 0 or 1, and narrow elements have no more bits than their type. */
  tensor = make("i1", 1, four, bytes);
  CHECK(prints(tensor, "dense<[false, true, true, true]> : tensor<4xi1>"));
  shlo_tensor_release(tensor);
  tensor = make("ui4", 1, four, bytes);
  CHECK(prints(tensor, "dense<[0, 1, 7, 15]> : tensor<4xui4>"));
  shlo_tensor_release(tensor);
  tensor = make("complex<f32>", 0, NULL, numbers);
  CHECK(shlo_tensor_get(tensor, &info) && equals(info.element, "complex<f32>") && info.bytes == 8);
  shlo_tensor_release(tensor);
  memset(&desc, 0, sizeof desc);
  desc.struct_size = sizeof desc;
  desc.type = "tensor<4x!quant.uniform<u8:f32, 0.5:3>>";
  desc.data = bytes;
  OK(shlo_tensor_create(&desc, &tensor));
  CHECK(shlo_tensor_get(tensor, &info) && equals(info.element, "ui8"));
  shlo_tensor_release(tensor);
  desc.type = "tensor<?xf32>";
  FAILS(shlo_tensor_create(&desc, &tensor), SHLO_CODE_USAGE, "not the type of a value");
}

static void test_values(void) {
  float out[4] = {0, 0, 0, 0};
  const int64_t shape[1] = {2}, apart[1] = {2};
  shlo_tensor_desc desc = SHLO_TENSOR_DESC_INIT;
  shlo_tensor_info info = SHLO_TENSOR_INFO_INIT;
  const shlo_tensor* members[2];
  shlo_tensor *tensor = NULL, *same = NULL, *tuple = NULL;
  shlo_tensors* tensors = NULL;
  shlo_buffer* buffer = NULL;
  FILE* file;
  shlo_program* program = read_text(kProgram);
  const void* data = NULL;
  size_t size = 0;
  shlo_op op;
  OK(shlo_tensor_parse("dense<1.5> : tensor<2xf32>", &tensor));
  OK(shlo_tensor_data(tensor, &data, &size)); /* one element is kept, two are there */
  CHECK(size == 8 && ((const float*)data)[1] == 1.5f);
  desc.element = "f32";
  desc.rank = 1;
  desc.shape = shape;
  desc.strides = apart;
  desc.data = out;
  OK(shlo_tensor_copy_to(tensor, &desc));
  CHECK(out[0] == 1.5f && out[1] == 0 && out[2] == 1.5f);
  desc.element = "f64";
  FAILS(shlo_tensor_copy_to(tensor, &desc), SHLO_CODE_USAGE, "expected memory for tensor<2xf32>");
  FAILS(shlo_tensor_parse("[dense<1> : tensor<i32>, dense<2> : tensor<i32>]", &same), SHLO_CODE_SYNTAX,
        "one");
  OK(shlo_tensor_random("tensor<1000xf32>", 3, &same));
  shlo_tensor_release(same);
  members[0] = tensor;
  members[1] = tensor;
  OK(shlo_tensor_tuple(members, 2, &tuple));
  CHECK(shlo_tensor_get(tuple, &info) && info.member_count == 2 && info.element.size == 0);
  CHECK(shlo_tensor_equal(shlo_tensor_member(tuple, 1), tensor) && !shlo_tensor_member(tuple, 2));
  FAILS(shlo_tensor_data(tuple, &data, &size), SHLO_CODE_USAGE, "token or tuple");
  /* Files hold tensors only, and none is left that has a part of them. */
  OK(shlo_tensors_create(&tensors));
  OK(shlo_tensors_add(tensors, "a", tensor));
  OK(shlo_tensors_add(tensors, "b", tuple));
  FAILS_WITH(shlo_tensors_write(tensors, SHLO_TENSORS_NPZ, &buffer), SHLO_CODE_UNSUPPORTED,
             "value 1 is not a tensor", "leave out tokens and tuples");
  CHECK(!buffer);
  FAILS_WITH(shlo_tensors_write_file(tensors, "capi_test.npz", SHLO_TENSORS_DEFAULT), SHLO_CODE_UNSUPPORTED,
             "value 1 is not a tensor", "leave out tokens and tuples");
  file = fopen("capi_test.npz", "rb");
  CHECK(!file);
  shlo_tensors_free(tensors);
  shlo_tensor_release(tuple);
  shlo_tensor_release(tensor);
  for (op = 0; op < 2; ++op) {
    const shlo_attr attr = op ? shlo_attr_count(program) + 1 : 0;
    char message[50];
    sprintf(message, "there is no attribute %u", (unsigned)attr);
    FAILS_WITH(shlo_tensor_of_attr(program, attr, &tensor), SHLO_CODE_USAGE, message, "");
    CHECK(!tensor);
  }
  /* A constant outlives the handle of its program. */
  for (op = 1; shlo_op_attr(program, op, "value") == 0;) ++op;
  OK(shlo_tensor_of_attr(program, shlo_op_attr(program, op, "value"), &tensor));
  shlo_program_release(program);
  OK(shlo_tensor_data(tensor, &data, &size));
  CHECK(size == 24 && ((const float*)data)[2] == 3.0f);
  shlo_tensor_release(tensor);
}

static int deleted = 0;
static void delete_managed(DLManagedTensor* managed) {
  ++deleted;
  (void)managed;
}

static void test_dlpack(void) {
  double numbers[4] = {1, 2, 3, 4};
  int64_t shape[2] = {2, 2}, strides[2] = {1, 2};
  DLManagedTensor managed;
  DLManagedTensor* exported = NULL;
  shlo_tensor* tensor = NULL;
  const void* data = NULL;
  memset(&managed, 0, sizeof managed);
  managed.dl_tensor.data = numbers;
  managed.dl_tensor.device.device_type = kDLCPU;
  managed.dl_tensor.ndim = 2;
  managed.dl_tensor.dtype.code = kDLFloat;
  managed.dl_tensor.dtype.bits = 64;
  managed.dl_tensor.dtype.lanes = 1;
  managed.dl_tensor.shape = shape;
  managed.deleter = delete_managed;
  OK(shlo_tensor_from_dlpack(&managed, &tensor));
  OK(shlo_tensor_data(tensor, &data, NULL));
  CHECK(data == numbers && deleted == 0);
  OK(shlo_tensor_to_dlpack(tensor, &exported));
  shlo_tensor_release(tensor);
  CHECK(deleted == 0 && exported->dl_tensor.data == numbers && exported->dl_tensor.strides[0] == 2);
  CHECK(exported->dl_tensor.ndim == 2 && exported->dl_tensor.dtype.bits == 64);
  exported->deleter(exported);
  CHECK(deleted == 1);
  managed.dl_tensor.strides = strides;
  OK(shlo_tensor_from_dlpack(&managed, &tensor));
  CHECK(prints(tensor,
               "dense<[[1.000000e+00, 3.000000e+00], [2.000000e+00, 4.000000e+00]]> : tensor<2x2xf64>"));
  CHECK(deleted == 2);
  shlo_tensor_release(tensor);
  /* What is wrong is given back at once. */
  shape[1] = -2;
  FAILS_WITH(shlo_tensor_from_dlpack(&managed, &tensor), SHLO_CODE_USAGE, "the shape is negative or too large",
             "");
  shape[0] = shape[1] = (int64_t)1 << 40;
  FAILS_WITH(shlo_tensor_from_dlpack(&managed, &tensor), SHLO_CODE_USAGE, "the shape is negative or too large",
             "");
  managed.dl_tensor.ndim = -1;
  FAILS_WITH(shlo_tensor_from_dlpack(&managed, &tensor), SHLO_CODE_USAGE,
             "the number of dimensions is negative", "");
  CHECK(deleted == 5 && !tensor);
  deleted = 2;
  managed.dl_tensor.dtype.lanes = 4;
  FAILS(shlo_tensor_from_dlpack(&managed, &tensor), SHLO_CODE_UNSUPPORTED, "DLPack type (2, 64, 4)");
  managed.dl_tensor.device.device_type = kDLCUDA;
  FAILS(shlo_tensor_from_dlpack(&managed, &tensor), SHLO_CODE_UNSUPPORTED, "memory of the CPU");
  CHECK(deleted == 4);
  OK(shlo_tensor_random("tensor<2xui4>", 1, &tensor));
  FAILS(shlo_tensor_to_dlpack(tensor, &exported), SHLO_CODE_UNSUPPORTED, "DLPack has no");
  shlo_tensor_release(tensor);
}

static void test_files(void) {
  shlo_tensors *tensors = NULL, *again = NULL;
  shlo_tensor* tensor = NULL;
  shlo_buffer* buffer = NULL;
  shlo_program* program = read_text(
      "func.func @main(%arg0: tensor<2xbf16>) -> tensor<2xbf16> {\n  return %arg0 : tensor<2xbf16>\n}\n");
  shlo_tensor_info info = SHLO_TENSOR_INFO_INIT;
  OK(shlo_tensors_create(&tensors));
  OK(shlo_tensor_random("tensor<2xbf16>", 1, &tensor));
  OK(shlo_tensors_add(tensors, "arg0", tensor));
  CHECK(shlo_tensors_count(tensors) == 1 && equals(shlo_tensors_name(tensors, 0), "arg0"));
  CHECK(shlo_tensors_at(tensors, 0) == tensor && !shlo_tensors_at(tensors, 1));
  OK(shlo_tensors_write(tensors, SHLO_TENSORS_SAFETENSORS, &buffer));
  OK(shlo_tensors_read(shlo_buffer_data(buffer), shlo_buffer_size(buffer), NULL, NULL, NULL, &again));
  shlo_buffer_free(buffer);
  CHECK(shlo_tensor_equal(shlo_tensors_at(again, 0), tensor));
  shlo_tensors_free(again);
  /* NumPy has no bf16: the program says what the elements are. */
  OK(shlo_tensors_write_file(tensors, "capi_test.npz", SHLO_TENSORS_DEFAULT));
  OK(shlo_tensors_read_file("capi_test.npz", program, NULL, NULL, &again));
  CHECK(shlo_tensor_equal(shlo_tensors_at(again, 0), tensor));
  shlo_tensors_free(again);
  OK(shlo_tensors_read_file("capi_test.npz", NULL, NULL, NULL, &again));
  CHECK(shlo_tensor_get(shlo_tensors_at(again, 0), &info) && equals(info.element, "ui16"));
  shlo_tensors_free(again);
  OK(shlo_tensors_write_file(tensors, "capi_test.safetensors", SHLO_TENSORS_DEFAULT));
  OK(shlo_tensors_read_file("capi_test.safetensors", NULL, NULL, NULL, &again));
  CHECK(shlo_tensor_get(shlo_tensors_at(again, 0), &info) && equals(info.element, "bf16"));
  shlo_tensors_free(again);
  remove("capi_test.npz");
  remove("capi_test.safetensors");
  FAILS(shlo_tensors_write(tensors, 9, &buffer), SHLO_CODE_USAGE, "unknown format 9");
  FAILS(shlo_tensors_read("PK\3\4", 4, NULL, NULL, NULL, &again), SHLO_CODE_MALFORMED, "");
  FAILS(shlo_tensors_write_file(tensors, "no/such/folder/x.npz", SHLO_TENSORS_NPZ), SHLO_CODE_IO, "");
  shlo_tensor_release(tensor);
  shlo_tensors_free(tensors);
  shlo_program_release(program);
  CHECK(shlo_tensors_count(NULL) == 0 && shlo_tensors_name(NULL, 0).size == 0);
}

void test_tensors(void) {
  test_memory();
  test_values();
  test_dlpack();
  test_files();
}
