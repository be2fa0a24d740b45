// Descriptor: owns an open file descriptor and closes it.
#pragma once

#include <unistd.h>

#include <utility>

namespace tl::io {

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int handle) : handle_(handle) {}
  Descriptor(Descriptor&& other) noexcept : handle_(std::exchange(other.handle_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Descriptor() {
    if (handle_ >= 0) close(handle_);
  }

  [[nodiscard]] bool is_open() const { return handle_ >= 0; }
  [[nodiscard]] int get() const { return handle_; }
  void reset() { Descriptor().swap(*this); }

 private:
  void swap(Descriptor& other) { std::swap(handle_, other.handle_); }
  int handle_ = -1;
};

}  // namespace tl::io
