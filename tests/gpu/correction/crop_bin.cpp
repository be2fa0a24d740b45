// Crop and bin: the right pixels, means, dropped remainders, gradients, refusals.
#include "gpu/correction/crop_bin.h"

#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::crop_bin_test {

using namespace tl::ops;

class CropBinTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void crop_takes_the_box() {
    const at::Tensor x = at::arange(3 * 4 * 5, at::kDouble).view({3, 4, 5});
    const at::Tensor y = crop(x, {{1, 3}, {0, 2}, {4, 5}}).or_throw();
    QVERIFY(at::equal(y, at::tensor({24.0, 29.0, 44.0, 49.0}).view({2, 2, 1})));
    QVERIFY(!y.is_alias_of(x));
    QVERIFY(!crop(x, {{1, 4}, {0, 2}, {0, 5}}).ok());
    QVERIFY(!crop(x, {{1, 1}, {0, 2}, {0, 5}}).ok());
    QVERIFY(!crop(x, {{-1, 1}, {0, 2}, {0, 5}}).ok());
  }
  void bin_means_blocks_and_drops_the_rest() {
    const at::Tensor x = at::arange(2 * 4 * 5, at::kDouble).view({2, 4, 5});
    const at::Tensor y = bin(x, {1, 3, 2}).or_throw();
    // rows 0 to 2, columns 0-1 and 2-3: mean over rows 5, over columns .5 and 2.5
    QVERIFY(at::equal(y, at::tensor({5.5, 7.5, 25.5, 27.5}).view({2, 1, 2})));
    QVERIFY(at::equal(bin(x, {2, 1, 1}).or_throw(), (x.narrow(0, 0, 1) + x.narrow(0, 1, 1)) / 2));
    QVERIFY(at::equal(bin(x, {}).or_throw(), x));
    QVERIFY(!bin(x, {3, 1, 1}).ok());
    QVERIFY(!bin(x, {1, 0, 1}).ok());
  }
  void gradients() {
    at::Tensor x = at::zeros({2, 4, 5}, at::kDouble).requires_grad_();
    bin(crop(x, {{0, 2}, {1, 4}, {0, 5}}).or_throw(), {2, 3, 2}).or_throw().sum().backward();
    at::Tensor expected = at::full({2, 4, 5}, 1.0 / 12, at::kDouble);
    expected.select(1, 0).fill_(0);
    expected.select(2, 4).fill_(0);
    QVERIFY(test::max_difference(x.grad(), expected) < 1e-16);
  }
};

TL_TEST_CASE(CropBinTest)

}  // namespace tl::crop_bin_test

#include "crop_bin.moc"
