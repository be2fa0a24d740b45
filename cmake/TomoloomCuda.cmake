# The CUDA half: TL_CUDA decides whether nvcc is used, and tl_cuda is the module libtl_cuda.so that programs open at run
# time. Programs never link it, so one binary serves machines with and without a GPU.
set(TL_WITH_CUDA OFF)
if(NOT TL_CUDA STREQUAL "OFF")
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    set(TL_WITH_CUDA ON)
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
      set(CMAKE_CUDA_ARCHITECTURES 75-real 80-real 90-real 120)  # the last one as PTX too, for newer GPUs
    endif()
    if(TL_CCACHE)
      set(CMAKE_CUDA_COMPILER_LAUNCHER "${TL_CCACHE}")
    endif()
    enable_language(CUDA)
  elseif(TL_CUDA STREQUAL "ON")
    message(FATAL_ERROR "TL_CUDA=ON, but CMake finds no nvcc: put it into PATH, or set TL_CUDA to AUTO or OFF")
  endif()
endif()
message(STATUS "CUDA module: ${TL_WITH_CUDA}")

# tl_cuda_module(SOURCES ...): build/lib/libtl_cuda.so.
function(tl_cuda_module)
  cmake_parse_arguments(ARG "" "" "SOURCES" ${ARGN})
  if(NOT TL_WITH_CUDA)
    return()
  endif()
  add_library(tl_cuda MODULE ${ARG_SOURCES})
  target_include_directories(tl_cuda PRIVATE "${PROJECT_SOURCE_DIR}")
  target_compile_options(tl_cuda PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra,-Wno-unknown-pragmas>")
  set_target_properties(tl_cuda PROPERTIES
    CUDA_STANDARD 17 CUDA_RUNTIME_LIBRARY Shared  # CMake 3.25 does not know that nvcc speaks C++20
    LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
  foreach(_dir IN LISTS LibTorch_LIBRARY_DIRS)
    target_link_options(tl_cuda PRIVATE "LINKER:-rpath,${_dir}")
  endforeach()
endfunction()
