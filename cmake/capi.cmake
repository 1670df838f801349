# The C API: libshlo, and libshlo_lite of the libraries of the minimal build, as shared libraries that export shlo_* and
# nothing else. libshlo.a and libshlo_lite.a have the same functions, with everything of this project that they call.
file(MAKE_DIRECTORY ${SHLO_LAYERS}/capi/shlo)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/lib/capi ${SHLO_LAYERS}/capi/capi SYMBOLIC)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/include/shlo/shlo.h ${SHLO_LAYERS}/capi/shlo/shlo.h SYMBOLIC)
# Each part is compiled once, for the shared and the static library.
set(capi_common errors values programs convert check documents walk nodes builder op_attrs)
set(capi_lite lite)
set(capi_full full tensors evaluate grid prove pages)
set(parts common lite)
set(SHLO_C_LIBRARIES shlo_c_lite)
if(NOT SHLO_MINIMAL)
  list(APPEND parts full)
  list(APPEND SHLO_C_LIBRARIES shlo_c)
endif()
set(above_common inspect check conversion)
set(above_lite ${above_common})
set(above_full ${above_common} diff evidence pages)
foreach(part ${parts})
  list(TRANSFORM capi_${part} REPLACE "(.+)" "${CMAKE_SOURCE_DIR}/lib/capi/\\1.cc")
  add_library(shlo_capi_${part} OBJECT EXCLUDE_FROM_ALL ${capi_${part}})
  set_target_properties(shlo_capi_${part} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  shlo_units(shlo_capi_${part})
  # The headers of the layers, but not the layers: objects link nothing.
  foreach(layer ${above_${part}})
    target_include_directories(shlo_capi_${part} PRIVATE $<TARGET_PROPERTY:shlo_${layer},INTERFACE_INCLUDE_DIRECTORIES>)
  endforeach()
  target_include_directories(shlo_capi_${part} SYSTEM PRIVATE ${SHLO_INCLUDE_dlpack})
  target_include_directories(shlo_capi_${part} PRIVATE ${SHLO_LAYERS}/capi)
  target_link_libraries(shlo_capi_${part} PRIVATE tl::expected shlo_headers)
  target_compile_definitions(shlo_capi_${part} PRIVATE SHLO_BUILDING_LIBRARY)
endforeach()

# Adds the shared library NAME of a part with the archives of layers and of other projects, and the static one.
function(shlo_c_library name part)
  cmake_parse_arguments(arg "" "" "LAYERS;OTHERS" ${ARGN})
  set(objects $<TARGET_OBJECTS:shlo_capi_common> $<TARGET_OBJECTS:shlo_capi_${part}>)
  add_library(${name} SHARED ${objects})
  string(REPLACE "shlo_c" "shlo" output ${name})
  string(REPLACE "shlo_" "" exported ${name})
  set_target_properties(${name} PROPERTIES OUTPUT_NAME ${output} EXPORT_NAME ${exported} SOVERSION 0
                        VERSION 0.${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} LINKER_LANGUAGE CXX
                        LINK_DEPENDS ${CMAKE_SOURCE_DIR}/cmake/capi.map)
  add_library(shlo::${exported} ALIAS ${name})
  target_include_directories(${name} INTERFACE $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
  set(script "create lib${output}.a\naddlib $<TARGET_FILE_NAME:${name}_objects>\n")
  foreach(layer ${arg_LAYERS})
    target_link_libraries(${name} PRIVATE $<TARGET_FILE:shlo_${layer}>)
    string(APPEND script "addlib $<TARGET_FILE_NAME:shlo_${layer}>\n")
    list(APPEND layers shlo_${layer})
  endforeach()
  add_dependencies(${name} ${layers})
  target_link_libraries(${name} PRIVATE ${arg_OTHERS} Threads::Threads)
  target_link_options(${name} PRIVATE -Wl,--version-script=${CMAKE_SOURCE_DIR}/cmake/capi.map -Wl,--gc-sections)
  # The program has the functions that sanitizers call.
  if(NOT SHLO_SANITIZE)
    target_link_options(${name} PRIVATE -Wl,-z,defs)
  endif()
  # The archive of the objects, and those of the layers, in one.
  add_library(${name}_objects STATIC EXCLUDE_FROM_ALL ${objects})
  set_target_properties(${name}_objects PROPERTIES LINKER_LANGUAGE CXX)
  file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/lib${output}.mri
       CONTENT "${script}save\nend\n")
  add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/lib${output}.a
    COMMAND ${CMAKE_AR} -M < lib${output}.mri WORKING_DIRECTORY ${CMAKE_BINARY_DIR}
    DEPENDS ${layers} ${name}_objects ${CMAKE_BINARY_DIR}/lib${output}.mri)
  add_custom_target(${name}_static ALL DEPENDS ${CMAKE_BINARY_DIR}/lib${output}.a)
  add_library(${name}_whole INTERFACE)
  target_link_libraries(${name}_whole INTERFACE ${CMAKE_BINARY_DIR}/lib${output}.a ${arg_OTHERS} Threads::Threads)
  add_dependencies(${name}_whole ${name}_static)
endfunction()

set(lite ${SHLO_MINIMAL_LIBRARIES})
list(REVERSE lite)
shlo_c_library(shlo_c_lite lite LAYERS ${lite} OTHERS shlo::zstd shlo::nettle)
if(NOT SHLO_MINIMAL)
  shlo_c_library(shlo_c full LAYERS pages evidence arguments inspect conversion check diff dialect prove rewrite reduce eval
                 linalg matrix kernel loops grid tensor versioning serialize ir base
                 OTHERS shlo::zstd shlo::zlib shlo::nettle shlo::lapack)
endif()
