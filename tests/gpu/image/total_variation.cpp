// Differences: exact adjoint, isotropic total variation of all three components, and the steps by their formulas.
#include "gpu/image/total_variation/total_variation.h"

#include <ATen/Parallel.h>

#include "gpu/device/launch.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::total_variation_test {

using namespace tl::ops;

class TotalVariationTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void transposes() {
    for (const auto& shape : {std::array<int64_t, 3>{4, 5, 6}, {1, 7, 5}, {3, 1, 1}, {1, 1, 9}, {1, 1, 1}}) {
      const OperatorPtr op = make_gradient(shape, {0.5, 0.8, 1}).or_throw();
      if (shape != std::array<int64_t, 3>{1, 1, 1}) {  // the gradient of one voxel is 0
        QVERIFY(test::worst_adjoint_error(*op, at::kFloat) < 1e-6);
        QVERIFY(test::worst_adjoint_error(*op, at::kDouble) < 1e-14);
      }
      const at::Tensor x = test::gaussian(op->domain(), at::kDouble, 3);
      QVERIFY(op->apply(x).norm().item<double>() <=
              gradient_norm(shape, {0.5, 0.8, 1}) * x.norm().item<double>() * (1 + 1e-12));
    }
  }
  // x = i + 2 j + 2 k has a gradient of length 3 wherever all three neighbours exist; the third component counts.
  void counts_all_components() {
    const at::Tensor i = at::arange(6, at::kDouble);
    const at::Tensor x =
        (i.view({1, 1, 6}) + 2 * i.view({1, 6, 1}).narrow(1, 0, 5) + 2 * i.view({6, 1, 1}).narrow(0, 0, 4))
            .contiguous();
    const double inner = 3.0 * 3 * 4 * 5, top = std::sqrt(5.0) * 4 * 5, back = std::sqrt(5.0) * 3 * 5,
                 side = std::sqrt(8.0) * 3 * 4, edges = 2 * 3 + 2 * 4 + 1 * 5;
    QVERIFY(std::abs(total_variation(x, {1, 1, 1}) - (inner + top + back + side + edges)) < 1e-10);
    QVERIFY(std::abs(total_variation(x.to(at::kFloat), {1, 1, 1}) - (inner + top + back + side + edges)) < 1e-4);
    QVERIFY(std::abs(total_variation(x, {0.5, 0.5, 1}) -
                     (std::sqrt(3.0) * 60 + std::sqrt(2.0) * 35 + std::sqrt(2.0) * 12 + 3 + 4 + 5)) < 1e-10);
  }
  void steps_are_their_formulas() {
    const OperatorPtr op = make_gradient({3, 4, 5}, {0.5, 0.8, 1}).or_throw();
    const at::Tensor x = test::gaussian(op->domain(), at::kDouble, 1),
                     start = test::gaussian(op->range(), at::kDouble, 2);
    const at::Tensor before = test::gaussian(op->range(), at::kDouble, 3);
    const at::Tensor moved = start + 0.3 * op->apply(x);
    const at::Tensor expected = moved * (0.7 / moved.square().sum(0, true).sqrt().clamp_min(0.7));
    at::Tensor p = before.clone(), r = start.clone();
    tv_dual_step(p, r, x, {0.5, 0.8, 1}, 0.3, 0.7, 0.4);
    QVERIFY(test::max_difference(p, expected) < 1e-14);
    QVERIFY(test::max_difference(r, expected + 0.4 * (expected - before)) < 1e-14);
    at::Tensor same = start.clone();
    tv_dual_step(same, same, x, {0.5, 0.8, 1}, 0.3, 0.7, 0);
    QVERIFY(same.equal(p));
    tv_dual_step(same, same, x, {0.5, 0.8, 1}, 0.3, 0, 0);
    QVERIFY(same.abs().max().item<double>() == 0);
    at::Tensor v = x.clone();
    tv_primal_step(v, p, {0.5, 0.8, 1}, 0.25, -0.1);
    QVERIFY(test::max_difference(v, (x - 0.25 * op->adjoint(p)).clamp_min(-0.1)) < 1e-14);
  }
  // In one pass with others, with any number of threads and whatever axis the planes lie across, a step is the step
  // alone: host functors take the steps one after the other.
  void denoising_in_passes_is_step_by_step() {
    for (const auto& shape : {std::vector<int64_t>{40, 9, 21}, {5, 50, 33}, {1, 60, 7}, {26, 1, 1}, {1, 1, 40}})
      for (const int64_t steps : {1, 2, 3, 6, 7, 13}) {
        const at::Tensor x = test::gaussian(shape, at::kDouble, 5), before = test::gaussian(shape, at::kDouble, 6);
        TvDenoising task;
        task.weights = {0.7, 1, 0.9};
        task.strength = 0.6;
        task.low = -0.5;
        task.steps = steps;
        const auto denoised = [&](const at::Tensor& from, at::Tensor& dual) {
          at::Tensor out = at::empty_like(from);
          if (tv_denoise(out, from, dual, task) != steps) throw std::runtime_error("steps are missing");
          return out;
        };
        const at::Tensor start = at::zeros({3, shape[0], shape[1], shape[2]}, at::kDouble);
        at::Tensor dual = start.clone(), expected_dual = start.clone();
        at::Tensor expected;
        {
          const HostFunctors functors;
          expected = denoised(x, expected_dual);
        }
        const int threads = at::get_num_threads();
        for (const int t : {1, 2, 5}) {
          at::set_num_threads(t);
          at::Tensor again = start.clone();
          const at::Tensor out = denoised(x, again);
          if (t == 1) dual = again.clone();
          QVERIFY2(test::max_difference(out, expected) < 1e-13 && test::max_difference(again, expected_dual) < 1e-13,
                   std::to_string(steps).c_str());
          QVERIFY(again.equal(dual));
          at::Tensor single = start.to(at::kFloat);
          QVERIFY(test::max_difference(denoised(x.to(at::kFloat), single).to(at::kDouble), expected) < 1e-5);
        }
        at::set_num_threads(threads);
        // The end is given before the last possible step once the changes are a large share, at the same step on both.
        task.settled = 0.9;
        task.before = before;
        at::Tensor out = at::empty_like(x), host_out = at::empty_like(x);
        dual = start.clone();
        const int64_t done = tv_denoise(out, x, dual, task);
        const HostFunctors functors;
        dual = start.clone();
        QCOMPARE(tv_denoise(host_out, x, dual, task), done);
        QCOMPARE(done, std::min<int64_t>(steps, 2));
        QVERIFY(test::max_difference(out, host_out) < 1e-13);
      }
  }
  // Against the dual bound: after many steps the value is the minimum.
  void denoising_reaches_the_minimum() {
    const at::Tensor x = test::gaussian({6, 11, 5}, at::kDouble, 7);
    TvDenoising task;
    task.strength = 0.4;
    task.steps = 3000;
    at::Tensor out = at::empty_like(x), dual = at::zeros({3, 6, 11, 5}, at::kDouble);
    QCOMPARE(tv_denoise(out, x, dual, task), 3000);
    const at::Tensor d = 0.4 * make_gradient({6, 11, 5}).or_throw()->adjoint(dual);
    const double primal = 0.5 * (out - x).square().sum().item<double>() + 0.4 * total_variation(out, {1, 1, 1}),
                 bound = (d * x).sum().item<double>() - 0.5 * d.square().sum().item<double>();
    QVERIFY2(primal - bound > -1e-10 && primal - bound < 1e-5 * primal, std::to_string(primal - bound).c_str());
  }
  void refusals() {
    QVERIFY(!make_gradient({0, 3, 3}).ok());
    QVERIFY(!make_gradient({3, 3, 3}, {1, -1, 1}).ok());
    QVERIFY_THROWS_EXCEPTION(Failure, (void)make_gradient({3, 3, 3}).or_throw()->apply(at::ones({3, 3, 2})));
  }
};

TL_TEST_CASE(TotalVariationTest)

}  // namespace tl::total_variation_test

#include "total_variation.moc"
