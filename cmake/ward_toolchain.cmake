# Compiler settings: one list of warnings, sanitizers, ccache and mold where they are present.
find_program(WARD_CCACHE ccache)
if(WARD_CCACHE)
  # Paths are relative to the checkout, so that two checkouts share results; the sloppiness is what a precompiled header asks for.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${WARD_CCACHE})
endif()

find_program(WARD_MOLD mold)
if(WARD_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

set(WARD_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor
                  -Wmissing-declarations -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # g++ 12, when it optimises, warns of overlaps inside its own std::string (GCC bug 105329) and of the unused
  # alternatives of a std::variant that is moved; clang-tidy's analyzer looks for the real ones.
  list(APPEND WARD_WARNINGS -Wno-restrict $<$<CONFIG:Release>:-Wno-maybe-uninitialized>)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  # libstdc++ 12 itself calls a deprecated function in std::stable_sort, and clang says so at each use; g++ keeps the warning.
  list(APPEND WARD_WARNINGS -Wthread-safety -Wno-deprecated-declarations)
endif()

if(WARD_SANITIZE)
  add_compile_options(-fsanitize=${WARD_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${WARD_SANITIZE})
  if(WARD_SANITIZE MATCHES undefined)
    add_compile_options(-fno-sanitize-recover=all)
  endif()
endif()
if(CMAKE_BUILD_TYPE STREQUAL Debug)
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
endif()
if(WARD_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
