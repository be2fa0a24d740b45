// Allocates memory that is shared with the reading processes, by memfd_create().
#include "core/io/bytes/shared_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

namespace tl::io {

Result<std::shared_ptr<SharedMemory>> SharedMemory::make(int64_t bytes, const std::string& where) {
  static std::atomic<uint64_t> next{1};
  const Error refused = unavailable("there is not enough memory for " + std::to_string(bytes) + " bytes of pixels",
                                    where, "Read fewer views or rows at a time");
  int reason = 0;
  const int file = memfd_create("tomoloom pixels", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) return refused;
  void* data = MAP_FAILED;
  if (ftruncate(file, bytes) != 0) {
    reason = errno;
  } else if (fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0) {
    data = mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  }
  if (data == MAP_FAILED) {
    close(file);
    // The limit of file sizes also applies to shared memory.
    if (reason == EFBIG)
      return io_error("the limit for the size of files is below the " + std::to_string(bytes) +
                          " bytes through which pixels are read",
                      where, "Raise the limit (ulimit -f)");
    return refused;
  }
  return std::shared_ptr<SharedMemory>(
      new SharedMemory(file, static_cast<std::byte*>(data), bytes, next.fetch_add(1, std::memory_order_relaxed)));
}

SharedMemory::~SharedMemory() {
  munmap(data_, static_cast<std::size_t>(size_));
  fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, size_);
  close(file_);
}

}  // namespace tl::io
