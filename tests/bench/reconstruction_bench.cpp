// Times back-projection alone and whole filtered reconstructions (case = back_projection, fbp, fdk, oblique).
#include "core/base/units.h"
#include "gpu/filtering/fdk_weights.h"
#include "gpu/filtering/ramp_filter.h"
#include "gpu/projection/back_projector/back_projector.h"
#include "gpu/projection/back_projector/half_views.h"
#include "gpu/projection/view_weights.h"
#include "gpu/simulate/phantom_library.h"
#include "tests/bench/bench.h"

using namespace tl;

namespace {

// View weights, cosine weights, ramp filter: everything before the back-projection.
at::Tensor filtered(const ScanGeometry& g, const at::Tensor& projections) {
  const DetectorShape& d = g.detector();
  const auto weights = ops::make_fdk_weights(g, ops::view_weights(g).or_throw().weights).or_throw();
  ops::RampFilterSpec ramp;
  ramp.views = g.views();
  ramp.rows = d.rows;
  ramp.cols = d.cols;
  ramp.pitch = d.pitch_u / g.magnification();
  return ops::make_ramp_filter(ramp).or_throw()->apply(weights->apply(projections));
}

// Root mean square of what differs from the phantom, where every view sees the object.
double rms_to(const at::Tensor& truth, const at::Tensor& found) {
  return (found.to(at::kDouble) - truth.to(at::kDouble)).square().mean().sqrt().item<double>();
}

// The plane from views of a head, kept as the live view keeps them or in float32: both beside the truth.
std::string accuracy(const ScanGeometry& g, const VolumeGrid& grid, const OperatorPtr& back) {
  const ops::Phantom head = ops::shepp_logan_3d(0.4 * static_cast<double>(g.detector().cols));
  const at::Tensor truth = ops::phantom_volume(head, grid), views = filtered(g, ops::phantom_projections(head, g));
  const ops::HalfViews half = ops::to_half_views(views);
  const at::Tensor full = back->apply(views), found = back->apply(half.data) * half.scale;
  const double range = (full.max() - full.min()).item<double>();
  char text[160];
  std::snprintf(text, sizeof text,
                ", \"rms_full\": %.6g, \"rms_half\": %.6g, \"half_off_rms\": %.2g, \"half_off_most\": %.2g",
                rms_to(truth, full), rms_to(truth, found), rms_to(full, found) / range,
                (full - found).abs().max().item<double>() / range);
  return text;
}

}  // namespace

// n: voxels along x and y; slices along z. Lengths are in mm, voxels of 1 mm, angles over half a turn (parallel) or a
// whole one (cone). oblique: one plane of n x n points, tilted both ways, from projections that are filtered already,
// in half precision as the live view keeps them or in float32 (storage = full); with phantom = 1 both beside the truth.
int main(int argc, char** argv) {
  bench::Arguments a(argc, argv);
  const std::string what = a.text("case", "back_projection"), in = a.text("input"), out = a.text("output");
  const bool cone = a.text("beam", what == "fdk" ? "cone" : "parallel") == "cone";
  const int64_t n = a.number("n", 512), views = a.number("views", 512), rows = a.number("rows", 64);
  const int64_t cols = a.number("cols", n), slices = a.number("slices", rows);
  const auto source = static_cast<double>(a.number("source_to_axis", 2 * n));
  const auto detector = static_cast<double>(a.number("axis_to_detector", 0));
  const double pitch = cone ? (source + detector) / source : 1;
  const bool half = a.text("storage", "full") == "half", head = a.number("phantom", 0) != 0;
  a.finish();
  const bool whole = what == "fbp" || what == "fdk";
  if (!whole && what != "oblique" && what != "back_projection") bench::stop("unknown case " + what);

  const DetectorShape shape{rows, cols, pitch, pitch};
  const auto angles = equidistant_angles(views, cone ? 2 * pi : pi);
  const ScanGeometry g = cone ? ScanGeometry::cone(angles, shape, source, detector).or_throw()
                              : ScanGeometry::parallel(angles, shape).or_throw();
  const VolumeGrid grid = what == "oblique" ? VolumeGrid::plane(n, n, 0.6, {}, {1, 0.2, 0.3}, {-0.2, 1, 0})
                                            : VolumeGrid::cubic(slices, n, n, 1);
  const DistanceWeight distance = cone ? DistanceWeight::fdk : DistanceWeight::none;
  const at::Tensor x = bench::input(in, {views, rows, cols});
  const at::Tensor kept = half ? ops::to_half_views(x).data : x;
  at::Tensor y;
  const bench::Times times = bench::median_times(a.repeat(), [&] {
    const OperatorPtr back = make_back_projector({g, grid, distance}).or_throw();
    y = back->apply(whole ? filtered(g, x) : kept);
  });
  bench::write_raw(out, y);
  const std::string more = head ? accuracy(g, grid, make_back_projector({g, grid, distance}).or_throw()) : "";
  bench::report(what + (cone ? " cone" : "") + (half ? " half" : ""), times,
                static_cast<double>(grid.count()) * static_cast<double>(views), more);
}
