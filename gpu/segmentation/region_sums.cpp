// Sums over regions, run by run along x.
#include "gpu/segmentation/region_sums.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gpu/segmentation/lattice.h"

namespace tl::ops {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// 0 + 1 + ... + (n - 1), and the sum of the squares.
int64_t sum_below(int64_t n) { return n * (n - 1) / 2; }
int64_t squares_below(int64_t n) { return (n - 1) * n * (2 * n - 1) / 6; }

}  // namespace

RegionSums::Sums& RegionSums::of(int32_t number) {
  const auto [at, is_new] = index_.try_emplace(number, sums_.size());
  if (is_new) {
    Sums s;
    s.number = number;
    s.first = {std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::max(),
               std::numeric_limits<int64_t>::max()};
    s.last = {-1, -1, -1};
    sums_.push_back(s);
  }
  return sums_[at->second];
}

void RegionSums::add_run(Sums& s, int64_t z, int64_t y, int64_t begin, int64_t end) const {
  const int64_t n = end - begin, x = sum_below(end) - sum_below(begin);
  s.voxels += n;
  s.index_sum[0] += n * z;
  s.index_sum[1] += n * y;
  s.index_sum[2] += x;
  s.product[0] += n * z * z;
  s.product[1] += n * y * y;
  s.product[2] += squares_below(end) - squares_below(begin);
  s.product[3] += n * z * y;
  s.product[4] += z * x;
  s.product[5] += y * x;
  const std::array<int64_t, 3> low{z, y, begin}, high{z, y, end - 1};
  for (std::size_t d = 0; d < 3; ++d) {
    s.first[d] = std::min(s.first[d], low[d]);
    s.last[d] = std::max(s.last[d], high[d]);
  }
}

template <class T>
void RegionSums::add_values(Sums& s, const T* values, int64_t count) const {
  for (int64_t i = 0; i < count; ++i) {
    const auto v = static_cast<double>(values[i]);
    if (std::isnan(v)) continue;
    if (s.with_value++ == 0) s.shift = s.least = s.most = v;
    const double d = v - s.shift;
    s.value += d;
    s.square += d * d;
    s.least = std::min(s.least, v);
    s.most = std::max(s.most, v);
  }
}

template <class T>
void RegionSums::add_slab(const at::Tensor& labels, const T* values, const CancelToken& cancel) {
  const at::Tensor plain = labels.to(at::kInt).contiguous();
  const auto* const number = plain.const_data_ptr<int32_t>();
  const int64_t nz = plain.size(0), ny = plain.size(1), nx = plain.size(2);
  for (int64_t z = 0; z < nz; ++z) {
    cancel.check();
    for (int64_t y = 0; y < ny; ++y) {
      const int64_t row = (z * ny + y) * nx;
      for (int64_t x = 0; x < nx;) {
        const int32_t name = number[row + x];
        int64_t end = x + 1;
        while (end < nx && number[row + end] == name) ++end;
        if (name != 0) {
          Sums& s = of(name);
          add_run(s, slices_ + z, y, x, end);
          if (values != nullptr) add_values(s, values + row + x, end - x);
        }
        x = end;
      }
    }
  }
  slices_ += nz;
}

Result<void> RegionSums::add(const at::Tensor& labels, const at::Tensor& values, const CancelToken& cancel) {
  const std::string where = "regions";
  if (auto lattice = check_labels(labels, where); !lattice.ok()) return lattice.error();
  if (labels.dim() != 3) return invalid("a slab must be [z, y, x]", where);
  if (slices_ > 0 && values.defined() != has_values_)
    return invalid("grey values are there for some slabs only", where);
  if (labels.scalar_type() == at::kInt && labels.min().item<int32_t>() < 0)
    return invalid("a number of a region is negative", where);
  has_values_ = values.defined();
  if (!has_values_) {
    add_slab<float>(labels, nullptr, cancel);
    return ok();
  }
  TL_TRY(check_volume(values, where));
  TL_TRY(check_same_shape(labels, values, "the volume of grey values", where));
  const at::Tensor plain = values.contiguous();
  if (plain.scalar_type() == at::kDouble) {
    add_slab(labels, plain.const_data_ptr<double>(), cancel);
  } else {
    add_slab(labels, plain.const_data_ptr<float>(), cancel);
  }
  return ok();
}

std::vector<RegionSummary> RegionSums::regions() const {
  std::vector<RegionSummary> all;
  all.reserve(sums_.size());
  for (const Sums& s : sums_) {
    RegionSummary r{.number = s.number, .voxels = s.voxels, .first = s.first, .last = s.last};
    const auto n = static_cast<long double>(s.voxels);
    std::array<long double, 3> mean{};
    for (std::size_t d = 0; d < 3; ++d) {
      mean[d] = static_cast<long double>(s.index_sum[d]) / n;
      r.centroid[d] = static_cast<double>(mean[d]);
    }
    constexpr std::array<std::array<std::size_t, 2>, 6> pairs{{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};
    for (std::size_t i = 0; i < pairs.size(); ++i)
      r.spread[i] =
          static_cast<double>(static_cast<long double>(s.product[i]) / n - mean[pairs[i][0]] * mean[pairs[i][1]]);
    r.with_value = s.with_value;
    r.mean = r.deviation = r.least = r.most = nan;
    if (s.with_value > 0) {
      const double difference = s.value / static_cast<double>(s.with_value);
      r.mean = s.shift + difference;
      r.deviation = std::sqrt(std::max(s.square / static_cast<double>(s.with_value) - difference * difference, 0.0));
      r.least = s.least;
      r.most = s.most;
    }
    all.push_back(r);
  }
  std::sort(all.begin(), all.end(), [](const RegionSummary& a, const RegionSummary& b) { return a.number < b.number; });
  return all;
}

}  // namespace tl::ops
