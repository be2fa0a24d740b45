// Weighting and filtering of views for FBP and FDK.
#include "core/nodes/filtered_views.h"

#include <ATen/ATen.h>

#include <cmath>

#include "core/base/coverage.h"
#include "gpu/ops/fdk_weights.h"
#include "gpu/ops/view_weights.h"

namespace tl {
namespace {

ops::RampWindow window_of(RampChoice choice) {
  switch (choice) {
    case RampChoice::shepp_logan: return ops::RampWindow::shepp_logan;
    case RampChoice::cosine: return ops::RampWindow::cosine;
    case RampChoice::hamming: return ops::RampWindow::hamming;
    case RampChoice::hann: return ops::RampWindow::hann;
    case RampChoice::ram_lak:
    case RampChoice::none: break;
  }
  return ops::RampWindow::ram_lak;
}

// 1, with the gradient of the magnification of view 0 over its value: the filter's pitch on the virtual detector, and
// with it the filtered signal's scale, follows a learned geometry.
at::Tensor relative_magnification(const at::Tensor& vectors) {
  const auto part = [&](int64_t i) { return vectors[0].narrow(0, 3 * i, 3); };
  const at::Tensor source = part(0), normal = at::linalg_cross(part(3), part(2));
  const at::Tensor magnification = at::dot(normal, part(1) - source) / -at::dot(normal, source);
  return magnification / magnification.detach();
}

Result<at::Tensor> weigh_and_filter(const FilterTask& task, const Projections& in, NodeRun& r) {
  TL_TRY(ops::ViewWeights angular, ops::view_weights(in.geometry));
  at::Tensor weighted;
  if (task.cone == ConeWeights::fdk && in.vectors.defined()) {
    const at::Tensor cosines = ops::differentiable_fdk_weights(in.vectors, in.geometry.beam(), in.geometry.detector());
    weighted = in.data * (cosines * relative_magnification(in.vectors)).to(in.data.scalar_type()) * at::tensor(angular.weights, in.data.options()).view({-1, 1, 1});
  } else if (task.cone == ConeWeights::fdk) {
    TL_TRY(OperatorPtr weights, ops::make_fdk_weights(in.geometry, angular.weights));
    weighted = tl::apply(weights, in.data);
  } else {
    weighted = in.data * at::tensor(angular.weights, in.data.options()).view({-1, 1, 1});
  }
  if (task.params.filter == RampChoice::none) return weighted;
  const auto& d = in.geometry.detector();
  TL_TRY(OperatorPtr ramp, ops::make_ramp_filter({in.geometry.views(), d.rows, d.cols, task.pitch, window_of(task.params.filter),
                                                  task.params.cutoff, task.params.extension, r.cancel()}));
  return tl::apply(ramp, weighted);
}

}  // namespace

std::vector<Choice> ramp_choices() {
  return {{"none", "None"},         {"ram_lak", "Ram-Lak"}, {"shepp_logan", "Shepp-Logan"},
          {"cosine", "Cosine"},     {"hamming", "Hamming"}, {"hann", "Hann"}};
}

Result<at::Tensor> filtered_views(const FilterTask& task, const Projections& in, NodeRun& r) {
  if (r.device != "cpu") r.message(LogLevel::info, "the views are filtered on the processor, back-projected on " + r.device);
  // The rows of this region are told by where its detector stands and how many rows it has.
  const View& v = in.geometry.view(0);
  const std::string name = "filtered " + std::to_string(in.geometry.detector().rows) + " rows at " +
                           format_quantity(v.detector.x, Unit::none) + " " + format_quantity(v.detector.y, Unit::none) + " " +
                           format_quantity(v.detector.z, Unit::none);
  const auto filtered = r.memo<at::Tensor>(name, static_cast<int64_t>(in.data.nbytes()), [&] {
    auto result = weigh_and_filter(task, in, r);
    if (!result.ok()) throw Failure(result.error());
    return std::make_shared<at::Tensor>(std::move(result).value());
  });
  return *filtered;
}

Result<void> needs_line_integrals(const ProjectionsInfo& scan) {
  if (scan.kind == PixelKind::absorption || scan.kind == PixelKind::thickness) return ok();
  return invalid("reconstruction needs absorption, this is " + std::string(to_string(scan.kind)), "projections",
                 scan.kind == PixelKind::counts ? "Put a flat-field node before it"
                                                : "Switch on the logarithm in the flat-field or phase node before it");
}

Result<VolumeGrid> wanted_grid(const ScanGeometry& geometry, const GridParams& params) {
  VolumeGrid grid = natural_grid(geometry);
  if (params.voxel_size) {
    const double size = params.voxel_size->value;
    const auto fit = [size](int64_t n, const Vec3& step) {
      return std::max<int64_t>(1, std::llround(static_cast<double>(n) * norm(step) / size));
    };
    const VolumeGrid old = grid;
    grid = VolumeGrid::cubic(fit(old.nz, old.step_z), fit(old.ny, old.step_y), fit(old.nx, old.step_x), size, old.centre);
  }
  if (params.width) grid.nx = grid.ny = *params.width;
  TL_TRY(grid.validate());
  return grid;
}

ScanRegion views_seen(const Infos& in, const Region& wanted) {
  return region_seen(std::get<ProjectionsInfo>(in.at("projections")).geometry, std::get<VolumeGrid>(wanted));
}

int64_t filtered_bytes(const Infos& in, const Region& wanted, int64_t element_size) {
  return 2 * views_seen(in, wanted).count() * element_size;
}

}  // namespace tl
