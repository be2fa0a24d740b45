// Circular mask: the circle on any grid, soft edges, NaN outside, gradients.
#include "gpu/image/circular_mask.h"

#include <cmath>
#include <limits>

#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::circular_mask_test {

using namespace tl::ops;

namespace {
const VolumeGrid whole = VolumeGrid::cubic(3, 20, 24, 0.5, {1, -2, 0.5});
at::Tensor weights(const VolumeGrid& part, double radius, double edge) {
  return circular_weights(part, {whole, radius, edge}, at::kDouble).or_throw();
}
}  // namespace

class CircularMaskTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void sharp_and_soft_edges_are_their_definition() {
    for (const double share : {1.0, 0.7})
      for (const double edge : {0.0, 3.0}) {
        const at::Tensor w = weights(whole, share, edge);
        for (int64_t y = 0; y < 20; ++y)
          for (int64_t x = 0; x < 24; ++x) {
            const double r = std::hypot(static_cast<double>(x) - 11.5, static_cast<double>(y) - 9.5),
                         radius = 10 * share;
            const double depth = edge > 0 ? std::min((radius - r) / edge, 1.0) : 1;
            const double expected = r < radius ? 0.5 - 0.5 * std::cos(3.14159265358979 * depth) : 0;
            QVERIFY(std::abs(w[1][y][x].item<double>() - expected) < 1e-12);
          }
      }
  }
  void parts_and_planes_use_the_same_circle() {
    const at::Tensor w = weights(whole, 0.8, 2);
    QVERIFY(test::max_difference(weights(whole.sub({1, 2}, {3, 9}, {5, 20}), 0.8, 2),
                                 w.slice(0, 1, 2).slice(1, 3, 9).slice(2, 5, 20)) < 1e-12);
    // a plane along the axis cuts the cylinder in a strip
    const VolumeGrid upright = VolumeGrid::plane(9, 41, 0.25, whole.centre, {1, 0, 0}, {0, 0, 1});
    const at::Tensor strip = weights(upright, 0.8, 0);
    QVERIFY(strip[0][0].equal(strip[0][8]));
    QCOMPARE(strip[0][4].sum().item<double>(), 31.0);  // |x| < 4 mm in steps of 0.25 mm
  }
  void values_outside() {
    at::Tensor v = test::gaussian({3, 20, 24}, at::kFloat, 1);
    v[0][0][0] = std::numeric_limits<float>::quiet_NaN();
    const at::Tensor out = masked(v, circular_weights(whole, {whole, 1, 0}, at::kFloat).or_throw(), -7);
    QCOMPARE(out[0][0][0].item<float>(), -7.0f);
    QVERIFY(out[1][10][12].equal(v[1][10][12]));
  }
  void gradient_is_the_weight() {
    const at::Tensor v = test::gaussian({3, 20, 24}, at::kDouble, 1).requires_grad_(), w = weights(whole, 0.9, 4);
    masked(v, w, 3).sum().backward();
    QVERIFY(test::max_difference(v.grad(), w) < 1e-15);
  }
  void refusals() {
    for (const double radius : {0.0, -1.0, std::numeric_limits<double>::infinity()})
      QVERIFY(!circular_weights(whole, {whole, radius, 0}, at::kFloat).ok());
    QVERIFY(!circular_weights(whole, {whole, 1, -1}, at::kFloat).ok());
  }
};

TL_TEST_CASE(CircularMaskTest)

}  // namespace tl::circular_mask_test

#include "circular_mask.moc"
