# Finds LibTorch inside a torch wheel, without the CUDA toolkit and without torch's own CMake files.
#
# TL_TORCH_ROOT  folder that holds torch/include and torch/lib (made by installer/setup.sh); else python3 is asked.
# Gives LibTorch::LibTorch (headers, torch_cpu, c10; libtorch.so is an empty shell that would drag in the CUDA half) and
# LibTorch_LIBRARY_DIRS (run path) and LibTorch_ROOT_FOLDER (what TL_TORCH_ROOT means; packages copy from it).
set(TL_TORCH_ROOT "$ENV{TL_TORCH_ROOT}" CACHE PATH "Folder that contains torch/ of the wheel")
set(_cache_home "$ENV{XDG_CACHE_HOME}")
if(NOT _cache_home)
  set(_cache_home "$ENV{HOME}/.cache")
endif()
set(_root "${TL_TORCH_ROOT}")
if(NOT _root AND EXISTS "${_cache_home}/tomoloom/torch-2.11/torch/lib/libtorch_cpu.so")
  set(_root "${_cache_home}/tomoloom/torch-2.11")
endif()
if(NOT _root)
  execute_process(COMMAND python3 -c "import importlib.util as u, pathlib as p; print(p.Path(u.find_spec('torch').origin).parent.parent)"
                  OUTPUT_VARIABLE _root OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()

set(LibTorch_ROOT_FOLDER "${_root}")
set(LibTorch_LIBRARY_DIRS "${_root}/torch/lib")
foreach(_dir nvidia/cu13/lib nvidia/cuda_runtime/lib)
  if(EXISTS "${_root}/${_dir}")
    list(APPEND LibTorch_LIBRARY_DIRS "${_root}/${_dir}")
  endif()
endforeach()

find_library(LibTorch_CPU torch_cpu PATHS "${_root}/torch/lib" NO_DEFAULT_PATH NO_CACHE)
if(EXISTS "${_root}/torch/version.py")
  file(STRINGS "${_root}/torch/version.py" _version REGEX "^__version__")
  string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" LibTorch_VERSION "${_version}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibTorch REQUIRED_VARS LibTorch_CPU VERSION_VAR LibTorch_VERSION
                                  REASON_FAILURE_MESSAGE "run installer/setup.sh, or set TL_TORCH_ROOT")

if(LibTorch_FOUND AND NOT TARGET LibTorch::LibTorch)
  find_package(OpenMP REQUIRED COMPONENTS CXX)
  add_library(LibTorch::LibTorch INTERFACE IMPORTED)
  # -idirafter: the wheel carries its own fmt, which must not hide the system's.
  target_compile_options(LibTorch::LibTorch INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-idirafter ${_root}/torch/include>"
    "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-idirafter ${_root}/torch/include/torch/csrc/api/include>")
  # ATen's parallel_for is a header: without OpenMP in our own files it is silently serial.
  # Not libtorch.so: it holds nothing but the names of both halves and would pull in the CUDA half at start-up.
  target_link_libraries(LibTorch::LibTorch INTERFACE
    "${_root}/torch/lib/libtorch_cpu.so" "${_root}/torch/lib/libc10.so" OpenMP::OpenMP_CXX)
  foreach(_dir IN LISTS LibTorch_LIBRARY_DIRS)
    target_link_options(LibTorch::LibTorch INTERFACE "LINKER:-rpath,${_dir}" "LINKER:-rpath-link,${_dir}")
  endforeach()
endif()
