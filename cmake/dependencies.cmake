# Libraries that the installed shlo needs, too; included by the build and by shloConfig.cmake. Debian and
# Ubuntu releases disagree about the package files of zstd, so libraries are found by header and archive.
include(CMakeFindDependencyMacro)
find_dependency(tl-expected)
# Adds shlo::NAME for a library with a header. The archive comes first in `names`, so that the tool can be linked
# statically.
function(shlo_find_library name header names package)
  if(TARGET shlo::${name})
    return()
  endif()
  string(TOUPPER ${name} upper)
  find_path(SHLO_${upper}_INCLUDE ${header})
  find_library(SHLO_${upper}_LIBRARY NAMES ${names})
  if(NOT SHLO_${upper}_INCLUDE OR NOT SHLO_${upper}_LIBRARY)
    message(FATAL_ERROR "shlo needs ${name} (Debian package ${package})")
  endif()
  add_library(shlo::${name} UNKNOWN IMPORTED GLOBAL)
  set_target_properties(shlo::${name} PROPERTIES IMPORTED_LOCATION ${SHLO_${upper}_LIBRARY})
  if(NOT SHLO_${upper}_INCLUDE STREQUAL "/usr/include")
    set_target_properties(shlo::${name} PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${SHLO_${upper}_INCLUDE})
  endif()
endfunction()
shlo_find_library(zstd zstd.h "libzstd.a;zstd" libzstd-dev)
shlo_find_library(zlib zlib.h "libz.a;z" zlib1g-dev)
# SHA-256, which certificates and archives name files by.
shlo_find_library(nettle nettle/sha2.h "libnettle.a;nettle" nettle-dev)
# Catalogs of archives. Debian's archive of SQLite is not position-independent: an extension of Python, which is loaded,
# takes the shared library, and a wheel a copy of that.
shlo_find_library(sqlite_archive sqlite3.h "libsqlite3.a;sqlite3" libsqlite3-dev)
shlo_find_library(sqlite_shared sqlite3.h sqlite3 libsqlite3-dev)
if(NOT TARGET shlo::sqlite)
  add_library(shlo::sqlite INTERFACE IMPORTED)
  set_target_properties(shlo::sqlite PROPERTIES INTERFACE_LINK_LIBRARIES
    "$<IF:$<STREQUAL:$<TARGET_PROPERTY:TYPE>,MODULE_LIBRARY>,shlo::sqlite_shared,shlo::sqlite_archive>")
endif()
if(NOT TARGET shlo::lapack)
  # The reference LAPACK by preference, because its results do not depend on the machine, and as archives, so
  # that the tool can be linked statically.
  find_library(SHLO_LAPACK_LIBRARY NAMES liblapack.a lapack PATH_SUFFIXES lapack)
  find_library(SHLO_BLAS_LIBRARY NAMES libblas.a blas PATH_SUFFIXES blas)
  if(NOT SHLO_LAPACK_LIBRARY OR NOT SHLO_BLAS_LIBRARY)
    message(FATAL_ERROR "shlo needs LAPACK and BLAS (Debian package liblapack-dev)")
  endif()
  add_library(shlo::lapack INTERFACE IMPORTED)
  set_target_properties(shlo::lapack PROPERTIES INTERFACE_LINK_LIBRARIES "${SHLO_LAPACK_LIBRARY};${SHLO_BLAS_LIBRARY}")
endif()
