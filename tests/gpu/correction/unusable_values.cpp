// Unusable values: found by every variant, filled from rows and other views, alone and in the flat-field correction.
#include "gpu/correction/unusable_values.h"

#include <ATen/ATen.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/base/units.h"
#include "gpu/correction/flats/flat_field.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::unusable_values_test {

using namespace tl::ops;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity(), none = std::numeric_limits<double>::quiet_NaN();
const std::vector<double> impossible = {none, inf, -inf, -1e30, 3e38, 4294967295.0, 4294967294.0};

// Linear along rows and from view to view, so that what is filled is known.
at::Tensor linear_views(at::ScalarType type) {
  const at::Tensor v = at::arange(6, at::kDouble).view({-1, 1, 1}), r = at::arange(5, at::kDouble).view({1, -1, 1}),
                   c = at::arange(9, at::kDouble).view({1, 1, -1});
  return (1 + 0.5 * v + 0.25 * r + 0.125 * c).to(type);
}

double worst(const at::Tensor& a, const at::Tensor& b) { return test::max_difference(a, b); }

}  // namespace

class UnusableValuesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void all_are_found_wherever_they_are() {
    for (const char* variant : {"plain", "avx2"}) {
      qputenv("TL_CPU_VARIANT", variant);
      for (const double value : impossible)
        for (const int64_t at : {0, 1, 15, 16, 4095, 4096, 9999}) {
          std::vector<float> values(10000, 3.9e9F);
          try {
            QVERIFY(all_usable(values.data(), 10000));
            values[static_cast<std::size_t>(at)] = static_cast<float>(value);
            QVERIFY2(!all_usable(values.data(), 10000), std::to_string(value).c_str());
          } catch (const Failure& f) {
            QVERIFY(f.error().kind == ErrorKind::unavailable);
          }
        }
    }
    qunsetenv("TL_CPU_VARIANT");
  }
  void single_values_are_filled_from_their_row() {
    for (const auto type : {at::kFloat, at::kDouble})
      for (const double value : impossible) {
        const at::Tensor exact = linear_views(type);
        at::Tensor x = exact.clone();
        for (const int64_t col : {3, 4}) x[2][1][col].fill_(value);
        x[4][0][0].fill_(value);
        const UsableViews done = fill_unusable_values(x, 0);
        QVERIFY(done.found.values == 3 && done.found.lines == 0 && done.found.dead_views == 0);
        QVERIFY(done.found.view == 2 && done.found.row == 1 && done.found.col == 3);
        QVERIFY(worst(done.data[2], exact[2]) < 1e-6);
        QVERIFY(done.data[4][0][0].item<double>() == exact[4][0][1].item<double>());  // the edge's neighbour
        QVERIFY(!x[2][1][3].eq(done.data[2][1][3]).item<bool>());                     // the input is as it was
      }
  }
  void rows_and_views_are_filled_from_other_views() {
    const at::Tensor exact = linear_views(at::kFloat);
    at::Tensor x = exact.clone();
    x[2][3].fill_(inf);
    x.select(1, 4).fill_(none);
    const UsableViews done = fill_unusable_values(x, 0);
    QVERIFY(worst(done.data.narrow(1, 0, 4), exact.narrow(1, 0, 4)) < 1e-6);
    QVERIFY(done.data.select(1, 4).eq(0).all().item<bool>());  // no view has the row: empty beam
    QVERIFY(done.found.values == 9 + 6 * 9 && done.found.lines == 7 && done.found.unfilled == 6);
  }
  void dead_views() {
    const at::Tensor exact = linear_views(at::kDouble);
    for (const double value : {0.0, 7.0, -2.0}) {
      at::Tensor x = exact.clone();
      x[0].fill_(value);
      x[3].fill_(value);
      const UsableViews done = fill_unusable_values(x, value == 0 ? 1 : 0);
      QVERIFY(done.found.dead_views == 2 && done.found.first_dead == 0 && done.found.lines == 10);
      QVERIFY(worst(done.data.narrow(0, 1, 5), exact.narrow(0, 1, 5)) < 1e-12);
      QVERIFY(worst(done.data[0], exact[1]) < 1e-12);  // the first has only what follows
    }
    // The empty beam, a scan of constant views and single pixels are as they are.
    at::Tensor x = exact.clone();
    x[3].fill_(0.01);
    QVERIFY(!fill_unusable_values(x, 0).found.any());
    QVERIFY(!fill_unusable_values(at::ones({6, 5, 9}), 0).found.any());
    QVERIFY(!fill_unusable_values(at::arange(6, at::kFloat).view({6, 1, 1}), 0).found.any());
    const at::Tensor same = linear_views(at::kFloat);
    QVERIFY(fill_unusable_values(same, 0).data.is_same(same));
  }
  // Counts and floats, with the logarithm and without: as if the pixels had been filled afterwards.
  void in_the_flat_field() {
    for (const auto type : {at::kFloat, at::kDouble})
      for (const bool logarithm : {false, true})
        for (const auto input : {InputUse::keep, InputUse::overwrite}) {
          FlatFieldSpec spec;
          spec.flats = at::full({2, 5, 9}, 100, type);
          spec.flats[0][2][3].fill_(3e38);  // of two flats the other one counts
          spec.flats.select(1, 3).select(1, 5).fill_(none);
          spec.unusable = Unusable::fill;
          spec.input = input;
          if (logarithm) spec.logarithm = MinusLogSpec{};
          const at::Tensor good = 10 * linear_views(type);
          const auto result = [&](const at::Tensor& x) {
            const FlatFieldResult f = flat_field(x, spec).or_throw();
            return std::pair{logarithm ? f.logarithm.absorption : f.transmission, f};
          };
          const auto [expected, nothing] = result(good.clone());
          QVERIFY(!nothing.unusable.any() && nothing.repaired == 1);
          at::Tensor x = good.clone();
          x[1][2][4].fill_(inf);
          x[2][3][4].fill_(-1e30);  // next to the pixel without a flat
          x[5].fill_(0);
          const auto [found, f] = result(x);
          QVERIFY(f.unusable.dead_views == 1 && f.unusable.first_dead == 5);
          QVERIFY(f.unusable.view == 1 && f.unusable.row == 2 && f.unusable.col == 4);
          QVERIFY(f.unusable.values == 3 && f.logarithm.nans == 0);
          QVERIFY(worst(found.narrow(0, 0, 5), expected.narrow(0, 0, 5)) < (logarithm ? 2e-3 : 2e-7));
          QVERIFY(worst(found[5], found[4]) == 0);
          if (logarithm) QVERIFY(f.dark_views == 1 && f.first_dark == 5);
        }
  }
  void counts_of_dead_views() {
    FlatFieldSpec spec;
    spec.flats = at::full({2, 5, 9}, 100, at::kFloat);
    spec.unusable = Unusable::fill;
    spec.logarithm = MinusLogSpec{};
    const at::Tensor floats = (10 * linear_views(at::kFloat)).round();
    for (const float value : {0.0F, 65535.0F}) {
      at::Tensor x = floats.clone();
      x[3].fill_(value);
      const FlatFieldResult f = flat_field(x.to(at::kUInt16), spec).or_throw();
      QVERIFY(f.unusable.dead_views == 1 && f.unusable.first_dead == 3);
      QVERIFY(at::equal(f.logarithm.absorption, flat_field(x, spec).or_throw().logarithm.absorption));
      const at::Tensor a = f.logarithm.absorption;
      QVERIFY(worst(a[3], 0.5 * (a[2] + a[4])) < 1e-6);
    }
  }
  void dead_views_are_filled_from_the_nearest_angles() {
    // Golden ratio of a full turn, and every fifth angle again at the end: values linear in the cosine of the angle.
    std::vector<double> angles;
    for (int i = 0; i < 144; ++i) angles.push_back(2 * pi / 144 * (i * 89 % 144));
    for (std::size_t i = 0; i < 144; i += 5) angles.push_back(angles[i]);
    const ScanGeometry geometry = ScanGeometry::parallel(angles, {3, 9, 1, 1}).or_throw();
    const at::Tensor exact =
        2 + at::tensor(angles, at::kDouble).cos().view({-1, 1, 1}) + 0.1 * at::arange(27, at::kDouble).view({1, 3, 9});
    constexpr int64_t alone = 71, repeated = 10, first_in_angle = 0;
    at::Tensor x = exact.clone();
    for (const int64_t view : {alone, repeated, first_in_angle}) x[view].fill_(0);
    const UsableViews done = fill_unusable_values(x, 7, &geometry);
    QCOMPARE(done.found.dead_views, int64_t{3});
    // Linear interpolation over two steps of 2.5 degrees.
    QVERIFY(worst(done.data[alone], exact[alone]) < 1e-3);
    QVERIFY(at::equal(done.data[repeated], exact[144 + 2]));
    QVERIFY(at::equal(done.data[first_in_angle], exact[144]));
    // By the order of recording neighbours are 137 degrees away.
    QVERIFY(worst(fill_unusable_values(x, 7).data[alone], exact[alone]) > 0.3);
    FlatFieldSpec spec;
    spec.flats = at::ones({1, 3, 9}, at::kDouble);
    spec.unusable = Unusable::fill;
    spec.geometry = &geometry;
    const FlatFieldResult corrected = flat_field(x, spec).or_throw();
    QVERIFY(worst(corrected.transmission, done.data) < 1e-12);
  }
};

TL_TEST_CASE(UnusableValuesTest)

}  // namespace tl::unusable_values_test

#include "unusable_values.moc"
