# One libFuzzer target per lib/<layer>/*_fuzz.cc and tests/*_fuzz.cc, of the same name.
file(GLOB_RECURSE fuzzers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/lib/*_fuzz.cc ${CMAKE_SOURCE_DIR}/tests/*_fuzz.cc)
foreach(source ${fuzzers})
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE shlo_prove shlo_reduce shlo_eval shlo_versioning shlo_serialize shlo_ir)
  target_include_directories(${name} SYSTEM PRIVATE ${SHLO_GENERATED} ${XXHASH_INCLUDE} ${FLATBUFFERS_INCLUDE})
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
endforeach()
