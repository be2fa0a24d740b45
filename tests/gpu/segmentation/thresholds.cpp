// Thresholds: fixtures, odd values, blocks and masks, affine maps, and multi-Otsu against all divisions.
#include "gpu/segmentation/thresholds/thresholds.h"

#include <cmath>
#include <functional>
#include <limits>

#include "gpu/image/circular_mask.h"
#include "tests/support/blobs.h"
#include "tests/support/test_case.h"

namespace tl::thresholds_test {

using namespace tl::ops;

namespace {

constexpr ThresholdMethod all_methods[] = {ThresholdMethod::otsu, ThresholdMethod::li, ThresholdMethod::yen,
                                           ThresholdMethod::isodata, ThresholdMethod::triangle};
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double ten_digits = 1e-10;    // Li's fixed points are written with ten behind the point
constexpr double sum_rounding = 1e-12;  // relative, of sums of squares in another order
constexpr double bins_apart = 1.01;     // one bin, and rounding of its edges

GreyHistogram histogram_of(const at::Tensor& v, const at::Tensor& inside = {}) {
  GreyHistogram h;
  h.add(v, inside);
  return h;
}
double found(const at::Tensor& v, ThresholdMethod method) { return threshold(histogram_of(v), method).or_throw(); }
at::Tensor numbers(const std::vector<double>& v) { return at::tensor(at::ArrayRef<double>(v), at::kDouble); }

at::Tensor five_by_five() {
  return numbers({0, 0, 1, 3, 5, 0, 1, 4, 3, 4, 1, 2, 5, 4, 1, 2, 4, 5, 2, 1, 4, 5, 1, 0, 0}).view({5, 5});
}

// Sum over the classes of (sum of values)^2 / count, which is largest where the variance between them is.
double gain_of(const std::vector<double>& sorted, const std::vector<double>& thresholds) {
  std::vector<double> sum(thresholds.size() + 1, 0), count(sum);
  for (const double v : sorted) {
    std::size_t c = 0;
    while (c < thresholds.size() && v > thresholds[c]) ++c;
    sum[c] += v;
    count[c] += 1;
  }
  double gain = 0;
  for (std::size_t c = 0; c < sum.size(); ++c) gain += count[c] > 0 ? sum[c] * sum[c] / count[c] : 0;
  return gain;
}

}  // namespace

class ThresholdsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // scikit-image's example; Li's fixed point by hand.
  void five_by_five_image() {
    for (const auto type : {at::kDouble, at::kFloat, at::kInt, at::kByte, at::kShort}) {
      const at::Tensor v = five_by_five().to(type);
      QCOMPARE(found(v, ThresholdMethod::otsu), 2.0);
      QCOMPARE(found(v, ThresholdMethod::yen), 2.0);
      QCOMPARE(found(v, ThresholdMethod::isodata), 2.0);
      QCOMPARE(found(v, ThresholdMethod::triangle), 2.0);
      QVERIFY(std::abs(found(v, ThresholdMethod::li) - 2.0977235346) <= ten_digits);
      if (type == at::kByte) continue;
      QCOMPARE(found(v - 2, ThresholdMethod::otsu), 0.0);
      QVERIFY(std::abs(found(v - 2, ThresholdMethod::li) - 0.0977235346) <= ten_digits);
    }
  }
  void odd_values() {
    for (const ThresholdMethod m : all_methods) {
      for (const double constant : {0.0, 8.0, -0.3}) {
        QCOMPARE(found(at::full({4, 5}, constant, at::kDouble), m), constant);
        QCOMPARE(found(numbers({constant, not_a_number, constant}), m), constant);
      }
      QVERIFY(std::isnan(found(numbers({not_a_number, not_a_number}), m)));
      QCOMPARE(found(numbers({infinite, not_a_number}), m), infinite);
      QCOMPARE(found(numbers({-infinite}), m), -infinite);
      QCOMPARE(found(numbers({infinite, -infinite}), m), 0.0);
      // Infinities and NaN do not count if there are finite values.
      const at::Tensor v = five_by_five().view(-1);
      QCOMPARE(found(at::cat({v, numbers({infinite, not_a_number, -infinite})}), m), found(v, m));
      const auto nothing = threshold(GreyHistogram(), m);
      QVERIFY(!nothing.ok() && nothing.error().kind == ErrorKind::invalid);
    }
  }
  // By hand: (w1 w2)^2 / (s1 s2) is 2 above the second level, and 1 above the others, to 2e-5.
  void yen_keeps_single_voxels_next_to_many() {
    QCOMPARE(yen_threshold({{0, 1, 2, 3}, {1000, 1000, 230'000'000, 1}}), 1.0);
    QCOMPARE(yen_threshold({{0, 1, 2, 3}, {1, 230'000'000, 1000, 1000}}), 1.0);
  }
  // Both fall into one bin, which is one level.
  void values_that_differ_by_rounding_give_the_smallest() {
    for (const ThresholdMethod m : all_methods) QCOMPARE(found(numbers({0.3, 0.1 + 0.2}), m), 0.3);
    QCOMPARE(histogram_of(numbers({0.3, 0.1 + 0.2})).levels().value, std::vector<double>({0.3}));
  }
  void blocks_and_their_order_change_nothing() {
    for (int i = 0; i < 4; ++i) {
      const at::Tensor v = i % 2 == 0 ? test::blobs({12, 30, 40}, 3 + i) : test::grey_blobs({12, 30, 40}, 3 + i);
      GreyHistogram blocks;
      for (const auto& [first, count] : {std::pair{5, 7}, {0, 1}, {1, 4}}) blocks.add(v.narrow(0, first, count));
      for (const ThresholdMethod m : all_methods) QCOMPARE(threshold(blocks, m).or_throw(), found(v, m));
      QCOMPARE(multi_otsu_thresholds(blocks, 4).or_throw(), multi_otsu_thresholds(histogram_of(v), 4).or_throw());
    }
  }
  void a_cylinder_counts_what_is_inside() {
    const at::Tensor v = test::grey_blobs({6, 31, 31}, 5);
    const auto grid = VolumeGrid::cubic(6, 31, 31, 1);
    const at::Tensor inside = circular_weights(grid, {grid, 0.8, 0}, at::kFloat).or_throw().gt(0).expand({6, 31, 31});
    QVERIFY(inside.sum().item<int64_t>() < inside.numel() * 0.6);
    const GreyHistogram masked = histogram_of(v.masked_fill(inside.logical_not(), 1e6), inside.contiguous());
    for (const ThresholdMethod m : all_methods)
      QCOMPARE(threshold(masked, m).or_throw(), found(v.masked_select(inside), m));
  }
  // a v + b has the threshold a t + b: exactly for integers, to a bin (1/256 of the range, whose edges rounding may
  // move) otherwise. Otsu, Li and isodata compare means; Yen and the triangle count levels, also empty ones.
  void affine_maps() {
    for (int i = 0; i < 5; ++i) {
      const at::Tensor whole = test::grey_blobs({8, 20, 20}, 20 + i).to(at::kDouble);
      for (const ThresholdMethod m : {ThresholdMethod::otsu, ThresholdMethod::yen})
        QCOMPARE(found(whole * 3 - 70, m), found(whole, m) * 3 - 70);
      const at::Tensor v = test::blobs({8, 20, 20}, 20 + i).to(at::kDouble);
      for (const ThresholdMethod m : {ThresholdMethod::otsu, ThresholdMethod::isodata, ThresholdMethod::li}) {
        const double bin = 2.7 * (v.max() - v.min()).item<double>() / 256;
        QVERIFY(std::abs(found(v * 2.7 + 31, m) - (found(v, m) * 2.7 + 31)) <= bins_apart * bin);
      }
    }
  }
  void discs_in_four_classes() {
    at::Tensor v = at::zeros({100, 100}, at::kFloat);
    for (int64_t y = 0; y < 100; ++y)
      for (int64_t x = 0; x < 100; ++x)
        for (const auto& [centre, value] : {std::pair{25, 64}, {50, 128}, {75, 192}})
          if ((y - centre) * (y - centre) + (x - centre) * (x - centre) < 400) v[y][x] = value;
    QCOMPARE(multi_otsu_thresholds(histogram_of(v), 4).or_throw(), std::vector<double>({0, 64, 128}));
    const auto too_many = multi_otsu_thresholds(histogram_of(v), 5);
    QVERIFY(!too_many.ok() && too_many.error().what.find("4 different values") != std::string::npos);
  }
  void several_thresholds_are_the_best_of_all() {
    for (int i = 0; i < 6; ++i) {
      const at::Tensor v = (test::blobs({5, 9, 9}, 40 + i) * 5).round().to(at::kDouble);
      const std::vector<double> values = test::values_of<double>(v);
      const double low = v.min().item<double>(), high = v.max().item<double>();
      for (int64_t classes = 2; classes <= 4; ++classes) {
        const auto best = multi_otsu_thresholds(histogram_of(v), classes).or_throw();
        QCOMPARE(static_cast<int64_t>(best.size()), classes - 1);
        double largest = 0;
        const std::function<void(std::vector<double>)> divide = [&](std::vector<double> t) {
          if (static_cast<int64_t>(t.size()) == classes - 1) {
            largest = std::max(largest, gain_of(values, t));
            return;
          }
          for (double next = t.empty() ? low : t.back() + 1; next < high; ++next) {
            auto longer = t;
            longer.push_back(next);
            divide(longer);
          }
        };
        divide({});
        QVERIFY(gain_of(values, best) >= largest * (1 - sum_rounding));
      }
      QCOMPARE(multi_otsu_thresholds(histogram_of(v), 2).or_throw().front(), found(v, ThresholdMethod::otsu));
    }
  }
  // Also more levels than 16 bits distinguish.
  void each_integer_is_a_level() {
    const at::Tensor v = at::cat({at::arange(70000, at::kDouble), at::arange(60000, 70000, at::kDouble)});
    const GreyHistogram h = histogram_of(v);
    QVERIFY(h.has_only_integers());
    QCOMPARE(h.levels().value.size(), std::size_t{70000});
    for (const ThresholdMethod m : all_methods) {
      const double t = threshold(h, m).or_throw();
      QVERIFY(t >= 0 && t < 69999);
    }
    QCOMPARE(multi_otsu_thresholds(h, 16).or_throw().size(), std::size_t{15});
  }
  void refusals() {
    GreyHistogram h;
    QVERIFY_THROWS_EXCEPTION(Failure, h.add(at::ones({3}, at::kBool)));
    QVERIFY_THROWS_EXCEPTION(Failure, h.add(at::ones({3}), at::ones({4}, at::kBool)));
    QVERIFY_THROWS_EXCEPTION(Failure, h.add(at::Tensor()));
    h.add(at::arange(9, at::kFloat));
    QVERIFY(!multi_otsu_thresholds(h, 1).ok() && !multi_otsu_thresholds(h, 17).ok());
  }
};

TL_TEST_CASE(ThresholdsTest)

}  // namespace tl::thresholds_test

#include "thresholds.moc"
