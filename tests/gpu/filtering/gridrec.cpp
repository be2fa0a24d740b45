// Gridrec: comparison with FBP with the same filter, discs with known projections, odd sizes, and its gridding kernel.
#include "gpu/filtering/gridrec.h"

#include <ATen/Parallel.h>

#include <cmath>
#include <vector>

#include "core/base/units.h"
#include "gpu/simulate/phantom_library.h"
#include "gpu/verify/filtered.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::gridrec_test {

using namespace tl::ops;

namespace {

at::Tensor fbp(const at::Tensor& p, const ScanGeometry& g, int64_t width, RampWindow window) {
  const DetectorShape& d = g.detector();
  VolumeGrid grid = VolumeGrid::cubic(d.rows, width, width, d.pitch_u);
  grid.step_z = {0, 0, d.pitch_v};
  return verify::filtered_back_projection(g, grid, p, window);
}

GridrecSpec spec_of(const ScanGeometry& g, int64_t width, RampWindow window = RampWindow::ram_lak) {
  GridrecSpec s;
  s.geometry = g;
  s.width = width;
  s.window = window;
  return s;
}

double central_rms(const at::Tensor& image, const at::Tensor& reference) {
  const int64_t n = image.size(1), from = n / 4, size = n / 2;
  const at::Tensor a = image.narrow(1, from, size).narrow(2, from, size).to(at::kDouble);
  const at::Tensor b = reference.narrow(1, from, size).narrow(2, from, size).to(at::kDouble);
  return ((a - b).square().mean().sqrt() / (b.max() - b.min())).item<double>();
}

// Along x (sums over 1) or y (sums over 2) of the middle slice, in voxels.
double centre_of_mass(const at::Tensor& image, int64_t across) {
  const at::Tensor line = image[1].clamp_min(0.1).sub(0.1).sum(across - 1);
  return ((line * at::arange(line.size(0), at::kDouble)).sum() / line.sum()).item<double>();
}

}  // namespace

class GridrecTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void window_function() {
    QVERIFY(std::abs(prolate(0) - 121.7555) < 1e-3);
    QVERIFY(std::abs(prolate(1) - 1) < 1e-3);
    QVERIFY(prolate(0.4) == prolate(-0.4) && prolate(1.01) == 0);
  }
  // Shepp-Logan 256^2, the same filter: within 2 % of the range in the middle, the mean not removed.
  void as_fbp() {
    const ScanGeometry g =
        ScanGeometry::parallel(equidistant_angles(320, pi, 0.1), {2, 256, 0.01, 0.02}, 2.3).or_throw();
    const at::Tensor p = phantom_projections(shepp_logan_2d(1.1), g);
    for (const RampWindow w : {RampWindow::ram_lak, RampWindow::shepp_logan, RampWindow::hann}) {
      const double error = central_rms(gridrec(p, spec_of(g, 256, w)).or_throw(), fbp(p, g, 256, w));
      QVERIFY2(error < 0.02, std::to_string(error).c_str());
      // Where the filter leaves little at high frequencies the two interpolations agree.
      if (w == RampWindow::hann) QVERIFY2(error < 0.004, std::to_string(error).c_str());
    }
  }
  // A smooth object is reproduced in position and value for odd and even sizes, any axis, any order of angles.
  void in_place() {
    for (const auto& [cols, width, axis] :
         {std::tuple<int64_t, int64_t, double>{96, 96, 0}, {97, 97, 3.3}, {96, 81, -2.7}, {97, 64, 0.5}}) {
      std::vector<double> angles = equidistant_angles(150, -pi, 0.4);
      std::swap(angles[3], angles[77]);
      const ScanGeometry g = ScanGeometry::parallel(angles, {3, cols, 1, 1}, axis).or_throw();
      const at::Tensor p = phantom_projections(disc(18, 0.7, 6, -9), g, {at::kDouble, 4, {}});
      const at::Tensor image = gridrec(p, spec_of(g, width, RampWindow::hann)).or_throw();
      const at::Tensor reference = fbp(p, g, width, RampWindow::hann);
      // FBP's linear interpolation blurs the disc's edge, gridrec's does not: the centre of mass gives the position.
      const double error = central_rms(image, reference);
      QVERIFY2(error < 0.01, std::to_string(error).c_str());
      for (const int64_t across : {1, 2}) {
        const double gap = centre_of_mass(image, across) - centre_of_mass(reference, across);
        QVERIFY2(std::abs(gap) < 0.01, std::to_string(gap).c_str());
      }
      QVERIFY(test::max_difference(gridrec(p.to(at::kFloat), spec_of(g, width, RampWindow::hann)).or_throw(), image) <
              1e-5);
    }
  }
  // Rows become slices from the bottom up, alone as in company.
  void slices() {
    const ScanGeometry g = ScanGeometry::parallel(equidistant_angles(60, pi), {5, 40, 1, 1}).or_throw();
    const at::Tensor p = test::gaussian({60, 5, 40}, at::kDouble, 3);
    const at::Tensor all = gridrec(p, spec_of(g, 40)).or_throw();
    for (int64_t row = 0; row < 5; ++row) {
      const ScanGeometry one = g.crop({{0, 60}, {row, row + 1}, {0, 40}});
      const at::Tensor alone = gridrec(p.narrow(1, row, 1).contiguous(), spec_of(one, 40)).or_throw();
      QVERIFY(test::max_difference(alone[0], all[4 - row]) < 1e-12);
    }
  }
  // Threads have a pair of slices each, or share one where there are fewer pairs: the same bits.
  void any_number_of_threads() {
    const ScanGeometry g = ScanGeometry::parallel(equidistant_angles(60, pi), {5, 100, 1, 1}).or_throw();
    const at::Tensor p = test::gaussian({60, 5, 100}, at::kFloat, 4);
    const int usual = at::get_num_threads();
    std::vector<at::Tensor> images;
    for (const int threads : {1, 2, 3, 8}) {
      at::set_num_threads(threads);
      images.push_back(gridrec(p, spec_of(g, 100)).or_throw());
    }
    at::set_num_threads(usual);
    for (const at::Tensor& image : images) QVERIFY(image.equal(images[0]));
  }
  // C1: a disc of radius 200 in 800 columns is 1.000 +- 0.005 inside 95 % of its radius. Without a window the point
  // samples of the disc's edge alias and ring by 1 %, which FBP's linear interpolation damps; the mean is right.
  void large_disc() {
    const ScanGeometry g = ScanGeometry::parallel(equidistant_angles(1200, pi), {1, 800, 1, 1}).or_throw();
    const at::Tensor p = phantom_projections(disc(200), g);
    const at::Tensor image = gridrec(p, spec_of(g, 400, RampWindow::cosine)).or_throw();
    const at::Tensor x = at::arange(400, at::kDouble) - 199.5;
    const at::Tensor inside = (x.square().view({-1, 1}) + x.square().view({1, -1})).sqrt() <= 190;
    const double worst = (image[0].masked_select(inside) - 1).abs().max().item<double>();
    QVERIFY2(worst < 0.005, std::to_string(worst).c_str());
  }
  void refusals() {
    const ScanGeometry g = ScanGeometry::parallel(equidistant_angles(6, pi), {2, 8, 1, 1}).or_throw();
    const at::Tensor p = at::ones({6, 2, 8});
    QVERIFY(!gridrec(p, spec_of(g, 9)).ok());
    QVERIFY(!gridrec(p, spec_of(ScanGeometry::cone({0, 1, 2, 3, 4, 5}, {2, 8, 1, 1}, 50, 50).or_throw(), 8)).ok());
    GridrecSpec s = spec_of(g, 8);
    s.cutoff = 0;
    QVERIFY(!gridrec(p, s).ok());
    QVERIFY_THROWS_EXCEPTION(Failure, (void)gridrec(p[0], spec_of(g, 8)));
  }
};

TL_TEST_CASE(GridrecTest)

}  // namespace tl::gridrec_test

#include "gridrec.moc"
