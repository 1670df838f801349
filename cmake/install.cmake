# `cmake --install`: the tool, the libraries and the headers of include/shlo, found by find_package(shlo).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS shlo_ir shlo_serialize shlo_versioning shlo_eval shlo_prove shlo_reduce shlo_dialect shlo_diff shlo_check shlo_gate shlo_archive EXPORT shlo ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/shlo DESTINATION include FILES_MATCHING PATTERN "*.h")
install(FILES ${CMAKE_SOURCE_DIR}/schema/kinds.inc DESTINATION include/shlo/schema)  # the only rows that headers include
install(EXPORT shlo NAMESPACE shlo:: FILE shloTargets.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/shlo)

configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/shloConfig.cmake.in ${CMAKE_BINARY_DIR}/shloConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/shlo)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/shloConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/shloConfig.cmake ${CMAKE_BINARY_DIR}/shloConfigVersion.cmake
              ${CMAKE_SOURCE_DIR}/cmake/dependencies.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/shlo)
