// Sums along rays, the fast transpose for slices: they equal the plain transpose, and every voxel belongs to one cell.
#include "gpu/projection/back_projector/cpu/plane_strips.h"

#include <algorithm>
#include <cmath>

#include "core/base/units.h"
#include "gpu/device/cpu_variant.h"
#include "gpu/projection/back_projector/back_projector.h"
#include "gpu/projection/view_map.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::back_projector_plane_strips_test {

namespace {

struct Case {
  std::string name;
  ScanGeometry geometry;
  VolumeGrid grid;
};

ScanGeometry fan(int64_t views, int64_t cols, double pixel, double source, double axis = 0) {
  Orbit o;
  o.beam = Beam::cone;
  o.angles = equidistant_angles(views, 2 * pi);
  o.source_to_axis = source;
  o.axis = axis;
  return ScanGeometry::from_orbit(o, {1, cols, pixel, pixel}).or_throw();
}

ScanGeometry parallel(int64_t views, int64_t cols, double pixel, double axis = 0) {
  Orbit o;
  o.angles = equidistant_angles(views, 2 * pi);
  o.axis = axis;
  return ScanGeometry::from_orbit(o, {1, cols, pixel, pixel}).or_throw();
}

// Multiples of 45 degrees with voxels that land on columns exactly; odd sizes; objects beyond the detector; voxels
// larger than pixels.
std::vector<Case> cases() {
  const VolumeGrid square = VolumeGrid::cubic(1, 41, 41, 1), oblong = VolumeGrid::cubic(1, 37, 52, 0.9, {0.3, -2.2, 0});
  return {{"parallel, whole columns", parallel(8, 63, 1), square},
          {"parallel, whole columns on diagonals", parallel(8, 63, std::sqrt(0.5)), square},
          {"parallel", parallel(29, 70, 0.93, 1.3), oblong},
          {"fan, 45 degrees", fan(16, 31, 1, 200), square},
          {"fan, 45 degrees, wider", fan(16, 63, 1, 400), square},
          {"fan", fan(67, 77, 0.8, 120, 2.37), oblong},
          {"fan, close to the source", fan(67, 110, 0.6, 60), oblong},
          {"fan, object beyond the detector", fan(31, 20, 0.9, 150), oblong},
          {"fan, large voxels", fan(31, 200, 0.3, 150), oblong},
          {"fan, one voxel", fan(31, 40, 0.9, 150), VolumeGrid::cubic(1, 1, 1, 1, {3, 1, 0})}};
}

std::vector<double> summed(const Case& c, int64_t view, const at::Tensor& slice, bool& done) {
  const ViewMap map = ops::view_maps(c.geometry, c.grid)[static_cast<std::size_t>(view)];
  const ops::LineMap line_map{{map.u[0], map.u[1], map.u[2]}, {map.w[0], map.w[1], map.w[2]}};
  const int64_t cols = c.geometry.detector().cols;
  std::vector<double> line(static_cast<std::size_t>(cols + 2 * ops::strip_columns));
  std::vector<ops::PlaneStrip> scratch;
  const ops::PlaneSlice copies(slice.const_data_ptr<float>(), c.grid.ny, c.grid.nx);
  done = ops::sum_along_rays(copies, line_map, cols, scratch, line.data() + ops::strip_columns);
  return line;
}

}  // namespace

class BackProjectorStripsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() {
    if (ops::best_cpu_variant() != ops::CpuVariant::avx512) QSKIP("this processor has no AVX-512");
  }

  void equal_the_plain_transpose() {
    for (const Case& c : cases()) {
      const at::Tensor slice = test::gaussian({1, c.grid.ny, c.grid.nx}, at::kFloat, 3);
      const OperatorPtr plain =
          make_back_projector({c.geometry, c.grid, DistanceWeight::none, {}, KernelChoice::generic}).or_throw();
      const at::Tensor wanted = plain->adjoint(slice.to(at::kDouble));
      // Positions are rounded within windows of 32 voxels: 1e-6 of a pixel.
      const double bound = 2e-6 * wanted.abs().max().item<double>();
      for (int64_t v = 0; v < c.geometry.views(); ++v) {
        bool done = false;
        const std::vector<double> line = summed(c, v, slice, done);
        QVERIFY2(done, (c.name + ": view " + std::to_string(v) + " is not summed").c_str());
        for (int64_t col = 0; col < c.geometry.detector().cols; ++col) {
          const double got = line[static_cast<std::size_t>(col + ops::strip_columns)],
                       gap = std::abs(got - wanted[v][0][col].item<double>());
          QVERIFY2(gap <= bound, (c.name + ": view " + std::to_string(v) + ", column " + std::to_string(col) +
                                  " is off by " + std::to_string(gap))
                                     .c_str());
        }
      }
    }
  }

  // A fan at 45 degrees in numbers that are exact: the strips on both sides of column 15 look along x and along y, and
  // the voxels of a diagonal land right between them.
  void strips_along_other_axes_share_their_border() {
    constexpr int64_t size = 41, cols = 31;
    constexpr double per_voxel = 0.75, deeper = 1.0 / 1024, nearest = 1 - 40.0 / 1024;
    const at::Tensor slice = test::gaussian({size, size}, at::kFloat, 5).contiguous();
    const ops::PlaneSlice copies(slice.const_data_ptr<float>(), size, size);
    for (const double sign : {1.0, -1.0}) {
      const ops::LineMap map{{15 * nearest, 15 * deeper + sign * per_voxel, 15 * deeper - sign * per_voxel},
                             {nearest, deeper, deeper}};
      std::vector<double> line(static_cast<std::size_t>(cols + 2 * ops::strip_columns)), wanted(line.size());
      std::vector<ops::PlaneStrip> scratch;
      QVERIFY(ops::sum_along_rays(copies, map, cols, scratch, line.data() + ops::strip_columns));
      QVERIFY(scratch[0].direction != scratch[1].direction && scratch[1].first == 15);
      for (int64_t j = 0; j < size; ++j)
        for (int64_t i = 0; i < size; ++i) {
          const auto x = static_cast<double>(i), y = static_cast<double>(j);
          const double col = (map.u[0] + map.u[1] * x + map.u[2] * y) / (map.w[0] + map.w[1] * x + map.w[2] * y);
          for (int64_t c = 0; c < cols; ++c)
            wanted[static_cast<std::size_t>(c + ops::strip_columns)] +=
                std::max(0.0, 1 - std::abs(col - static_cast<double>(c))) * slice[j][i].item<double>();
        }
      for (int64_t c = ops::strip_columns; c < cols + ops::strip_columns; ++c)
        QVERIFY(std::abs(line[static_cast<std::size_t>(c)] - wanted[static_cast<std::size_t>(c)]) < 1e-4);  // float32
    }
  }

  // Twos and threes of voxels in a cell are more than the registers hold: the caller learns it, and has a clean line.
  void small_voxels_are_refused() {
    const Case c{"small voxels", fan(8, 40, 1, 200), VolumeGrid::cubic(1, 90, 90, 0.4)};
    for (int64_t v = 0; v < 8; ++v) {
      bool done = true;
      const std::vector<double> line = summed(c, v, at::ones({1, 90, 90}, at::kFloat), done);
      QVERIFY(!done && std::all_of(line.begin(), line.end(), [](double x) { return x == 0; }));
    }
  }
};

TL_TEST_CASE(BackProjectorStripsTest)

}  // namespace tl::back_projector_plane_strips_test

#include "back_projector_plane_strips.moc"
