// Deterministic sums: accurate to rounding, bit-identical for any number of threads, differentiable.
#include "gpu/operator/reduce.h"

#include <ATen/Parallel.h>

#include <cmath>
#include <limits>

#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::reduce_test {

using test::gaussian;

class ReduceTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void same_bits_for_any_thread_count() {
    for (const int64_t count : {1, 7, 4096, 4097, 1000003}) {
      const at::Tensor x = gaussian({count}, at::kFloat, 1) + 1e3;
      const int before = at::get_num_threads();
      double sums[2], squares[2], variances[2];
      for (const int threads : {1, 2}) {
        at::set_num_threads(threads);
        sums[threads - 1] = total(x);
        squares[threads - 1] = total_of_squares(x);
        variances[threads - 1] = moments(x).variance;
      }
      at::set_num_threads(before);
      QVERIFY(sums[0] == sums[1] && squares[0] == squares[1]);
      QVERIFY(variances[0] == variances[1]);
    }
  }
  void known_sums() {
    // Integers up to 2^53 add exactly in double.
    const at::Tensor x = at::arange(0, 100003, at::kFloat);
    QCOMPARE(total(x), 100002.0 * 100003.0 / 2);
    QCOMPARE(total_of_squares(x.narrow(0, 0, 1001)), 1000.0 * 1001.0 * 2001.0 / 6);
    QCOMPARE(total(x.view({100003, 1}).expand({100003, 2})), 100002.0 * 100003.0);  // not contiguous
    QCOMPARE(total(at::empty({0})), 0.0);
    QCOMPARE(inner_product(x.narrow(0, 0, 3), at::tensor({2.f, 3.f, 4.f})), 11.0);
    QVERIFY_THROWS_EXCEPTION(Failure, (void)total(at::zeros({3}, at::kLong)));
  }
  void variance_keeps_its_digits_with_a_large_mean() {
    const at::Tensor x = at::arange(0, 10001, at::kDouble) + 1e9;
    const Moments m = moments(x);
    QCOMPARE(m.mean, 1e9 + 5000);
    QCOMPARE(m.variance, (10001.0 * 10001.0 - 1) / 12);  // exact for equidistant numbers
    QVERIFY(std::isnan(moments(at::empty({0})).mean));
  }
  void extrema_leave_nan_out() {
    at::Tensor x = gaussian({10000}, at::kFloat, 3);
    x[17] = std::numeric_limits<float>::quiet_NaN();
    x[9999] = std::numeric_limits<float>::quiet_NaN();
    x[5000] = 77;
    x[5001] = -std::numeric_limits<float>::infinity();
    const Extrema e = extrema(x);
    QCOMPARE(e.nans, 2);
    QCOMPARE(e.max, 77.0);
    QVERIFY(std::isinf(e.min) && e.min < 0);
    const Extrema none = extrema(at::full({5}, std::numeric_limits<double>::quiet_NaN()));
    QVERIFY(std::isnan(none.min) && std::isnan(none.max) && none.nans == 5);
  }
  void nans_are_counted() {
    for (const auto type : {at::kFloat, at::kDouble}) {
      at::Tensor x = gaussian({3, 70001}, type, 4);
      QCOMPARE(count_of_nans(x), int64_t{0});
      for (const int64_t at : {0, 17, 70000}) x[at % 3][at] = std::numeric_limits<double>::quiet_NaN();
      x[1][5] = std::numeric_limits<double>::infinity();
      QCOMPARE(count_of_nans(x), int64_t{3});
      QCOMPARE(count_of_nans(x.t()), int64_t{3});  // not contiguous
      QCOMPARE(count_of_nans(x.narrow(1, 0, 0)), int64_t{0});
    }
  }
  void gradients() {
    for (const auto type : {at::kFloat, at::kDouble}) {
      at::Tensor x = (gaussian({3, 50}, type, 5) + 2).requires_grad_();
      const at::Tensor squares = differentiable_sum_of_squares(x);
      QVERIFY(squares.scalar_type() == at::kDouble && squares.dim() == 0);
      squares.backward();
      QVERIFY(test::max_difference(x.grad(), 2 * x.detach()) == 0);
      QVERIFY(x.grad().scalar_type() == type);

      x.mutable_grad() = at::Tensor();
      const at::Tensor variance = differentiable_variance(x);
      QVERIFY(std::abs(variance.item<double>() - moments(x).variance) < 1e-6 * moments(x).variance);
      variance.backward();
      const at::Tensor expected = 2.0 / 150 * (x.detach() - moments(x).mean);
      // float32: mean, deviations and the factor are each rounded once
      QVERIFY(test::max_difference(x.grad(), expected) < (type == at::kFloat ? 1e-8 : 1e-15));
    }
  }
};

TL_TEST_CASE(ReduceTest)

}  // namespace tl::reduce_test

#include "reduce.moc"
