/* Documents. tests/capi/documents_test.py compares them with those of the command. */
#include "check.h"

void test_documents(void) {
  shlo_program* program = read_text(kAdd);
  shlo_buffer* buffer = NULL;
  FILE* file = fopen("capi_document.mlir", "w");
  CHECK(file && fputs(kAdd, file) >= 0 && fclose(file) == 0);
  OK(shlo_inspect_json(kAdd, strlen(kAdd), NULL, &buffer));
  CHECK(has(buffer, "\"command\": \"inspect\""));
  OK(shlo_inspect_file_json("capi_document.mlir", NULL, &buffer));
  CHECK(has(buffer, "\"file\": \"capi_document.mlir\""));
  OK(shlo_verify_file_json("capi_document.mlir", NULL, &buffer));
  CHECK(has(buffer, "\"verifies\": true"));
  remove("capi_document.mlir");
  OK(shlo_program_inspect_json(program, &buffer));
  CHECK(has(buffer, "\"lowest_target\""));
  OK(shlo_program_container_json(program, &buffer));
  CHECK(!buffer);
  /* What cannot be read is part of the document. */
  OK(shlo_verify_json("module {", 8, NULL, &buffer));
  CHECK(has(buffer, "\"exit\": 3"));
  OK(shlo_versions_json(NULL, NULL, &buffer));
  CHECK(has(buffer, "\"release\": \"1.9.0\""));
  OK(shlo_versions_json("1.0.0..1.9.0", NULL, &buffer));
  CHECK(has(buffer, "\"changes\""));
  OK(shlo_versions_json("1.9.0", NULL, &buffer));
  CHECK(has(buffer, "\"n\": 62"));
  FAILS(shlo_versions_json("1.0..never", NULL, &buffer), SHLO_CODE_UNKNOWN_VERSION, "never");
  OK(shlo_inspect_file_json("no/such/file", NULL, &buffer));
  CHECK(has(buffer, "\"exit\": 4"));
  FAILS(shlo_inspect_file_json(NULL, NULL, &buffer), SHLO_CODE_USAGE, "'path' is NULL");
  CHECK(!buffer);
  shlo_program_release(program);
}
