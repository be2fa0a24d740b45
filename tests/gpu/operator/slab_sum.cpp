// Sums over slabs: values and derivatives do not depend on the number of slabs.
#include "gpu/operator/slab_sum.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>

#include <cmath>
#include <functional>

#include "gpu/objective/compare.h"
#include "gpu/objective/entropy.h"
#include "gpu/objective/image.h"
#include "gpu/operator/forward_mode.h"
#include "gpu/operator/reduce.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::slab_sum_test {

namespace {

constexpr int64_t nz = 7, ny = 19, nx = 23;

struct Score {
  const char* name;
  std::function<at::Tensor(const at::Tensor& x, const at::Tensor& y)> of;
};

std::vector<Score> scores() {
  return {{"sum of squares", [](const auto& x, const auto&) { return differentiable_sum_of_squares(x); }},
          {"variance", [](const auto& x, const auto&) { return differentiable_variance(x); }},
          {"gradient energy", [](const auto& x, const auto&) { return ops::gradient_energy(x); }},
          {"total variation", [](const auto& x, const auto&) { return ops::total_variation_score(x, 1e-2); }},
          {"sharpness", [](const auto& x, const auto&) { return ops::sharpness(x, ops::SharpnessMeasure::gradient); }},
          {"sharpness, second differences",
           [](const auto& x, const auto&) { return ops::sharpness(x, ops::SharpnessMeasure::laplacian); }},
          {"entropy", [](const auto& x, const auto&) { return ops::entropy(x, {}); }},
          {"squared error",
           [](const auto& x, const auto& y) { return ops::mean_squared_error(x, y, ops::ErrorScale::relative); }},
          {"dissimilarity", [](const auto& x, const auto& y) { return ops::structural_dissimilarity(x, y, 3); }},
          {"cross-entropy",
           [](const auto& x, const auto& y) { return ops::cross_entropy(x, y, ops::ScoreMeaning::logits); }}};
}

at::Tensor image(uint64_t seed) { return test::gaussian({nz, ny, nx}, at::kDouble, seed) + 0.3; }

}  // namespace

class SlabSumTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void as_one_slab_data() {
    QTest::addColumn<int>("slices");
    for (const int slices : {1, 2, 3, 6}) QTest::newRow(qPrintable(QString::number(slices) + " slices")) << slices;
  }
  void as_one_slab() {
    QFETCH(int, slices);
    for (const Score& score : scores()) {
      const auto value_and_gradients = [&] {
        at::Tensor x = image(1).requires_grad_(), y = image(2).requires_grad_();
        const at::Tensor value = score.of(x, y);
        (3 * value).backward();
        return std::tuple(value.detach(), x.grad(), y.grad());
      };
      const auto along = [&] {
        const ForwardDirection direction;
        return tangent(score.of(dual(image(1), image(3)), dual(image(2), image(4)))).item<double>();
      };
      const auto [value, to_x, to_y] = value_and_gradients();
      const double slope = along();
      const ScopedSlabSize fewer(slices * ny * nx);
      const auto [parts, parts_x, parts_y] = value_and_gradients();
      constexpr double rounding = 1e-12;  // sums are joined in another order
      QVERIFY2(std::abs((parts - value).item<double>()) < rounding * std::abs(value.item<double>()), score.name);
      QVERIFY2(test::max_difference(parts_x, to_x) < rounding * to_x.abs().max().item<double>(), score.name);
      QCOMPARE(parts_y.defined(), to_y.defined());
      if (to_y.defined())
        QVERIFY2(test::max_difference(parts_y, to_y) < rounding * to_y.abs().max().item<double>(), score.name);
      // a slope is a difference of large sums
      QVERIFY2(std::abs(along() - slope) < rounding * (std::abs(slope) + std::abs(value.item<double>())), score.name);
    }
  }
  // Nothing of a slab is kept: temporaries of one slab are not allocated for all of them.
  void part_gets_one_slab_at_a_time() {
    const ScopedSlabSize fewer(2 * ny * nx);
    std::vector<Range> received;
    const auto part = [&](const auto& slabs, const auto&, Range slices) {
      received.push_back(slices);
      return differentiable_sum(slabs.front().narrow(0, 0, slices.size()));
    };
    at::Tensor x = image(1).requires_grad_();
    slab_sum({{x}, {}, 1, part}).backward();
    QCOMPARE(received.size(), std::size_t{4});
    QVERIFY((received.front() == Range{0, 2} && received.back() == Range{6, 7}));
    QVERIFY(test::max_difference(x.grad(), at::ones_like(x.detach())) == 0);
  }
  // With a tangent and a gradient in one pass: the gradient of the tangent, against differences.
  void mixed_second_derivatives() {
    const ScopedSlabSize fewer(2 * ny * nx);
    const at::Tensor x = image(1), w = image(5);
    const auto slope = [&](const at::Tensor& at) {
      return tangent(ops::total_variation_score(dual(at, image(3)), 0.5));
    };
    const ForwardDirection direction;
    at::Tensor leaf = x.clone().requires_grad_();
    const double exact = (torch::autograd::grad({slope(leaf)}, {leaf})[0] * w).sum().item<double>();
    constexpr double h = 1e-5;
    const double numeric = ((slope(x + h * w) - slope(x - h * w)) / (2 * h)).item<double>();
    QVERIFY(std::abs(exact - numeric) < 1e-6 * std::abs(numeric));
  }
  void refuses_second_derivatives_of_several_slabs() {
    at::Tensor x = image(1).requires_grad_();
    const auto twice = [&] {
      const at::Tensor gradient =
          torch::autograd::grad({differentiable_sum_of_squares(x)}, {x}, {}, true, true).front();
      return torch::autograd::grad({gradient.sum()}, {x}).front();
    };
    QVERIFY(test::max_difference(twice(), at::full_like(x.detach(), 2)) == 0);
    const ScopedSlabSize fewer(ny * nx);
    QVERIFY_THROWS_EXCEPTION(Failure, (void)twice());
  }
};

TL_TEST_CASE(SlabSumTest)

}  // namespace tl::slab_sum_test

#include "slab_sum.moc"
