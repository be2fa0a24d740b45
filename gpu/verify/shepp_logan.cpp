// B1 and B2: the Shepp-Logan head of RTK's public tests, against the errors that itk-rtk leaves on the same data.
#include <ATen/ATen.h>

#include <cmath>

#include "core/base/units.h"
#include "gpu/ops/back_projector.h"
#include "gpu/ops/fdk_weights.h"
#include "gpu/ops/phantom_library.h"
#include "gpu/ops/ramp_filter.h"
#include "gpu/ops/view_weights.h"
#include "gpu/verify/verify.h"

namespace tl {
namespace {

// What itk-rtk 2.7.0 leaves, measured by tests/bench/rtk_accuracy.py, which runs both on one machine.
struct Rival {
  double mean_absolute, rms, interior;
};
constexpr Rival rtk_b1{0.024710486, 0.08801095, 0.0063538207};
constexpr Rival rtk_b2{0.026235856, 0.08197503, 0.0005417225};
// Two programs in float32 sum in different orders and sample the same edges: less than this is a tie.
constexpr double tie = 1.001;
// Inside, FDK's own error away from the source's plane is left (1e-2). The two programs agree to 3e-7 of the values
// without a source offset; with one in both directions ours leaves 3.6 % more. The margin was set after that was seen: it
// guards against change and claims no advantage (resources/docs/benchmarks.md).
constexpr double tie_inside = 1.05;

at::Tensor reconstruct(const ScanGeometry& g, const VolumeGrid& grid) {
  const DetectorShape& d = g.detector();
  const at::Tensor p = ops::phantom_projections(ops::shepp_logan_3d(116), g);
  const auto weights = ops::make_fdk_weights(g, ops::view_weights(g).or_throw().weights).or_throw();
  ops::RampFilterSpec ramp;
  ramp.views = g.views();
  ramp.rows = d.rows;
  ramp.cols = d.cols;
  ramp.pitch = d.pitch_u / g.magnification();
  const at::Tensor filtered = ops::make_ramp_filter(ramp).or_throw()->apply(weights->apply(p));
  const at::Tensor volume = make_back_projector({g, grid, DistanceWeight::fdk}).or_throw()->apply(filtered);
  // The field of view: voxels that land between the outermost pixel centres in every view; 0 elsewhere.
  const at::Tensor hits = make_back_projector({g, grid}).or_throw()->apply(at::ones_like(p));
  return volume * hits.gt(static_cast<double>(g.views()) - 1e-2);
}

// Voxels of the object with one value all around, two voxels or more from any edge.
at::Tensor interior(const at::Tensor& reference) {
  const at::Tensor r = at::replication_pad3d(reference.unsqueeze(0).unsqueeze(0), {2, 2, 2, 2, 2, 2});
  const at::Tensor high = at::max_pool3d(r, {5, 5, 5}, {1, 1, 1}), low = -at::max_pool3d(-r, {5, 5, 5}, {1, 1, 1});
  return high.eq(low).squeeze(0).squeeze(0).logical_and(reference > 0);
}

void compare(const std::string& id, const std::string& op, const ScanGeometry& g, const Rival& rtk, CheckTable& table) {
  const VolumeGrid grid = VolumeGrid::cubic(128, 128, 128, 2);
  const at::Tensor reference = ops::phantom_volume(ops::shepp_logan_3d(116), grid);
  const at::Tensor error = (reconstruct(g, grid) - reference).to(at::kDouble);
  const auto row = [&](const std::string& what, double value, double bound) {
    table.push_back({id + " " + what, op, "Shepp-Logan 128^3, 180 views", "float32", value, bound, value <= bound});
  };
  row("mean absolute", error.abs().mean().item<double>(), tie * rtk.mean_absolute);
  row("rms", std::sqrt(error.square().mean().item<double>()), tie * rtk.rms);
  row("interior", error.abs().masked_select(interior(reference)).mean().item<double>(), tie_inside * rtk.interior);
}

}  // namespace

CheckTable verify_shepp_logan() {
  CheckTable table;
  Orbit orbit;
  orbit.beam = Beam::cone;
  orbit.angles = equidistant_angles(180, 2 * pi);
  orbit.source_to_axis = orbit.axis_to_detector = 600;
  orbit.source_shift_u = 20;
  orbit.source_shift_v = -15;  // RTK's Y axis is our -z
  compare("B1", "FDK", ScanGeometry::from_orbit(orbit, {128, 128, 4, 4}).or_throw(), rtk_b1, table);
  compare("B2", "FBP", ScanGeometry::parallel(orbit.angles, {128, 128, 2, 2}).or_throw(), rtk_b2, table);
  return table;
}

}  // namespace tl
