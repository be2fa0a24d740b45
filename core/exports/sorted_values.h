// SortedValues: the values of an image in order, so that shares, percentiles and histograms of any range are exact and
// cost a search each. No array type.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/picture/image.h"
#include "core/picture/levels.h"

namespace tl::exports {

// Voxels that are clipped by the conversion to integers, not only rounded; counted as io::clipped_voxels() does.
struct Clipped {
  int64_t values = 0;  // all
  int64_t below = 0, above = 0, not_numbers = 0;
  [[nodiscard]] double share() const;  // 0 to 1
};

class SortedValues {
 public:
  SortedValues() = default;
  // Takes O(n log n) time: not for a GUI thread.
  explicit SortedValues(const picture::Image& image);

  [[nodiscard]] int64_t count() const { return static_cast<int64_t>(values_.size()) + not_numbers_; }
  // Percentiles of the finite values; 0 to 1 if there are none. A range of equal values is widened, so that low < high.
  [[nodiscard]] picture::Levels percentiles(double below, double above) const;  // 0 to 100
  [[nodiscard]] picture::Levels full() const { return percentiles(0, 100); }
  // `type`: "uint16", "uint8"; nothing is clipped for others.
  [[nodiscard]] Clipped clipped(const std::string& type, picture::Levels range) const;
  [[nodiscard]] picture::Histogram histogram(picture::Levels range, int bins) const;

 private:
  std::vector<float> values_;  // without NaN
  std::size_t first_finite_ = 0, end_finite_ = 0;
  int64_t not_numbers_ = 0;
};

// The mean of each block of `factor` voxels along each axis. The slices of `stack` lie one under the other, the first
// index first; rows run from the largest index to the smallest, as in images of boxes. Incomplete blocks at the largest
// indices are dropped, and an axis of fewer voxels becomes one.
picture::Image binned(const picture::Image& stack, int64_t slices, int64_t factor);

// The difference in value between adjacent integers for this range; 0 for floats.
double grey_step(const std::string& type, picture::Levels range);

}  // namespace tl::exports
