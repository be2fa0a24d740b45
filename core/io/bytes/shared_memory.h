// SharedMemory: memory shared with the processes that read files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "core/base/error.h"

namespace tl::io {

// Initially zero. No other process can shrink it, so its contents stay accessible. Its pages are freed with this
// object, even if another process still maps them.
class SharedMemory {
 public:
  static Result<std::shared_ptr<SharedMemory>> make(int64_t bytes, const std::string& where);
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  ~SharedMemory();

  [[nodiscard]] std::byte* data() const { return data_; }
  [[nodiscard]] int64_t size() const { return size_; }
  [[nodiscard]] int file() const { return file_; }
  // Unique within this process.
  [[nodiscard]] uint64_t id() const { return id_; }

 private:
  SharedMemory(int file, std::byte* data, int64_t size, uint64_t id) : file_(file), data_(data), size_(size), id_(id) {}
  int file_;
  std::byte* data_;
  int64_t size_;
  uint64_t id_;
};

}  // namespace tl::io
