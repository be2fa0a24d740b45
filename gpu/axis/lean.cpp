// Fits position, tilt, angular error and lean of the rotation axis to the differences of opposite views.
#include "gpu/axis/lean.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/error.h"
#include "core/base/units.h"
#include "gpu/axis/curve.h"
#include "gpu/axis/opposite_pairs.h"
#include "gpu/axis/sinogram.h"

namespace tl::ops {
namespace {

constexpr double clear_lean = 4, large_lean = 0.5 * pi / 180;  // sigmas, [rad]
// [rad] due to the pixel sampling: of many pairs, and of the few at the seam of half a turn, which are extrapolated.
constexpr double lean_sampling_sigma = 0.05 * pi / 180, lean_seam_sigma = 0.2 * pi / 180;
constexpr double usual_angle_error = 2 * pi / 180;  // [rad] error of the range of half a turn: prior, one sigma
constexpr int64_t fewest_lines = 8, fewest_shared_columns = 8, lean_blocks = 8, fewest_inside_pairs = 8;
// Terms of the fit.
constexpr int64_t of_position = 0, of_tilt = 1, of_lean = 2, of_angles = 3;

// [line, line], a Gaussian of `blur` lines that is renormalized at the ends.
at::Tensor smoothing_of_lines(int64_t lines, double blur) {
  const at::Tensor at = at::arange(lines, at::kDouble);
  const at::Tensor weight = at::exp(-0.5 * ((at.unsqueeze(1) - at.unsqueeze(0)) / blur).square());
  return weight / weight.sum(1, true);
}

// Slope upwards [per px] of [pair, line, col]; the upper lines are first.
at::Tensor slope_of_lines(const at::Tensor& x, double spacing) {
  const int64_t n = x.size(1);
  const at::Tensor inner = (x.slice(1, 0, n - 2) - x.slice(1, 2, n)) / (2 * spacing);
  return at::cat({inner.slice(1, 0, 1), inner, inner.slice(1, n - 3, n - 2)}, 1);
}

// Both sides of the pairs, and the change of their difference by each term, [pair, line, col] each.
struct ComparedViews {
  at::Tensor right, left;              // slopes along the columns
  at::Tensor right_value, left_value;  // smoothed views
  at::Tensor turned, turned_value;     // mean change of both sides per radian
};

struct LeanFitSetting {
  double axis, spacing, blur_lines;  // [px], [px], [lines]
  Range cols;
  int64_t terms;  // 3, or 4 with the error of the angles
};

// Least squares per pair: normal equations for the differences.
struct NormalEquations {
  at::Tensor matrix, side;  // [pair, term, term], [pair, term]
  at::Tensor residual(const at::Tensor& solution) const { return side - at::matmul(matrix, solution); }
};

NormalEquations equations_of(const ComparedViews& in, const LeanFitSetting& f) {
  const int64_t lines = in.right.size(1), w = in.right.size(2);
  const at::Tensor smooth = smoothing_of_lines(lines, f.blur_lines);
  const auto smoothed = [&](const at::Tensor& x) { return at::matmul(smooth, x); };
  const at::Tensor mean = smoothed(0.5 * (in.right + in.left)), slope = column_slope(mean);
  const at::Tensor value = smoothed(0.5 * (in.right_value + in.left_value));
  const at::Tensor u = at::arange(w, at::kDouble) - (0.5 * static_cast<double>(w - 1) + f.axis);
  const at::Tensor v = f.spacing * (0.5 * static_cast<double>(lines - 1) - at::arange(lines, at::kDouble));
  const at::Tensor tilted =
      2 * (u * slope_of_lines(mean, f.spacing) + slope_of_lines(value, f.spacing) - v.unsqueeze(1) * slope);
  const at::Tensor leaning = -2 * slope_of_lines(smoothed(in.turned_value), f.spacing);
  const auto margin = static_cast<int64_t>(std::ceil(f.blur_lines)) + 1;
  const auto used = [&](const at::Tensor& x) {
    return x.slice(1, margin, lines - margin).slice(2, f.cols.begin, f.cols.end).flatten(1);
  };
  std::vector<at::Tensor> terms = {used(slope), used(tilted), used(leaning)};
  if (f.terms > of_angles) terms.push_back(used(smoothed(in.turned)));
  const at::Tensor all = at::stack(terms, 1), difference = used(smoothed(in.right - in.left));
  return {at::matmul(all, all.transpose(1, 2)), at::matmul(all, difference.unsqueeze(2)).squeeze(2)};
}

ComparedViews opposite_sides(const FilteredOppositePairs& slopes, const FilteredOppositePairs& values, double axis,
                             double step) {
  return {slopes.right(),        slopes.left(2 * axis),         values.right(),
          values.left(2 * axis), slopes.along(2 * axis) / step, values.along(2 * axis) / step};
}
ComparedViews neighbouring_sides(const FilteredOppositePairs& slopes, const FilteredOppositePairs& values,
                                 double step) {
  return {slopes.inside_right(), slopes.inside_left(),         values.inside_right(),
          values.inside_left(),  slopes.inside_along() / step, values.inside_along() / step};
}

struct LeanFit {
  double lean, lean_sigma, tilt, tilt_sigma;
};

bool solvable(const at::Tensor& matrix) {
  const at::Tensor size = matrix.diagonal(0, -2, -1);
  return size.min().item<double>() > 0 && at::isfinite(matrix).all().item<bool>();
}

// A full turn: the scatter of blocks of neighbouring pairs.
std::optional<LeanFit> fit_over_turn(const NormalEquations& e) {
  const at::Tensor matrix = e.matrix.sum(0);
  const int64_t pairs = e.side.size(0), blocks = std::min(lean_blocks, pairs), terms = matrix.size(0);
  if (!solvable(matrix) || blocks <= terms) return {};
  const at::Tensor inverse = at::linalg_pinv(matrix, 1e-10), solution = at::mv(inverse, e.side.sum(0));
  const at::Tensor left = e.residual(solution);
  at::Tensor scatter = at::zeros_like(matrix);
  for (int64_t b = 0; b < blocks; ++b) {
    const at::Tensor sum = left.slice(0, b * pairs / blocks, (b + 1) * pairs / blocks).sum(0);
    scatter += at::outer(sum, sum);
  }
  scatter *= static_cast<double>(blocks) / static_cast<double>(blocks - terms);
  const at::Tensor covariance = at::mm(at::mm(inverse, scatter), inverse);
  const auto sigma = [&](int64_t term) { return std::sqrt(covariance[term][term].item<double>()); };
  return LeanFit{solution[of_lean].item<double>(), sigma(of_lean), solution[of_tilt].item<double>(), sigma(of_tilt)};
}

// Scatter about zero of the fits to single pairs, in units of the square roots of the inverse's diagonal. [term]
std::optional<std::vector<double>> scatter_inside(const NormalEquations& e) {
  std::vector<std::vector<double>> sizes(static_cast<std::size_t>(e.matrix.size(1)));
  for (int64_t k = 0; k < e.side.size(0); ++k) {
    if (!solvable(e.matrix[k])) continue;
    const at::Tensor inverse = at::linalg_pinv(e.matrix[k], 1e-10), own = at::mv(inverse, e.side[k]);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const auto term = static_cast<int64_t>(i);
      sizes[i].push_back(std::abs(own[term].item<double>()) /
                         std::sqrt(std::max(inverse[term][term].item<double>(), 1e-300)));
    }
  }
  if (static_cast<int64_t>(sizes[0].size()) < fewest_inside_pairs) return {};
  std::vector<double> scatter;
  for (const std::vector<double>& s : sizes) {
    double squares = 0;
    for (const double x : s) squares += x * x / static_cast<double>(s.size());
    scatter.push_back(std::max(1.4826 * median(s), std::sqrt(squares) / 1.5));
  }
  return scatter;
}

// Half a turn: the scatter is estimated by the same fit between neighbouring views elsewhere in the scan.
std::optional<LeanFit> fit_at_seam(const NormalEquations& seam, const NormalEquations& inside) {
  const auto scatter = scatter_inside(inside);
  at::Tensor matrix = seam.matrix.sum(0);
  if (!scatter || !solvable(matrix)) return {};
  const auto unit = [&](int64_t term) { return (*scatter)[static_cast<std::size_t>(term)]; };
  matrix[of_angles][of_angles] += std::pow(unit(of_angles) / usual_angle_error, 2);
  const at::Tensor inverse = at::linalg_pinv(matrix, 1e-10), solution = at::mv(inverse, seam.side.sum(0));
  const auto sigma = [&](int64_t term) { return unit(term) * std::sqrt(inverse[term][term].item<double>()); };
  return LeanFit{solution[of_lean].item<double>(), sigma(of_lean), solution[of_tilt].item<double>(), sigma(of_tilt)};
}

}  // namespace

bool AxisLean::leans() const { return known && std::abs(lean) > std::max(clear_lean * lean_sigma, large_lean); }

AxisLean axis_lean(const LinesAcrossAxis& in, const CancelToken& cancel) {
  AxisLean out;
  const AxisSinograms s = prepare_sinograms(in.data.detach(), in.angles, Background::keep);
  const int64_t lines = s.rows(), w = s.cols();
  const auto plan = plan_opposite_pairs(s.angles, s.step, PairChanges::made);
  if (!plan || lines < fewest_lines || !s.any_contrast()) return out;
  const OppositePairSpectra pairs(without_stripes(s.data), *plan);
  const double unit = std::max(1.0, std::round(static_cast<double>(w) / 512));
  const double sampling = plan->full ? lean_sampling_sigma : lean_seam_sigma;
  // If a lean moves features by more than the smoothing width, it is measured with a larger one.
  for (const double blur : {unit, 2 * unit, 4 * unit, 8 * unit}) {
    cancel.check();
    const FilteredOppositePairs slopes(pairs, blur), values(pairs, blur, OppositePairValues::values);
    const double margin = std::ceil(2 * blur), wide = static_cast<double>(w);
    const Range cols{static_cast<int64_t>(std::max(margin, std::ceil(2 * in.axis + margin))),
                     static_cast<int64_t>(std::min(wide - margin, std::floor(wide + 2 * in.axis - margin)))};
    const double blur_lines = std::max(blur / in.spacing, 0.5);
    if (cols.size() < fewest_shared_columns || static_cast<double>(lines) < 4 * blur_lines + 4) continue;
    const LeanFitSetting setting{in.axis, in.spacing, blur_lines, cols, plan->full ? of_angles : of_angles + 1};
    const NormalEquations seam = equations_of(opposite_sides(slopes, values, in.axis, plan->step), setting);
    const auto fit = plan->full
                         ? fit_over_turn(seam)
                         : fit_at_seam(seam, equations_of(neighbouring_sides(slopes, values, plan->step), setting));
    if (!fit || !(fit->lean_sigma > 0)) continue;
    const double sigma = std::hypot(fit->lean_sigma, sampling);
    if (out.known && std::abs(fit->lean) / sigma <= std::abs(out.lean) / out.lean_sigma) continue;
    out = {true, fit->lean, sigma, fit->tilt, std::hypot(fit->tilt_sigma, sampling)};
  }
  return out;
}

}  // namespace tl::ops
