// Minus log: values, floor, NaN policy, gradient.
#include "gpu/ops/minus_log.h"

#include <cmath>
#include <limits>

#include "tests/support/operator_laws.h"
#include "tests/support/test_main.h"

using namespace tl;
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
};

TL_TEST_MAIN(MinusLogTest)
#include "minus_log.moc"
