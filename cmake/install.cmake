# `cmake --install`: the tool, the libraries and the headers of include/shlo, found by find_package(shlo); the C API also
# by pkg-config. The component `c_lite` is libshlo_lite alone.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

list(TRANSFORM SHLO_LIBRARIES PREPEND shlo_ OUTPUT_VARIABLE installed)
install(TARGETS ${installed} EXPORT shlo ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/shlo DESTINATION include FILES_MATCHING PATTERN "*.h")
install(FILES ${CMAKE_SOURCE_DIR}/schema/kinds.inc DESTINATION include/shlo/schema)  # the only rows that headers include
# The C API. Other projects need none of the libraries above to use it.
file(RELATIVE_PATH SHLO_PC_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
foreach(library ${SHLO_C_LIBRARIES})
  set(component "")
  set(SHLO_PC_PRIVATE "-lzstd -lz -lnettle -llapack -lblas")
  if(library STREQUAL "shlo_c_lite")
    set(component COMPONENT c_lite)
    set(SHLO_PC_PRIVATE "-lzstd -lnettle")
  endif()
  get_target_property(SHLO_PC_LIBRARY ${library} OUTPUT_NAME)
  string(REPLACE "_" "-" SHLO_PC_NAME ${SHLO_PC_LIBRARY})
  configure_file(${CMAKE_SOURCE_DIR}/cmake/shlo.pc.in ${CMAKE_BINARY_DIR}/${SHLO_PC_NAME}.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/${SHLO_PC_NAME}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig ${component})
  install(TARGETS ${library} EXPORT shlo LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ${component})
  install(FILES ${CMAKE_BINARY_DIR}/lib${SHLO_PC_LIBRARY}.a DESTINATION ${CMAKE_INSTALL_LIBDIR} ${component})
endforeach()
install(FILES ${CMAKE_SOURCE_DIR}/include/shlo/shlo.h DESTINATION include/shlo COMPONENT c_lite)
install(EXPORT shlo NAMESPACE shlo:: FILE shloTargets.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/shlo)

set(SHLO_JOBS_OF_USERS use)
if(SHLO_MINIMAL)
  set(SHLO_JOBS_OF_USERS minimal-use)
endif()
configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/shloConfig.cmake.in ${CMAKE_BINARY_DIR}/shloConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/shlo)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/shloConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/shloConfig.cmake ${CMAKE_BINARY_DIR}/shloConfigVersion.cmake
              ${CMAKE_SOURCE_DIR}/cmake/dependencies.cmake ${CMAKE_SOURCE_DIR}/cmake/packages.cmake
              ${CMAKE_SOURCE_DIR}/cmake/packages.csv
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/shlo)
