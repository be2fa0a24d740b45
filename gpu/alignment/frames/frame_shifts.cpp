// Solves for the positions of frames whose differences are measured, with wrong pairs left out.
#include "gpu/alignment/frames/frame_shifts.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tl::ops {
namespace {

constexpr double sigmas = 3;
constexpr double least_sigma = 0.01;  // [px] of a pair: smaller differences are those of the interpolation
constexpr double to_sigma = 1.4826;   // of the median of absolute values, of normal deviates

struct Positions {
  std::vector<double> x, y;
};

// Frames that kept pairs connect, as many as can be; `in` says which.
std::vector<bool> largest_part(const std::vector<FramePair>& pairs, const std::vector<bool>& kept, int64_t frames) {
  std::vector<int64_t> part(static_cast<std::size_t>(frames));
  std::iota(part.begin(), part.end(), 0);
  const auto root = [&](int64_t i) {
    while (part[static_cast<std::size_t>(i)] != i) i = part[static_cast<std::size_t>(i)];
    return i;
  };
  for (std::size_t k = 0; k < pairs.size(); ++k)
    if (kept[k]) part[static_cast<std::size_t>(root(pairs[k].second))] = root(pairs[k].first);
  std::vector<int64_t> size(static_cast<std::size_t>(frames), 0);
  for (int64_t i = 0; i < frames; ++i) ++size[static_cast<std::size_t>(root(i))];
  const int64_t largest = std::max_element(size.begin(), size.end()) - size.begin();
  std::vector<bool> in(static_cast<std::size_t>(frames));
  for (int64_t i = 0; i < frames; ++i) in[static_cast<std::size_t>(i)] = root(i) == largest;
  return in;
}

// Weighted least squares; frames that `in` leaves out, and the first one in it, stay at 0.
Positions solved(const std::vector<FramePair>& pairs, const std::vector<double>& weights, const std::vector<bool>& in,
                 Coefficients which) {
  const auto frames = static_cast<int64_t>(in.size());
  const int64_t first = std::find(in.begin(), in.end(), true) - in.begin();
  std::vector<int64_t> unknown(in.size(), -1);
  int64_t count = 0;
  for (int64_t i = first + 1; i < frames; ++i)
    if (in[static_cast<std::size_t>(i)]) unknown[static_cast<std::size_t>(i)] = count++;
  Positions p{std::vector<double>(in.size(), 0.0), std::vector<double>(in.size(), 0.0)};
  if (count == 0) return p;
  const at::Tensor matrix = at::zeros({count, count}, at::kDouble), right = at::zeros({count, 2}, at::kDouble);
  auto m = matrix.accessor<double, 2>();
  auto b = right.accessor<double, 2>();
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const FramePair& pair = pairs[k];
    if (weights[k] == 0 || !in[static_cast<std::size_t>(pair.first)] || !in[static_cast<std::size_t>(pair.second)])
      continue;
    const int64_t i = unknown[static_cast<std::size_t>(pair.first)], j = unknown[static_cast<std::size_t>(pair.second)];
    const double x = pair.x.at(static_cast<std::size_t>(which)), y = pair.y.at(static_cast<std::size_t>(which));
    if (i >= 0) m[i][i] += weights[k], b[i][0] -= weights[k] * x, b[i][1] -= weights[k] * y;
    if (j >= 0) m[j][j] += weights[k], b[j][0] += weights[k] * x, b[j][1] += weights[k] * y;
    if (i >= 0 && j >= 0) m[i][j] -= weights[k], m[j][i] -= weights[k];
  }
  const at::Tensor solution = at::linalg_solve(matrix, right);
  const auto s = solution.accessor<double, 2>();
  for (std::size_t i = 0; i < in.size(); ++i)
    if (unknown[i] >= 0) p.x[i] = s[unknown[i]][0], p.y[i] = s[unknown[i]][1];
  return p;
}

double residual(const FramePair& pair, const Positions& p) {
  const auto i = static_cast<std::size_t>(pair.first), j = static_cast<std::size_t>(pair.second);
  return std::hypot(p.x[j] - p.x[i] - pair.x[0], p.y[j] - p.y[i] - pair.y[0]);
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

int64_t middle_frame(const Positions& p, const std::vector<bool>& in) {
  int64_t best = 0;
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (!in[i]) continue;
    double largest = 0;
    for (std::size_t j = 0; j < in.size(); ++j)
      if (in[j]) largest = std::max(largest, std::hypot(p.x[j] - p.x[i], p.y[j] - p.y[i]));
    if (largest < smallest) smallest = largest, best = static_cast<int64_t>(i);
  }
  return best;
}

// [px] half the root mean square difference of what two halves of the coefficients say, without their mean.
double half_difference(const std::vector<double>& a, const std::vector<double>& b, const std::vector<bool>& in) {
  double sum = 0, squares = 0, count = 0;
  for (std::size_t i = 0; i < in.size(); ++i)
    if (in[i]) sum += a[i] - b[i], squares += (a[i] - b[i]) * (a[i] - b[i]), ++count;
  return count > 1 ? 0.5 * std::sqrt(std::max(0.0, squares - sum * sum / count) / (count - 1)) : 0;
}

}  // namespace

FrameShifts shifts_of_pairs(const std::vector<FramePair>& pairs, int64_t frames) {
  constexpr int robust_steps = 20, most_passes = 20;
  std::vector<bool> kept(pairs.size());
  std::vector<double> weights(pairs.size()), significances;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    kept[k] = pairs[k].significance > 0;
    weights[k] = kept[k] ? 1 : 0;
    significances.push_back(pairs[k].significance);
  }
  std::vector<bool> in = largest_part(pairs, kept, frames);
  Positions p = solved(pairs, weights, in, Coefficients::all);
  for (int i = 0; i < robust_steps; ++i) {
    for (std::size_t k = 0; k < pairs.size(); ++k)
      weights[k] = kept[k] ? 1 / std::max(least_sigma, residual(pairs[k], p)) : 0;
    p = solved(pairs, weights, in, Coefficients::all);
  }
  FrameShifts s;
  std::vector<double> residuals;
  for (std::size_t k = 0; k < pairs.size(); ++k)
    if (kept[k]) residuals.push_back(residual(pairs[k], p));
  s.spread = to_sigma * median(residuals);
  for (int pass = 0; pass < most_passes; ++pass) {
    std::vector<double> of_kept;
    for (std::size_t k = 0; k < pairs.size(); ++k)
      if (kept[k]) of_kept.push_back(residual(pairs[k], p));
    const double limit = sigmas * std::max(least_sigma, to_sigma * median(of_kept));
    std::vector<bool> next(pairs.size());
    for (std::size_t k = 0; k < pairs.size(); ++k)
      next[k] = pairs[k].significance > 0 && residual(pairs[k], p) <= limit;
    const bool same = pass > 0 && next == kept;
    kept = next;
    for (std::size_t k = 0; k < pairs.size(); ++k) weights[k] = kept[k] ? 1 : 0;
    in = largest_part(pairs, kept, frames);
    p = solved(pairs, weights, in, Coefficients::all);
    if (same) break;
  }

  s.known = in;
  s.reference = middle_frame(p, in);
  const Positions even = solved(pairs, weights, in, Coefficients::even);
  const Positions odd = solved(pairs, weights, in, Coefficients::odd);
  s.sigma_x = half_difference(even.x, odd.x, in);
  s.sigma_y = half_difference(even.y, odd.y, in);
  const auto at = static_cast<std::size_t>(s.reference);
  const double x = p.x[at], y = p.y[at];
  for (std::size_t i = 0; i < in.size(); ++i) {
    s.x.push_back(in[i] ? p.x[i] - x : 0);
    s.y.push_back(in[i] ? p.y[i] - y : 0);
  }
  s.left_out = std::count(kept.begin(), kept.end(), false);
  s.significance = median(significances);
  for (std::size_t k = 0; k < pairs.size(); ++k) s.at_reach = s.at_reach || (kept[k] && pairs[k].at_reach);
  return s;
}

bool frames_agree(const FrameShifts& shifts, double reach) {
  constexpr double clear = 5, chance = 0.1;
  constexpr std::ptrdiff_t enough = 4;
  const bool several = std::count(shifts.known.begin(), shifts.known.end(), true) >= enough;
  return shifts.significance >= clear || (several && shifts.spread <= chance * reach);
}

Result<FrameShifts> frame_shifts(const FramePairsSpec& spec) {
  constexpr double reach_of_rest = 4;  // [px]
  TL_TRY(const std::vector<FramePair> first, pair_shifts(spec));
  const int64_t frames = spec.frames.size(0);
  FrameShifts s = shifts_of_pairs(first, frames);
  // What remains of each axis, from the first row or column that the frame of the largest shift still has.
  struct Common {
    int64_t least = 0, length = 0;
    std::vector<int64_t> shift;
  };
  const auto common = [&](const std::vector<double>& shifts, int64_t length) {
    Common c;
    int64_t most = 0;
    for (const double shift : shifts) {
      c.shift.push_back(std::llround(shift));
      c.least = std::min(c.least, c.shift.back());
      most = std::max(most, c.shift.back());
    }
    c.length = length - most + c.least;
    return c;
  };
  const Common rows = common(s.y, spec.frames.size(1)), cols = common(s.x, spec.frames.size(2));
  if (2 * rows.length < spec.frames.size(1) || 2 * cols.length < spec.frames.size(2)) return s;
  std::vector<at::Tensor> parts;
  for (int64_t i = 0; i < frames; ++i) {
    const auto at = static_cast<std::size_t>(i);
    parts.push_back(spec.frames[i]
                        .narrow(0, rows.shift[at] - rows.least, rows.length)
                        .narrow(1, cols.shift[at] - cols.least, cols.length));
  }
  FramePairsSpec rest = spec;
  rest.frames = at::stack(parts);
  rest.reach = std::min(spec.reach, reach_of_rest);
  TL_TRY(const std::vector<FramePair> second, pair_shifts(rest));
  FrameShifts better = shifts_of_pairs(second, frames);
  better.at_reach = s.at_reach;
  better.spread = s.spread;
  better.significance = s.significance;
  better.left_out = s.left_out;
  better.reference = s.reference;
  const auto reference = static_cast<std::size_t>(s.reference);
  const double x = better.x[reference], y = better.y[reference];
  for (std::size_t i = 0; i < better.x.size(); ++i) {
    better.known[i] = better.known[i] && s.known[i];
    better.x[i] = better.known[i] ? better.x[i] - x + static_cast<double>(cols.shift[i] - cols.shift[reference]) : 0;
    better.y[i] = better.known[i] ? better.y[i] - y + static_cast<double>(rows.shift[i] - rows.shift[reference]) : 0;
  }
  return better;
}

}  // namespace tl::ops
