// FileDescriptor: owns an open file descriptor and closes it.
#pragma once

#include <unistd.h>

#include <utility>

namespace tl::io {

class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int handle) : handle_(handle) {}
  FileDescriptor(FileDescriptor&& other) noexcept : handle_(std::exchange(other.handle_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~FileDescriptor() {
    if (handle_ >= 0) close(handle_);
  }

  [[nodiscard]] bool is_open() const { return handle_ >= 0; }
  [[nodiscard]] int get() const { return handle_; }
  void reset() { FileDescriptor().swap(*this); }

 private:
  void swap(FileDescriptor& other) { std::swap(handle_, other.handle_); }
  int handle_ = -1;
};

}  // namespace tl::io
