// Medians and quantiles of lists. Internal to evidence.cpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace tl::ops {

// Changes the order of the values.
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

}  // namespace tl::ops
