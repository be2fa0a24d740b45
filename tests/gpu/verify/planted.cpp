// The laws detect operators that break them: NaN results, a wrong factor, a swapped entry, an all-zero operator.
#include <ATen/ATen.h>

#include <cmath>
#include <limits>

#include "gpu/verify/larger_deviation.h"
#include "gpu/verify/operator_gaps.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::planted_test {

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// Two matrices that claim to be each other's transpose.
class Planted final : public LinearOperator {
 public:
  Planted(at::Tensor forward, at::Tensor backward) : forward_(std::move(forward)), backward_(std::move(backward)) {}
  [[nodiscard]] std::string name() const override { return "planted"; }
  [[nodiscard]] std::vector<int64_t> domain() const override { return {forward_.size(1)}; }
  [[nodiscard]] std::vector<int64_t> range() const override { return {forward_.size(0)}; }
  [[nodiscard]] at::Tensor apply(const at::Tensor& x) const override { return forward_.to(x.scalar_type()).mv(x); }
  [[nodiscard]] at::Tensor adjoint(const at::Tensor& y) const override { return backward_.to(y.scalar_type()).mv(y); }

 private:
  at::Tensor forward_, backward_;
};

struct Laws {
  double dot, entry, worst;
  [[nodiscard]] bool pass() const { return dot <= 1e-12 && entry <= 1e-12 && worst <= 1e-12; }
  [[nodiscard]] bool all_fail() const { return !(dot <= 1e-12) && !(entry <= 1e-12) && !(worst <= 1e-12); }
};

Laws laws(const at::Tensor& forward, const at::Tensor& backward) {
  const Planted op(forward, backward);
  return {verify::dot_gap(op, at::kDouble, 8), verify::entry_gap(op, at::kDouble, 400),
          test::worst_adjoint_error(op, at::kDouble)};
}

}  // namespace

class VerifyPlantedTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void not_a_number_is_the_worst() {
    QCOMPARE(verify::larger_deviation(1, 2), 2.0);
    QCOMPARE(verify::larger_deviation(2, 1), 2.0);
    QVERIFY(std::isnan(verify::larger_deviation(1, not_a_number)));
    QVERIFY(std::isnan(verify::larger_deviation(not_a_number, 1)));
    QVERIFY(std::isnan(verify::larger_deviation(not_a_number, not_a_number)));
    QVERIFY(std::isinf(verify::larger_deviation(0, std::numeric_limits<double>::infinity())));
  }
  void sound_operators_pass() {
    const at::Tensor a = test::gaussian({7, 5}, at::kDouble, 1);
    QVERIFY(laws(a, a.t()).pass());
  }
  void planted_errors_fail() {
    const at::Tensor a = test::gaussian({7, 5}, at::kDouble, 1), good = a.t().contiguous();
    at::Tensor swapped = good.clone();
    swapped.select(0, 1).copy_(good.select(0, 2));
    swapped.select(0, 2).copy_(good.select(0, 1));
    QVERIFY(laws(a, swapped).all_fail());
    QVERIFY(laws(a, 1.001 * good).all_fail());
    QVERIFY(laws(a, at::full_like(good, not_a_number)).all_fail());
    QVERIFY(laws(at::full_like(a, not_a_number), good).all_fail());
    QVERIFY(laws(a, at::full_like(good, std::numeric_limits<double>::infinity())).all_fail());
    QVERIFY(laws(at::zeros_like(a), at::zeros_like(good)).all_fail());
  }
  // A single entry that is not a number, in the adjoint alone.
  void one_nan_entry_fails() {
    const at::Tensor a = test::gaussian({7, 5}, at::kDouble, 1);
    at::Tensor broken = a.t().contiguous();
    broken[3][4] = not_a_number;
    QVERIFY(laws(a, broken).all_fail());
  }
};

TL_TEST_CASE(VerifyPlantedTest)

}  // namespace tl::planted_test

#include "planted.moc"
