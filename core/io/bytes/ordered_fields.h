// OrderedFields: numbers at places of a binary header, in its byte order.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "core/io/bytes/byte_order.h"

namespace tl::io {

// The bytes outlive it, and reach beyond every number that is asked for.
class OrderedFields {
 public:
  OrderedFields(const std::string& bytes, ByteOrder order) : bytes_(bytes), order_(order) {}

  // The number that begins at byte `at`.
  template <class T>
  [[nodiscard]] T get(std::size_t at) const {
    std::array<char, sizeof(T)> raw{};
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(at), sizeof(T), raw.begin());
    if (order_ == ByteOrder::big) std::reverse(raw.begin(), raw.end());
    T value;
    std::memcpy(&value, raw.data(), sizeof value);
    return value;
  }
  // N numbers of type T one after the other.
  template <class T, class To, std::size_t N>
  void fill(std::array<To, N>& to, std::size_t at) const {
    for (std::size_t i = 0; i < N; ++i) to[i] = static_cast<To>(get<T>(at + i * sizeof(T)));
  }
  template <class T>
  [[nodiscard]] std::array<T, 3> three(std::size_t at) const {
    std::array<T, 3> numbers{};
    fill<T>(numbers, at);
    return numbers;
  }

 private:
  const std::string& bytes_;
  ByteOrder order_;
};

}  // namespace tl::io
