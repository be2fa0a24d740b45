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
# The preset asan: sanitized code at -O2 takes twice as long to compile.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1")
set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g1")
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")

find_program(TL_CCACHE ccache)
if(TL_CCACHE)
  # Precompiled headers need these relaxations; the results are the same.
  # Paths relative to the tree: presets and checkouts share what they compiled. INODECACHE: half a gigabyte of precompiled
  # header would be hashed again for every file, a second each.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 CCACHE_INODECACHE=1 CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${TL_CCACHE})
endif()

# Linking a hundred test programs takes minutes with GNU ld.
find_program(TL_LLD ld.lld)
if(TL_LLD)
  add_link_options(-fuse-ld=lld)
endif()

# Nobody reads errno of mathematical functions, or the flags of floating-point operations; with them a comparison is not
# made a vector.
# -Wno-restrict -Wno-stringop-overflow: g++ 12 reports std::string + std::string wrongly (GCC bug 105651).
add_library(tl_flags INTERFACE)
target_include_directories(tl_flags INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_options(tl_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wno-unknown-pragmas -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds -fno-math-errno -fno-trapping-math>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${TL_CCACHE}>>:-fpch-preprocess>)
if(TL_WERROR)
  target_compile_options(tl_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
endif()
if(TL_ASAN)
  # Of undefined behaviour what numbers and sizes in files can cause. Checks of every pointer (null, alignment, vptr) would
  # more than double the time to compile, and the address sanitizer finds what they lead to.
  # Between the checks that it adds, g++ takes fields of torch's headers for unset.
  set(TL_SANITIZED_BEHAVIOUR shift,integer-divide-by-zero,signed-integer-overflow,bounds,float-cast-overflow,bool,enum,unreachable,return)
  target_compile_options(tl_flags INTERFACE -fsanitize=address,${TL_SANITIZED_BEHAVIOUR} -fno-omit-frame-pointer -Wno-maybe-uninitialized)
  target_link_options(tl_flags INTERFACE -fsanitize=address,undefined)
endif()
if(TL_FUZZERS)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "TL_FUZZERS needs clang, which brings libFuzzer: CC=clang CXX=clang++ cmake --preset fuzzers")
  endif()
  # Our code is instrumented for coverage; the library that searches for new paths is linked to the targets.
  target_compile_options(tl_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=fuzzer-no-link -Wno-unknown-warning-option>)
endif()
find_package(Threads REQUIRED)

# tl_library(name LIBS ... SOURCES ...): a static library with our flags.
function(tl_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC tl_flags ${ARG_LIBS})
endfunction()

# tl_unsanitized(name folder LIBS ...): the library as the build TL_UNSANITIZED made it. The sanitizers look for faults in what reads
# files and drives windows; all else would only take time to compile.
function(tl_unsanitized name folder)
  cmake_parse_arguments(ARG "" "FILE" "LIBS" ${ARGN})
  if(NOT ARG_FILE)
    set(ARG_FILE ${name})
  endif()
  if(NOT TL_LLD)
    message(FATAL_ERROR "TL_UNSANITIZED needs the linker lld: it takes each symbol from the first library that has it")
  endif()
  add_library(${name} STATIC IMPORTED GLOBAL)
  set_target_properties(${name} PROPERTIES IMPORTED_LOCATION "${TL_UNSANITIZED}/${folder}/lib${ARG_FILE}.a")
  target_link_libraries(${name} INTERFACE tl_flags ${ARG_LIBS})
endfunction()

# tl_room(target SOURCES ... ALONE ... FUSED ... INTRINSICS ...): names, without their ending, of the folder's files. ALONE: not
# compiled together with others (loops that take the time of a reconstruction: what is compiled with them must not change their
# inlining). FUSED: alone, and products and sums become one instruction where the processor has it; the precompiled header
# was made without. INTRINSICS: alone, with the warnings that g++ 12 gives for its own intrinsics (GCC bug 105593) and for
# vectors that pass between functions which are always inlined left out; FUSED leaves them out too.
define_property(SOURCE PROPERTY TL_ALONE BRIEF_DOCS "compiled alone" FULL_DOCS "Left out by tl_compile_together.")
function(tl_room target)
  cmake_parse_arguments(ARG "" "" "SOURCES;ALONE;FUSED;INTRINSICS" ${ARGN})
  foreach(name IN LISTS ARG_SOURCES ARG_ALONE ARG_FUSED ARG_INTRINSICS)
    set(file "${CMAKE_CURRENT_SOURCE_DIR}/${name}.cpp")
    target_sources(${target} PRIVATE "${file}")
    if(NOT name IN_LIST ARG_SOURCES)
      set_source_files_properties("${file}" TARGET_DIRECTORY ${target} PROPERTIES TL_ALONE ON)
    endif()
    set(quiet -Wno-uninitialized -Wno-maybe-uninitialized -Wno-psabi)
    if(name IN_LIST ARG_FUSED)
      set_source_files_properties("${file}" TARGET_DIRECTORY ${target} PROPERTIES
        COMPILE_OPTIONS "-ffp-contract=fast;${quiet}" SKIP_PRECOMPILE_HEADERS ON)
    elseif(name IN_LIST ARG_INTRINSICS)
      set_source_files_properties("${file}" TARGET_DIRECTORY ${target} PROPERTIES COMPILE_OPTIONS "${quiet}")
    endif()
  endforeach()
endfunction()

# tl_compile_together(target size LITTLE_TO_COMPUTE folder ...): from here on the target's files are compiled `size` at a time,
# never across folders: each unit pays seconds for the templates of the headers, whatever it contains. Names that a file
# keeps to itself must differ within a folder. Alone stay files with compile options of their own and those that tl_room()
# names so. TL_TOGETHER=OFF compiles each file alone. Not CMake's UNITY_BUILD: its units name absolute paths, so that no two
# checkouts would share what ccache keeps.
# LITTLE_TO_COMPUTE: folders, with those in them, whose time is spent in the libraries and operators that they call: at -O1 they
# take a third less time to compile. Their files that go through elements by pointer come first, in units that stay at -O3.
function(tl_compile_together target size)
  if(NOT TL_TOGETHER)
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "LITTLE_TO_COMPUTE" ${ARGN})
  list(TRANSFORM ARG_LITTLE_TO_COMPUTE REPLACE "/" "_")
  get_target_property(sources ${target} SOURCES)
  set(units "")
  set(looping "")
  set(files "")
  set(others "")
  foreach(file IN LISTS sources)
    cmake_path(ABSOLUTE_PATH file NORMALIZE)
    set(loops "")
    if(ARG_LITTLE_TO_COMPUTE AND file MATCHES "\\.cpp$" AND EXISTS "${file}")
      file(STRINGS "${file}" loops REGEX "data_ptr<|accessor<|parallel_for" LIMIT_COUNT 1)
    endif()
    if(loops)
      list(APPEND files "${file}")
    else()
      list(APPEND others "${file}")
    endif()
  endforeach()
  list(LENGTH files first_without)
  set(position 0)
  foreach(file IN LISTS files others)
    math(EXPR position "${position} + 1")
    get_source_file_property(options "${file}" COMPILE_OPTIONS)
    get_source_file_property(alone "${file}" TL_ALONE)
    if(NOT file MATCHES "^${PROJECT_SOURCE_DIR}/.*\\.cpp$" OR file MATCHES "^${PROJECT_BINARY_DIR}/" OR options OR alone)
      continue()
    endif()
    cmake_path(GET file PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
    string(REPLACE "/" "_" folder "${folder}")
    if(NOT DEFINED count_${folder})
      set(count_${folder} 0)
    endif()
    math(EXPR group "${count_${folder}} / ${size}")
    math(EXPR count_${folder} "${count_${folder}} + 1")
    set(unit "${CMAKE_CURRENT_BINARY_DIR}/together/${target}/${folder}_${group}.cpp")
    list(APPEND units "${unit}")
    if(NOT position GREATER first_without)
      list(APPEND looping "${unit}")
    endif()
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
    string(APPEND text_${folder}_${group} "#include \"${file}\"\n")
    set_source_files_properties("${PROJECT_SOURCE_DIR}/${file}" PROPERTIES HEADER_FILE_ONLY ON)
  endforeach()
  list(REMOVE_DUPLICATES units)
  foreach(unit IN LISTS units)
    cmake_path(GET unit STEM group)
    file(CONFIGURE OUTPUT "${unit}" CONTENT "${text_${group}}" @ONLY)
    foreach(folder IN LISTS ARG_LITTLE_TO_COMPUTE)
      if(group MATCHES "^${folder}_" AND NOT unit IN_LIST looping)
        set_source_files_properties("${unit}" PROPERTIES COMPILE_OPTIONS "$<$<CONFIG:Release>:-O1>")
      endif()
    endforeach()
  endforeach()
  target_sources(${target} PRIVATE ${units})
endfunction()
