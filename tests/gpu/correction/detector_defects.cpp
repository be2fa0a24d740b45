// Simulated detector defects: the requested fractions, and the same defects for any division of a scan.
#include "gpu/simulate/detector_defects.h"

#include <ATen/ATen.h>

#include <cmath>

#include "tests/support/test_case.h"

namespace tl::detector_defects_test {

using namespace tl::ops;

namespace {

constexpr int64_t rows = 60, cols = 80, views = 9;
const DetectorDefects some{0.1, 0.02, 0.05, 7, rows, cols};

// |found share - p| within 5 standard deviations of n independent draws.
bool near(double found, double p, double n) { return std::abs(found - p) < 5 * std::sqrt(p * (1 - p) / n); }

double share(const at::Tensor& mask) { return mask.to(at::kDouble).mean().item<double>(); }

}  // namespace

class DetectorDefectsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void shares_are_as_asked() {
    const at::Tensor gain = stripe_gain(some, {0, rows}, {0, cols});
    QVERIFY(near(share(gain.ne(1)), some.stripes, rows * cols));
    QVERIFY(gain.min().item<double>() > 0.5 && gain.max().item<double>() < 1.5);
    QVERIFY(near(share(working_pixels(some, {0, rows}, {0, cols}).eq(0)), some.dead, rows * cols));
    at::Tensor frames = at::zeros({views, rows, cols}, at::kDouble);
    add_zingers(frames, some, {{0, views}, {0, rows}, {0, cols}}, 3);
    QVERIFY(near(share(frames.eq(3)), some.zingers, views * rows * cols));
    QVERIFY(at::logical_or(frames.eq(0), frames.eq(3)).all().item<bool>());
  }

  void nothing_by_default() {
    const DetectorDefects none{0, 0, 0, 7, rows, cols};
    QVERIFY(stripe_gain(none, {0, rows}, {0, cols}).eq(1).all().item<bool>());
    QVERIFY(working_pixels(none, {0, rows}, {0, cols}).eq(1).all().item<bool>());
    at::Tensor frames = at::zeros({1, rows, cols}, at::kDouble);
    add_zingers(frames, none, {{0, 1}, {0, rows}, {0, cols}}, 3);
    QVERIFY(frames.eq(0).all().item<bool>());
  }

  void a_region_is_a_part_of_the_whole() {
    const Range r{11, 40}, c{5, 71}, v{2, 6};
    QVERIFY(
        at::equal(stripe_gain(some, r, c), stripe_gain(some, {0, rows}, {0, cols}).slice(0, 11, 40).slice(1, 5, 71)));
    QVERIFY(at::equal(working_pixels(some, r, c),
                      working_pixels(some, {0, rows}, {0, cols}).slice(0, 11, 40).slice(1, 5, 71)));
    at::Tensor whole = at::zeros({views, rows, cols}, at::kDouble), part = at::zeros({4, 29, 66}, at::kDouble);
    add_zingers(whole, some, {{0, views}, {0, rows}, {0, cols}}, 1);
    add_zingers(part, some, {v, r, c}, 1);
    QVERIFY(at::equal(part, whole.slice(0, 2, 6).slice(1, 11, 40).slice(2, 5, 71)));
  }

  void seeds_differ() {
    DetectorDefects other = some;
    other.seed = 8;
    QVERIFY(!at::equal(working_pixels(some, {0, rows}, {0, cols}), working_pixels(other, {0, rows}, {0, cols})));
  }
};

TL_TEST_CASE(DetectorDefectsTest)

}  // namespace tl::detector_defects_test

#include "detector_defects.moc"
