# What all our targets share: language level, warnings, sanitizers, ccache, and the helper that makes a library.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# FindLibTorch sets the run path itself; the automatic one would warn about the wheel's own libgomp.
set(CMAKE_SKIP_RPATH ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1")
set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g1")
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")

find_program(TL_CCACHE ccache)
if(TL_CCACHE)
  # Precompiled headers need these relaxations; the results are the same.
  # Paths relative to the tree: presets and checkouts share what they compiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${TL_CCACHE})
endif()

# -Wno-restrict -Wno-stringop-overflow: g++ 12 reports std::string + std::string wrongly (GCC bug 105651).
add_library(tl_flags INTERFACE)
target_include_directories(tl_flags INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_options(tl_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wno-unknown-pragmas -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds -fno-math-errno>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${TL_CCACHE}>>:-fpch-preprocess>)
if(TL_WERROR)
  target_compile_options(tl_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
endif()
if(TL_ASAN)
  target_compile_options(tl_flags INTERFACE -fsanitize=address,undefined -fno-omit-frame-pointer)
  target_link_options(tl_flags INTERFACE -fsanitize=address,undefined)
endif()
find_package(Threads REQUIRED)

# tl_library(name LIBS ... SOURCES ...): a static library with our flags.
function(tl_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC tl_flags ${ARG_LIBS})
endfunction()
