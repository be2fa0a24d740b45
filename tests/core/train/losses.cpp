// Losses and scores against numbers by hand; unlabelled pixels count nowhere.
#include "core/train/loss.h"

#include <ATen/ATen.h>

#include <cmath>

#include "core/net/architectures/architectures.h"
#include "core/net/optimiser.h"
#include "core/train/scores.h"
#include "core/train/training_set.h"
#include "tests/support/test_case.h"

namespace tl::train_losses_test {

using namespace train;

namespace {

net::Network plain_network() { return net::make_network("plain", {"depth=1"}).or_throw(); }

// Three pixels of two classes: probabilities of the second 1/2, 1/4 and 1/5; the last is not labelled.
at::Tensor hand_scores() {
  const double ln3 = std::log(3.0), ln4 = std::log(4.0);
  return at::tensor({0.0, ln3, ln4, 0.0, 0.0, 0.0}, at::kDouble).view({1, 2, 1, 3});
}
at::Tensor hand_labels() { return at::tensor({1, 0, unlabelled}, at::kLong).view({1, 1, 3}); }

double value(Loss loss, const at::Tensor& map, const at::Tensor& labels, const at::Tensor& weights = {}) {
  return loss_of(loss, plain_network(), map, labels, weights).item<double>();
}

}  // namespace

class Losses : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void cross_entropy_is_that_by_hand() {
    const double first = std::log(2.0), second = -std::log(0.75);
    QVERIFY(std::abs(value(Loss::cross_entropy, hand_scores(), hand_labels()) - (first + second) / 2) < 1e-12);
    const at::Tensor weights = at::tensor({1.0, 3.0}, at::kDouble);
    QVERIFY(std::abs(value(Loss::cross_entropy, hand_scores(), hand_labels(), weights) - (3 * first + second) / 4) <
            1e-12);
  }

  void dice_is_that_by_hand() {
    // Class 0: 2 * 3/4 / (1/2 + 3/4 + 1); class 1: 2 * 1/2 / (1/2 + 1/4 + 1).
    const double dice = 1 - (1.5 / 2.25 + 1 / 1.75) / 2;
    QVERIFY(std::abs(value(Loss::dice, hand_scores(), hand_labels()) - dice) < 1e-12);
    QVERIFY(std::abs(value(Loss::sum, hand_scores(), hand_labels()) - dice -
                     value(Loss::cross_entropy, hand_scores(), hand_labels())) < 1e-12);
    // A class that is not labelled does not count.
    const at::Tensor one = at::tensor({1, unlabelled, unlabelled}, at::kLong).view({1, 1, 3});
    QVERIFY(std::abs(value(Loss::dice, hand_scores(), one) - (1 - 1 / 1.5)) < 1e-12);
  }

  void one_channel_means_the_second_of_two_classes() {
    const at::Tensor one = (hand_scores().select(1, 1) - hand_scores().select(1, 0)).unsqueeze(1);
    for (const Loss loss : {Loss::cross_entropy, Loss::dice, Loss::sum})
      QVERIFY(std::abs(value(loss, one, hand_labels()) - value(loss, hand_scores(), hand_labels())) < 1e-12);
  }

  void a_softmax_at_the_end_changes_nothing() {
    net::Network ends = plain_network();
    net::Layer softmax;
    softmax.name = "softmax";
    softmax.kind = net::LayerKind::softmax;
    softmax.inputs = {static_cast<int64_t>(ends.layers.size()) - 1};
    ends.layers.push_back(softmax);
    for (const Loss loss : {Loss::cross_entropy, Loss::dice, Loss::sum})
      QVERIFY(std::abs(loss_of(loss, ends, at::softmax(hand_scores(), 1), hand_labels()).item<double>() -
                       value(loss, hand_scores(), hand_labels())) < 1e-12);
  }

  void unlabelled_pixels_give_no_gradient() {
    for (const Loss loss : {Loss::cross_entropy, Loss::dice, Loss::sum}) {
      const at::Tensor map = at::randn({2, 4, 9, 8}, at::kDouble).set_requires_grad(true);
      at::Tensor labels = at::randint(0, 4, {2, 9, 8}, at::kLong);
      labels.masked_fill_(at::rand({2, 9, 8}).lt(0.7), unlabelled);
      loss_of(loss, plain_network(), map, labels).backward();
      const at::Tensor of_pixel = map.grad().abs().amax(1);
      QVERIFY(at::where(labels.lt(0), of_pixel, at::zeros_like(of_pixel)).eq(0).all().item<bool>());
      QVERIFY(at::where(labels.ge(0), of_pixel, at::ones_like(of_pixel)).gt(0).all().item<bool>());
      // What they look like changes nothing either.
      const at::Tensor other = at::where(labels.lt(0).unsqueeze(1), map.detach() * 7 + 3, map.detach());
      QCOMPARE(loss_of(loss, plain_network(), other, labels).item<double>(),
               loss_of(loss, plain_network(), map.detach(), labels).item<double>());
    }
  }

  void nothing_labelled_has_zero_loss() {
    const at::Tensor map = at::randn({1, 3, 4, 4}).set_requires_grad(true);
    for (const Loss loss : {Loss::cross_entropy, Loss::dice, Loss::sum}) {
      const at::Tensor l = loss_of(loss, plain_network(), map, at::full({1, 4, 4}, unlabelled, at::kLong));
      QCOMPARE(l.item<double>(), 0.0);
      l.backward();
    }
    QCOMPARE(map.grad().abs().max().item<double>(), 0.0);
  }

  void f1_scores_are_those_by_hand() {
    ConfusionMatrix m(4);
    m.add(at::tensor({0, 0, 1, 1, 1, 2, unlabelled}, at::kLong), at::tensor({0, 1, 1, 1, 0, 0, 2}, at::kLong));
    const std::vector<double> f1 = m.f1();
    QVERIFY(std::abs(f1[0] - 2.0 / 5) < 1e-12 && std::abs(f1[1] - 4.0 / 6) < 1e-12 && f1[2] == 0);
    QVERIFY(std::isnan(f1[3]));
    QVERIFY(std::abs(m.macro_f1() - (0.4 + 2.0 / 3) / 3) < 1e-12);
    QVERIFY(std::abs(m.accuracy() - 0.5) < 1e-12);
  }

  void first_steps_of_optimisers_are_those_by_hand() {
    const auto stepped = [](net::OptimiserSettings s, int64_t steps) {
      at::Tensor p = at::tensor({2.0F, -1.0F}).set_requires_grad(true);
      net::Optimiser optimiser(s);
      for (int64_t i = 1; i <= steps; ++i) {
        p.mutable_grad() = at::tensor({0.5F, -4.0F});
        optimiser.step({{"p", p}}, i, s.rate);
      }
      return p.detach().clone();
    };
    const auto near = [](const at::Tensor& a, float x, float y) {
      return (a - at::tensor({x, y})).abs().max().item<double>() < 1e-6;
    };
    using Kind = net::OptimiserSettings::Kind;
    net::OptimiserSettings s;
    s.rate = 0.1;
    // Equal gradients move Adam by the rate, whatever they are.
    QVERIFY(near(stepped(s, 1), 1.9F, -0.9F) && near(stepped(s, 3), 1.7F, -0.7F));
    s.kind = Kind::adamw;
    s.decay = 0.5;
    QVERIFY(near(stepped(s, 1), 2.0F * 0.95F - 0.1F, -1.0F * 0.95F + 0.1F));
    s.kind = Kind::sgd;
    // With decay the gradients are 1.5 and -4.5.
    QVERIFY(near(stepped(s, 1), 1.85F, -0.55F));
    s.decay = 0;
    QVERIFY(near(stepped(s, 2), 2.0F - 0.1F * (0.5F + 0.95F), -1.0F + 0.1F * (4.0F + 7.6F)));
  }

  // Two objects that the first class parts: a map that says so loses nothing, one with a gap does.
  void malis_sees_gaps() {
    const net::Network network = net::make_network("msd", {"depth=3"}).or_throw();
    at::Tensor labels = at::ones({1, 8, 9}, at::kLong);
    labels.select(2, 4).zero_();
    at::Tensor map = at::zeros({1, 2, 8, 9});
    map.select(1, 0).copy_(40 * (1 - labels));
    map.select(1, 1).copy_(40 * labels);
    QVERIFY(loss_of(Loss::malis, network, map, labels).item<double>() < 1e-9);
    map.select(1, 1).select(2, 4).slice(1, 3, 5).fill_(42);
    map.requires_grad_();
    const at::Tensor loss = loss_of(Loss::malis, network, map, labels);
    QVERIFY(loss.item<double>() > 0.1);
    loss.backward();
    // Only at the gap.
    const at::Tensor slope = map.grad().select(1, 1).abs()[0];
    QVERIFY(slope.slice(1, 4, 5).slice(0, 3, 5).sum().item<double>() > 0.99 * slope.sum().item<double>());
  }
};

TL_TEST_CASE(Losses)

}  // namespace tl::train_losses_test

#include "losses.moc"
