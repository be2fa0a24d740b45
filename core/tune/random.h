// Random: a sequence of random numbers that depends on seed and stream alone.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/random.h"

namespace tl::tune {

// Not from several threads at a time.
class Random {
 public:
  Random(uint64_t seed, uint64_t stream) : philox_{seed, stream} {}

  // In (0, 1).
  double uniform() { return philox_.uniform(count_++); }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  double normal() { return philox_.normal(count_++); }
  // One of 0 ... count - 1; count > 0.
  int64_t below(int64_t count) {
    const auto at = static_cast<int64_t>(uniform() * static_cast<double>(count));
    return at < count ? at : count - 1;
  }
  bool happens(double probability) { return uniform() < probability; }

  template <class T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i)
      std::swap(items[i - 1], items[static_cast<std::size_t>(below(static_cast<int64_t>(i)))]);
  }
  template <class T>
  const T& one_of(const std::vector<T>& items) {
    return items[static_cast<std::size_t>(below(static_cast<int64_t>(items.size())))];
  }

 private:
  Philox philox_;
  uint64_t count_ = 0;
};

}  // namespace tl::tune
