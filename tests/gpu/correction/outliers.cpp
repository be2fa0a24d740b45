// Zingers and bad pixels: found exactly, replaced by values of neighbours, counted, differentiable.
#include <cmath>
#include <limits>

#include "gpu/correction/flats/bad_pixels.h"
#include "gpu/correction/zingers.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::outliers_test {

using namespace tl::ops;

namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

// The definition, pixel by pixel.
at::Tensor by_the_book(const at::Tensor& x, const ZingersSpec& spec) {
  at::Tensor out = x.clone();
  const int64_t h = spec.size / 2, rows = x.size(1), cols = x.size(2);
  const auto edge = [](int64_t i, int64_t n) {
    while (i < 0 || i >= n) i = i < 0 ? -1 - i : 2 * n - 1 - i;
    return i;
  };
  for (int64_t v = 0; v < x.size(0); ++v)
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t c = 0; c < cols; ++c) {
        std::vector<double> w;
        for (int64_t i = -h; i <= h; ++i)
          for (int64_t j = -h; j <= h; ++j) w.push_back(x[v][edge(r + i, rows)][edge(c + j, cols)].item<double>());
        std::sort(w.begin(), w.end());
        const double median = w[w.size() / 2], value = x[v][r][c].item<double>();
        const double limit = spec.scale == OutlierScale::relative ? spec.limit * std::abs(median) : spec.limit;
        const bool bright = value > median + limit && spec.side != OutlierSide::darker;
        const bool dark = value < median - limit && spec.side != OutlierSide::brighter;
        if (bright || dark) out[v][r][c] = median;
      }
  return out;
}

}  // namespace

class OutliersTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void zingers_follow_the_definition() {
    for (const auto type : {at::kFloat, at::kDouble})
      for (const OutlierSide side : {OutlierSide::brighter, OutlierSide::darker, OutlierSide::both})
        for (const OutlierScale scale : {OutlierScale::relative, OutlierScale::absolute})
          for (const int64_t size : {3, 5}) {
            const at::Tensor x = (2 + 0.5 * test::gaussian({2, 7, 6}, at::kDouble, 1)).to(type);
            const ZingersSpec spec{size, 0.3, side, scale, {}};
            const ZingerRemovalResult done = remove_zingers(x, spec).or_throw();
            const at::Tensor book = by_the_book(x, spec);
            QVERIFY(done.projections.equal(book));
            QCOMPARE(done.replaced, x.ne(book).sum().item<int64_t>());
          }
  }
  void a_zinger_goes_and_the_rest_stays_bit_for_bit() {
    const at::Tensor clean = 1000 + 20 * test::gaussian({3, 20, 30}, at::kFloat, 2);
    at::Tensor hit = clean.clone();
    hit[1][7][9] = 5000;
    hit[1][7][10] = 4000;
    hit[2][0][0] = 9000;  // a corner
    const ZingerRemovalResult done = remove_zingers(hit, {}).or_throw();
    QCOMPARE(done.replaced, int64_t{3});
    QVERIFY(test::max_difference(done.projections, clean) < 200);  // ten standard deviations of the noise
    QCOMPARE(done.projections.ne(clean).sum().item<int64_t>(), int64_t{3});
  }
  void missing_values_are_left_alone() {
    at::Tensor x = at::ones({1, 5, 5}, at::kDouble);
    x[0][2][2] = nan_value;
    x[0][2][3] = 3;
    const ZingerRemovalResult done = remove_zingers(x, {}).or_throw();
    QCOMPARE(done.replaced, int64_t{1});
    QVERIFY(std::isnan(done.projections[0][2][2].item<double>()));
  }
  void gradients_go_where_the_values_come_from() {
    const at::Tensor x = (2 + 0.5 * test::gaussian({2, 7, 6}, at::kDouble, 3)).requires_grad_();
    const at::Tensor w = test::gaussian({2, 7, 6}, at::kDouble, 4),
                     direction = test::gaussian({2, 7, 6}, at::kDouble, 5);
    const auto loss = [&](const at::Tensor& t) { return (remove_zingers(t, {}).or_throw().projections * w).sum(); };
    loss(x).backward();
    const at::Tensor base = x.detach();
    const double h = 1e-7,
                 numeric = ((loss(base + h * direction) - loss(base - h * direction)) / (2 * h)).item<double>();
    // Rounding of a sum of about 10 over the step.
    QVERIFY(std::abs((x.grad() * direction).sum().item<double>() - numeric) < 1e-6 * std::max(1.0, std::abs(numeric)));
  }
  void bad_zinger_settings_are_refused() {
    const at::Tensor x = at::zeros({1, 5, 5});
    QVERIFY(!remove_zingers(x, {4, 0.2, OutlierSide::both, OutlierScale::relative, {}}).ok());
    QVERIFY(!remove_zingers(x, {3, 0, OutlierSide::both, OutlierScale::relative, {}}).ok());
    QVERIFY(!remove_zingers(at::zeros({5, 5}), {}).ok());
    QVERIFY(remove_zingers(at::zeros({0, 5, 5}), {}).ok());
  }

  void dead_and_hot_pixels_are_found() {
    at::Tensor flats = 1000 + 10 * test::gaussian({4, 12, 15}, at::kDouble, 6);
    flats = flats * (1 - 0.05 * at::arange(15, at::kDouble));  // a beam that falls off
    at::Tensor darks = 100 + test::gaussian({3, 12, 15}, at::kDouble, 7);
    flats.select(1, 3).select(1, 4).fill_(110);  // dead
    flats.select(1, 8).select(1, 9).mul_(2.5);   // answers too strongly
    flats.select(1, 0).select(1, 14).fill_(nan_value);
    darks.select(1, 6).select(1, 6).fill_(400);  // hot
    const at::Tensor mask = find_bad_pixels(flats, darks, {}).or_throw();
    at::Tensor expected = at::zeros({12, 15}, at::kByte);
    expected[3][4] = expected[8][9] = expected[0][14] = expected[6][6] = 1;
    QVERIFY(mask.equal(expected));
    QVERIFY(find_bad_pixels({}, darks, {}).or_throw()[6][6].item<int>() == 1);
    QVERIFY(!find_bad_pixels({}, {}, {}).ok());
  }
  void planes_are_filled_exactly() {
    for (const auto type : {at::kFloat, at::kDouble}) {
      const at::Tensor r = at::arange(9, at::kDouble).view({1, 9, 1}), c = at::arange(11, at::kDouble).view({1, 1, 11});
      const at::Tensor plane = (5 + 0.25 * r - 0.5 * c).expand({2, 9, 11}).to(type).contiguous();
      at::Tensor mask = at::zeros({9, 11}, at::kByte);
      mask[4][5] = mask[4][6] = mask[2][2] = 1;
      at::Tensor broken = plane.masked_fill(mask.to(at::kBool), 1e6);
      broken[1][6][3] = nan_value;
      const FillPixelsResult done = fill_pixels(broken, {mask, 1e5, {}}).or_throw();
      // Weights of one over the distance balance the two ends of every direction.
      QVERIFY(test::max_difference(done.projections, plane) < (type == at::kFloat ? 1e-5 : 1e-12));
      QCOMPARE(done.masked, int64_t{3});
      QCOMPARE(done.missing, int64_t{1});
      QCOMPARE(done.saturated, int64_t{0});
      QCOMPARE(done.unfilled, int64_t{0});
    }
  }
  void saturation_is_per_view_and_nothing_to_fill_from_is_counted() {
    at::Tensor x = at::full({2, 3, 3}, 10.0);
    x[1][1][1] = 65535;
    FillPixelsResult done = fill_pixels(x, {{}, 65535.0, {}}).or_throw();
    QCOMPARE(done.saturated, int64_t{1});
    QVERIFY(done.projections.equal(at::full({2, 3, 3}, 10.0)));
    done = fill_pixels(x, {at::ones({3, 3}, at::kByte), {}, {}}).or_throw();
    QCOMPARE(done.unfilled, int64_t{18});
    QVERIFY(done.projections.equal(x));
  }
  void filling_is_linear_and_differentiable() {
    at::Tensor mask = at::zeros({6, 7}, at::kByte);
    mask[2][3] = mask[2][4] = mask[0][0] = 1;
    const at::Tensor x = test::gaussian({2, 6, 7}, at::kDouble, 8).requires_grad_(),
                     w = test::gaussian({2, 6, 7}, at::kDouble, 9);
    const auto loss = [&](const at::Tensor& t) {
      return (fill_pixels(t, {mask, {}, {}}).or_throw().projections * w).sum();
    };
    loss(x).backward();
    const at::Tensor direction = test::gaussian({2, 6, 7}, at::kDouble, 10), base = x.detach();
    const double numeric = ((loss(base + direction) - loss(base - direction)) / 2).item<double>();  // linear: any step
    QVERIFY(std::abs((x.grad() * direction).sum().item<double>() - numeric) < 1e-12);
    QVERIFY(x.grad().select(1, 2).select(1, 3).abs().max().item<double>() == 0);  // a bad pixel has no say
  }
};

TL_TEST_CASE(OutliersTest)

}  // namespace tl::outliers_test

#include "outliers.moc"
