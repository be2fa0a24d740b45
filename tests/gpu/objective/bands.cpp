// Losses of segmentations by band and by pixel: shares add up to the loss, and each band holds its own.
#include <ATen/ATen.h>

#include <cmath>

#include "gpu/objective/compare.h"
#include "gpu/objective/segmentation_loss.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::bands_test {

namespace {

constexpr double rounding = 1e-12;  // of sums of some hundred numbers in float64
const std::vector<int64_t> shape{5, 6, 7};

bool near(double a, double b) { return std::abs(a - b) <= rounding * std::max(1.0, std::abs(b)); }
double total(const at::Tensor& x) { return x.sum().item<double>(); }

}  // namespace

class Bands : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void cross_entropy() {
    const at::Tensor x = test::gaussian(shape, at::kDouble, 13),
                     target = at::sigmoid(test::gaussian(shape, at::kDouble, 14));
    for (const auto meaning : {ops::ScoreMeaning::logits, ops::ScoreMeaning::probability}) {
      const at::Tensor p = meaning == ops::ScoreMeaning::logits ? x : at::sigmoid(x);
      const at::Tensor shares = ops::cross_entropy_by_band(p, target, meaning, 3);
      const double whole = ops::cross_entropy(p, target, meaning).item<double>();
      for (int64_t axis = 0; axis < 3; ++axis) QVERIFY(near(total(shares[axis]), whole));
      // The second of three bands of six rows.
      const auto band = [](const at::Tensor& v) { return v.slice(1, 2, 4).contiguous(); };
      QVERIFY(near(3 * shares[1][1].item<double>(), ops::cross_entropy(band(p), band(target), meaning).item<double>()));
    }
  }

  void segmentation() {
    constexpr int64_t classes = 4, pixels = 60;
    const at::Tensor logs = at::log_softmax(test::gaussian({classes, pixels}, at::kDouble, 5), 0);
    // The last class does not occur.
    const at::Tensor truth = at::arange(pixels, at::kLong).remainder(classes - 1);
    for (const auto loss :
         {ops::SegmentationLoss::cross_entropy, ops::SegmentationLoss::dice, ops::SegmentationLoss::sum})
      for (const at::Tensor& weights : {at::Tensor(), at::tensor({0.5, 2.0, 1.0, 3.0}, at::kDouble)}) {
        const at::Tensor shares = ops::segmentation_loss_by_pixel(loss, logs, truth, weights);
        QVERIFY(near(total(shares), ops::segmentation_loss(loss, logs, truth, weights).item<double>()));
      }
    const at::Tensor one = ops::segmentation_loss_by_pixel(ops::SegmentationLoss::cross_entropy, logs, truth);
    QVERIFY(near(pixels * one[7].item<double>(), -logs[truth[7].item<int64_t>()][7].item<double>()));
  }

  void sums() {
    const at::Tensor x = test::gaussian(shape, at::kDouble, 2), found = ops::sums_by_band(x, 2);
    QVERIFY(near(found[0][0].item<double>(), total(x.slice(0, 0, 2))));
    QVERIFY(near(found[2][1].item<double>(), total(x.slice(2, 3, 7))));
  }
};

TL_TEST_CASE(Bands)

}  // namespace tl::bands_test

#include "bands.moc"
