// Vo's stripe methods: every kind of stripe is reduced, the rest is kept, constants are unchanged, gradients are exact.
#include <cmath>
#include <functional>
#include <limits>

#include "core/base/units.h"
#include "gpu/correction/stripes/dead.h"
#include "gpu/correction/stripes/filtering.h"
#include "gpu/correction/stripes/fitting.h"
#include "gpu/correction/stripes/large.h"
#include "gpu/correction/stripes/sorting.h"
#include "gpu/verify/striped_sinogram.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::stripe_set_test {

using namespace tl::ops;

namespace {

using namespace verify;

// Largest relative change that an untouched column may suffer.
constexpr double largest_side_effect = 5e-3;

double improvement(const StripedSinogram& s, const at::Tensor& result) { return 1 / s.remaining_stripe_error(result); }

using Method = std::function<at::Tensor(const at::Tensor&)>;

StripeModel model_of(int i) { return i == 0 ? StripeModel::gain : StripeModel::offset; }

std::vector<std::pair<std::string, Method>> methods() {
  std::vector<std::pair<std::string, Method>> all = {
      {"sorting", [](const at::Tensor& x) { return remove_stripes_by_sorting(x, {}).or_throw(); }},
      {"filtering", [](const at::Tensor& x) { return remove_stripes_by_filtering(x, {}).or_throw(); }},
      {"dead", [](const at::Tensor& x) { return remove_dead_stripes(x, {}).or_throw().projections; }}};
  for (const int i : {0, 1}) {
    const std::string name = i == 0 ? ", gain" : ", offset";
    all.emplace_back("fitting" + name, [i](const at::Tensor& x) {
      StripeFittingSpec spec;
      spec.model = model_of(i);
      spec.order = std::min<int64_t>(3, x.size(0) - 1);
      return remove_stripes_by_fitting(x, spec).or_throw();
    });
    for (const ColumnLevels levels : {ColumnLevels::keep, ColumnLevels::level}) {
      const std::string full = name + (levels == ColumnLevels::keep ? "" : ", levelled");
      all.emplace_back("large" + full, [i, levels](const at::Tensor& x) {
        LargeStripeSpec spec;
        spec.model = model_of(i);
        spec.levels = levels;
        return remove_large_stripes(x, spec).or_throw().projections;
      });
      if (levels == ColumnLevels::level) continue;
      all.emplace_back("all" + full, [i](const at::Tensor& x) {
        AllStripesSpec spec;
        spec.model = model_of(i);
        return remove_all_stripes(x, spec).or_throw().projections;
      });
    }
  }
  return all;
}

void report(const std::string& name, const StripedSinogram& s, const at::Tensor& result) {
  qInfo("%s: column-mean error falls %.1f times, other columns change by %.2e", name.c_str(), improvement(s, result),
        s.change_outside_stripes(result));
}

}  // namespace

class StripeSetTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void constant_sinograms_are_bit_identical() {
    for (const auto& [name, method] : methods())
      for (const auto type : {at::kFloat, at::kDouble}) {
        const at::Tensor x = at::full({33, 2, 70}, 0.1, type);
        QVERIFY2(at::equal(method(x), x), name.c_str());
      }
  }
  void narrow_detectors_and_few_views() {
    for (const auto& [name, method] : methods())
      for (const int64_t width : {1, 2, 3, 9})
        for (const int64_t count : {1, 2, 30}) {
          const at::Tensor y = method(test::gaussian({count, 2, width}, at::kFloat, 2));
          QVERIFY2(y.sizes().equals({count, 2, width}) && at::isfinite(y).all().item<bool>(), name.c_str());
        }
  }
  void float32_follows_float64() {
    StripedSinogram s = sinogram_without_stripes();
    add_gains(s);
    add_large(s);
    add_dead(s);
    for (const auto& [name, method] : methods()) {
      const double apart = test::max_difference(method(s.data.to(at::kFloat)), method(s.data));
      // Values closer than their rounding change their order, and then take the neighbouring rank.
      QVERIFY2(apart < 1e-4, (name + " " + std::to_string(apart)).c_str());
    }
  }

  // Each method against the stripes that it is for, by the factor that the combination must reach; what is left of a
  // stripe is the slope of the object over the window.
  void each_kind_of_stripe_data() {
    QTest::addColumn<QString>("kind");
    for (const char* kind : {"gain", "partial", "fluctuating", "dead", "large", "every"}) QTest::newRow(kind) << kind;
  }
  void each_kind_of_stripe() {
    QFETCH(QString, kind);
    constexpr double min_improvement = 5;  // required of the combination
    StripedSinogram s = sinogram_without_stripes();
    const bool every = kind == QStringLiteral("every");
    if (every || kind == QStringLiteral("gain")) add_gains(s);
    if (every || kind == QStringLiteral("partial")) add_partial(s);
    if (every || kind == QStringLiteral("fluctuating")) add_fluctuating(s);
    if (every || kind == QStringLiteral("dead")) add_dead(s);
    if (every || kind == QStringLiteral("large")) add_large(s);
    const std::string made_for = kind == QStringLiteral("gain")      ? "sorting filtering"
                                 : kind == QStringLiteral("partial") ? "sorting"
                                 : kind == QStringLiteral("large")   ? "large"
                                 : every                             ? ""
                                                                     : "dead";
    for (const auto& [name, method] : methods()) {
      const std::string first = name.substr(0, name.find(','));
      // Levelling also flattens the object, as its help says.
      const bool levelled = name.find("levelled") != std::string::npos;
      const bool other_model = name.find("offset") != std::string::npos && !every;  // once is enough
      if (levelled || other_model || (first != "all" && made_for.find(first) == std::string::npos)) continue;
      const at::Tensor y = method(s.data);
      report(kind.toStdString() + ", " + name, s, y);
      // Fluctuation shows in single values rather than in the mean of the column.
      const double better = kind == QStringLiteral("fluctuating")
                                ? root_mean_square(s.data - s.clean) / root_mean_square(y - s.clean)
                                : improvement(s, y);
      QVERIFY2(better >= min_improvement, (name + ": " + std::to_string(better)).c_str());
      QVERIFY2(s.change_outside_stripes(y) <= largest_side_effect,
               (name + ": " + std::to_string(s.change_outside_stripes(y))).c_str());
    }
  }
  void clean_sinograms_are_left_alone() {
    const StripedSinogram s = sinogram_without_stripes();
    for (const auto& [name, method] : methods()) {
      const double change = s.change_outside_stripes(method(s.data));
      qInfo("%s changes a clean sinogram by %.2e", name.c_str(), change);
      // Fitting and levelling smooth the object itself: they are tested on low-contrast sinograms below.
      if (name.find("fitting") != std::string::npos || name.find("levelled") != std::string::npos) continue;
      QVERIFY2(change < largest_side_effect, (name + ": " + std::to_string(change)).c_str());
    }
  }
  void fitting_removes_slow_stripes_in_low_contrast() {
    StripedSinogram s = sinogram_without_stripes();
    s.clean = 1 + 0.05 * (smooth_sinogram() - 1);
    s.data = s.clean.clone();
    const at::Tensor t =
        at::arange(striped_views, at::kDouble).view({striped_views, 1}) / static_cast<double>(striped_views);
    for (const int64_t c : {60, 150, 260, 400}) {
      s.data.select(2, c).mul_(1 + 0.03 * (1 - t));  // fades during the scan
      s.mark_touched(c);
    }
    for (const auto& [name, method] : methods()) {
      const at::Tensor y = method(s.data);
      report("low contrast, " + name, s, y);
      QVERIFY2(name == "dead" || improvement(s, y) > 5, name.c_str());
      QVERIFY2(s.change_outside_stripes(y) < largest_side_effect, name.c_str());
    }
  }
  void fitting_is_a_projection_and_its_own_transpose() {
    const at::Tensor x = test::gaussian({40, 30}, at::kDouble, 4), y = test::gaussian({40, 30}, at::kDouble, 5);
    const at::Tensor once = fit_columns(x, 3);
    QVERIFY(test::max_difference(fit_columns(once, 3), once) < 1e-13);
    const double left = inner_product(once, y), right = inner_product(x, fit_columns(y, 3));
    QVERIFY(std::abs(left - right) < 1e-12 * std::sqrt(total_of_squares(once) * total_of_squares(y)));
    // Cubic columns come back.
    const at::Tensor v = at::arange(40, at::kDouble).view({40, 1}) / 40, c = at::arange(30, at::kDouble).view({1, 30});
    const at::Tensor cubic = 1 + v * c - v.square() * 3 + v.pow(3) * c;
    QVERIFY(test::max_difference(fit_columns(cubic, 3), cubic) < 1e-12);
    // Each column is fitted alone.
    QVERIFY(fit_columns(x, 3).select(1, 7).equal(fit_columns(x.narrow(1, 7, 1), 3).select(1, 0)));
  }
  void the_low_pass_is_symmetric_and_keeps_slow_waves() {
    const at::Tensor x = test::gaussian({40, 6}, at::kDouble, 6), y = test::gaussian({40, 6}, at::kDouble, 7);
    const double left = inner_product(low_pass_views(x, 3), y), right = inner_product(x, low_pass_views(y, 3));
    QVERIFY(std::abs(left - right) < 1e-12 * std::sqrt(total_of_squares(x) * total_of_squares(y)));
    // cos(pi f (2 v + 1) / n) makes f cycles in n views and fits the mirrored ends: it is scaled by the Gaussian.
    for (const double f : {0.5, 1.0, 4.0}) {
      const at::Tensor wave = (2 * pi * f * (at::arange(40, at::kDouble) + 0.5) / 40).cos().view({40, 1});
      const double keep = std::exp(-f * f / (2 * 3 * 3));
      QVERIFY(test::max_difference(low_pass_views(wave, 3), keep * wave) < 1e-13);
    }
  }
  void detection_finds_what_stands_out() {
    std::vector<double> list(100);
    for (std::size_t i = 0; i < list.size(); ++i) list[i] = 1 + 1e-3 * std::sin(1.7 * static_cast<double>(i));
    QCOMPARE(detect_stripes(list, {3, 0}), std::vector<uint8_t>(100, 0));
    list[20] = 1.2;
    list[60] = 0.8;
    list[61] = std::numeric_limits<double>::quiet_NaN();
    std::vector<uint8_t> expected(100, 0);
    expected[20] = expected[60] = expected[61] = 1;
    QCOMPARE(detect_stripes(list, {3, 0}), expected);
    QCOMPARE(detect_stripes(list, {3, 0.5}), [] {
      std::vector<uint8_t> only(100, 0);
      only[61] = 1;
      return only;
    }());
    QCOMPARE(detect_stripes({1, 9, 1}, {3, 0}), std::vector<uint8_t>(3, 0));
  }
  void gradients_are_exact() {
    at::Tensor x = smooth_sinogram().narrow(2, 200, 60).slice(0, 0, striped_views, 6).contiguous();
    x.select(2, 20).mul_(1.2);
    x.select(2, 40).fill_(1.3);
    x = x + 1e-3 * test::gaussian(x.sizes().vec(), at::kDouble, 8);
    const at::Tensor weights = test::gaussian(x.sizes().vec(), at::kDouble, 9);
    const at::Tensor direction = test::gaussian(x.sizes().vec(), at::kDouble, 10);
    for (const auto& [name, method] : methods()) {
      const at::Tensor leaf = x.clone().requires_grad_();
      (method(leaf) * weights).sum().backward();
      const double h = 1e-7, exact = (leaf.grad() * direction).sum().item<double>();
      const double up = (method(x + h * direction) * weights).sum().item<double>();
      const double down = (method(x - h * direction) * weights).sum().item<double>();
      const double numeric = (up - down) / (2 * h);
      // Central differences at 1e-7: rounding 1e-16 * 60 over the step.
      QVERIFY2(std::abs(exact - numeric) < 1e-6 * std::abs(exact) + 1e-6,
               (name + ": " + std::to_string(exact) + ", " + std::to_string(numeric)).c_str());
      QVERIFY2(test::max_difference(method(leaf).detach(), method(x)) < 1e-12, name.c_str());
    }
  }
  void bad_settings_are_refused() {
    const at::Tensor x = at::zeros({4, 1, 5});
    QVERIFY(!remove_stripes_by_filtering(x, {0, 5, {}}).ok());
    QVERIFY(!remove_stripes_by_filtering(x, {3, 4, {}}).ok());
    QVERIFY(!remove_stripes_by_fitting(x, {4, 10, StripeModel::gain, {}}).ok());
    QVERIFY(!remove_stripes_by_fitting(x, {3, 0, StripeModel::gain, {}}).ok());
    QVERIFY(!remove_large_stripes(x, {3, 50, 0.1, StripeModel::gain, ColumnLevels::keep, {}}).ok());
    QVERIFY(!remove_large_stripes(x, {3, 51, 0.5, StripeModel::gain, ColumnLevels::keep, {}}).ok());
    QVERIFY(!remove_dead_stripes(x, {0, 51, 11, {}}).ok());
    QVERIFY(!remove_dead_stripes(at::zeros({4, 5}), {}).ok());
    QVERIFY(remove_all_stripes(at::zeros({0, 1, 5}), {}).ok());
  }
};

TL_TEST_CASE(StripeSetTest)

}  // namespace tl::stripe_set_test

#include "stripe_set.moc"
