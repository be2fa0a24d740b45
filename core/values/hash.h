// Hash: 128-bit keys of cached results (XXH3).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/values/infos.h"

namespace tl {

struct Hash {
  uint64_t high = 0, low = 0;
  friend auto operator<=>(const Hash&, const Hash&) = default;
  [[nodiscard]] std::string text() const;  // 32 hexadecimal digits
};

// Texts are hashed with their length, so that ("ab", "c") and ("a", "bc") differ.
class Hasher {
 public:
  Hasher();
  ~Hasher();
  Hasher(const Hasher&) = delete;
  Hasher& operator=(const Hasher&) = delete;
  Hasher& add(std::string_view text);
  Hasher& add(int64_t value);
  Hasher& add(double value);
  Hasher& add(const Hash& hash);
  Hasher& add(const Region& region);
  [[nodiscard]] Hash digest() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tl
