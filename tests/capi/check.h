/* Shared by the tests of the C API. C99, and no header of the project but shlo.h. */
#ifndef SHLO_TESTS_CAPI_CHECK_H_
#define SHLO_TESTS_CAPI_CHECK_H_

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shlo/shlo.h"

extern int failures;

/* Counts and shows an expression that does not hold. */
#define CHECK(condition)                                              \
  do {                                                                \
    if (!(condition)) {                                               \
      ++failures;                                                     \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
    }                                                                 \
  } while (0)
/* Checks that a call succeeds, and shows the error of one that does not. */
#define OK(call) CHECK(is_ok((call)))
/* Checks that a call fails with a code, and that its first message has a part. */
#define FAILS(call, code, part) CHECK(fails((call), (code), (part)))

/* As FAILS, with all of the first message, and with its hint. */
#define FAILS_WITH(call, code, message, hint) CHECK(fails_with((call), (code), (message), (hint)))

int is_ok(shlo_error* error);
int fails_with(shlo_error* error, shlo_code code, const char* message, const char* hint);
int fails(shlo_error* error, shlo_code code, const char* part);
int equals(shlo_str text, const char* expected);
/* Checks that a buffer contains a text, and frees it. */
int has(shlo_buffer* buffer, const char* part);
shlo_program* read_text(const char* text);

/* A program with a constant, a region, a call, a location and an attribute that only newer releases have. */
extern const char* const kProgram;
/* @main(%arg0: tensor<2x3xf32>) = arg0 + arg0 */
extern const char* const kAdd;

void test_errors(void);
void test_versions(void);
void test_programs(void);
void test_conversion(void);
void test_documents(void);
void test_walk(void);
void test_builder(void);
void test_check(void);
void test_tensors(void);
void test_evaluation(void);
void test_proof(void);
void test_lite(void);

#endif
