// FDK weights: the closed formula, the Jacobian of the rays by finite differences, the differentiable form.
#include "gpu/filtering/fdk_weights.h"

#include <cmath>

#include "core/base/random.h"
#include "core/base/units.h"
#include "core/base/vec3.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::fdk_weights_test {

using namespace tl::ops;

namespace {
constexpr double source_to_axis = 600, axis_to_detector = 600;
const DetectorShape detector{9, 13, 4, 5};

Orbit offset_orbit(std::vector<double> angles) {
  Orbit o;
  o.beam = Beam::cone;
  o.angles = std::move(angles);
  o.source_to_axis = source_to_axis;
  o.axis_to_detector = axis_to_detector;
  o.source_shift_u = 20;
  o.source_shift_v = 15;
  o.axis = 1.7;
  return o;
}
// The same scan with every detector rotated by `yaw` about its own column through the centre.
ScanGeometry yawed(const std::vector<double>& angles, double yaw) {
  const auto flat = ScanGeometry::from_orbit(offset_orbit(angles), detector).or_throw();
  std::vector<View> views;
  for (int64_t i = 0; i < flat.views(); ++i) {
    View w = flat.view(i);
    const Vec3 u = w.u;
    w.u = std::cos(yaw) * u + std::sin(yaw) * Vec3{-u.y, u.x, 0};
    views.push_back(w);
  }
  return ScanGeometry::from_views(Beam::cone, detector, views).or_throw();
}
at::Tensor weights(const ScanGeometry& g) {
  const auto op = make_fdk_weights(g).or_throw();
  return op->apply(at::ones(op->domain(), at::kDouble));
}
at::Tensor vectors_of(const ScanGeometry& g) { return at::tensor(g.vectors(), at::kDouble).view({-1, 12}); }
}  // namespace

class FdkWeightsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void the_closed_formula_with_an_offset_source() {
    const std::vector<double> angles = {0.3, 2, 4};
    const auto g = ScanGeometry::from_orbit(offset_orbit(angles), detector).or_throw();
    const at::Tensor w = weights(g);
    const double d = source_to_axis, m = d / (source_to_axis + axis_to_detector), tau = 20, zeta = 15;
    for (int64_t i = 0; i < 3; ++i) {
      const Vec3 across{std::cos(angles[static_cast<std::size_t>(i)]), std::sin(angles[static_cast<std::size_t>(i)]),
                        0};
      for (const auto& [row, col] : {std::pair<int64_t, int64_t>{0, 0}, {8, 12}, {4, 6}, {2, 11}}) {
        const View& v = g.view(i);
        const Vec3 pixel = v.detector + (static_cast<double>(col) - 6) * v.u - (static_cast<double>(row) - 4) * v.v;
        const double u = tau + m * (dot(pixel, across) - tau), vv = zeta + m * (pixel.z - zeta);
        const double expected =
            d / std::sqrt(d * d + (u - tau) * (u - tau) + (vv - zeta) * (vv - zeta)) * (1 - tau * (u - tau) / (d * d));
        QVERIFY(std::abs(w[i][row][col].item<double>() - expected) < 1e-13);
      }
    }
  }
  // In the plane of the source the weight is J / cos^2 g, with J = |d(s, theta) / d(U, beta)| of the rays themselves.
  void the_jacobian_of_the_rays() {
    const double step = 1e-5, t = 0.8, yaw = 0.2;
    const auto ray = [&](double angle, double col) {  // (s, theta) of the ray in the plane z = 0
      Orbit o = offset_orbit({angle});
      o.source_shift_v = 0;
      const auto flat = ScanGeometry::from_orbit(o, detector).or_throw();
      const View& v = flat.view(0);
      const Vec3 u = std::cos(yaw) * v.u + std::sin(yaw) * Vec3{-v.u.y, v.u.x, 0};
      const Vec3 r = v.detector + (col - 6) * u - v.beam;
      const double theta = std::atan2(-r.x, r.y);
      return std::pair{v.beam.x * std::cos(theta) + v.beam.y * std::sin(theta), theta};
    };
    std::vector<View> one;
    Orbit level = offset_orbit({t});
    level.source_shift_v = 0;
    View view = ScanGeometry::from_orbit(level, detector).or_throw().view(0);
    view.u = std::cos(yaw) * view.u + std::sin(yaw) * Vec3{-view.u.y, view.u.x, 0};
    const auto g = ScanGeometry::from_views(Beam::cone, detector, {view}).or_throw();
    const at::Tensor w = weights(g);
    const Vec3 outward = cross(view.v, view.u), n = (1 / norm(outward)) * outward;
    const double m = -dot(n, view.beam) / dot(n, view.detector - view.beam);
    for (int64_t col = 0; col < detector.cols; ++col) {
      const auto c = static_cast<double>(col);
      const auto [s1, h1] = ray(t, c + step);
      const auto [s0, h0] = ray(t, c - step);
      const auto [sb, hb] = ray(t + step, c);
      const auto [sa, ha] = ray(t - step, c);
      const double jacobian =
          std::abs((s1 - s0) * (hb - ha) - (h1 - h0) * (sb - sa)) / (4 * step * step) / (m * norm(view.u));
      const Vec3 r = view.detector + (c - 6) * view.u - view.beam;
      const double cosine = dot(n, r) / norm(r);
      // rounding of 1e-13 mm over steps of 1e-5
      QVERIFY(std::abs(w[0][4][col].item<double>() - jacobian / (cosine * cosine)) < 1e-6);
    }
  }
  void centred_source_is_plain_fdk() {
    const auto g = ScanGeometry::cone({0.1}, detector, source_to_axis, axis_to_detector).or_throw();
    const double corner = 1200 / std::sqrt(1200.0 * 1200 + 24.0 * 24 + 20.0 * 20);
    QVERIFY(std::abs(weights(g)[0][0][0].item<double>() - corner) < 1e-14);
    QCOMPARE(weights(g)[0][4][6].item<double>(), 1.0);
  }
  // Source, detector and object moved along the rotation axis together are the same scan.
  void moved_along_the_axis_they_are_the_same() {
    const auto g = yawed({0.3, 1.3, 4.4}, 0.1);
    std::vector<View> views;
    for (int64_t i = 0; i < g.views(); ++i) {
      View v = g.view(i);
      v.beam.z += 150;
      v.detector.z += 150;
      views.push_back(v);
    }
    const auto moved = ScanGeometry::from_views(Beam::cone, detector, views).or_throw();
    QVERIFY(test::max_difference(weights(moved), weights(g)) < 1e-13);
  }
  void view_weights_and_parallel_beams() {
    const auto g = ScanGeometry::parallel({0.1, 0.2}, detector).or_throw();
    const auto op = make_fdk_weights(g, {2, 3}).or_throw();
    const at::Tensor y = op->apply(at::ones(op->domain()));
    QVERIFY(at::equal(y[0], at::full({9, 13}, 2.f)) && at::equal(y[1], at::full({9, 13}, 3.f)));
    QVERIFY(!make_fdk_weights(g, {1}).ok());
  }
  void transpose_and_differentiable_form() {
    const auto g = yawed({0.3, 1.3, 4.4}, 0.1);
    const auto op = make_fdk_weights(g).or_throw();
    QVERIFY(test::worst_adjoint_error(*op, at::kFloat) < 1e-6);
    QVERIFY(test::worst_adjoint_error(*op, at::kDouble) < 1e-12);
    const at::Tensor vectors = vectors_of(g);
    QVERIFY(test::max_difference(differentiable_fdk_weights(vectors, Beam::cone, detector), weights(g)) < 1e-13);
    // gradient against central differences, all twelve numbers of a view
    at::Tensor leaf = vectors.clone().requires_grad_();
    const at::Tensor y = test::gaussian({3, 9, 13}, at::kDouble, 3);
    const auto value = [&](const at::Tensor& v) {
      return total(differentiable_fdk_weights(v, Beam::cone, detector) * y);
    };
    (differentiable_fdk_weights(leaf, Beam::cone, detector) * y).sum().backward();
    for (int64_t k = 0; k < 12; ++k) {
      const double h = k < 6 ? 1e-2 : 1e-4;
      at::Tensor up = vectors.clone(), down = vectors.clone();
      up[1][k] += h;
      down[1][k] -= h;
      const double numeric = (value(up) - value(down)) / (2 * h), analytic = leaf.grad()[1][k].item<double>();
      QVERIFY(std::abs(numeric - analytic) < 1e-6 * std::max(1e-3, leaf.grad()[1].abs().max().item<double>()));
    }
  }
  void refusals() {
    View w = ScanGeometry::cone({0}, detector, 100, 100).or_throw().view(0);
    w.beam = {0, 50, 0};  // the axis behind the source
    QVERIFY(!make_fdk_weights(ScanGeometry::from_views(Beam::cone, detector, {w}).or_throw()).ok());
  }
};

TL_TEST_CASE(FdkWeightsTest)

}  // namespace tl::fdk_weights_test

#include "fdk_weights.moc"
