// Soft Otsu: its equation holds, steep steps give Otsu's thresholds, affine maps, derivatives by the values, refusals.
#include "gpu/segmentation/thresholds/soft_otsu.h"

#include <ATen/ATen.h>

#include <cmath>
#include <limits>

#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::soft_otsu_test {

using namespace tl::ops;

namespace {

// Grey values 0, 1, ... of as many classes as are asked for, each with noise.
at::Tensor values_of(int64_t classes, double noise = 0.12) {
  const at::Tensor grey = at::arange(5 * 60, at::kDouble).remainder(static_cast<double>(classes)).view({5, 6, 10});
  return grey + noise * test::gaussian({5, 6, 10}, at::kDouble, 7);
}

SoftOtsu found(const at::Tensor& values, int64_t classes, double sharpness = 20) {
  return soft_otsu(values, {classes, sharpness, {}}).or_throw();
}

at::Tensor least(const at::Tensor& values) { return values.amin(); }

}  // namespace

class SoftOtsuTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // Each threshold lies midway between the means of the soft classes on its two sides.
  void the_equation_holds() {
    for (const int64_t classes : {2, 3, 4})
      for (const double sharpness : {2.0, 20.0}) {
        const at::Tensor v = values_of(classes);
        const SoftOtsu s = found(v, classes, sharpness);
        std::vector<at::Tensor> above{at::ones_like(v)};
        for (int64_t k = 0; k + 1 < classes; ++k) above.push_back(soft_step(v, least(v), s.thresholds[k], sharpness));
        above.push_back(at::zeros_like(v));
        std::vector<double> mean;
        for (std::size_t c = 0; c + 1 < above.size(); ++c) {
          const at::Tensor own = above[c] - above[c + 1];
          mean.push_back(((own * v).sum() / own.sum()).item<double>());
        }
        for (int64_t k = 0; k + 1 < classes; ++k) {
          const double t = s.thresholds[k].item<double>(),
                       middle = (mean[static_cast<std::size_t>(k)] + mean[static_cast<std::size_t>(k) + 1]) / 2;
          QVERIFY2(std::abs(t - middle) < 1e-10,
                   qPrintable(QString("%1 for %2").arg(t, 0, 'g', 12).arg(middle, 0, 'g', 12)));
        }
      }
  }

  // Well separated classes: the middle between them, and the mask of what is brighter.
  void steep_steps_give_masks() {
    for (const int64_t classes : {2, 3, 4}) {
      const at::Tensor v = values_of(classes, 0.05);
      const SoftOtsu s = found(v, classes, 1000);
      for (int64_t k = 0; k + 1 < classes; ++k) {
        const double middle = static_cast<double>(k) + 0.5;
        QVERIFY(std::abs(s.thresholds[k].item<double>() - middle) < 0.05);
        const at::Tensor soft = soft_step(v, least(v), s.thresholds[k], 1000);
        QVERIFY(test::max_difference(soft, (v > middle).to(at::kDouble)) < 1e-6);
      }
    }
  }

  void it_follows_affine_maps() {
    for (const int64_t classes : {2, 3}) {
      const at::Tensor v = values_of(classes), mapped = 3e-4 * v - 0.2;
      const at::Tensor t = found(v, classes).thresholds, u = found(mapped, classes).thresholds;
      QVERIFY(test::max_difference((u + 0.2) / 3e-4, t) < 1e-9);
      QVERIFY(test::max_difference(soft_step(mapped, least(mapped), u[0], 20), soft_step(v, least(v), t[0], 20)) <
              1e-9);
    }
  }

  void single_precision_is_close() {
    const at::Tensor v = values_of(2);
    QVERIFY(test::max_difference(found(v.to(at::kFloat), 2).thresholds, found(v, 2).thresholds) < 1e-6);
  }

  // Against central differences of thresholds found again, the least value among those that move.
  void thresholds_are_differentiable() {
    const at::Tensor along = test::gaussian({5, 6, 10}, at::kDouble, 8),
                     weights = test::gaussian({5, 6, 10}, at::kDouble, 9);
    for (const int64_t classes : {2, 3, 4})
      for (const double sharpness : {3.0, 20.0}) {
        const at::Tensor v = values_of(classes);
        const auto score = [&](const at::Tensor& x) {
          const SoftOtsu s = found(x, classes, sharpness);
          at::Tensor sum = s.thresholds.sum();
          for (int64_t k = 0; k + 1 < classes; ++k)
            sum = sum + (weights * soft_step(x, x.amin(), s.thresholds[k], sharpness)).sum();
          return sum;
        };
        const at::Tensor leaf = v.clone().requires_grad_();
        score(leaf).backward();
        constexpr double h = 1e-6;
        const double numeric = (score(v + h * along) - score(v - h * along)).item<double>() / (2 * h);
        const double slope = (leaf.grad() * along).sum().item<double>();
        QVERIFY2(std::abs(slope - numeric) < 1e-6 * std::abs(numeric) + 1e-7,
                 qPrintable(QString("%1 for %2").arg(slope, 0, 'g', 12).arg(numeric, 0, 'g', 12)));
      }
  }

  void equal_values_have_no_classes() {
    const SoftOtsu s = found(at::full({2, 3, 4}, 0.7, at::kDouble), 2);
    QCOMPARE(s.minimum, s.maximum);
  }

  void refusals() {
    at::Tensor v = values_of(2);
    QVERIFY(!soft_otsu(v, {1, 20, {}}).ok());
    QVERIFY(!soft_otsu(v, {5, 20, {}}).ok());
    QVERIFY(!soft_otsu(v, {2, 0, {}}).ok());
    QVERIFY(!soft_otsu(v.to(at::kInt), {2, 20, {}}).ok());
    QVERIFY(!soft_otsu((v > 0.5).to(at::kDouble), {3, 20, {}}).ok());
    v[0][0][0] = std::numeric_limits<double>::quiet_NaN();
    QVERIFY(!soft_otsu(v, {2, 20, {}}).ok());
  }
};

TL_TEST_CASE(SoftOtsuTest)

}  // namespace tl::soft_otsu_test

#include "soft_otsu.moc"
