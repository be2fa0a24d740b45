// Back-projection by strips: oblique planes and slightly tilted scans against the loops for any geometry.
#include <ATen/Parallel.h>

#include <cmath>

#include "core/base/units.h"
#include "gpu/projection/back_projector/back_projector.h"
#include "gpu/simulate/phantom_library.h"
#include "gpu/verify/cases.h"
#include "tests/support/test_case.h"

namespace tl::back_projector_strips_test {

namespace {

// Rounding of positions within a strip and of sums over some dozens of views, of the range.
constexpr double rounding = 1e-6;
// The same of positions up to 24 pixels from the middle of a block.
constexpr double coarse_rounding = 4e-6;

ScanGeometry scan(Beam beam, int64_t views, DetectorShape detector, double tilt = 0, double source_to_axis = 600) {
  Orbit o;
  o.beam = beam;
  o.angles = equidistant_angles(views, 2 * pi, 0.1);
  if (beam == Beam::cone) {
    o.source_to_axis = source_to_axis;
    o.axis_to_detector = 25;
  }
  o.axis = 0.7;
  o.tilt = tilt;
  return ScanGeometry::from_orbit(o, detector).or_throw();
}

OperatorPtr make(const ScanGeometry& g, const VolumeGrid& grid, KernelChoice kernel = KernelChoice::fastest) {
  BackProjectorSpec spec{g, grid, g.is_parallel() ? DistanceWeight::none : DistanceWeight::fdk};
  spec.kernel = kernel;
  return make_back_projector(std::move(spec)).or_throw();
}

at::Tensor noise(const std::vector<int64_t>& shape, uint64_t seed) {
  return verify::gaussian(shape, seed, 1).to(at::kFloat);
}

double gap(const at::Tensor& found, const at::Tensor& wanted) {
  const at::Tensor a = found.to(at::kDouble), b = wanted.to(at::kDouble);
  return ((a - b).abs().max() / (b.max() - b.min())).item<double>();
}

// A plane of nx x ny points whose rows, or columns, are horizontal; it leans by a third.
enum class Level { rows, columns };
VolumeGrid leaning(int64_t nx, int64_t ny, double step, Level level, Vec3 centre = {0.3, -0.2, 0.1}) {
  const Vec3 across{0.9, 0.3, 0}, up{-0.1, 0.3, 0.1};
  return level == Level::rows ? VolumeGrid::plane(ny, nx, step, centre, across, up)
                              : VolumeGrid::plane(ny, nx, step, centre, up, across);
}

}  // namespace

class BackProjectorStripsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // Rows of 16 and of 32 pixels in registers, several pixels per voxel; whole and partial strips, tiles and groups of
  // views; lines along x and along y; a detector that cuts the plane on every side.
  void agrees_with_the_loops_for_any_geometry() {
    // Of the last source the divisor changes much along a line.
    for (const auto& [beam, source] : {std::pair{Beam::parallel, 0.0}, {Beam::cone, 600.0}, {Beam::cone, 130.0}})
      for (const double step : {0.2, 0.45, 0.9, 1.7})
        for (const Level level : {Level::rows, Level::columns})
          for (const DetectorShape& d : {DetectorShape{90, 96, 0.6, 0.6}, DetectorShape{20, 37, 0.5, 0.45}}) {
            const ScanGeometry g = scan(beam, 37, d, 1e-3, source);
            const VolumeGrid grid = leaning(133, 75, step, level);
            const at::Tensor x = noise({37, d.rows, d.cols}, 1);
            const at::Tensor wanted = make(g, grid, KernelChoice::generic)->apply(x.to(at::kDouble));
            const double off = gap(make(g, grid)->apply(x), wanted);
            QVERIFY2(off <= rounding, qPrintable(QString("step %1: off by %2 of the range").arg(step).arg(off)));
          }
  }
  void serves_volumes_of_slightly_tilted_scans() {
    for (const Beam beam : {Beam::parallel, Beam::cone}) {
      const ScanGeometry g = scan(beam, 19, {40, 50, 0.6, 0.6}, 0.02);
      const VolumeGrid grid = VolumeGrid::cubic(11, 21, 37, 0.5, {0.2, 0.1, 0.3});
      const at::Tensor x = noise({19, 40, 50}, 2);
      QVERIFY(gap(make(g, grid)->apply(x), make(g, grid, KernelChoice::generic)->apply(x.to(at::kDouble))) <= rounding);
    }
  }
  // Steps along y of many pixels, and a source close to the grid: more detector than a tile can copy.
  void serves_grids_that_see_much_at_once() {
    const VolumeGrid coarse{1, 20, 50, {}, {0.3, 0, 0}, {0, 25, 0.1}, {0, -0.01, 2.5}};
    for (const double source : {600.0, 247.6}) {
      const ScanGeometry g = scan(Beam::cone, 7, {40, 50, 0.6, 0.6}, 0, source);
      const at::Tensor x = noise({7, 40, 50}, 9);
      const at::Tensor wanted = make(g, coarse, KernelChoice::generic)->apply(x.to(at::kDouble));
      const double off = gap(make(g, coarse)->apply(x), wanted);
      QVERIFY2(off <= coarse_rounding,
               qPrintable(QString("source at %1: off by %2 of the range").arg(source).arg(off)));
    }
  }
  void a_plane_outside_every_view_is_empty() {
    const ScanGeometry g = scan(Beam::cone, 5, {20, 24, 0.5, 0.5});
    const OperatorPtr op = make(g, leaning(40, 30, 0.3, Level::rows, {0, 0, 100}));
    QVERIFY(op->apply(noise(op->domain(), 3)).abs().max().item<double>() == 0);
  }
  // A pixel that is NaN makes NaN of the points that read it and of no others.
  void nan_pixels_do_not_spread() {
    const ScanGeometry g = scan(Beam::cone, 3, {60, 64, 0.5, 0.5});
    const VolumeGrid grid = leaning(70, 50, 0.3, Level::rows);
    at::Tensor x = noise({3, 60, 64}, 4);
    x[1][30][33] = NAN;
    const at::Tensor found = make(g, grid)->apply(x).isnan();
    QVERIFY(found.sum().item<int64_t>() > 0);
    QVERIFY(at::equal(found, make(g, grid, KernelChoice::generic)->apply(x).isnan()));
  }
  void thread_count_changes_no_bit() {
    const ScanGeometry g = scan(Beam::cone, 21, {50, 60, 0.6, 0.6});
    const OperatorPtr op = make(g, leaning(300, 270, 0.1, Level::columns));
    const at::Tensor x = noise(op->domain(), 5);
    const int threads = at::get_num_threads();
    at::set_num_threads(1);
    const at::Tensor wanted = op->apply(x);
    at::set_num_threads(3);
    const at::Tensor found = op->apply(x);
    at::set_num_threads(threads);
    QVERIFY(at::equal(found, wanted));
  }

  void refuses_what_is_not_a_float_view() {
    const ScanGeometry g = scan(Beam::parallel, 3, {4, 5, 1, 1});
    const OperatorPtr op = make(g, leaning(5, 6, 1, Level::rows));
    QVERIFY_THROWS_EXCEPTION(Failure, (void)op->apply(at::zeros({3, 4, 5}, at::kHalf)));
    QVERIFY_THROWS_EXCEPTION(Failure, (void)op->apply(at::zeros({3, 4, 6})));
    QVERIFY_THROWS_EXCEPTION(Failure, (void)op->apply(at::Tensor()));
  }
};

TL_TEST_CASE(BackProjectorStripsTest)

}  // namespace tl::back_projector_strips_test

#include "back_projector_strips.moc"
