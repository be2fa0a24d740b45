// Counts voxels per bin and finds percentiles: each thread counts separately; counts are added as integers, so that the
// order has no effect.
#include "gpu/image/histogram.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "core/base/error.h"
#include "gpu/device/launch.h"
#include "gpu/device/parallel_for.h"
#include "gpu/operator/operator_checks.h"

namespace tl::ops {
namespace {

constexpr int64_t max_bins = int64_t{1} << 18;
constexpr int finest = 45;          // bins are at least 2^-45 of the largest value, so that indices are exact in double
constexpr int min_exponent = -960;  // its inverse is still finite
constexpr int64_t values_per_task = int64_t{1} << 18;

struct Range2 {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  int64_t not_finite = 0;
};

template <class T>
Range2 finite_range(const T* x, int64_t count) {
  Range2 all;
  std::mutex join;
  ops::parallel_for(0, count, values_per_task, [&](int64_t first, int64_t last) {
    T low = std::numeric_limits<T>::infinity(), high = -low;
    int64_t not_finite = 0;
    for (int64_t i = first; i < last; ++i) {
      const bool finite = std::abs(x[i]) <= std::numeric_limits<T>::max();
      not_finite += finite ? 0 : 1;
      low = finite && x[i] < low ? x[i] : low;
      high = finite && x[i] > high ? x[i] : high;
    }
    const std::lock_guard lock(join);
    all.low = std::min(all.low, static_cast<double>(low));
    all.high = std::max(all.high, static_cast<double>(high));
    all.not_finite += not_finite;
  });
  return all;
}

// counts[index(x)] += 1 for every value whose index is in [0, counts.size()).
template <class T, class Index>
void count_into(const T* x, int64_t count, std::vector<int64_t>& counts, const Index& index) {
  std::mutex join;
  ops::parallel_for(0, count, values_per_task, [&](int64_t first, int64_t last) {
    std::vector<int64_t> own(counts.size(), 0);
    const auto bins = static_cast<int64_t>(own.size());
    for (int64_t i = first; i < last; ++i) {
      const int64_t bin = index(static_cast<double>(x[i]));
      if (bin >= 0 && bin < bins) ++own[static_cast<std::size_t>(bin)];
    }
    const std::lock_guard lock(join);
    for (std::size_t b = 0; b < own.size(); ++b) counts[b] += own[b];
  });
}

// Counts by torch operations, on any device: integers can be added in any order. Values are processed in pieces, which
// limits the memory for their indices.
constexpr int64_t values_at_once = int64_t{1} << 24;

template <class Work>
void piece_by_piece(const at::Tensor& values, const Work& work) {
  const at::Tensor flat = values.view(-1);
  for (int64_t first = 0; first < flat.numel(); first += values_at_once)
    work(flat.narrow(0, first, std::min(values_at_once, flat.numel() - first)));
}

Range2 finite_range_there(const at::Tensor& values) {
  Range2 all;
  piece_by_piece(values, [&](const at::Tensor& x) {
    const at::Tensor finite = at::isfinite(x);
    const auto count = finite.sum().item<int64_t>();
    all.not_finite += x.numel() - count;
    if (count == 0) return;
    const auto without = [&](double instead) { return x.masked_fill(finite.logical_not(), instead); };
    constexpr double infinity = std::numeric_limits<double>::infinity();
    all.low = std::min(all.low, without(infinity).min().item<double>());
    all.high = std::max(all.high, without(-infinity).max().item<double>());
  });
  return all;
}

// bin_of(values as float64) returns indices as float64; NaN and indices outside [0, counts.size()) are ignored.
template <class BinOf>
void count_into_there(const at::Tensor& values, std::vector<int64_t>& counts, const BinOf& bin_of) {
  const auto bins = static_cast<int64_t>(counts.size());
  piece_by_piece(values, [&](const at::Tensor& x) {
    const at::Tensor bin = bin_of(x.to(at::kDouble));
    const at::Tensor inside = bin.ge(0).logical_and(bin.lt(static_cast<double>(bins)));
    // Ignored values are counted in an extra bin behind the last.
    const at::Tensor index = at::where(inside, bin, at::full({}, static_cast<double>(bins), bin.options()));
    const at::Tensor more = at::bincount(index.to(at::kLong), {}, bins + 1).cpu();
    const auto* from = more.const_data_ptr<int64_t>();
    for (int64_t b = 0; b < bins; ++b) counts[static_cast<std::size_t>(b)] += from[b];
  });
}

int64_t index_of(double value, int exponent) { return static_cast<int64_t>(std::floor(std::ldexp(value, -exponent))); }

// Exponent of the finest bins for which a histogram covers both ends.
int exponent_for(double low, double high) {
  const double largest = std::max(std::abs(low), std::abs(high));
  if (largest == 0) return min_exponent;
  int exponent = std::max(std::ilogb(largest) - finest, min_exponent);
  while (index_of(high, exponent) - index_of(low, exponent) >= max_bins) ++exponent;
  return exponent;
}

at::Tensor prepared(const at::Tensor& values) {
  at::Tensor plain = values.detach().contiguous();
  require_tensor(plain, plain.sizes().vec(), "histogram");
  check_device(plain, "histogram").or_throw();
  return plain;
}

}  // namespace

Histogram::Histogram() : low_(std::numeric_limits<double>::quiet_NaN()), high_(low_) {}

double Histogram::bin_width() const { return std::ldexp(1.0, exponent_); }

void Histogram::widen(double low, double high) {
  if (count_ > 0) {
    low = std::min(low, low_);
    high = std::max(high, high_);
  }
  const int exponent = exponent_for(low, high);
  TL_CHECK(count_ == 0 || exponent >= exponent_, "bins only ever join");
  const int64_t first = index_of(low, exponent), last = index_of(high, exponent);
  std::vector<int64_t> joined(static_cast<std::size_t>(last - first + 1), 0);
  // A shift of 63 leaves only the sign; in that case all values are on one side of 0.
  const int shift = count_ > 0 ? std::min(exponent - exponent_, 63) : 0;
  for (std::size_t i = 0; i < counts_.size(); ++i)
    joined[static_cast<std::size_t>(((first_ + static_cast<int64_t>(i)) >> shift) - first)] += counts_[i];
  counts_ = std::move(joined);
  exponent_ = exponent;
  first_ = first;
  low_ = low;
  high_ = high;
}

void Histogram::add(const at::Tensor& values) {
  const at::Tensor plain = prepared(values);
  // Extends the bins to the range of the values; false if no value is finite.
  const auto take = [&](const Range2& range) {
    not_finite_ += range.not_finite;
    const int64_t finite = plain.numel() - range.not_finite;
    if (finite == 0) return false;
    widen(range.low, range.high);
    count_ += finite;
    return true;
  };
  if (runs_functors(plain, "histogram")) {
    if (!take(finite_range_there(plain))) return;
    const double scale = std::ldexp(1.0, -exponent_), first = static_cast<double>(first_);
    count_into_there(plain, counts_, [=](const at::Tensor& v) { return (v * scale).floor() - first; });
    return;
  }
  const auto work = [&](const auto* x) {
    if (!take(finite_range(x, plain.numel()))) return;
    const double scale = std::ldexp(1.0, -exponent_), first = static_cast<double>(first_);
    count_into(x, plain.numel(), counts_, [=](double v) {
      return std::isfinite(v) ? static_cast<int64_t>(std::floor(v * scale) - first) : int64_t{-1};
    });
  };
  if (plain.scalar_type() == at::kFloat) return work(plain.const_data_ptr<float>());
  work(plain.const_data_ptr<double>());
}

double Histogram::order_statistic(int64_t rank) const {
  if (rank <= 0) return low_;
  if (rank >= count_ - 1) return high_;
  int64_t before = 0;
  std::size_t bin = 0;
  while (before + counts_[bin] <= rank) before += counts_[bin++];
  // The values in a bin are assumed to be uniformly distributed.
  const double within = (static_cast<double>(rank - before) + 0.5) / static_cast<double>(counts_[bin]);
  const double value = (static_cast<double>(first_ + static_cast<int64_t>(bin)) + within) * bin_width();
  return std::clamp(value, low_, high_);
}

double Histogram::percentile(double percent) const {
  if (count_ == 0) return std::numeric_limits<double>::quiet_NaN();
  const double place = static_cast<double>(count_ - 1) * std::clamp(percent, 0.0, 100.0) / 100;
  const double below = std::floor(place), share = place - below;
  const double value = order_statistic(static_cast<int64_t>(below));
  if (share == 0) return value;
  return value + share * (order_statistic(static_cast<int64_t>(below) + 1) - value);
}

Histogram::Curve Histogram::curve(int64_t at_most) const {
  Curve c;
  if (count_ == 0) return c;
  const int64_t most = std::max<int64_t>(at_most, 2), last = first_ + static_cast<int64_t>(counts_.size()) - 1;
  int shift = 0;
  while ((last >> shift) - (first_ >> shift) >= most) ++shift;
  c.width = std::ldexp(bin_width(), shift);
  const int64_t from = first_ >> shift;
  c.count.assign(static_cast<std::size_t>((last >> shift) - from + 1), 0);
  for (std::size_t i = 0; i < counts_.size(); ++i)
    c.count[static_cast<std::size_t>(((first_ + static_cast<int64_t>(i)) >> shift) - from)] += counts_[i];
  for (std::size_t i = 0; i < c.count.size(); ++i)
    c.value.push_back((static_cast<double>(from + static_cast<int64_t>(i)) + 0.5) * c.width);
  return c;
}

std::vector<int64_t> count_in_bins(const at::Tensor& values, double low, double high, int64_t bins) {
  if (!std::isfinite(low) || !std::isfinite(high) || !(low < high))
    throw Failure(invalid("a histogram needs a lower and a larger upper end", "histogram"));
  if (bins < 1 || bins > (int64_t{1} << 24)) throw Failure(invalid("choose 1 to 2^24 bins", "histogram"));
  const at::Tensor plain = prepared(values);
  std::vector<int64_t> counts(static_cast<std::size_t>(bins), 0);
  const double scale = static_cast<double>(bins) / (high - low);
  const auto index = [=](double v) {
    if (!(v >= low && v <= high)) return int64_t{-1};
    return std::min(static_cast<int64_t>((v - low) * scale), bins - 1);
  };
  if (runs_functors(plain, "histogram")) {
    count_into_there(plain, counts, [=](const at::Tensor& v) {
      const at::Tensor outside = at::full({}, -1.0, v.options());
      return at::where(v.ge(low).logical_and(v.le(high)),
                       ((v - low) * scale).floor().clamp_max(static_cast<double>(bins - 1)), outside);
    });
  } else if (plain.scalar_type() == at::kFloat) {
    count_into(plain.const_data_ptr<float>(), plain.numel(), counts, index);
  } else {
    count_into(plain.const_data_ptr<double>(), plain.numel(), counts, index);
  }
  return counts;
}

}  // namespace tl::ops
