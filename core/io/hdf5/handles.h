// Handles of HDF5: owned identifiers, the library's lock, and its errors as text. No array library.
#pragma once

#include <hdf5.h>

#include <mutex>
#include <string>
#include <utility>

namespace tl::io {

// Owns one HDF5 identifier; `close` is the H5?close function for its kind of object.
class Hdf5Id {
 public:
  using Close = herr_t (*)(hid_t);
  Hdf5Id() = default;
  Hdf5Id(hid_t id, Close close) : id_(id), close_(close) {}
  Hdf5Id(Hdf5Id&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5Id& operator=(Hdf5Id&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Hdf5Id() {
    if (id_ >= 0) close_(id_);
  }
  [[nodiscard]] hid_t get() const { return id_; }
  [[nodiscard]] bool valid() const { return id_ >= 0; }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

// Lock it while writing: the library's own lock must be free when a thread forks.
std::mutex& hdf5_mutex();

// Suppresses HDF5's messages on this thread during its lifetime; problem() returns the last one.
class Hdf5ErrorsSilenced {
 public:
  Hdf5ErrorsSilenced();
  ~Hdf5ErrorsSilenced();
  Hdf5ErrorsSilenced(const Hdf5ErrorsSilenced&) = delete;
  Hdf5ErrorsSilenced& operator=(const Hdf5ErrorsSilenced&) = delete;
  static std::string problem();

 private:
  H5E_auto2_t handler_ = nullptr;
  void* data_ = nullptr;
};

}  // namespace tl::io
