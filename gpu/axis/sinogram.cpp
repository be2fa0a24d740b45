// Prepares sinograms for the axis finders: repairs and sorts them, removes the background, and cuts half and full turns
// from them.
#include "gpu/axis/sinogram.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/base/angle_order.h"
#include "core/base/error.h"
#include "core/base/units.h"
#include "gpu/operator/operator_checks.h"

namespace tl::ops {
namespace {

constexpr double bad_share = 0.2;  // largest fraction of pixels without a finite value

[[noreturn]] void refuse(const std::string& what, const std::string& where, const std::string& hint) {
  throw Failure(invalid(what, where, hint));
}

// Text like "12 views ..."
std::string counted(int64_t count, const char* what) {
  std::string text = std::to_string(count);
  text.append(what);
  return text;
}

// Interpolates linearly across pixels that are not finite; false if the line has no finite pixel.
bool bridge(double* line, int64_t cols, int64_t& repaired) {
  int64_t last = -1;
  for (int64_t c = 0; c < cols; ++c) {
    if (!std::isfinite(line[c])) continue;
    for (int64_t k = last + 1; k < c; ++k) {
      const double share = static_cast<double>(k - last) / static_cast<double>(c - last);
      line[k] = last < 0 ? line[c] : line[last] + share * (line[c] - line[last]);
      ++repaired;
    }
    last = c;
  }
  if (last < 0) return false;
  for (int64_t k = last + 1; k < cols; ++k, ++repaired) line[k] = line[last];
  return true;
}

// Views closer than this count as one view at their mean angle [steps]: linear interpolation between them is exact
// enough, and finders that compare neighbours need distinct angles.
constexpr double same_view = 0.1;

// Views by ascending angle from 0; views at nearly the same angle are averaged.
struct MergedViews {
  at::Tensor data;  // [row, view, col]
  std::vector<double> angles;
  double step = 0;
};

MergedViews merged_views(const at::Tensor& data, const std::vector<double>& angles) {
  const AngleOrder order = angle_order(angles);
  std::vector<int64_t> target, count;
  std::vector<double> sum;
  for (const double angle : order.angles) {
    if (sum.empty() || angle - sum.back() / static_cast<double>(count.back()) > same_view * order.step) {
      sum.push_back(0);
      count.push_back(0);
    }
    sum.back() += angle;
    ++count.back();
    target.push_back(static_cast<int64_t>(sum.size()) - 1);
  }
  MergedViews merged;
  merged.step = order.step;
  const double first = sum.empty() ? 0 : sum.front() / static_cast<double>(count.front());
  for (std::size_t i = 0; i < sum.size(); ++i) merged.angles.push_back(sum[i] / static_cast<double>(count[i]) - first);
  merged.data = data.index_select(1, at::tensor(order.views, at::kLong));
  if (sum.size() == target.size()) return merged;
  const at::Tensor share = at::tensor(count, at::kDouble).reciprocal().view({1, -1, 1});
  merged.data = at::zeros({data.size(0), static_cast<int64_t>(sum.size()), data.size(2)}, data.options())
                    .index_add(1, at::tensor(target, at::kLong), merged.data) *
                share;
  return merged;
}

// Coordinate that is 0 and 1 at the middle of the left and right edge.
at::Tensor across_background(int64_t cols, int64_t edge) {
  return (at::arange(cols, at::kDouble) - 0.5 * static_cast<double>(edge - 1)) /
         static_cast<double>(std::max<int64_t>(cols - edge, 1));
}

// Subtracts the best straight line from each view: removes the effect of a flickering or tilting beam and, unlike the
// line through the edges, adds no noise common to a whole view.
at::Tensor without_lines(const at::Tensor& sinogram) {
  const at::Tensor x = at::linspace(-1, 1, sinogram.size(1), at::kDouble);
  const at::Tensor level = sinogram.mean(1, true);
  const at::Tensor slope = at::mv(sinogram, x) / x.square().sum();
  return sinogram - level - at::outer(slope, x);
}

// Whether means over small blocks scatter more than the noise of their pixels explains (six sigma). The noise is
// estimated from mixed differences along view and column, nearly independent of a smooth object.
bool has_contrast(const at::Tensor& sinogram) {
  const int64_t n = sinogram.size(0), w = sinogram.size(1);
  const int64_t block = std::clamp<int64_t>(std::min(n, w) / 8, 1, 8);
  const at::Tensor d = sinogram.slice(0, 1) - sinogram.slice(0, 0, n - 1);
  const at::Tensor mixed = d.slice(1, 1) - d.slice(1, 0, w - 1);
  const double noise = mixed.square().mean().item<double>() / 4;
  const int64_t bn = n / block, bw = w / block;
  const at::Tensor means = sinogram.slice(0, 0, bn * block)
                               .slice(1, 0, bw * block)
                               .reshape({bn, block, bw, block})
                               .mean(at::IntArrayRef{1, 3});
  const double scatter = means.var(false).item<double>();
  const double expected = noise / static_cast<double>(block * block);
  const double tiny = 1e-24 + 1e-20 * sinogram.square().max().item<double>();
  return scatter > tiny && scatter > expected * (1 + 6 * std::sqrt(2.0 / static_cast<double>(bn * bw)));
}

// The view at angle t of a [row, view, col] tensor, interpolated between its two neighbours; `wrap` follows the last
// view.
at::Tensor view_at(const AxisSinograms& s, double t, const at::Tensor& wrap = {}) {
  const auto next = std::lower_bound(s.angles.begin(), s.angles.end(), t);
  if (next == s.angles.begin()) return s.data.select(1, 0);
  const bool beyond = next == s.angles.end();
  if (beyond && !wrap.defined()) return s.data.select(1, s.views() - 1);
  const int64_t j = next - s.angles.begin();
  at::Tensor after = beyond ? wrap : s.data.select(1, j);
  const double a = *(next - 1), b = beyond ? s.angles.front() + 2 * pi : *next, share = b > a ? (t - a) / (b - a) : 0;
  if (share < 1e-3) return s.data.select(1, j - 1);
  if (share > 1 - 1e-3) return after;
  return (1 - share) * s.data.select(1, j - 1) + share * after;
}

// Whether a view lies within 0.2 % of a step of the angle t.
bool on_raster(const AxisSinograms& s, double t, double step) {
  const auto near = std::lower_bound(s.angles.begin(), s.angles.end(), t - 1e-3 * step);
  return near != s.angles.end() && std::abs(*near - t) <= 2e-3 * step;
}

}  // namespace

int64_t background_edge(int64_t cols) { return std::max<int64_t>(1, cols / 50); }

at::Tensor without_background(const at::Tensor& data, Background background) {
  const int64_t cols = data.size(2), edge = background_edge(cols);
  at::Tensor left = data.slice(2, 0, edge).mean(2, true), right = data.slice(2, cols - edge, cols).mean(2, true);
  if (background == Background::per_row) {
    left = left.mean(1, true);
    right = right.mean(1, true);
  }
  const at::Tensor x = across_background(cols, edge);
  return data - (left * (1 - x) + right * x);
}

at::Tensor background_adjoint(const at::Tensor& derivative) {
  const int64_t cols = derivative.size(1), edge = background_edge(cols);
  const at::Tensor x = across_background(cols, edge);
  at::Tensor out = derivative.clone();
  out.slice(1, 0, edge) -= at::mv(derivative, 1 - x).unsqueeze(1) / static_cast<double>(edge);
  out.slice(1, cols - edge, cols) -= at::mv(derivative, x).unsqueeze(1) / static_cast<double>(edge);
  return out;
}

std::vector<int64_t> axis_rows(int64_t rows, int64_t count) {
  const int64_t n = std::clamp<int64_t>(count, 1, std::max<int64_t>(rows, 1));
  std::vector<int64_t> out;
  for (int64_t i = 0; i < n; ++i) out.push_back((2 * i + 1) * rows / (2 * n));
  return out;
}

AxisRange axis_range(const AxisSearch& search, int64_t cols) {
  const double reach = search.reach > 0 ? search.reach : 0.25 * static_cast<double>(cols);
  const double half = 0.5 * static_cast<double>(cols);
  if (!std::isfinite(search.centre) || std::abs(search.centre) > half || !std::isfinite(reach))
    refuse("the search range for the axis lies outside the detector", "search range",
           "Positions are pixels from the detector centre");
  return {std::max(search.centre - reach, -half), std::min(search.centre + reach, half)};
}

bool AxisSinograms::any_contrast() const { return std::find(contrast.begin(), contrast.end(), true) != contrast.end(); }

AxisSinograms prepare_sinograms(const at::Tensor& projections, const std::vector<double>& angles,
                                Background background) {
  require_cpu(projections, "rotation axis");
  TL_CHECK(projections.dim() == 3, "projections are [view, row, col]");
  const int64_t views = projections.size(0), rows = projections.size(1), cols = projections.size(2);
  TL_CHECK(static_cast<int64_t>(angles.size()) == views, "one angle per view");
  if (views < 3 || cols < 8 || rows < 1)
    refuse("an axis needs at least 3 views of 8 columns, not " + std::to_string(views) + " of " + std::to_string(cols),
           "projections", "Use more of the scan");
  for (const double a : angles)
    if (!std::isfinite(a)) refuse("an angle is not a number", "angles", "Set the angles in the load or geometry node");

  AxisSinograms s;
  const at::Tensor given = projections.to(at::kCPU).to(at::kDouble).permute({1, 0, 2}).contiguous();
  const at::Tensor finite = given.detach().isfinite();
  at::Tensor data = given;
  const int64_t bad = data.numel() - finite.sum().item<int64_t>();
  if (static_cast<double>(bad) > bad_share * static_cast<double>(data.numel()))
    refuse(std::to_string(100 * bad / data.numel()) + " % of the pixels are not finite", "projections",
           "Check flat-field and logarithm, or choose other rows");
  std::vector<bool> usable(static_cast<std::size_t>(views), true);
  int64_t repaired = 0;
  if (bad > 0) {
    at::Tensor bridged = given.detach().clone();
    for (int64_t i = 0; i < rows * views; ++i)
      if (!bridge(bridged.data_ptr<double>() + i * cols, cols, repaired))
        usable[static_cast<std::size_t>(i % views)] = false;
    data = at::where(finite, given, bridged);
  }
  if (repaired > 0) s.notes.push_back(counted(repaired, " pixels without a finite value were bridged."));

  std::vector<double> kept_angles;
  std::vector<int64_t> kept;
  for (int64_t i = 0; i < views; ++i)
    if (usable[static_cast<std::size_t>(i)]) {
      kept.push_back(i);
      kept_angles.push_back(angles[static_cast<std::size_t>(i)]);
    }
  const auto count = static_cast<int64_t>(kept.size());
  if (count < views) s.notes.push_back(counted(views - count, " views without any finite pixel were left out."));
  MergedViews merged =
      merged_views(count < views ? data.index_select(1, at::tensor(kept, at::kLong)) : data, kept_angles);
  s.data = std::move(merged.data);
  s.angles = std::move(merged.angles);
  s.step = merged.step;
  if (s.views() < 3) refuse("fewer than 3 usable views at different angles", "projections", "Use more of the scan");
  if (s.views() < count) s.notes.push_back(counted(count - s.views(), " views at angles of others were averaged."));
  for (int64_t r = 0; r < rows; ++r) s.contrast.push_back(has_contrast(without_lines(s.data[r].detach())));
  if (background != Background::keep) s.data = without_background(s.data, background);
  return s;
}

std::vector<at::Tensor> cut_half_turns(AxisSinograms& s) {
  const double span = s.angles.back() - s.angles.front();
  if (!(s.step > 0) || span + 1.5 * s.step < pi)
    refuse("the views cover " + std::to_string(span * 180 / pi) + " degrees, but this method needs half a turn",
           "angles", "Use the method of moments, or set the axis by hand");
  const int64_t n = std::max<int64_t>(3, std::llround(pi / s.step));
  const double step = pi / static_cast<double>(n);
  const int64_t halves = span + 1.5 * s.step >= 2 * pi ? 2 : 1;
  std::vector<at::Tensor> out;
  int64_t interpolated = 0;
  for (int64_t h = 0; h < halves; ++h) {
    std::vector<at::Tensor> views;
    for (int64_t i = 0; i < n; ++i) {
      const double t = s.angles.front() + static_cast<double>(h) * pi + static_cast<double>(i) * step;
      interpolated += on_raster(s, t, step) ? 0 : 1;
      views.push_back(view_at(s, t));
    }
    out.push_back(at::stack(views, 1));
  }
  if (interpolated > 0) s.notes.push_back(counted(interpolated, " views were interpolated onto equal angles."));
  if (halves == 2) s.notes.push_back(counted(halves, " halves of a full turn were used."));
  return out;
}

at::Tensor cut_full_turn(AxisSinograms& s) {
  const double span = s.angles.back() - s.angles.front();
  if (!(s.step > 0) || span + 1.5 * s.step < 2 * pi)
    refuse("the views cover " + std::to_string(std::lround((span + s.step) * 180 / pi)) +
               " degrees, but opposite rays of a cone beam need a full turn",
           "angles", "Set the axis by hand");
  const int64_t n = std::max<int64_t>(3, std::llround(2 * pi / s.step));
  const double step = 2 * pi / static_cast<double>(n);
  const at::Tensor first = s.data.select(1, 0);
  std::vector<at::Tensor> views;
  int64_t interpolated = 0;
  for (int64_t i = 0; i < n; ++i) {
    const double t = s.angles.front() + static_cast<double>(i) * step;
    interpolated += on_raster(s, t, step) ? 0 : 1;
    views.push_back(view_at(s, t, first));
  }
  if (interpolated > 0) s.notes.push_back(counted(interpolated, " views were interpolated onto equal angles."));
  return at::stack(views, 1);
}

}  // namespace tl::ops
