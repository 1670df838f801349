# Fuzz targets: every *_fuzz.cc in lib/ and fuzz/, one program each.
set(SHLO_FUZZING_ENGINE "-fsanitize=fuzzer" CACHE STRING "Linker flags, or the library, of the fuzzing engine")
file(GLOB_RECURSE SHLO_FUZZERS CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/lib/*_fuzz.cc ${CMAKE_SOURCE_DIR}/fuzz/*_fuzz.cc)

# Adds one program of a fuzz target, from its source and ARGN.
function(shlo_add_fuzzer name source)
  add_executable(${name} ${source} ${ARGN})
  if(source MATCHES "/lib/(serialize|dialect)/")
    target_link_libraries(${name} PRIVATE shlo_${CMAKE_MATCH_1} shlo_versioning shlo_serialize shlo_ir shlo_headers)
  else()
    target_link_libraries(${name} PRIVATE shlo_archive shlo_dialect shlo_prove shlo_reduce shlo_eval shlo_versioning
                          shlo_serialize shlo_ir shlo_headers)
  endif()
endfunction()

if(SHLO_BUILD_FUZZERS)
  add_custom_target(fuzzers)
  separate_arguments(engine UNIX_COMMAND "${SHLO_FUZZING_ENGINE}")
  foreach(source ${SHLO_FUZZERS})
    get_filename_component(name ${source} NAME_WE)
    shlo_add_fuzzer(${name} ${source})
    target_link_libraries(${name} PRIVATE ${engine})
    add_dependencies(fuzzers ${name})
  endforeach()
endif()
