// Medians and quantiles of lists, and running medians as their trend and usual size. Internal to evidence.cpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "gpu/correction/stripes/detection.h"

namespace tl::ops {

inline constexpr double sigma_of_deviation = 1.4826;  // median of absolute deviations -> standard deviation

// The median; reorders the values.
inline double middle_of(std::vector<double>& values) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

inline double median_of_list(std::vector<double> values) { return middle_of(values); }

// Median of |value - median|.
inline double spread_of(const std::vector<double>& values) {
  const double median = median_of_list(values);
  std::vector<double> sizes;
  for (const double v : values) sizes.push_back(std::abs(v - median));
  return middle_of(sizes);
}

inline double quantile_of_sizes(std::vector<double> values, double share) {
  for (double& v : values) v = std::abs(v);
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

using Lists = std::vector<std::vector<double>>;

inline void subtract(std::vector<double>& list, const std::vector<double>& usual) {
  for (std::size_t i = 0; i < list.size(); ++i) list[i] -= usual[i];
}

// The lists minus their running median over `reach` values on either side.
inline Lists less_median(Lists lists, int64_t reach) {
  const Lists usual = median_filtered(lists, 2 * reach + 1);
  for (std::size_t l = 0; l < lists.size(); ++l) subtract(lists[l], usual[l]);
  return lists;
}

// Standard deviation about 0 that corresponds to the running median of the magnitudes.
inline Lists usual_size(Lists sizes, int64_t reach) {
  for (auto& list : sizes)
    for (double& v : list) v = std::abs(v);
  sizes = median_filtered(sizes, 2 * reach + 1);
  for (auto& list : sizes)
    for (double& v : list) v *= sigma_of_deviation;
  return sizes;
}

}  // namespace tl::ops
