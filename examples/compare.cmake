# Runs COMMAND and compares its standard output with the file EXPECTED.
execute_process(COMMAND ${COMMAND} OUTPUT_VARIABLE out ERROR_VARIABLE errors)
file(READ ${EXPECTED} expected)
if(NOT out STREQUAL expected)
  message(FATAL_ERROR "expected:\n${expected}\ngot:\n${out}${errors}")
endif()
