// Negative logarithm: values, floor, NaN policy, gradient.
#include "gpu/correction/minus_log.h"

#include <cmath>
#include <limits>

#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::minus_log_test {

using namespace tl::ops;

class MinusLogTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void values_floor_and_nan() {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const at::Tensor t = at::tensor({1.0, 0.5, 1e-9, 0.0, -3.0, nan, 2.0});
    MinusLogSpec spec;
    spec.floor = 1e-4;
    MinusLog out = minus_log(t, spec).or_throw();
    QCOMPARE(out.floored, 3);
    QCOMPARE(out.nans, 1);
    const double low = -std::log(1e-4);
    const at::Tensor expected = at::tensor({0.0, -std::log(0.5), low, low, low, 0.0, -std::log(2.0)});
    QVERIFY(test::max_difference(out.absorption, expected) < 1e-15);
    spec.nans = NanPolicy::keep;
    out = minus_log(t, spec).or_throw();
    QVERIFY(out.nans == 1 && std::isnan(out.absorption[5].item<double>()));
    spec.floor = 0;
    QVERIFY(!minus_log(t, spec).ok());
    QVERIFY(!minus_log(at::ones({2}, at::kLong), MinusLogSpec{}).ok());
  }
  void gradient() {
    at::Tensor t = at::tensor({1.0f, 0.25f, 1e-9f, std::numeric_limits<float>::quiet_NaN()}).requires_grad_();
    minus_log(t, MinusLogSpec{}).or_throw().absorption.sum().backward();
    QVERIFY(at::equal(t.grad(), at::tensor({-1.f, -4.f, 0.f, 0.f})));
  }
  // Each variant of the loops against the logarithm in double: within one unit in the last place.
  void every_variant() {
    const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    const at::Tensor t = at::cat({at::logspace(-4.99, 1, 200003, 10, at::kFloat),
                                  at::tensor({1.0f, 0.70710677f, 0.7071068f, 1.4142135f}),
                                  1 + at::linspace(-1e-3, 1e-3, 5001, at::kFloat)});
    for (const char* variant : {"plain", "avx2", "avx512"}) {
      qputenv("TL_CPU_VARIANT", variant);
      try {
        const at::Tensor a = minus_log(t, {1e-5, NanPolicy::keep}).or_throw().absorption.to(at::kDouble);
        const at::Tensor exact = -at::log(t.to(at::kDouble));
        QVERIFY2((a - exact).abs().le(1.2e-7 * exact.abs() + 1e-12).all().item<bool>(), variant);
        const at::Tensor odd = at::tensor({inf, nan, -inf, 0.0f, -1.0f});
        const MinusLog kept = minus_log(odd, {1e-5, NanPolicy::keep}).or_throw();
        QVERIFY(kept.absorption[0].item<float>() == -inf && std::isnan(kept.absorption[1].item<float>()));
        QVERIFY(kept.floored == 3 && kept.nans == 1);
        QVERIFY(minus_log(odd, {1e-5, NanPolicy::transparent}).or_throw().absorption[1].item<float>() == 0);
      } catch (const Failure& f) {
        QVERIFY2(f.error().kind == ErrorKind::unavailable, variant);  // a processor without it
      }
    }
    qunsetenv("TL_CPU_VARIANT");
  }
};

TL_TEST_CASE(MinusLogTest)

}  // namespace tl::minus_log_test

#include "minus_log.moc"
