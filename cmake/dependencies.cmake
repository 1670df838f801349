# Targets of the libraries that the installed shlo needs, too. Included by the build and by shloConfig.cmake, after
# packages.cmake has found them: by header and library, because releases of distributions disagree about the package
# files of zstd.
include(CMakeFindDependencyMacro)
find_dependency(tl-expected)
function(shlo_import name library include)
  if(NOT TARGET shlo::${name})
    add_library(shlo::${name} UNKNOWN IMPORTED GLOBAL)
    set_target_properties(shlo::${name} PROPERTIES IMPORTED_LOCATION "${library}"
                          INTERFACE_INCLUDE_DIRECTORIES "${include}")
  endif()
endfunction()
shlo_import(zstd "${SHLO_LIBRARY_zstd}" "${SHLO_INCLUDE_zstd}")
shlo_import(zlib "${SHLO_LIBRARY_z}" "${SHLO_INCLUDE_zlib}")
# SHA-256, which certificates and archives name files by.
shlo_import(nettle "${SHLO_LIBRARY_nettle}" "${SHLO_INCLUDE_nettle}")
# Catalogs of archives. Debian's archive of SQLite is not position-independent: an extension of Python, which is loaded,
# takes the shared library, and a wheel a copy of that.
find_library(SHLO_LIBRARY_sqlite3_shared sqlite3)
shlo_import(sqlite_archive "${SHLO_LIBRARY_sqlite3}" "${SHLO_INCLUDE_sqlite}")
shlo_import(sqlite_shared "${SHLO_LIBRARY_sqlite3_shared}" "${SHLO_INCLUDE_sqlite}")
if(NOT TARGET shlo::sqlite)
  add_library(shlo::sqlite INTERFACE IMPORTED)
  set_target_properties(shlo::sqlite PROPERTIES INTERFACE_LINK_LIBRARIES
    "$<IF:$<STREQUAL:$<TARGET_PROPERTY:TYPE>,MODULE_LIBRARY>,shlo::sqlite_shared,shlo::sqlite_archive>")
endif()
# The reference LAPACK, where Debian has it, because its results do not depend on the machine.
if(NOT TARGET shlo::lapack)
  add_library(shlo::lapack INTERFACE IMPORTED)
  set_target_properties(shlo::lapack PROPERTIES INTERFACE_LINK_LIBRARIES "${SHLO_LIBRARY_lapack};${SHLO_LIBRARY_blas}")
endif()
