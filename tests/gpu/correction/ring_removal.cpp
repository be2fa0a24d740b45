// Ring removal in slices: rings and arcs are reduced, object and surroundings of the mask kept, exact gradients.
#include "gpu/correction/stripes/ring_removal.h"

#include <cmath>

#include "core/base/units.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::ring_removal_test {

using namespace tl::ops;

namespace {

constexpr int64_t size = 128;
constexpr double centre_row = 62.3, centre_col = 65.1;

at::Tensor distance() {
  const at::Tensor y = at::arange(size, at::kDouble).view({size, 1}) - centre_row,
                   x = at::arange(size, at::kDouble).view({1, size}) - centre_col;
  return (x.square() + y.square()).sqrt();
}
// Discs off the axis with sharp edges.
at::Tensor object() {
  const at::Tensor y = at::arange(size, at::kDouble).view({size, 1}), x = at::arange(size, at::kDouble).view({1, size});
  at::Tensor out = at::zeros({size, size}, at::kDouble);
  out = at::where(((y - 50).square() + (x - 80).square()).lt(400), out + 1, out);
  out = at::where(((y - 85).square() + (x - 45).square()).lt(225), out + 0.5, out);
  return out.unsqueeze(0);
}
at::Tensor rings(double arc) {
  const at::Tensor r = distance();
  const at::Tensor y = at::arange(size, at::kDouble).view({size, 1}) - centre_row,
                   x = at::arange(size, at::kDouble).view({1, size}) - centre_col;
  at::Tensor out = at::zeros({size, size}, at::kDouble);
  for (const double radius : {7.0, 16.5, 28.0, 40.0}) out = out + 0.1 * (-((r - radius) / 1.0).square()).exp();
  return (out * (1 + arc * at::atan2(y, x).cos())).unsqueeze(0);
}
RingRemovalSpec spec() {
  RingRemovalSpec s;
  s.centre_row = centre_row;
  s.centre_col = centre_col;
  return s;
}
double rms(const at::Tensor& x) { return std::sqrt(total_of_squares(x.contiguous()) / static_cast<double>(x.numel())); }

}  // namespace

class RingRemovalTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void rings_fall_and_the_object_stays() {
    for (const double arc : {0.0, 0.8}) {
      const at::Tensor clean = object(), damaged = clean + rings(arc);
      RingRemovalSpec s = spec();
      s.limit = 0.2;
      const at::Tensor y = remove_rings(damaged, s).or_throw();
      const double before = rms(damaged - clean), after = rms(y - clean),
                   harm = rms(remove_rings(clean, s).or_throw() - clean);
      qInfo("arc %.1f: error %.4f before, %.4f after; a clean slice changes by %.4f", arc, before, after, harm);
      QVERIFY(after < before / 2.5);
      QVERIFY(harm < before / 3);
      QVERIFY(test::max_difference(remove_rings(damaged.to(at::kFloat), s).or_throw(), y) < 1e-4);
    }
  }
  void the_mask_is_kept() {
    RingRemovalSpec s = spec();
    s.radius = 30;
    const at::Tensor damaged = object() + rings(0);
    const at::Tensor changed = remove_rings(damaged, s).or_throw().ne(damaged);
    QVERIFY(!changed.logical_and(distance().gt(30)).any().item<bool>());
    QVERIFY(changed.any().item<bool>());
  }
  void a_constant_slice_stays_and_slices_are_alone() {
    const at::Tensor flat = at::full({2, size, size}, 0.1f);
    QVERIFY(test::max_difference(remove_rings(flat, spec()).or_throw(), flat) < 1e-7);
    const at::Tensor two = at::cat({object(), object() + rings(0)});
    const at::Tensor both = remove_rings(two, spec()).or_throw();
    QVERIFY(both[1].equal(remove_rings(two.narrow(0, 1, 1), spec()).or_throw()[0]));
  }
  void small_slices() {
    for (const int64_t n : {1, 2, 5}) {
      RingRemovalSpec s;
      s.centre_row = s.centre_col = 0.5 * static_cast<double>(n - 1);
      QVERIFY(at::isfinite(remove_rings(test::gaussian({1, n, n}, at::kFloat, 1), s).or_throw()).all().item<bool>());
    }
  }
  void gradients() {
    RingRemovalSpec s;
    s.centre_row = 9.3;
    s.centre_col = 10.1;
    s.limit = 1.5;
    s.size = 5;
    const at::Tensor x = test::gaussian({1, 20, 21}, at::kDouble, 2).requires_grad_(),
                     w = test::gaussian({1, 20, 21}, at::kDouble, 3);
    const auto loss = [&](const at::Tensor& t) { return (remove_rings(t, s).or_throw() * w).sum(); };
    loss(x).backward();
    const at::Tensor direction = test::gaussian({1, 20, 21}, at::kDouble, 4), base = x.detach();
    const double h = 1e-7,
                 numeric = ((loss(base + h * direction) - loss(base - h * direction)) / (2 * h)).item<double>();
    // Rounding of a sum of about 20 over the step.
    QVERIFY(std::abs((x.grad() * direction).sum().item<double>() - numeric) < 1e-6 * std::max(1.0, std::abs(numeric)));
  }
  void bad_settings_are_refused() {
    RingRemovalSpec s;
    s.centre_row = -5;
    QVERIFY(!remove_rings(at::zeros({1, 9, 9}), s).ok());
    s = spec();
    s.size = 4;
    QVERIFY(!remove_rings(object(), s).ok());
    QVERIFY(!remove_rings(at::zeros({9, 9}), spec()).ok());
  }
};

TL_TEST_CASE(RingRemovalTest)

}  // namespace tl::ring_removal_test

#include "ring_removal.moc"
