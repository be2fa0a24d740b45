// Predicts parts of the views of a scan from the other parts.
#include "core/nodes/align/held_out_views.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "gpu/image/circular_mask.h"
#include "gpu/operator/forward_mode.h"
#include "gpu/projection/back_projector/back_projector.h"
#include "gpu/projection/projector/projector.h"
#include "gpu/solve/solve.h"

namespace tl {
namespace {

at::Tensor select_views(const at::Tensor& all, const std::vector<int64_t>& views) {
  return all.index_select(0, at::tensor(views, at::kLong)).contiguous();
}

// Derivative of view vectors to the gantry angle: their rotation about the z axis.
at::Tensor slope_of_angle(const ScanGeometry& geometry) {
  const std::vector<double> vectors = geometry.vectors();
  at::Tensor slope = at::empty({geometry.views(), 12}, at::kDouble);
  double* out = slope.mutable_data_ptr<double>();
  for (std::size_t i = 0; i < vectors.size(); i += 3) {
    out[i] = -vectors[i + 1];
    out[i + 1] = vectors[i];
    out[i + 2] = 0;
  }
  return slope;
}

// Where the centre of the grid projects to in every view.
struct CentreHits {
  std::vector<double> row, col;
};

// The middle one of three quarters between the least and the largest limit: a few views that are far away do not cost
// all the others their rows.
double common_limit(std::vector<double> limits, double allowance, bool upper) {
  const auto middle = limits.begin() + static_cast<std::ptrdiff_t>(limits.size() / 2);
  std::nth_element(limits.begin(), middle, limits.end());
  const double median = *middle;
  if (upper) return std::max(*std::min_element(limits.begin(), limits.end()), median - allowance);
  return std::min(*std::max_element(limits.begin(), limits.end()), median + allowance);
}

}  // namespace

Result<HeldOutViews> HeldOutViews::make(const Projections& scan, const at::Tensor& present, ops::BinFactors bins,
                                        NodeRun& r) {
  HeldOutViews out;
  out.bins_ = bins;
  out.cancel_ = r.cancel();
  Projections level = scan;
  TL_TRY(level.data, ops::bin(scan.data, bins));
  level.geometry = scan.geometry.binned(bins.rows, bins.cols);
  at::Tensor here;
  if (present.defined()) {
    TL_TRY(here, ops::bin(present, bins));
    here = here.ge(1 - 1e-6).to(level.data.scalar_type());
  }
  FilterParams params;
  params.filter = ops::RampWindow::hann;
  const bool cone = !level.geometry.is_parallel();
  TL_TRY(out.grid_, wanted_grid(level.geometry, GridParams{}, params));
  TL_TRY(out.inside_, ops::circular_weights(out.grid_, {out.grid_, 1.0, 0.0}, level.data.scalar_type()));
  out.row_margin_ = row_margin(level.geometry, out.grid_);
  out.magnification_ = level.geometry.magnification();
  const FilterTask task{params, level.geometry.detector().pitch_u / out.magnification_,
                        cone ? ConeWeights::fdk : ConeWeights::none, out.row_margin_};
  TL_TRY(const ops::RedundancyAdvice rays, choose_ray_weights(params, level.geometry, r));
  TL_TRY(out.margins_, ops::redundancy_margins(level.geometry, rays.kind));
  TL_TRY(const at::Tensor filtered, filter_views_once(task, level, r));
  for (std::vector<int64_t>& views : solve::ordered_subsets(level.geometry, parts)) {
    Part part{std::move(views), {}, {}, {}};
    part.measured = select_views(level.data, part.views);
    part.filtered = select_views(filtered, part.views);
    if (here.defined()) part.present = select_views(here, part.views);
    out.parts_.push_back(std::move(part));
  }
  return out;
}

at::Tensor HeldOutViews::valid_pixels(const ScanGeometry& geometry, const Part& part) const {
  constexpr double edge = 1.5;  // pixels: interpolation and smoothing reach so far
  const DetectorShape& d = geometry.detector();
  const auto rows = static_cast<double>(d.rows), cols = static_cast<double>(d.cols);
  const double row_edge = d.rows > 8 ? edge : 0;
  CentreHits hits;
  std::vector<double> above, below;
  for (int64_t i = 0; i < geometry.views(); ++i) {
    const auto hit = geometry.project(i, grid_.centre);
    hits.row.push_back(hit.row);
    hits.col.push_back(hit.col);
    above.push_back(hit.row);
    below.push_back(hit.row - (rows - 1));
  }
  // Heights above the centre that all views see.
  const double top = common_limit(above, 0.25 * rows, true) - row_edge;
  const double bottom = common_limit(below, 0.25 * rows, false) + row_edge;
  const double radius = 0.5 * static_cast<double>(grid_.nx) * norm(grid_.step_x) * magnification_ / d.pitch_u - edge;
  at::Tensor valid = at::zeros(part.measured.sizes(), at::kDouble);
  double* out = valid.mutable_data_ptr<double>();
  for (const int64_t view : part.views) {
    const auto i = static_cast<std::size_t>(view);
    for (int64_t r = 0; r < d.rows; ++r) {
      const double y = hits.row[i] - static_cast<double>(r);
      for (int64_t c = 0; c < d.cols; ++c, ++out) {
        const auto x = static_cast<double>(c);
        const bool seen = y <= top && y >= bottom && x >= edge && x <= cols - 1 - edge;
        *out = seen && std::abs(x - hits.col[i]) <= radius ? 1 : 0;
      }
    }
  }
  valid = valid.to(part.measured.scalar_type());
  return part.present.defined() ? valid.mul_(part.present) : valid;
}

void HeldOutViews::predict(const ScanGeometry& whole, AngleSlope slope,
                           const std::function<void(const PredictedViews&)>& use) const {
  const ScanGeometry geometry = whole.binned(bins_.rows, bins_.cols);
  const ScanGeometry wide = with_row_margin(ops::with_detector_margins(geometry, margins_), row_margin_);
  std::vector<at::Tensor> volumes;
  at::Tensor all;
  for (const Part& part : parts_) {
    const OperatorPtr back =
        make_back_projector({wide.select(part.views), grid_, DistanceWeight::fdk, cancel_}).or_throw();
    volumes.push_back(back->apply(part.filtered));
    all = all.defined() ? all.add_(volumes.back()) : volumes.back().clone();
  }
  const auto count = static_cast<double>(parts_.size());
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const Part& part = parts_[k];
    const at::Tensor others = at::sub(all, volumes[k]).mul_(inside_).mul_(count / (count - 1));
    volumes[k].reset();
    const ScanGeometry own = geometry.select(part.views);
    const OperatorPtr project = make_projector({own, grid_, cancel_}).or_throw();
    PredictedViews views{part.views, part.measured, {}, valid_pixels(geometry, part), {}};
    if (slope == AngleSlope::computed) {
      const auto* directional = dynamic_cast<const DirectionalOperator*>(project.get());
      TL_CHECK(directional != nullptr, "the projector has derivatives along its vectors");
      const auto both = directional->apply_along(others, slope_of_angle(own));
      views.predicted = both.value;
      views.angle_slope = both.slope;
    } else {
      views.predicted = project->apply(others);
    }
    use(views);
  }
}

}  // namespace tl
