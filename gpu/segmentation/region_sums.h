// Sizes, positions, shapes and grey values of labelled regions, of whole volumes or slab by slab.
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/base/cancel.h"
#include "core/base/error.h"

namespace tl::ops {

// Sums over the voxels of one label. Positions are indices along z, y, x.
struct RegionSummary {
  int64_t number = 0;
  int64_t voxels = 0;
  std::array<double, 3> centroid{};
  std::array<int64_t, 3> first{}, last{};  // bounding box, both ends included
  // Means of (z - z0)^2, (y - y0)^2, (x - x0)^2, (z - z0)(y - y0), (z - z0)(x - x0), (y - y0)(x - x0) about the
  // centroid.
  std::array<double, 6> spread{};
  int64_t with_value = 0;  // number of voxels with a grey value that is not NaN
  // Statistics of these voxels; NaN if there are none. The standard deviation is divided by n, not n - 1.
  double mean = 0, deviation = 0, least = 0, most = 0;
};

// Slabs [z, y, x] are added from z = 0 upward. The sums of positions are exact integers; those of grey values are
// of differences from the first one of each region, in double. One thread; memory per region, not per number.
class RegionSums {
 public:
  // labels: bool, uint8, int32; 0 is not a region. values: float32 or float64, of the same shape, or undefined. Errors:
  // invalid for shapes, types, negative numbers; values given for one slab and not for another.
  Result<void> add(const at::Tensor& labels, const at::Tensor& values = {}, const CancelToken& cancel = {});

  // Ascending by number.
  [[nodiscard]] std::vector<RegionSummary> regions() const;
  [[nodiscard]] int64_t slices() const { return slices_; }

 private:
  struct Sums {
    int32_t number = 0;
    int64_t voxels = 0;
    std::array<int64_t, 3> index_sum{};  // z, y, x
    std::array<int64_t, 6> product{};    // zz, yy, xx, zy, zx, yx
    std::array<int64_t, 3> first{}, last{};
    int64_t with_value = 0;
    double shift = 0, value = 0, square = 0;  // of value - shift
    double least = 0, most = 0;
  };
  Sums& of(int32_t number);
  void add_run(Sums& s, int64_t z, int64_t y, int64_t begin, int64_t end) const;
  template <class T>
  void add_values(Sums& s, const T* values, int64_t count) const;
  template <class T>
  void add_slab(const at::Tensor& labels, const T* values, const CancelToken& cancel);

  std::vector<Sums> sums_;
  std::unordered_map<int32_t, std::size_t> index_;  // by number
  int64_t slices_ = 0;
  bool has_values_ = false;
};

}  // namespace tl::ops
