// Two inputs of the projector in one pass are what each gives alone; a value and its tangent are computed like that.
#include <torch/csrc/autograd/autograd.h>

#include "core/base/orbit_math.h"
#include "core/base/units.h"
#include "gpu/operator/forward_mode.h"
#include "gpu/operator/pair_operator.h"
#include "gpu/projection/projector/projector.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::projector_pairs_test {

namespace {

constexpr int64_t views = 13, cols = 45, width = 37;

// With one row more than slices, every row lies between two of them.
OperatorPtr projector(int64_t slices, int64_t rows) {
  Orbit o;
  o.beam = Beam::parallel;
  o.angles = equidistant_angles(views, pi, 0.013);
  o.axis = 0.31;
  return make_projector(
             {ScanGeometry::from_orbit(o, {rows, cols, 1, 1}).or_throw(), VolumeGrid::cubic(slices, width, width, 1)})
      .or_throw();
}

// Single precision's rounding of a sum over a ray or over all views, over the largest number.
double bound(at::ScalarType type) { return type == at::kFloat ? 1e-6 : 1e-14; }

}  // namespace

class ProjectorPairs : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void a_pair_is_what_each_gives() {
    for (const at::ScalarType type : {at::kFloat, at::kDouble})
      for (const auto& [slices, rows] : {std::pair<int64_t, int64_t>{1, 1}, {2, 2}, {3, 4}, {5, 5}, {8, 8}, {16, 16}}) {
        const OperatorPtr op = projector(slices, rows);
        const auto* pairs = dynamic_cast<const PairOperator*>(op.get());
        const at::Tensor x = test::gaussian(op->domain(), type, 1), y = test::gaussian(op->range(), type, 2);
        const std::string text = std::to_string(slices) + " slices, " + std::string(toString(type));
        QVERIFY2(pairs != nullptr && pairs->takes_pairs(x), text.c_str());
        const at::Tensor other = test::gaussian(op->domain(), type, 3), further = test::gaussian(op->range(), type, 4);
        const auto up = pairs->apply_pair({x, other});
        const auto down = pairs->adjoint_pair({y, further});
        for (const auto& [found, expected] : {std::pair(up.first, op->apply(x)),
                                              {up.second, op->apply(other)},
                                              {down.first, op->adjoint(y)},
                                              {down.second, op->adjoint(further)}}) {
          const double error = test::max_difference(found, expected) / expected.abs().max().item<double>();
          QVERIFY2(error < bound(type), (text + ": " + std::to_string(error)).c_str());
        }
      }
  }

  // Two volumes that do not fit into the lanes of one gain nothing.
  void a_deep_volume_takes_none() {
    const OperatorPtr op = projector(40, 40);
    QVERIFY(!dynamic_cast<const PairOperator&>(*op).takes_pairs(at::empty(op->domain(), at::kFloat)));
  }

  void values_and_tangents_are_those_of_a_pair() {
    const OperatorPtr op = projector(2, 2);
    const at::Tensor x = test::gaussian(op->domain(), at::kFloat, 1), dx = test::gaussian(op->domain(), at::kFloat, 2);
    const at::Tensor y = test::gaussian(op->range(), at::kFloat, 3), dy = test::gaussian(op->range(), at::kFloat, 4);
    const ForwardDirection direction;
    const DualParts up = dual_parts(tl::apply(op, dual(x, dx))), down = dual_parts(tl::adjoint(op, dual(y, dy)));
    const auto& pairs = dynamic_cast<const PairOperator&>(*op);
    const auto projected = pairs.apply_pair({x, dx}), back = pairs.adjoint_pair({y, dy});
    QVERIFY(up.value.equal(projected.first) && up.tangent.equal(projected.second));
    QVERIFY(down.value.equal(back.first) && down.tangent.equal(back.second));
  }

  // What is differentiated in reverse as well keeps its gradients.
  void reverse_derivatives_stay() {
    const OperatorPtr op = projector(2, 2);
    const at::Tensor x = test::gaussian(op->domain(), at::kFloat, 1).requires_grad_();
    const ForwardDirection direction;
    const DualParts out = dual_parts(tl::apply(op, dual(x, at::ones_like(x))));
    QVERIFY(out.tangent.defined());
    const at::Tensor ones = at::ones_like(out.value);
    QVERIFY(torch::autograd::grad({out.value}, {x}, {ones})[0].equal(op->adjoint(ones.detach())));
  }
};

TL_TEST_CASE(ProjectorPairs)

}  // namespace tl::projector_pairs_test

#include "projector_pairs.moc"
