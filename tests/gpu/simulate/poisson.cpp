// Counting noise: its distribution, and identical numbers for any division of a scan and any number of threads.
#include "gpu/simulate/poisson.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <cmath>

#include "core/base/error.h"
#include "gpu/device/cpu_variant.h"
#include "gpu/simulate/poisson_math.h"
#include "tests/support/test_case.h"

namespace tl::poisson_test {

using namespace tl::ops;

namespace {

NoiseFrame whole(const at::Tensor& t, uint64_t seed) {
  return {seed, NoiseSeries::projections, {{0, t.size(0)}, {0, t.size(1)}, {0, t.size(2)}}, t.size(1), t.size(2)};
}

}  // namespace

class PoissonTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void factorials() {
    for (const double k : {0.0, 1.0, 2.0, 9.0, 10.0, 11.0, 57.0, 1e4})
      QVERIFY(std::abs(log_factorial(k) - std::lgamma(k + 1)) < 2e-9 * (1 + std::lgamma(k + 1)));
  }

  // Mean and variance within 5 sigma of what n independent numbers allow, on both sides of every branch.
  void mean_and_variance_data() {
    QTest::addColumn<double>("mean");
    for (const double m : {0.01, 0.7, 3.0, 9.99, 10.0, 14.0, 100.0, 1e4, 1e7, 1e12}) QTest::addRow("%g", m) << m;
  }
  void mean_and_variance() {
    QFETCH(double, mean);
    const at::Tensor m = at::full({10, 100, 200}, mean, at::kDouble);
    const at::Tensor x = poisson_counts(m, whole(m, 11));
    const double n = static_cast<double>(x.numel());
    const double got = x.mean().item<double>(), var = x.var().item<double>();
    QVERIFY2(std::abs(got - mean) < 5 * std::sqrt(mean / n), std::to_string(got).c_str());
    // Variance of the sample variance: (mu4 - sigma^4) / n with mu4 = m + 3 m^2.
    QVERIFY2(std::abs(var - mean) < 5 * std::sqrt((mean + 2 * mean * mean) / n), std::to_string(var).c_str());
    QVERIFY(at::equal(x, x.floor()) && x.min().item<double>() >= 0);
  }

  // Chi-square of the histogram against the probabilities themselves.
  void distribution_data() {
    QTest::addColumn<double>("mean");
    for (const double m : {0.5, 6.0, 9.9, 10.1, 40.0}) QTest::addRow("%g", m) << m;
  }
  void distribution() {
    QFETCH(double, mean);
    const int64_t n = 200000;
    std::vector<double> counted(200, 0.0);
    for (int64_t i = 0; i < n; ++i)
      counted[static_cast<std::size_t>(std::min(199.0, poisson_number(mean, {3, static_cast<uint64_t>(i)}, 0)))] += 1;
    double chi2 = 0, bins = 0, rest_counted = 0, rest_want = 0;
    for (std::size_t k = 0; k < counted.size(); ++k) {
      const double x = static_cast<double>(k);
      const double want = static_cast<double>(n) * std::exp(x * std::log(mean) - mean - std::lgamma(x + 1));
      if (want < 10) {
        rest_counted += counted[k];
        rest_want += want;
        continue;
      }
      chi2 += (counted[k] - want) * (counted[k] - want) / want;
      bins += 1;
    }
    chi2 += (rest_counted - rest_want) * (rest_counted - rest_want) / std::max(rest_want, 1.0);
    // Mean `bins`, sigma sqrt(2 bins); five of them, fixed seed.
    QVERIFY2(chi2 < bins + 5 * std::sqrt(2 * bins), std::to_string(chi2).c_str());
  }

  void a_region_has_the_noise_of_the_whole() {
    const at::Tensor m = at::linspace(0.5, 400, 6 * 20 * 30, at::kFloat).reshape({6, 20, 30});
    const at::Tensor all = poisson_counts(m, whole(m, 5));
    NoiseFrame part = whole(m, 5);
    part.region = {{2, 5}, {3, 17}, {7, 29}};
    const auto cut = [](const at::Tensor& t) { return t.slice(0, 2, 5).slice(1, 3, 17).slice(2, 7, 29); };
    QVERIFY(at::equal(poisson_counts(cut(m), part), cut(all)));
    QVERIFY(at::equal(add_gaussian_noise(cut(m), 2.5, part), cut(add_gaussian_noise(m, 2.5, whole(m, 5)))));
    const int threads = at::get_num_threads();
    at::set_num_threads(1);
    const at::Tensor one = poisson_counts(m, whole(m, 5));
    at::set_num_threads(threads);
    QVERIFY(at::equal(one, all));
    // float32 means give the same counts as the same means in float64.
    QVERIFY(at::equal(poisson_counts(m.to(at::kDouble), whole(m, 5)).to(at::kFloat), all));
  }

  // Pixels are drawn side by side: every variant gives what each pixel's own stream gives, on both sides of every
  // branch and in lines of any length. (float32 and one view's means for all change nothing.)
  void neighbours_are_drawn_as_if_alone() {
    at::Tensor m = at::logspace(-1, 6, 3 * 150, 10, at::kDouble).reshape({1, 3, 150}).expand({4, 3, 150}).contiguous();
    m[2][1][77] = std::nan("");
    const NoiseFrame frame = whole(m, 5);
    const QByteArray before = qgetenv("TL_CPU_VARIANT");
    const auto best = best_cpu_variant();
    for (const auto& [variant, name] :
         {std::pair(CpuVariant::plain, "plain"), {CpuVariant::avx2, "avx2"}, {CpuVariant::avx512, "avx512"}}) {
      if (variant > best) continue;
      qputenv("TL_CPU_VARIANT", name);
      const at::Tensor all = poisson_counts(m, frame), rounded = poisson_counts(m, frame, at::kFloat);
      const at::Tensor same = poisson_counts(m.narrow(0, 0, 1).expand({4, 3, 150}), frame);
      before.isNull() ? qunsetenv("TL_CPU_VARIANT") : qputenv("TL_CPU_VARIANT", before);
      QVERIFY(rounded.scalar_type() == at::kFloat && at::equal(rounded.nan_to_num(), all.to(at::kFloat).nan_to_num()));
      QVERIFY(at::equal(same.narrow(0, 3, 1), all.narrow(0, 3, 1)) && at::equal(same[2][0], all[2][0]));
      for (int64_t i = 0; i < m.numel(); ++i) {
        const double mean = m.view(-1)[i].item<double>(), got = all.view(-1)[i].item<double>();
        if (std::isnan(mean))
          QVERIFY(std::isnan(got));
        else
          QVERIFY2(got == poisson_number(mean, {5, static_cast<uint64_t>(i)}, 0), name);
      }
    }
  }

  // Seeds and series are independent: correlation of 200000 pairs below 5 / sqrt(n).
  void seeds_and_series_differ() {
    const at::Tensor m = at::full({10, 100, 200}, 50.0, at::kDouble);
    NoiseFrame flats = whole(m, 5);
    flats.series = NoiseSeries::flats;
    const at::Tensor a = poisson_counts(m, whole(m, 5)) - 50, b = poisson_counts(m, whole(m, 6)) - 50;
    const at::Tensor c = poisson_counts(m, flats) - 50;
    const double limit = 5 * 50 / std::sqrt(200000.0);
    QVERIFY(std::abs((a * b).mean().item<double>()) < limit);
    QVERIFY(std::abs((a * c).mean().item<double>()) < limit);
    // Neighbouring pixels are independent too.
    QVERIFY(std::abs((a.slice(2, 1) * a.slice(2, 0, -1)).mean().item<double>()) < limit);
  }

  void gaussian_noise() {
    const at::Tensor m = at::full({10, 100, 200}, 3.0, at::kDouble);
    const at::Tensor x = add_gaussian_noise(m, 0.5, whole(m, 9)) - 3;
    QVERIFY(std::abs(x.mean().item<double>()) < 5 * 0.5 / std::sqrt(200000.0));
    QVERIFY(std::abs(x.var().item<double>() - 0.25) < 5 * 0.25 * std::sqrt(2 / 200000.0));
    QVERIFY(std::abs(x.pow(4).mean().item<double>() - 3 * 0.0625) < 5 * 0.0625 * std::sqrt(96 / 200000.0));
    QVERIFY(at::equal(add_gaussian_noise(m, 0, whole(m, 9)), m));
  }

  void bad_means() {
    const at::Tensor m = at::full({1, 1, 3}, std::nan(""), at::kFloat);
    QVERIFY(poisson_counts(m, whole(m, 1)).isnan().all().item<bool>());
    QVERIFY_EXCEPTION_THROWN(poisson_counts(at::full({1, 1, 3}, -1.0f), whole(m, 1)), Failure);
    QVERIFY_EXCEPTION_THROWN(poisson_counts(at::full({1, 1, 3}, 1e300 * 1e300), whole(m, 1)), Failure);
    QVERIFY_EXCEPTION_THROWN(add_gaussian_noise(m, -1, whole(m, 1)), Failure);
    const at::Tensor zero = at::zeros({1, 2, 3});
    QVERIFY(at::equal(poisson_counts(zero, whole(zero, 1)), zero));
  }
};

TL_TEST_CASE(PoissonTest)

}  // namespace tl::poisson_test

#include "poisson.moc"
