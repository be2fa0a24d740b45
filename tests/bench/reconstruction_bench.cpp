// Times back-projection alone and whole filtered reconstructions (case = back_projection, fbp, fdk, oblique).
#include "core/base/units.h"
#include "gpu/filtering/fdk_weights.h"
#include "gpu/filtering/ramp_filter.h"
#include "gpu/projection/back_projector/back_projector.h"
#include "gpu/projection/view_weights.h"
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

}  // namespace

// n: voxels along x and y; slices along z. Lengths are in mm, voxels of 1 mm, angles over half a turn (parallel) or a
// whole one (cone). oblique: one plane of n x n points, tilted about both axes, from projections already filtered.
int main(int argc, char** argv) {
  bench::Arguments a(argc, argv);
  const std::string what = a.text("case", "back_projection"), in = a.text("input"), out = a.text("output");
  const bool cone = a.text("beam", what == "fdk" ? "cone" : "parallel") == "cone";
  const int64_t n = a.number("n", 512), views = a.number("views", 512), rows = a.number("rows", 64);
  const int64_t cols = a.number("cols", n), slices = a.number("slices", rows);
  const auto source = static_cast<double>(a.number("source_to_axis", 2 * n));
  const auto detector = static_cast<double>(a.number("axis_to_detector", 0));
  const double pitch = cone ? (source + detector) / source : 1;
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
  at::Tensor y;
  const bench::Times times = bench::median_times(a.repeat(), [&] {
    const OperatorPtr back = make_back_projector({g, grid, distance}).or_throw();
    y = back->apply(whole ? filtered(g, x) : x);
  });
  bench::write_raw(out, y);
  bench::report(what + (cone ? " cone" : ""), times, static_cast<double>(grid.count()) * static_cast<double>(views));
}
