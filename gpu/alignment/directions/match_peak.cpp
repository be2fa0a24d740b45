// Parabolas and paraboloids through correlations.
#include "gpu/alignment/directions/match_peak.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/units.h"

namespace tl::ops {
namespace {

// Where a parabola through values at -1, 0 and 1 is largest, at most `reach` away from 0, and how much above that at 0.
struct ParabolaPeak {
  double offset = 0, gain = 0;
};
ParabolaPeak parabola_peak(double before, double here, double after, double reach) {
  const double bend = before - 2 * here + after, slope = 0.5 * (after - before);
  if (!(bend < 0)) return {};
  const double x = std::clamp(-slope / bend, -reach, reach);
  return {x, slope * x + 0.5 * bend * x * x};
}

template <std::size_t N>
using SquareMatrix = std::array<std::array<double, N>, N>;

// Gaussian elimination with pivots; none where the equations do not determine the unknowns.
template <std::size_t N>
std::optional<std::array<double, N>> solved(SquareMatrix<N> m, std::array<double, N> right) {
  constexpr double singular = 1e-10;
  for (std::size_t c = 0; c < N; ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c + 1; r < N; ++r)
      if (std::abs(m[r][c]) > std::abs(m[pivot][c])) pivot = r;
    if (std::abs(m[pivot][c]) < singular) return std::nullopt;
    std::swap(m[c], m[pivot]);
    std::swap(right[c], right[pivot]);
    for (std::size_t r = c + 1; r < N; ++r) {
      const double factor = m[r][c] / m[c][c];
      for (std::size_t k = c; k < N; ++k) m[r][k] -= factor * m[c][k];
      right[r] -= factor * right[c];
    }
  }
  std::array<double, N> x{};
  for (std::size_t c = N; c-- > 0;) {
    x[c] = right[c];
    for (std::size_t k = c + 1; k < N; ++k) x[c] -= m[c][k] * x[k];
    x[c] /= m[c][c];
  }
  return x;
}

// Least squares of values against rows of N numbers.
template <std::size_t N>
std::optional<std::array<double, N>> fitted(const std::vector<std::array<double, N>>& rows,
                                            const std::vector<double>& values) {
  SquareMatrix<N> normal{};
  std::array<double, N> right{};
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t a = 0; a < N; ++a) {
      right[a] += rows[i][a] * values[i];
      for (std::size_t b = 0; b < N; ++b) normal[a][b] += rows[i][a] * rows[i][b];
    }
  return solved<N>(normal, right);
}

// A peak near the best one, in the plane that touches the sphere there.
struct NearPeak {
  double x, y;                   // along the best one's columns and rows [spacing]
  double value, turn, col, row;  // turn: rotation in the plane relative to the best one's [rad]
};

std::vector<NearPeak> near_peaks(const std::vector<DirectionPeak>& peaks, const DirectionPeak& best, double spacing) {
  constexpr double steps = 2.1, same_peak = 0.35;  // same_peak [rad]: others belong to another rotation
  std::vector<NearPeak> near;
  for (const DirectionPeak& p : peaks) {
    const Vec3 towards = p.axes.towards;
    if (angle_between(towards, best.axes.towards) > steps * spacing) continue;
    const Vec3 right = carried(p.axes.right, towards, best.axes.towards);
    const double turn = std::atan2(dot(right, best.axes.up), dot(right, best.axes.right));
    if (std::abs(turn) > same_peak) continue;
    near.push_back(
        {dot(towards, best.axes.right) / spacing, dot(towards, best.axes.up) / spacing, p.value, turn, p.col, p.row});
  }
  return near;
}

ImagePose pose_of(const DirectionPeak& p) { return {p.axes, p.col, p.row, p.value, 0}; }

// The value at (x, y) of a plane through numbers of the peaks.
double on_plane(const std::vector<NearPeak>& near, double NearPeak::*number, double x, double y, double otherwise) {
  std::vector<std::array<double, 3>> rows;
  std::vector<double> values;
  for (const NearPeak& p : near) rows.push_back({1, p.x, p.y}), values.push_back(p.*number);
  const auto plane = fitted<3>(rows, values);
  return plane ? (*plane)[0] + (*plane)[1] * x + (*plane)[2] * y : otherwise;
}

}  // namespace

DirectionPeak peak_of(const std::array<const float*, peak_shifts>& correlations, int64_t angles) {
  std::array<int64_t, peak_shifts> index{};
  std::array<double, peak_shifts> value{};
  std::array<ParabolaPeak, peak_shifts> rotation{};
  for (std::size_t q = 0; q < peak_shifts; ++q) {
    const float* c = correlations[q];
    index[q] = std::max_element(c, c + angles) - c;
    rotation[q] = parabola_peak(c[(index[q] + angles - 1) % angles], c[index[q]], c[(index[q] + 1) % angles], 1);
    value[q] = static_cast<double>(c[index[q]]) + rotation[q].gain;
  }
  const std::size_t best = static_cast<std::size_t>(std::max_element(value.begin(), value.end()) - value.begin());
  const std::size_t row = best / 3, col = best % 3;
  constexpr double reach = 1.5;  // steps from the middle one
  const ParabolaPeak across = parabola_peak(value[3 * row], value[3 * row + 1], value[3 * row + 2], reach);
  const ParabolaPeak down = parabola_peak(value[col], value[3 + col], value[6 + col], reach);
  DirectionPeak peak;
  peak.angle = 2 * pi * (static_cast<double>(index[best]) + rotation[best].offset) / static_cast<double>(angles);
  peak.col = across.gain > 0 ? peak_shift_step * across.offset : peak_shift_col(static_cast<int64_t>(best));
  peak.row = down.gain > 0 ? peak_shift_step * down.offset : peak_shift_row(static_cast<int64_t>(best));
  // Gains count from the middle of each line.
  peak.value = std::max(value[best], value[3 * row + 1] + across.gain + value[3 + col] + down.gain - value[best]);
  return peak;
}

ImagePose paraboloid_peak(const std::vector<DirectionPeak>& peaks, double spacing) {
  const DirectionPeak& best = *std::max_element(
      peaks.begin(), peaks.end(), [](const DirectionPeak& a, const DirectionPeak& b) { return a.value < b.value; });
  const std::vector<NearPeak> near = near_peaks(peaks, best, spacing);
  std::vector<std::array<double, 6>> rows;
  std::vector<double> values;
  for (const NearPeak& p : near) {
    rows.push_back({1, p.x, p.y, p.x * p.x, p.x * p.y, p.y * p.y});
    values.push_back(p.value / best.value);
  }
  constexpr std::size_t fewest = 7;
  if (near.size() < fewest || !(best.value > 0)) return pose_of(best);
  const auto c = fitted<6>(rows, values);
  if (!c) return pose_of(best);
  const double xx = 2 * (*c)[3], xy = (*c)[4], yy = 2 * (*c)[5], determinant = xx * yy - xy * xy;
  if (!(determinant > 0) || !(xx < 0)) return pose_of(best);
  double x = (xy * (*c)[2] - yy * (*c)[1]) / determinant, y = (xy * (*c)[1] - xx * (*c)[2]) / determinant;
  constexpr double reach = 1.5;  // [spacing]
  if (const double r = std::hypot(x, y); r > reach) x *= reach / r, y *= reach / r;
  const Vec3 moved = best.axes.towards + spacing * x * best.axes.right + spacing * y * best.axes.up;
  const Vec3 towards = (1 / norm(moved)) * moved;
  const ImageAxes carried_axes{carried(best.axes.right, best.axes.towards, towards),
                               carried(best.axes.up, best.axes.towards, towards), towards};
  ImagePose pose;
  pose.axes = rotated_in_plane(carried_axes, on_plane(near, &NearPeak::turn, x, y, 0));
  pose.col = on_plane(near, &NearPeak::col, x, y, best.col);
  pose.row = on_plane(near, &NearPeak::row, x, y, best.row);
  const auto& k = *c;
  pose.likeness = best.value * (k[0] + k[1] * x + k[2] * y + k[3] * x * x + k[4] * x * y + k[5] * y * y);
  return pose;
}

}  // namespace tl::ops
