// Fourier shell correlation: equal volumes, two noisy halves against theory, thresholds and their crossings.
#include "gpu/filtering/shell_correlation.h"

#include <ATen/Parallel.h>

#include <cmath>
#include <vector>

#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::shell_correlation_test {

using namespace tl::ops;

class ShellCorrelationTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void equal_and_opposite() {
    const at::Tensor v = test::gaussian({12, 9, 14}, at::kFloat, 1);
    const auto same = shell_correlation(v, 3 * v, {1, 1, 1}).or_throw();
    QCOMPARE(same.size(), std::size_t{8});  // 0 to 7 of 14 voxels
    int64_t numbers = 0;
    for (const FourierShell& s : same) {
      QVERIFY(std::abs(s.correlation - 1) < 1e-6);
      numbers += s.numbers;
    }
    QVERIFY(numbers > 0 && numbers < v.numel());
    QVERIFY(std::abs(same.back().frequency - 0.5) < 1e-12);
    for (const FourierShell& s : shell_correlation(v, -v, {1, 1, 1}).or_throw())
      QVERIFY(std::abs(s.correlation + 1) < 1e-6);
  }
  // All cells of a cube's shells, counted one by one.
  void cells_of_shells() {
    const auto shells = shell_correlation(at::ones({6, 6, 6}), at::ones({6, 6, 6}), {2, 2, 2}).or_throw();
    std::vector<int64_t> expected(4, 0);
    for (int64_t z = -2; z <= 3; ++z)
      for (int64_t y = -2; y <= 3; ++y)
        for (int64_t x = -2; x <= 3; ++x)
          if (const auto s = std::lround(std::sqrt(static_cast<double>(z * z + y * y + x * x))); s < 4)
            ++expected[static_cast<std::size_t>(s)];
    QCOMPARE(shells.size(), expected.size());
    for (std::size_t i = 0; i < shells.size(); ++i) {
      QCOMPARE(shells[i].numbers, expected[i]);
      QVERIFY(std::abs(shells[i].frequency - static_cast<double>(i) / 12) < 1e-12);
    }
    QVERIFY(std::abs(shells[0].correlation - 1) < 1e-6);  // a constant has no other frequency
    QVERIFY(std::abs(shells[2].correlation) < 1e-3);
  }
  // One signal with noise of its own in each half: SNR / (1 + SNR) in every shell, within four standard errors.
  void noise_as_in_theory() {
    constexpr int64_t n = 40;
    const auto filtered = [&](const at::Tensor& white) {
      // A signal that falls off with frequency.
      const at::Tensor f = at::fft_fftfreq(n, 1.0, at::TensorOptions(at::kDouble)).square(),
                       half = at::fft_rfftfreq(n, 1.0, at::TensorOptions(at::kDouble)).square();
      const at::Tensor square = f.view({-1, 1, 1}) + f.view({1, -1, 1}) + half.view({1, 1, -1});
      return at::fft_irfftn(at::fft_rfftn(white) * at::exp(-12 * square), at::IntArrayRef({n, n, n}));
    };
    const at::Tensor signal = 2 * filtered(test::gaussian({n, n, n}, at::kDouble, 5));
    const auto half = [&](uint64_t seed) { return signal + test::gaussian({n, n, n}, at::kDouble, seed); };
    const auto shells = shell_correlation(half(6), half(7), {1, 1, 1}).or_throw();
    double worst = 0;
    for (std::size_t i = 2; i < shells.size(); ++i) {
      const FourierShell& s = shells[i];
      const double ratio = 4 * std::exp(-24 * s.frequency * s.frequency), expected = ratio / (1 + ratio);
      const double error = (1 - expected * expected) / std::sqrt(0.5 * static_cast<double>(s.numbers));
      // The power of the signal changes across a shell, by which the mean lies off its middle.
      constexpr double within_shell = 0.01;
      QVERIFY2(std::abs(s.correlation - expected) < 4 * error + within_shell,
               (std::to_string(i) + ": " + std::to_string(s.correlation) + " " + std::to_string(expected)).c_str());
      worst = std::max(worst, std::abs(s.correlation - expected));
    }
    qInfo("largest difference to theory %.4f", worst);
    // Where theory says 0.143.
    const auto at = crossing(shells, [](const FourierShell&) { return gold_standard; });
    const double expected = std::sqrt(-std::log(gold_standard / (1 - gold_standard) / 4) / 24);
    QVERIFY(at.has_value());
    QVERIFY2(std::abs(*at - expected) < 0.02, std::to_string(*at - expected).c_str());
  }
  void thresholds() {
    // The limit for many cells, 0.2071 / 1.2071, which is half a bit: log2(1 + SNR) = 1/2 with SNR of the half data.
    QVERIFY(std::abs(half_bit(int64_t{1} << 60) - 0.2071 / 1.2071) < 1e-6);
    QVERIFY(half_bit(100) > half_bit(1000));
    std::vector<FourierShell> shells{{0, 0, 1}, {1, 0.9, 10}, {2, 0.5, 10}, {3, 0.1, 10}, {4, 0.6, 10}};
    const auto constant = [](double t) { return [t](const FourierShell&) { return t; }; };
    QVERIFY(std::abs(*crossing(shells, constant(0.3)) - 2.5) < 1e-12);
    QCOMPARE(*crossing(shells, constant(0.95)), 1.0);
    QVERIFY(!crossing(shells, constant(0.05)).has_value());
  }
  void any_number_of_threads_and_refusals() {
    const at::Tensor a = test::gaussian({10, 11, 12}, at::kDouble, 1), b = test::gaussian({10, 11, 12}, at::kDouble, 2);
    const int usual = at::get_num_threads();
    constexpr double rounding64 = 1e-13;  // of the transforms
    std::vector<double> first;
    for (const int threads : {1, 3}) {
      at::set_num_threads(threads);
      std::vector<double> values;
      for (const FourierShell& s : shell_correlation(a, b, {1, 2, 3}).or_throw()) values.push_back(s.correlation);
      if (first.empty()) first = values;
      for (std::size_t i = 0; i < values.size(); ++i) QVERIFY(std::abs(values[i] - first[i]) < rounding64);
    }
    at::set_num_threads(usual);
    at::Tensor broken = a.clone();
    broken[2][3][4] = std::nan("");
    QVERIFY(!shell_correlation(a, broken, {1, 1, 1}).ok());
    QVERIFY(!shell_correlation(a, b, {1, 0, 1}).ok());
    QVERIFY(!shell_correlation(at::ones({1, 1, 1}), at::ones({1, 1, 1}), {1, 1, 1}).ok());
    QVERIFY_THROWS_EXCEPTION(Failure, (void)shell_correlation(a, b[0], {1, 1, 1}));
  }
};

TL_TEST_CASE(ShellCorrelationTest)

}  // namespace tl::shell_correlation_test

#include "shell_correlation.moc"
