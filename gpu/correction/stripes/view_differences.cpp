// Joins views of equal angles and computes the weights of differences along the views.
#include "gpu/correction/stripes/view_differences.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tl::ops {
namespace {

constexpr int64_t fewest_blocks = 200;
constexpr double same_angle = 1e-3;  // of the mean step

// Weights of the divided difference through these angles, scaled so that it has sqrt(sum of binomials^2) times the
// noise of one value, as for equal steps: sqrt(6) for three angles, sqrt(70) for five.
template <std::size_t N>
std::array<float, N> difference_weights(const double* angles, double noise) {
  std::array<double, N> w{};
  double squares = 0;
  for (std::size_t i = 0; i < N; ++i) {
    w.at(i) = 1;
    for (std::size_t j = 0; j < N; ++j)
      if (j != i) w.at(i) *= (angles[N - 1] - angles[0]) / (angles[i] - angles[j]);
    squares += w.at(i) * w.at(i);
  }
  std::array<float, N> out{};
  for (std::size_t i = 0; i < N; ++i) out.at(i) = static_cast<float>(w.at(i) * noise / std::sqrt(squares));
  return out;
}

// The different angles, ascending.
std::vector<double> joined_angles(ViewDifferences& d, const std::vector<double>& angles) {
  std::vector<double> own;
  if (angles.empty()) {
    own.resize(static_cast<std::size_t>(d.recorded));
    std::iota(own.begin(), own.end(), 0.0);
    return own;
  }
  const double tolerance = same_angle * (angles.back() - angles.front()) / static_cast<double>(d.recorded);
  for (const double a : angles) {
    if (own.empty() || a - own.back() > tolerance) own.push_back(a);
    d.group.push_back(std::ssize(own) - 1);
  }
  if (own.size() == angles.size()) d.group.clear();
  return own;
}

}  // namespace

ViewDifferences view_differences(int64_t views, const std::vector<double>& angles) {
  ViewDifferences d;
  d.recorded = views;
  const std::vector<double> own = joined_angles(d, angles);
  d.views = std::ssize(own);
  d.of_block = std::max<int64_t>(1, d.views / fewest_blocks);
  d.blocks = d.views / d.of_block;
  const int64_t used = d.blocks * d.of_block;
  d.second.assign(static_cast<std::size_t>(used), {});
  d.fourth.assign(static_cast<std::size_t>(used), {});
  for (int64_t v = 1; v + 1 < used; ++v) {
    const auto i = static_cast<std::size_t>(v);
    const double* t = own.data() + v;
    d.second[i] = difference_weights<3>(t - 1, std::sqrt(6.0));
    if (v > 1 && v + 2 < used) d.fourth[i] = difference_weights<5>(t - 2, std::sqrt(70.0));
  }
  return d;
}

}  // namespace tl::ops
