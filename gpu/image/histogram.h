// Histograms and percentiles: exact counts, independent of blocks, their order, and threads.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace tl::ops {

// Counts values in equal bins whose edges are multiples of a power of two. Bins are merged in pairs when a value falls
// outside, so that the range need not be known beforehand. The final bins depend only on the smallest and largest
// value: 131072 to 262144 of them between the two, fewer if the numbers have no more digits (float32 within one
// binade). Non-finite values are counted separately.
class Histogram {
 public:
  Histogram();
  // float32 or float64, any shape; throws Failure for others.
  void add(const at::Tensor& values);

  [[nodiscard]] int64_t count() const { return count_; }  // of finite values
  [[nodiscard]] int64_t not_finite() const { return not_finite_; }
  [[nodiscard]] double minimum() const { return low_; }  // NaN when empty
  [[nodiscard]] double maximum() const { return high_; }
  [[nodiscard]] double bin_width() const;

  // Value below which `percent` of the values lie, interpolated linearly between order statistics as in
  // numpy.percentile; accurate to one bin_width(). NaN when empty.
  [[nodiscard]] double percentile(double percent) const;

  struct Curve {
    std::vector<double> value;  // middle of each bin
    std::vector<int64_t> count;
    double width = 0;
  };
  // The histogram with neighbouring bins merged until there are at most `at_most` (at least two: one on either side of
  // 0).
  [[nodiscard]] Curve curve(int64_t at_most) const;

 private:
  void widen(double low, double high);
  [[nodiscard]] double order_statistic(int64_t rank) const;

  int exponent_ = 0;   // bins are 2^exponent_ wide
  int64_t first_ = 0;  // counts_[i] is of [(first_ + i) 2^exponent_, (first_ + i + 1) 2^exponent_)
  std::vector<int64_t> counts_;
  int64_t count_ = 0, not_finite_ = 0;
  double low_, high_;
};

// Counts in `bins` equal bins from low to high, the last one including its upper end (like numpy.histogram); other
// values are ignored. Throws Failure{invalid} unless low < high, both finite, and 1 <= bins <= 2^24.
std::vector<int64_t> count_in_bins(const at::Tensor& values, double low, double high, int64_t bins);

}  // namespace tl::ops
