// Total-variation reconstructions in differentiable operations: the values of the plain solvers, and exact derivatives.
#include "gpu/solve/tv_derivative.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/autograd.h>

#include <functional>

#include "core/base/units.h"
#include "gpu/operator/forward_mode.h"
#include "gpu/operator/iterations.h"
#include "gpu/projection/projector/projector.h"
#include "gpu/solve/masked_operator.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::tv_derivative_test {
using namespace tl::solve;
namespace {

constexpr int64_t size = 12, views = 9, rows = 2, cols = 14;
constexpr double step = 1e-6, limit = 1e-6;  // acceptance C10

struct Scene {
  DifferentiableTv task;
  TvSpec spec;
};

// Positive pixels around an object, so that negative voxels are few; one pixel has no value.
Scene scene(DualSteps steps, int64_t iterations) {
  const auto g = ScanGeometry::parallel(equidistant_angles(views, 2.1), {rows, cols, 1, 1}).or_throw();
  Scene s;
  s.task.op = make_projector({g, VolumeGrid::cubic(rows, size, size, 1)}).or_throw();
  at::Tensor truth = at::zeros({rows, size, size}, at::kDouble);
  truth.slice(1, 3, 8).slice(2, 4, 9).fill_(0.7);
  s.task.present = at::ones({views, rows, cols}, at::kDouble);
  s.task.present[2][1][5] = 0;
  s.task.data = (s.task.op->apply(truth) + 0.2 * test::gaussian({views, rows, cols}, at::kDouble, 3)) * s.task.present;
  s.task.start = 0.3 + 0.02 * test::gaussian({rows, size, size}, at::kDouble, 5);
  const OperatorPtr masked = masked_operator(s.task.op, s.task.present);
  s.task.norm = norm_bound(*masked, s.task.data.options(), {});
  if (steps == DualSteps::filtered)
    s.task.filtered_norm = norm_bound(*filtered_operator(masked, s.task.data.options()), s.task.data.options(), {});
  s.task.lambda = at::scalar_tensor(0.0131 * s.task.norm * s.task.norm, at::kDouble);
  s.task.iterations = iterations;
  s.spec = {s.task.lambda.item<double>(), Sign::non_negative, {1, 1, 1}, steps};
  return s;
}

at::Tensor plain(const Scene& s) {
  const Equations e{masked_operator(s.task.op, s.task.present), s.task.data};
  const ChambollePock solver(e, s.spec);
  ChambollePockState state = solver.start(s.task.start, s.task.norm, {}, s.task.filtered_norm);
  solver.run(state, {s.task.iterations});
  return state.x;
}

// Without decisions, of which differences would see the jumps.
FistaSpec fista_spec(const Scene& s) { return {s.spec, 7, 0, MomentumRule::limited}; }

using Method = std::function<at::Tensor(const DifferentiableTv&)>;

at::Tensor loss_of(const at::Tensor& x) { return (test::gaussian(x.sizes().vec(), at::kDouble, 17) * x * x).sum(); }

// Reverse and forward derivatives with respect to one tensor of the task against central differences.
void check_gradient(const Method& method, DifferentiableTv task, at::Tensor DifferentiableTv::*member,
                    const char* name) {
  const at::Tensor at = task.*member;
  const at::Tensor change = at.dim() == 0 ? at::ones_like(at) : test::gaussian(at.sizes().vec(), at::kDouble, 29);
  const double h = step * std::max(1.0, at.abs().max().item<double>());
  const auto loss_at = [&](double offset) {
    const c10::NoGradGuard quiet;
    task.*member = at + offset * change;
    return loss_of(method(task)).item<double>();
  };
  const double numeric = (loss_at(h) - loss_at(-h)) / (2 * h);
  const at::Tensor leaf = at.clone().requires_grad_();
  task.*member = leaf;
  loss_of(method(task)).backward();
  const double reverse = (leaf.grad() * change).sum().item<double>();
  double forward = 0;
  {
    const ForwardDirection direction;
    task.*member = dual(at, change);
    forward = tangent(loss_of(method(task))).item<double>();
  }
  const std::string text = std::string(name) + ": reverse " + QByteArray::number(reverse, 'g', 12).toStdString() +
                           ", forward " + QByteArray::number(forward, 'g', 12).toStdString() + ", differences " +
                           QByteArray::number(numeric, 'g', 12).toStdString();
  qInfo("%s", text.c_str());
  QVERIFY2(std::abs(reverse - numeric) < limit * std::abs(numeric), text.c_str());
  QVERIFY2(std::abs(forward - reverse) < 1e-9 * std::abs(reverse), text.c_str());
}

}  // namespace

class TvDerivativeTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void values_are_those_of_the_solvers() {
    for (const DualSteps steps : {DualSteps::equal, DualSteps::filtered}) {
      const Scene s = scene(steps, 23);
      QVERIFY((chambolle_pock(s.task, s.spec) - plain(s)).abs().max().item<double>() < 1e-12);
    }
    const Scene s = scene(DualSteps::equal, 23);
    FistaSpec guarded = fista_spec(s);
    guarded.settled = 0.01;
    guarded.momentum = MomentumRule::guarded;
    for (const FistaSpec& spec : {fista_spec(s), guarded}) {
      const FistaTv solver({masked_operator(s.task.op, s.task.present), s.task.data}, spec);
      FistaState state = solver.start(s.task.start, s.task.norm);
      solver.run(state, {s.task.iterations});
      QVERIFY((fista_tv(s.task, spec) - state.x).abs().max().item<double>() < 1e-12);
    }
  }
  void derivatives_are_exact() {
    struct Case {
      const char* name;
      at::Tensor DifferentiableTv::*member;
    };
    for (const Case& c : {Case{"lambda", &DifferentiableTv::lambda}, Case{"data", &DifferentiableTv::data},
                          Case{"start", &DifferentiableTv::start}}) {
      for (const DualSteps steps : {DualSteps::equal, DualSteps::filtered}) {
        const Scene s = scene(steps, 13);
        check_gradient([&](const DifferentiableTv& t) { return chambolle_pock(t, s.spec); }, s.task, c.member, c.name);
      }
      const Scene s = scene(DualSteps::equal, 13);
      check_gradient([&](const DifferentiableTv& t) { return fista_tv(t, fista_spec(s)); }, s.task, c.member, c.name);
    }
  }
  // The same minimum, which the filtered steps reach in fewer iterations where the smoothing is weak.
  void filtered_steps_are_faster() {
    const auto after = [](DualSteps steps, int64_t iterations) {
      Scene s = scene(steps, iterations);
      s.spec.lambda *= 0.01;
      return plain(s);
    };
    const at::Tensor x = after(DualSteps::filtered, 4000);
    const auto away = [&](const at::Tensor& found) { return ((found - x).norm() / x.norm()).item<double>(); };
    const double same = away(after(DualSteps::equal, 8000)), slow = away(after(DualSteps::equal, 60)),
                 fast = away(after(DualSteps::filtered, 60));
    qInfo("8000 equal %.3g, 60 equal %.3g, 60 filtered %.3g from 4000 filtered", same, slow, fast);
    QVERIFY(same < 0.1 * slow);
    QVERIFY(fast < slow);
  }
  void second_derivatives_are_refused() {
    const Scene s = scene(DualSteps::equal, 3);
    DifferentiableTv task = s.task;
    task.lambda = s.task.lambda.clone().requires_grad_();
    bool refused = false;
    try {
      (void)torch::autograd::grad({loss_of(chambolle_pock(task, s.spec))}, {task.lambda}, {}, true, true);
    } catch (const Failure& f) {
      refused = f.error().kind == ErrorKind::unavailable;
    }
    QVERIFY(refused);
  }
};

TL_TEST_CASE(TvDerivativeTest)

}  // namespace tl::tv_derivative_test

#include "tv_derivative.moc"
