// Stripe removal by sorting: equals the written-out algorithm, removes stripes, does not change the rest.
#include "gpu/correction/stripes/sorting.h"

#include <ATen/Parallel.h>

#include <cmath>
#include <limits>

#include "core/base/units.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::stripe_sorting_test {

using namespace tl::ops;

namespace {
at::Tensor run(const at::Tensor& x, int64_t size) {
  StripeSortingSpec spec;
  spec.size = size;
  return remove_stripes_by_sorting(x, spec).or_throw();
}
// The algorithm in torch's words, one row: sort along views, median of neighbouring columns, put back.
at::Tensor by_the_book(const at::Tensor& sinogram, int64_t size) {
  const auto [sorted, order] = at::sort(sinogram, true, 0, false);
  const int64_t cols = sinogram.size(1), half = size / 2;
  std::vector<int64_t> columns;
  for (int64_t c = -half; c < cols + half; ++c) {
    int64_t m = ((c % (2 * cols)) + 2 * cols) % (2 * cols);
    columns.push_back(m < cols ? m : 2 * cols - 1 - m);
  }
  const at::Tensor windows = sorted.index_select(1, at::tensor(columns)).unfold(1, size, 1);
  const at::Tensor medians = std::get<0>(windows.contiguous().median(2));
  return at::empty_like(sinogram).scatter(0, order, medians);
}
// A smooth sinogram: a disc off the axis with soft edges, plus a background.
at::Tensor smooth(int64_t views, int64_t cols) {
  const at::Tensor t = pi / static_cast<double>(views) * at::arange(views, at::kDouble).view({views, 1, 1});
  const at::Tensor s = at::arange(cols, at::kDouble).view({1, 1, cols}) - 0.5 * static_cast<double>(cols - 1);
  const auto w = static_cast<double>(cols);
  return 1 + (-(s - 0.15 * w * t.cos()).square() / (2 * 0.04 * w * w)).exp();
}
double rms(const at::Tensor& x) { return std::sqrt(total_of_squares(x) / static_cast<double>(x.numel())); }
}  // namespace

class StripeSortingTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void equals_the_algorithm_spelled_out() {
    for (const auto type : {at::kFloat, at::kDouble})
      for (const int64_t size : {1, 3, 5, 21})
        for (const int64_t cols : {1, 2, 4, 40}) {
          const at::Tensor x = test::gaussian({33, 3, cols}, type, static_cast<uint64_t>(cols));
          const at::Tensor y = run(x, size);
          for (int64_t r = 0; r < 3; ++r)
            QVERIFY(at::equal(y.select(1, r), by_the_book(x.select(1, r).contiguous(), size)));
        }
  }
  void constant_sinogram_is_bit_identical() {
    const at::Tensor x = at::full({20, 2, 30}, 0.1f);
    QVERIFY(at::equal(run(x, 5), x));
    // any sinogram whose columns hold the same values is left alone too
    const at::Tensor columns = test::gaussian({20, 2, 1}, at::kFloat, 1).expand({20, 2, 30}).contiguous();
    QVERIFY(at::equal(run(columns, 7), columns));
  }
  void narrow_detectors() {
    for (const int64_t cols : {1, 2, 3}) QCOMPARE(run(test::gaussian({4, 1, cols}, at::kFloat, 2), 21).size(2), cols);
  }
  void stripes_fall_and_the_rest_stays() {
    // What remains of a stripe is the slope of the sinogram over one column, so the object spans many columns.
    const int64_t views = 180, cols = 512;
    const at::Tensor clean = smooth(views, cols);
    at::Tensor striped = clean.clone();
    const std::vector<int64_t> bad = {31, 80, 128, 160, 222};
    at::Tensor untouched = at::ones({cols}, at::kBool);
    for (std::size_t i = 0; i < bad.size(); ++i) {
      striped.select(2, bad[i]).mul_(i % 2 == 0 ? 1.03 : 0.97);
      untouched[bad[i]] = false;
    }
    const at::Tensor cleaned = run(striped, 5);
    const double before = rms((striped - clean).mean(0)), after = rms((cleaned - clean).mean(0));
    QVERIFY2(after < before / 5, qPrintable(QString::number(before / after)));
    const at::Tensor change = ((cleaned - clean) / clean).abs().masked_select(untouched.view({1, 1, cols}));
    QVERIFY2(change.max().item<double>() < 5e-3, qPrintable(QString::number(change.max().item<double>())));
  }
  void a_nan_stays_single() {
    at::Tensor x = smooth(60, 40);
    x[10][0][20] = std::numeric_limits<double>::quiet_NaN();
    const at::Tensor y = run(x, 5);
    QVERIFY(y.isnan().sum().item<int64_t>() == 0);  // the median of its rank is its neighbours'
  }
  void bits_do_not_depend_on_threads() {
    const at::Tensor x = test::gaussian({64, 3, 70}, at::kFloat, 3);
    const int before = at::get_num_threads();
    at::set_num_threads(1);
    const at::Tensor one = run(x, 5);
    at::set_num_threads(2);
    QVERIFY(at::equal(one, run(x, 5)));
    at::set_num_threads(before);
  }
  // Each result is an input, so the Jacobian is a selection: J x = the result, and <J d, y> = <d, J^T y>.
  void gradient_goes_to_the_chosen_value() {
    at::Tensor x = test::gaussian({20, 2, 15}, at::kDouble, 4).requires_grad_();
    const at::Tensor y = test::gaussian({20, 2, 15}, at::kDouble, 5), d = test::gaussian({20, 2, 15}, at::kDouble, 6);
    const at::Tensor out = run(x, 5);
    QVERIFY(at::equal(out.detach(), run(x.detach(), 5)));
    out.backward(y);
    // a step so small that no two values change their order
    const at::Tensor jd = (run(x.detach() + 1e-7 * d, 5) - out.detach()) / 1e-7;
    QVERIFY(std::abs(inner_product(jd, y) - inner_product(d, x.grad())) < 1e-6);
  }
  void sizes_and_refusals() {
    QCOMPARE(default_stripe_size(100), 5);
    QCOMPARE(default_stripe_size(1200), 13);
    QCOMPARE(default_stripe_size(2560), 21);
    const at::Tensor x = at::zeros({3, 3, 3});
    for (const int64_t size : {-1, 0, 4}) {
      StripeSortingSpec spec;
      spec.size = size;
      QVERIFY(!remove_stripes_by_sorting(x, spec).ok());
    }
    QVERIFY(!remove_stripes_by_sorting(x[0], {}).ok());
    StripeSortingSpec cancelled;
    cancelled.cancel.cancel();
    QVERIFY_THROWS_EXCEPTION(Failure, (void)remove_stripes_by_sorting(x, cancelled));
  }
};

TL_TEST_CASE(StripeSortingTest)

}  // namespace tl::stripe_sorting_test

#include "stripe_sorting.moc"
