/* Converts a program for a consumer, and writes a portable artifact: convert FILE CONSUMER OUT
 *
 * What stands in the way is printed as the command prints it, and decides the exit code. */
#include <stdio.h>

#include "shlo/shlo.h"

static int fail(shlo_error* error) {
  const int code = shlo_error_exit_code(error);
  fprintf(stderr, "%s", shlo_error_text(error));
  shlo_error_free(error);
  return code;
}

int main(int argc, char** argv) {
  shlo_program* program = NULL;
  shlo_program* converted = NULL;
  shlo_consumer* consumer = NULL;
  shlo_error* error = NULL;
  shlo_version_info version = SHLO_VERSION_INFO_INIT;
  shlo_convert_options convert = SHLO_CONVERT_OPTIONS_INIT;
  shlo_write_options write = SHLO_WRITE_OPTIONS_INIT;
  const shlo_consumer* consumers[1];
  int code = 0;
  if (argc != 4) {
    fprintf(stderr, "usage: convert FILE CONSUMER OUT\n");
    return 2;
  }
  write.format = SHLO_FORMAT_MLIRBC;
  convert.portable = 1;
  convert.consumer_count = 1;
  error = shlo_consumer_find(NULL, argv[2], NULL, &consumer);
  consumers[0] = consumer;
  convert.consumers = consumers;
  if (!error) error = shlo_program_read_file(argv[1], NULL, &program);
  if (!error) error = shlo_convert(program, 0, &convert, &converted, NULL);
  if (!error) error = shlo_program_write_file(converted, argv[3], &write);
  if (error) {
    code = fail(error);
  } else {
    shlo_version_get(shlo_program_version(converted), &version);
    printf("written at %.*s\n", (int)version.release.size, version.release.data);
  }
  shlo_program_release(converted);
  shlo_program_release(program);
  shlo_consumer_free(consumer);
  return code;
}
