// Times the projector and its transpose (case=forward, case=transpose).
#include "core/base/units.h"
#include "gpu/projection/projector/projector.h"
#include "tests/bench/bench.h"

using namespace tl;

// n: voxels along x and y; slices along z (as many as rows unless said); pixels and voxels of 1 mm. beam=cone: source
// 2 n from the axis, detector at the axis.
int main(int argc, char** argv) {
  bench::Arguments a(argc, argv);
  const std::string what = a.text("case", "forward"), in = a.text("input"), out = a.text("output");
  const int64_t n = a.number("n", 512), views = a.number("views", 512), rows = a.number("rows", 64);
  const int64_t cols = a.number("cols", n), slices = a.number("slices", rows);
  const bool parallel = a.text("beam", "parallel") == "parallel";
  a.finish();
  const DetectorShape detector{rows, cols, 1, 1};
  const auto angles = equidistant_angles(views, parallel ? pi : 2 * pi);
  const ScanGeometry g = parallel ? ScanGeometry::parallel(angles, detector).or_throw()
                                  : ScanGeometry::cone(angles, detector, 2 * double(n), 0).or_throw();
  const OperatorPtr op = make_projector({g, VolumeGrid::cubic(slices, n, n, 1)}).or_throw();
  const bool forward = what == "forward";
  if (!forward && what != "transpose" && what != "gradient") bench::stop("unknown case " + what);
  const at::Tensor x = bench::input(in, forward ? op->domain() : op->range());
  const at::Tensor other = what == "gradient" ? bench::input({}, op->domain()) : at::Tensor();
  at::Tensor y;
  const bench::Times times = bench::median_times(a.repeat(), [&] {
    y = forward ? op->apply(x) : what == "transpose" ? op->adjoint(x) : op->vectors_gradient(other, x);
  });
  bench::write_raw(out, y);
  bench::report("projector " + what + (parallel ? "" : " cone"), times,
                static_cast<double>(n) * static_cast<double>(n * slices) * static_cast<double>(views));
}
