// MrcMaker: headers and numbers of MRC files, made by hand.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/io/bytes/byte_order.h"

namespace tl::test {

// The bytes of a number.
template <class T>
std::string raw(T value, io::ByteOrder order) {
  std::string bytes(reinterpret_cast<const char*>(&value), sizeof value);
  if (order == io::ByteOrder::big) std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

// A header of 5 columns, 3 rows and 2 sections of a volume, 10 x 10 x 20 angstrom each, with changes by the place of a
// field.
class MrcMaker {
 public:
  explicit MrcMaker(int32_t mode, io::ByteOrder order = io::ByteOrder::little) : order_(order), bytes_(1024, '\0') {
    three<int32_t>(0, 5, 3, 2);
    put<int32_t>(12, mode);
    three<int32_t>(28, 5, 3, 2);
    three<float>(40, 50, 30, 40);  // 10 x 10 x 20 angstrom
    three<float>(52, 90, 90, 90);
    three<int32_t>(64, 1, 2, 3);
    put<int32_t>(88, 1);
    bytes_.replace(208, 4, "MAP ");
    bytes_.replace(212, 2, order == io::ByteOrder::little ? "\x44\x44" : "\x11\x11");
  }
  template <class T>
  MrcMaker& put(std::size_t at, T value) {
    bytes_.replace(at, sizeof(T), raw(value, order_));
    return *this;
  }
  template <class T>
  MrcMaker& three(std::size_t at, T x, T y, T z) {
    return put(at, x).put(at + sizeof(T), y).put(at + 2 * sizeof(T), z);
  }
  MrcMaker& text(std::size_t at, const std::string& words) {
    bytes_.replace(at, words.size(), words);
    return *this;
  }
  template <class T>
  [[nodiscard]] std::string with(const std::vector<T>& numbers) const {
    std::string all = bytes_;
    for (const T n : numbers) all += raw(n, order_);
    return all;
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  io::ByteOrder order_;
  std::string bytes_;
};

}  // namespace tl::test
