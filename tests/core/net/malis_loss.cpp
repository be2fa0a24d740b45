// MALIS of maps: descent closes a hole in a wall that costs cross-entropy little.
#include "core/net/malis_loss.h"

#include <ATen/ATen.h>

#include "core/net/architectures/architectures.h"
#include "gpu/segmentation/malis.h"
#include "tests/support/test_case.h"

namespace tl::malis_loss_test {

using namespace net;

class MalisLoss : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void descent_closes_a_hole_in_a_wall() {
    const Network network = make_network("msd", {"depth=1", "classes=2"}).or_throw();
    // Two cells of one class with a wall (class 0) between them, through which the map has a hole.
    at::Tensor labels = at::ones({2, 12, 15}, at::kLong);
    labels.select(2, 7).zero_();
    at::Tensor map = at::stack({-4.0 * (2 * labels - 1), 4.0 * (2 * labels - 1)}, 1).to(at::kDouble);
    map.select(3, 7).select(2, 5).select(1, 0).fill_(-1);
    map.select(3, 7).select(2, 5).select(1, 1).fill_(1);
    map.set_requires_grad(true);
    const at::Tensor loss = malis_loss_of(network, map, labels);
    loss.backward();
    const at::Tensor slope = map.grad().select(1, 1);
    // Nearly all of the slope is at the hole, and less of the cell's class there is better.
    const double hole = slope.select(2, 7).select(1, 5).sum().item<double>();
    QVERIFY(hole > 0);
    QVERIFY(hole > 0.9 * slope.abs().sum().item<double>());
    const at::Tensor better = malis_loss_of(network, (map - 20 * map.grad()).detach(), labels);
    QVERIFY(better.item<double>() < 0.8 * loss.item<double>());
    // Half of the batch is half of the sum.
    const at::Tensor one = malis_loss_of(network, map.detach().narrow(0, 0, 1), labels.narrow(0, 0, 1));
    QVERIFY(std::abs(one.item<double>() - loss.item<double>()) < 1e-12);
  }

  void unknown_pixels_are_ignored() {
    const Network network = make_network("msd", {"depth=1", "classes=3"}).or_throw();
    const at::Tensor labels = at::full({1, 8, 9}, -1, at::kLong);
    const at::Tensor map = at::rand({1, 3, 8, 9});
    QCOMPARE(malis_loss_of(network, map, labels).item<float>(), 0.0F);
  }
};

TL_TEST_CASE(MalisLoss)

}  // namespace tl::malis_loss_test

#include "malis_loss.moc"
