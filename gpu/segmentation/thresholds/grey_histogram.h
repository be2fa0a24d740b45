// Histogram of a volume's grey values for automatic thresholds, counted block by block.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "gpu/image/histogram.h"

namespace tl::ops {

// Values in ascending order, and how many voxels have each.
struct GreyLevels {
  std::vector<double> value;
  std::vector<int64_t> count;
};

// Counts values over blocks; the result is independent of blocks, their order, and threads. NaN and infinities are
// counted separately.
class GreyHistogram {
 public:
  // float32, float64 or integers up to 32 bits, any shape, in CPU memory. `inside`: bool, of the same shape; only
  // values where it is true are counted (for a cylinder: circular_weights(...) > 0). Throws Failure for others.
  void add(const at::Tensor& values, const at::Tensor& inside = {});

  [[nodiscard]] int64_t count() const { return fine_.count(); }  // of finite values
  [[nodiscard]] int64_t nans() const { return nans_; }
  [[nodiscard]] int64_t above() const { return above_; }  // +infinity
  [[nodiscard]] int64_t below() const { return below_; }  // -infinity
  [[nodiscard]] double minimum() const { return fine_.minimum(); }
  [[nodiscard]] double maximum() const { return fine_.maximum(); }

  // Whether all values are integers within a range of less than 2^17, so that each integer is counted
  // separately.
  [[nodiscard]] bool has_only_integers() const;
  // One level per integer from the smallest to the largest, or else the centres of 256 equal bins between the two
  // (values nearer to an edge than a bin of fine_levels() may be in the adjacent bin). Only the smallest value if
  // fine_levels() has one level. Empty without finite values.
  [[nodiscard]] GreyLevels levels() const;
  // Levels that are not empty, as fine as they were counted: integers, or bins of at most 2^-17 of the range or 2^-45
  // of the largest magnitude, whichever is wider. The first and the last are the smallest and the largest value; values
  // that all fall into one bin are one level, the smallest.
  [[nodiscard]] GreyLevels fine_levels() const;

 private:
  Histogram fine_;
  int64_t nans_ = 0, above_ = 0, below_ = 0;
  bool whole_ = true;
};

}  // namespace tl::ops
