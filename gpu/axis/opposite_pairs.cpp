// Makes pairs of opposite views as weighted sums of views, filters them in Fourier space, and fits their shift and
// angular offset by least squares.
#include "gpu/axis/opposite_pairs.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/units.h"

namespace tl::ops {
namespace {

constexpr int64_t max_pairs = 64, max_inside = 96;
constexpr double widest_gap = 2.5;            // largest gap at the seam of half a turn [angular steps]
constexpr double change_over = 3 * pi / 180;  // [rad] angular distance for the change along the angle
constexpr double same_place = 0.02;           // [angular steps] within this, a view is used without interpolation
constexpr int64_t fewest_inside = 8;

// Linear interpolation or extrapolation of two views to `angle`.
ViewSum on_line(const std::vector<double>& angles, int64_t first, int64_t second, double angle) {
  const double a = angles[static_cast<std::size_t>(first)], b = angles[static_cast<std::size_t>(second)];
  const double share = b != a ? (angle - a) / (b - a) : 0;
  return {{first, 1 - share}, {second, share}};
}

// Change per angular step between two views.
ViewSum change(const std::vector<double>& angles, int64_t first, int64_t second, double step) {
  const double apart = (angles[static_cast<std::size_t>(second)] - angles[static_cast<std::size_t>(first)]) / step;
  const double weight = apart != 0 ? 1 / apart : 0;
  return {{first, -weight}, {second, weight}};
}

// For a full turn: the view at `angle`, or cubic interpolation of the four views around it.
ViewSum views_around(const std::vector<double>& angles, double step, double angle) {
  const auto n = static_cast<int64_t>(angles.size());
  const auto at = [&](int64_t i) {  // angles are continued periodically before the first and after the last view
    const int64_t turns = (i >= 0 ? i : i - n + 1) / n;
    return angles[static_cast<std::size_t>(i - turns * n)] + 2 * pi * static_cast<double>(turns);
  };
  int64_t next = std::lower_bound(angles.begin(), angles.end(), angle - same_place * step) - angles.begin();
  const auto folded = [n](int64_t i) { return ((i % n) + n) % n; };
  if (std::abs(at(next) - angle) <= same_place * step) return {{folded(next), 1}};
  ViewSum sum;
  for (int64_t i = next - 2; i < next + 2; ++i) {
    double weight = 1;
    for (int64_t k = next - 2; k < next + 2; ++k)
      if (k != i) weight *= (angle - at(k)) / (at(i) - at(k));
    sum.emplace_back(folded(i), weight);
  }
  return sum;
}

// Plan for a full turn, where every view has an opposite.
OppositePairPlan plan_turn(const std::vector<double>& angles, double step, PairChanges changes) {
  OppositePairPlan plan;
  plan.full = true;
  plan.step = step;
  const auto half =
      static_cast<int64_t>(std::lower_bound(angles.begin(), angles.end(), pi - 0.5 * step) - angles.begin());
  const int64_t count = std::min(half, max_pairs);
  for (int64_t k = 0; k < count; ++k) {
    const int64_t i = k * half / count;
    const double t = angles[static_cast<std::size_t>(i)];
    plan.right.push_back({{i, 1}});
    plan.left.push_back(views_around(angles, step, t + pi));
    plan.angle.push_back(t);
    if (changes == PairChanges::if_needed) continue;
    const auto change_near = [&](double angle) {
      const auto last = static_cast<int64_t>(angles.size()) - 1;
      const int64_t at = std::lower_bound(angles.begin(), angles.end(), angle - 0.5 * step) - angles.begin();
      return change(angles, std::clamp<int64_t>(at - 1, 0, last - 2), std::clamp<int64_t>(at + 1, 2, last), step);
    };
    plan.along_right.push_back(change_near(t));
    plan.along_left.push_back(change_near(t + pi));
  }
  return plan;
}

std::optional<OppositePairPlan> plan_seam(const std::vector<double>& angles, double step) {
  const auto n = static_cast<int64_t>(angles.size());
  const double span = angles.back(), gap = (pi - span) / step;
  if (gap > widest_gap) return {};
  const int64_t over = std::clamp<int64_t>(std::llround(change_over / step), 1, std::max<int64_t>(1, n / 6));
  OppositePairPlan plan;
  plan.step = step;
  if (gap > same_place) {
    const double middle = -0.5 * gap * step;
    plan.right.push_back(on_line(angles, 0, 1, middle));
    plan.left.push_back(on_line(angles, n - 1, n - 2, middle + pi));
    plan.along_right.push_back(change(angles, 0, over, step));
    plan.along_left.push_back(change(angles, n - 1 - over, n - 1, step));
    plan.angle.push_back(middle);
  } else {
    // Beyond half a turn some views have an opposite view, or one interpolated between two views.
    std::vector<int64_t> with_opposite;
    for (int64_t i = 0; i + over < n; ++i)
      if (angles[static_cast<std::size_t>(i)] + pi <= span + same_place * step) with_opposite.push_back(i);
    const auto all = static_cast<int64_t>(with_opposite.size());
    const int64_t count = std::min(all, max_pairs);
    for (int64_t k = 0; k < count; ++k) {
      const int64_t i = with_opposite[static_cast<std::size_t>(k * all / count)];
      const double t = angles[static_cast<std::size_t>(i)];
      const int64_t next = std::clamp<int64_t>(
          std::lower_bound(angles.begin(), angles.end(), t + pi - same_place * step) - angles.begin(), 1, n - 1);
      const bool there = std::abs(angles[static_cast<std::size_t>(next)] - t - pi) <= same_place * step;
      plan.right.push_back({{i, 1}});
      plan.left.push_back(there ? ViewSum{{next, 1}} : on_line(angles, next - 1, next, t + pi));
      plan.along_right.push_back(change(angles, i, i + over, step));
      plan.along_left.push_back(change(angles, next - over, next, step));
      plan.angle.push_back(t);
    }
  }
  // The same operation inside the scan, over a gap of whole steps that is at least as wide.
  const auto skipped = std::max<int64_t>(1, static_cast<int64_t>(std::ceil(gap - same_place)));
  const int64_t first = over + skipped, last = n - 1 - over, places = last - first + 1;
  const int64_t count = std::min(places, max_inside);
  if (count < fewest_inside || plan.right.empty()) return {};
  for (int64_t i = 0; i < count; ++i) {
    const int64_t k = first + i * places / count, before = k - skipped;
    const double middle = 0.5 * (angles[static_cast<std::size_t>(k)] + angles[static_cast<std::size_t>(before)]);
    plan.inside_right.push_back(on_line(angles, k, k + 1, middle));
    plan.inside_left.push_back(on_line(angles, before, before - 1, middle));
    ViewSum both = change(angles, k, k + over, step);
    const ViewSum behind = change(angles, before - over, before, step);
    both.insert(both.end(), behind.begin(), behind.end());
    for (auto& [view, weight] : both) weight *= 0.5;
    plan.inside_along.push_back(both);
  }
  return plan;
}

// Weighted sums of views of [view, row, col], as spectra of lines continued by their mirror images.
at::Tensor summed(const at::Tensor& views, const std::vector<ViewSum>& sums, bool mirrored) {
  if (sums.empty()) return {};
  std::vector<at::Tensor> lines;
  for (const ViewSum& sum : sums) {
    at::Tensor line = at::zeros_like(views[0]);
    for (const auto& [view, weight] : sum) line += weight * views[view];
    lines.push_back(line);
  }
  at::Tensor all = at::stack(lines, 0);
  if (mirrored) all = all.flip({2});
  return at::fft_rfft(at::cat({all, all.flip({2})}, 2), std::nullopt, 2);
}

struct Sums {
  std::vector<double> slope2, turn2, cross, by_slope, by_turn, difference2;
  double count = 0;
};

std::vector<double> listed(const at::Tensor& x) {
  const at::Tensor flat = x.contiguous();
  return {flat.const_data_ptr<double>(), flat.const_data_ptr<double>() + flat.numel()};
}

Sums sums_of(const at::Tensor& right, const at::Tensor& left, const at::Tensor& along, const Range& cols) {
  const auto part = [&](const at::Tensor& x) { return x.slice(2, cols.begin, cols.end); };
  const at::Tensor difference = part(right - left), slope = part(column_slope(0.5 * (right + left)));
  const at::Tensor turn = along.defined() ? part(along) : at::zeros_like(slope);
  const auto sum = [](const at::Tensor& a, const at::Tensor& b) { return listed((a * b).sum(at::IntArrayRef{1, 2})); };
  return {sum(slope, slope),
          sum(turn, turn),
          sum(slope, turn),
          sum(difference, slope),
          sum(difference, turn),
          sum(difference, difference),
          static_cast<double>(difference.size(1) * difference.size(2))};
}

PairFit solve(double slope2, double turn2, double cross, double by_slope, double by_turn, double difference2,
              double count) {
  PairFit f;
  if (!(slope2 > 0)) return f;
  f.shift_alone = by_slope / slope2;
  f.shift_variance_alone = 1 / slope2;
  const double determinant = slope2 * turn2 - cross * cross;
  if (turn2 > 0 && determinant > 1e-9 * slope2 * turn2) {
    f.shift = (turn2 * by_slope - cross * by_turn) / determinant;
    f.angle_offset = (slope2 * by_turn - cross * by_slope) / determinant;
    f.shift_variance = turn2 / determinant;
    f.angle_offset_variance = slope2 / determinant;
  } else {
    f.shift = f.shift_alone;
    f.shift_variance = f.shift_variance_alone;
    f.angle_offset_variance = 1e12;
  }
  f.residual = std::max(0.0, difference2 - f.shift * by_slope - f.angle_offset * by_turn) / count;
  f.determined = true;
  return f;
}

}  // namespace

std::optional<OppositePairPlan> plan_opposite_pairs(const std::vector<double>& angles, double step,
                                                    PairChanges changes) {
  const auto n = static_cast<int64_t>(angles.size());
  if (n < 8 || !(step > 0)) return {};
  for (int64_t i = 1; i < n; ++i)
    if (angles[static_cast<std::size_t>(i)] - angles[static_cast<std::size_t>(i - 1)] < 0.05 * step) return {};
  return angles.back() + 1.5 * step >= 2 * pi ? plan_turn(angles, step, changes) : plan_seam(angles, step);
}

at::Tensor without_stripes(const at::Tensor& sinograms) {
  constexpr int64_t reach = 4;
  const at::Tensor mean = sinograms.mean(1).contiguous();
  at::Tensor stripes = mean.clone();
  const int64_t rows = mean.size(0), w = mean.size(1);
  std::vector<double> near;
  for (int64_t r = 0; r < rows; ++r) {
    const double* in = mean.const_data_ptr<double>() + r * w;
    double* out = stripes.data_ptr<double>() + r * w;
    for (int64_t c = 0; c < w; ++c) {
      near.clear();
      for (int64_t k = c - reach; k <= c + reach; ++k) near.push_back(in[std::clamp<int64_t>(k, 0, w - 1)]);
      std::nth_element(near.begin(), near.begin() + reach, near.end());
      out[c] -= near[reach];
    }
  }
  return sinograms - stripes.unsqueeze(1);
}

PairNoise noise_of_pairs(const at::Tensor& variance, const OppositePairPlan& plan) {
  const at::Tensor views = variance.sum(0);
  const auto summed_squares = [&](const std::vector<ViewSum>& sums) {
    at::Tensor all = at::zeros({variance.size(2)}, at::kDouble);
    for (const ViewSum& sum : sums)
      for (const auto& [view, weight] : sum) all += weight * weight * views[view];
    return all;
  };
  return {summed_squares(plan.right), summed_squares(plan.left)};
}

OppositePairSpectra::OppositePairSpectra(const at::Tensor& sinograms, const OppositePairPlan& plan)
    : cols_(sinograms.size(2)) {
  const at::Tensor views = sinograms.permute({1, 0, 2});
  right_ = summed(views, plan.right, false);
  left_ = summed(views, plan.left, true);
  along_right_ = summed(views, plan.along_right, false);
  along_left_ = summed(views, plan.along_left, true);
  inside_right_ = summed(views, plan.inside_right, false);
  inside_left_ = summed(views, plan.inside_left, false);
  inside_along_ = summed(views, plan.inside_along, false);
}

FilteredOppositePairs::FilteredOppositePairs(const OppositePairSpectra& pairs, double blur, OppositePairValues as)
    : pairs_(pairs), blur_(blur) {
  const at::Tensor f = at::arange(pairs.cols_ + 1, at::kDouble) / static_cast<double>(2 * pairs.cols_);
  const at::Tensor smooth = at::exp(-2 * pi * pi * blur * blur * f.square()), none = at::zeros_like(smooth);
  response_ = as == OppositePairValues::slopes ? at::complex(none, 2 * pi * f * smooth) : at::complex(smooth, none);
  right_ = filtered(pairs_.right_, 0);
}

at::Tensor FilteredOppositePairs::filtered(const at::Tensor& spectrum, double shift) const {
  at::Tensor response = response_;
  if (shift != 0) {
    const at::Tensor phase =
        -pi * shift / static_cast<double>(pairs_.cols_) * at::arange(pairs_.cols_ + 1, at::kDouble);
    response = response * at::polar(at::ones_like(phase), phase);
  }
  return at::fft_irfft(spectrum * response, 2 * pairs_.cols_, 2).slice(2, 0, pairs_.cols_);
}

at::Tensor FilteredOppositePairs::left(double shift) const { return filtered(pairs_.left_, shift); }
at::Tensor FilteredOppositePairs::along(double shift) const {
  return 0.5 * (filtered(pairs_.along_right_, 0) + filtered(pairs_.along_left_, shift));
}
at::Tensor FilteredOppositePairs::inside_right() const { return filtered(pairs_.inside_right_, 0); }
at::Tensor FilteredOppositePairs::inside_left() const { return filtered(pairs_.inside_left_, 0); }
at::Tensor FilteredOppositePairs::inside_along() const { return filtered(pairs_.inside_along_, 0); }

at::Tensor column_slope(const at::Tensor& x) {
  const int64_t w = x.size(2);
  const at::Tensor inner = 0.5 * (x.slice(2, 2, w) - x.slice(2, 0, w - 2));
  return at::cat({x.slice(2, 1, 2) - x.slice(2, 0, 1), inner, x.slice(2, w - 1, w) - x.slice(2, w - 2, w - 1)}, 2);
}

PairFit fit_pairs_together(const at::Tensor& right, const at::Tensor& left, const at::Tensor& along,
                           const Range& cols) {
  const Sums s = sums_of(right, left, along, cols);
  const auto total = [](const std::vector<double>& v) {
    double sum = 0;
    for (const double x : v) sum += x;
    return sum;
  };
  return solve(total(s.slope2), total(s.turn2), total(s.cross), total(s.by_slope), total(s.by_turn),
               total(s.difference2), s.count * static_cast<double>(right.size(0)));
}

std::vector<PairFit> fit_each_pair(const at::Tensor& right, const at::Tensor& left, const at::Tensor& along,
                                   const Range& cols) {
  const Sums s = sums_of(right, left, along, cols);
  std::vector<PairFit> fits;
  for (std::size_t i = 0; i < s.slope2.size(); ++i)
    fits.push_back(solve(s.slope2[i], s.turn2[i], s.cross[i], s.by_slope[i], s.by_turn[i], s.difference2[i], s.count));
  return fits;
}

}  // namespace tl::ops
