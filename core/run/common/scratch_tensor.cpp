// Makes tensors in scratch files, which are allocated, mapped, and immediately unlinked.
#include "core/run/common/scratch_tensor.h"

#include <ATen/ATen.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include "core/base/wording.h"
#include "core/run/common/memory.h"

namespace tl {
namespace {

// Reserves disk blocks for the whole file: writing to a mapping without them ends the program (SIGBUS) when the disk is
// full.
int allocate(int file, int64_t bytes) {
  int failed = 0;
  do failed = fallocate(file, 0, 0, bytes) == 0 ? 0 : errno;
  while (failed == EINTR);
  // If the file system does not support it, the C library writes to every block.
  return failed == EOPNOTSUPP ? posix_fallocate(file, 0, bytes) : failed;
}

std::string space_advice() {
  return two_wordings("Set TMPDIR to a folder with space",
                      "Choose a folder with space for scratch files in the preferences");
}

}  // namespace

Result<at::Tensor> scratch_tensor(at::IntArrayRef shape, at::ScalarType dtype) {
  const char* wanted = std::getenv("TMPDIR");
  const std::string folder = wanted != nullptr && *wanted != 0 ? wanted : "/var/tmp";
  std::string name = folder + "/tomoloom-XXXXXX";
  const int file = mkstemp(name.data());
  if (file < 0)
    return io_error("cannot create a scratch file: " + std::generic_category().message(errno), folder, space_advice());
  unlink(name.c_str());
  int64_t size = static_cast<int64_t>(at::elementSize(dtype));
  for (const int64_t n : shape) size *= n;
  const int failed = allocate(file, size);
  void* memory = failed != 0
                     ? MAP_FAILED
                     : mmap(nullptr, static_cast<std::size_t>(size), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  const int problem = failed != 0 ? failed : errno;
  close(file);
  if (memory == MAP_FAILED) {
    std::error_code unknown;
    const auto space = std::filesystem::space(folder, unknown);
    return io_error(
        "a scratch file of " + format_bytes(size) + " cannot be made: " + std::generic_category().message(problem),
        folder,
        (unknown ? std::string() : "Free: " + format_bytes(static_cast<int64_t>(space.available)) + ". ") +
            space_advice() + ", or give more " + two_wordings("--max-memory", "memory there"));
  }
  return at::from_blob(
      memory, shape, [size](void* at) { munmap(at, static_cast<std::size_t>(size)); },
      at::TensorOptions().dtype(dtype));
}

}  // namespace tl
