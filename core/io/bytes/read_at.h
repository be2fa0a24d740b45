// read_at: bytes of an open file from an offset on.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tl::io {

// Reads until `to` is full or the file ends, whatever interrupts it. Returns the number of bytes read, or -1 with
// errno.
inline int64_t read_at(int file, int64_t offset, std::span<std::byte> to) {
  int64_t got = 0;
  while (got < static_cast<int64_t>(to.size())) {
    const ssize_t n = ::pread(file, to.data() + got, to.size() - static_cast<std::size_t>(got), offset + got);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return -1;
    if (n == 0) break;
    got += n;
  }
  return got;
}

}  // namespace tl::io
