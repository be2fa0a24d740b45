// Histograms: exact counts for any blocks and threads, percentiles accurate to a bin, numpy's conventions.
#include "gpu/image/histogram.h"

#include <ATen/Parallel.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "core/base/error.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::histogram_test {

using namespace tl::ops;

namespace {
Histogram of(const std::vector<at::Tensor>& blocks) {
  Histogram h;
  for (const at::Tensor& b : blocks) h.add(b);
  return h;
}
bool same(const Histogram& a, const Histogram& b) {
  const auto x = a.curve(1 << 20), y = b.curve(1 << 20);
  return a.bin_width() == b.bin_width() && a.count() == b.count() && x.value == y.value && x.count == y.count &&
         a.percentile(37.3) == b.percentile(37.3);
}
// numpy.percentile's linear rule on sorted values.
double exact_percentile(const at::Tensor& values, double percent) {
  const at::Tensor sorted = std::get<0>(values.to(at::kDouble).view(-1).sort());
  const double place = static_cast<double>(sorted.numel() - 1) * percent / 100, below = std::floor(place);
  const auto at_rank = [&](double r) {
    return sorted[static_cast<int64_t>(std::min(r, static_cast<double>(sorted.numel() - 1)))].item<double>();
  };
  return at_rank(below) + (place - below) * (at_rank(below + 1) - at_rank(below));
}
}  // namespace

class HistogramTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void percentiles_are_exact_to_a_bin() {
    for (const auto type : {at::kFloat, at::kDouble})
      for (const double level : {0.0, -1e6, 1e-12}) {
        const at::Tensor v = test::gaussian({70, 41, 53}, type, 2) * std::max(std::abs(level), 1e-3) + level;
        const Histogram h = of({v});
        QCOMPARE(h.count(), v.numel());
        QCOMPARE(h.minimum(), v.min().item<double>());
        QCOMPARE(h.maximum(), v.max().item<double>());
        QVERIFY(h.bin_width() <= (h.maximum() - h.minimum()) / 131000);
        for (const double p : {0.0, 0.5, 25.0, 50.0, 90.0, 99.5, 100.0})
          QVERIFY(std::abs(h.percentile(p) - exact_percentile(v, p)) <= h.bin_width());
        const auto curve = h.curve(1 << 20);
        QCOMPARE(std::accumulate(curve.count.begin(), curve.count.end(), int64_t{0}), v.numel());
      }
  }
  // numpy 2.4.6 on ((7 z z + 13 y x + 5 x + 3 y y z + 2 z) % 17) of 3 x 4 x 5: percentile and histogram(bins=5, (0,
  // 17)).
  void numbers_of_numpy() {
    at::Tensor v = at::empty({3, 4, 5}, at::kFloat);
    for (int64_t z = 0; z < 3; ++z)
      for (int64_t y = 0; y < 4; ++y)
        for (int64_t x = 0; x < 5; ++x) v[z][y][x] = (7 * z * z + 13 * y * x + 5 * x + 3 * y * y * z + 2 * z) % 17;
    const Histogram h = of({v});
    const double expected[] = {0, 3, 7.5, 15, 16}, percent[] = {0.5, 25, 50, 90, 99.5};
    for (std::size_t i = 0; i < 5; ++i) QVERIFY(std::abs(h.percentile(percent[i]) - expected[i]) <= h.bin_width());
    QCOMPARE(count_in_bins(v, 0, 17, 5), std::vector<int64_t>({16, 11, 12, 10, 11}));
    QCOMPARE(count_in_bins(v, 0, 16, 2).at(1) + count_in_bins(v, 0, 16, 2).at(0),
             v.numel());  // the upper end belongs to the last
  }
  void blocks_order_and_threads_change_nothing() {
    const at::Tensor v = test::gaussian({64, 80, 90}, at::kFloat, 5) * at::logspace(-3, 2, 64).view({64, 1, 1});
    const Histogram whole = of({v});
    QVERIFY(same(whole, of({v.narrow(0, 0, 1), v.narrow(0, 1, 30), v.narrow(0, 31, 33)})));
    QVERIFY(same(whole, of({v.narrow(0, 31, 33), v.narrow(0, 1, 30), v.narrow(0, 0, 1)})));
    const int before = at::get_num_threads();
    at::set_num_threads(1);
    const Histogram one = of({v});
    at::set_num_threads(2);
    QVERIFY(same(whole, one) && same(of({v}), one));
    at::set_num_threads(before);
  }
  void odd_values() {
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    const Histogram h = of({at::tensor({1.0f, nan, 3.0f, infinity, -infinity, 2.0f})});
    QCOMPARE(h.count(), int64_t{3});
    QCOMPARE(h.not_finite(), int64_t{3});
    QVERIFY(std::abs(h.percentile(50) - 2) <= h.bin_width());
    QVERIFY(std::isnan(of({at::full({3}, nan)}).percentile(50)) && of({}).curve(10).value.empty());
    for (const double constant : {0.0, 1.0, -0.3, 1e30, 1e-300}) {
      const Histogram c = of({at::full({100}, constant, at::kDouble)});
      QCOMPARE(c.percentile(3), constant);
      QCOMPARE(c.curve(10).count.size(), std::size_t{1});
    }
    // zeros first, then values of any size
    const Histogram mixed = of({at::zeros({10}), at::full({10}, 1e-30), at::full({10}, -1e20f)});
    QCOMPARE(mixed.count(), int64_t{30});
    QCOMPARE(mixed.minimum(), static_cast<double>(-1e20f));
    QVERIFY(mixed.curve(2).count.size() <= 2);
  }
  void refusals() {
    QVERIFY_THROWS_EXCEPTION(Failure, (void)count_in_bins(at::ones({3}), 1, 1, 5));
    QVERIFY_THROWS_EXCEPTION(Failure, (void)count_in_bins(at::ones({3}), 0, 1, 0));
    QVERIFY_THROWS_EXCEPTION(Failure, (void)of({at::ones({3}, at::kInt)}));
  }
};

TL_TEST_CASE(HistogramTest)

}  // namespace tl::histogram_test

#include "histogram.moc"
