// Forward-mode differentiation: the same derivatives as reverse mode and as differences, in one pass; fast loops agree
// with the generic ones.
#include "gpu/operator/forward_mode.h"

#include <torch/csrc/autograd/autograd.h>

#include <cmath>

#include "core/base/orbit_math.h"
#include "core/base/units.h"
#include "gpu/projection/back_projector/back_projector.h"
#include "gpu/projection/projector/projector.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::forward_mode_test {

namespace {

struct Case {
  std::string name;
  Orbit orbit;
  DetectorShape detector;
  VolumeGrid grid;
  DistanceWeight weight = DistanceWeight::none;
};

Orbit orbit_of(Beam beam, int64_t views, double range, double axis, double tilt) {
  Orbit o;
  o.beam = beam;
  o.angles = equidistant_angles(views, range, 0.013);
  o.axis = axis;
  o.tilt = tilt;
  o.axis_to_detector = beam == Beam::cone ? 31 : 0;
  o.source_to_axis = beam == Beam::cone ? 83 : 0;
  return o;
}

std::vector<Case> cases() {
  const VolumeGrid slice = VolumeGrid::cubic(1, 37, 41, 0.83, {0.21, -0.13, 0}),
                   block = VolumeGrid::cubic(3, 11, 13, 0.9);
  const VolumeGrid oblique = VolumeGrid::plane(12, 14, 0.8, {0.1, 0.2, 0.3}, {0.8, 0, 0.6}, {0, 1, 0});
  return {{"parallel slice", orbit_of(Beam::parallel, 31, pi, 0.31, 0), {1, 48, 1, 1}, slice},
          {"fan slice", orbit_of(Beam::cone, 29, 2 * pi, 1.37, 0), {1, 64, 1.1, 1.1}, slice},
          {"parallel volume, tilted", orbit_of(Beam::parallel, 17, pi, 0.31, 0.03), {6, 20, 1, 1}, block},
          {"cone volume", orbit_of(Beam::cone, 17, 2 * pi, 0.71, 0.02), {7, 24, 1.2, 1.2}, block},
          {"cone volume, fdk weights",
           orbit_of(Beam::cone, 17, 2 * pi, 0.71, 0.02),
           {7, 24, 1.2, 1.2},
           block,
           DistanceWeight::fdk},
          {"oblique plane, cone", orbit_of(Beam::cone, 15, 2 * pi, 0.31, 0), {9, 24, 1.2, 1.2}, oblique}};
}

enum class Change { axis, tilt, source_to_axis };

// Vectors [view, 12] of the orbit, with one number of it as a tensor.
at::Tensor vectors_of(const Case& c, Change change, const at::Tensor& value) {
  const auto constant = [](double v) { return at::scalar_tensor(v, at::kDouble); };
  const auto term = [&](Change which, double v) { return which == change ? value : constant(v); };
  const Orbit& o = c.orbit;
  const OrbitTerms<at::Tensor> terms{at::tensor(o.angles, at::kDouble),
                                     term(Change::source_to_axis, o.source_to_axis),
                                     constant(o.axis_to_detector),
                                     constant(0),
                                     constant(0),
                                     term(Change::axis, o.axis),
                                     constant(0),
                                     constant(0),
                                     term(Change::tilt, o.tilt),
                                     constant(0),
                                     constant(0),
                                     constant(0),
                                     constant(0),
                                     constant(1)};
  const auto view = orbit_view(terms, o.beam, c.detector.pitch_u, c.detector.pitch_v);
  std::vector<at::Tensor> columns;
  for (const at::Tensor& v : view) columns.push_back(v.expand({static_cast<int64_t>(o.angles.size())}));
  return at::stack(columns, 1);
}

double start_of(const Case& c, Change change) {
  if (change == Change::axis) return c.orbit.axis;
  return change == Change::tilt ? c.orbit.tilt : c.orbit.source_to_axis;
}

OperatorPtr back_projector(const Case& c, KernelChoice kernel = KernelChoice::fastest) {
  BackProjectorSpec spec{ScanGeometry::from_orbit(c.orbit, c.detector).or_throw(), c.grid, c.weight, {}, kernel};
  return make_back_projector(spec).or_throw();
}

at::Tensor data_of(const Case& c, at::ScalarType type) {
  return test::gaussian({static_cast<int64_t>(c.orbit.angles.size()), c.detector.rows, c.detector.cols}, type, 3);
}

OperatorPtr projector(const Case& c) {
  return make_projector({ScanGeometry::from_orbit(c.orbit, c.detector).or_throw(), c.grid}).or_throw();
}

// <w, A x> for one value of the changed number, with any operator.
at::Tensor score_of(const OperatorPtr& op, const Case& c, Change change, const at::Tensor& value, const at::Tensor& x) {
  const at::Tensor y = tl::apply(op, x, vectors_of(c, change, value));
  return differentiable_sum(y * test::gaussian(y.sizes().vec(), y.scalar_type(), 9));
}

// <w, volume> for one value of the changed number.
at::Tensor score(const Case& c, Change change, const at::Tensor& value, const at::Tensor& data) {
  const at::Tensor volume = tl::apply(back_projector(c), data, vectors_of(c, change, value));
  return differentiable_sum(volume * test::gaussian(volume.sizes().vec(), volume.scalar_type(), 9));
}

at::Tensor along(const Case& c, Change change, const at::Tensor& data) {
  const at::Tensor value = at::scalar_tensor(start_of(c, change), at::kDouble);
  return tangent(score(c, change, dual(value, at::ones_like(value)), data));
}

}  // namespace

class ForwardModeTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void equals_the_backward_pass_and_differences() {
    for (const Case& c : cases()) {
      for (const Change change : {Change::axis, Change::tilt, Change::source_to_axis}) {
        if (change == Change::source_to_axis && c.orbit.beam == Beam::parallel) continue;
        const at::Tensor data = data_of(c, at::kDouble);
        const double at0 = start_of(c, change);
        const at::Tensor value = at::scalar_tensor(at0, at::kDouble).requires_grad_();
        const double back = torch::autograd::grad({score(c, change, value, data)}, {value})[0].item<double>();
        const ForwardDirection direction;
        const double forward = along(c, change, data).item<double>();
        const double h = change == Change::source_to_axis ? 1e-5 : 1e-6;
        const auto plain = [&](double v) {
          return score(c, change, at::scalar_tensor(v, at::kDouble), data).item<double>();
        };
        const double numeric = (plain(at0 + h) - plain(at0 - h)) / (2 * h);
        const QByteArray text =
            (c.name + ": " + std::to_string(forward) + " " + std::to_string(back) + " " + std::to_string(numeric))
                .c_str();
        const double size = std::max(std::abs(back), 1e-3);
        QVERIFY2(std::abs(forward - back) < 1e-9 * size, text.constData());
        QVERIFY2(std::abs(forward - numeric) < 1e-6 * size, text.constData());
      }
    }
  }

  void the_projector_has_a_direction_too() {
    for (const Case& c : cases()) {
      if (c.weight != DistanceWeight::none) continue;  // the projector knows none
      const OperatorPtr op = projector(c);
      const at::Tensor x = test::gaussian(op->domain(), at::kDouble, 3);
      for (const Change change : {Change::axis, Change::tilt, Change::source_to_axis}) {
        if (change == Change::source_to_axis && c.orbit.beam == Beam::parallel) continue;
        const double at0 = start_of(c, change);
        const at::Tensor value = at::scalar_tensor(at0, at::kDouble).requires_grad_();
        const double back = torch::autograd::grad({score_of(op, c, change, value, x)}, {value})[0].item<double>();
        const ForwardDirection direction;
        const at::Tensor v = value.detach();
        const double forward = tangent(score_of(op, c, change, dual(v, at::ones_like(v)), x)).item<double>();
        const std::string text = c.name + ": " + std::to_string(forward) + " " + std::to_string(back);
        QVERIFY2(std::abs(forward - back) < 1e-9 * std::max(std::abs(back), 1e-3), text.c_str());
      }
      const at::Tensor change =
          test::gaussian({static_cast<int64_t>(c.orbit.angles.size()), 12}, at::kDouble, 5) * 0.01;
      const auto* moving = dynamic_cast<const DirectionalOperator*>(op.get());
      QVERIFY(moving != nullptr);
      const OperatorPtr slope = moving->along(change);
      QVERIFY2(test::worst_adjoint_error(*slope, at::kDouble) < 1e-12, c.name.c_str());
      QVERIFY2(test::worst_adjoint_error(*slope, at::kFloat) < 1e-6, c.name.c_str());
      const auto both = moving->apply_along(x, change);
      QVERIFY(both.slope.equal(slope->apply(x)) && test::max_difference(both.value, op->apply(x)) < 1e-10);
    }
  }

  // Value and slope of the fast loops against the general ones in double: single precision's rounding.
  void fast_loops_agree() {
    const ForwardDirection direction;
    for (const Case& c : cases()) {
      const at::Tensor value = at::scalar_tensor(c.orbit.axis, at::kDouble);
      const at::Tensor vectors = vectors_of(c, Change::axis, dual(value, at::ones_like(value)));
      const auto single = dual_parts(tl::apply(back_projector(c), data_of(c, at::kFloat), vectors));
      const auto exact = dual_parts(
          tl::apply(back_projector(c, KernelChoice::generic), data_of(c, at::kFloat).to(at::kDouble), vectors));
      for (const auto& [a, b] : {std::pair(single.value, exact.value), std::pair(single.tangent, exact.tangent)}) {
        const double error = test::max_difference(a, b) / b.abs().max().item<double>();
        QVERIFY2(error < 2e-6, (c.name + ": " + std::to_string(error)).c_str());
      }
    }
  }

  // Voxels that land on pixel centres exactly: the mean of the slopes on both sides, in the fast loops too.
  void kinks_have_the_mean_slope() {
    Orbit o = orbit_of(Beam::parallel, 8, 2 * pi, 0, 0);
    o.angles = equidistant_angles(8, 2 * pi, 0);
    const Case c{"on the raster", o, {1, 32, 1, 1}, VolumeGrid::cubic(1, 32, 32, 1)};
    const at::Tensor data = data_of(c, at::kFloat), exact = data.to(at::kDouble);
    const auto slope = [&](double a, double h) {
      const auto at = [&](double v) {
        return tl::apply(back_projector(c), exact, vectors_of(c, Change::axis, at::scalar_tensor(v, at::kDouble)));
      };
      return (at(a + h) - at(a - h)) / (2 * h);
    };
    const ForwardDirection direction;
    const at::Tensor zero = at::scalar_tensor(0.0, at::kDouble);
    const at::Tensor vectors = vectors_of(c, Change::axis, dual(zero, at::ones_like(zero)));
    const at::Tensor numeric = slope(0, 1e-4);
    for (const at::Tensor& x : {data, exact})
      QVERIFY(test::max_difference(tangent(tl::apply(back_projector(c), x, vectors)), numeric) < 1e-3);
  }

  void the_derivative_is_a_linear_operator_with_its_transpose() {
    for (const Case& c : cases()) {
      const auto op = back_projector(c);
      const auto* moving = dynamic_cast<const DirectionalOperator*>(op.get());
      QVERIFY(moving != nullptr);
      const at::Tensor change =
          test::gaussian({static_cast<int64_t>(c.orbit.angles.size()), 12}, at::kDouble, 5) * 0.01;
      const OperatorPtr slope = moving->along(change);
      QVERIFY2(test::worst_adjoint_error(*slope, at::kDouble) < 1e-12, c.name.c_str());
      QVERIFY2(test::worst_adjoint_error(*slope, at::kFloat) < 1e-6, c.name.c_str());
    }
  }

  // The transposes of the fast loops against the general ones.
  void fast_transposes_agree() {
    for (const Case& c : cases()) {
      const auto fast = back_projector(c), general = back_projector(c, KernelChoice::generic);
      const at::Tensor y = test::gaussian(fast->range(), at::kFloat, 6);
      const at::Tensor change =
          test::gaussian({static_cast<int64_t>(c.orbit.angles.size()), 12}, at::kDouble, 5) * 0.01;
      // A change that keeps the slices on their rows, as an axis does.
      const at::Tensor moved = at::cat(
          {at::zeros_like(change.narrow(1, 0, 3)), change.narrow(1, 3, 2), at::zeros_like(change.narrow(1, 5, 7))}, 1);
      const auto slope = [&](const OperatorPtr& op) {
        return dynamic_cast<const DirectionalOperator&>(*op).along(moved);
      };
      const std::pair<at::Tensor, at::Tensor> pairs[] = {
          {fast->adjoint(y), general->adjoint(y.to(at::kDouble))},
          {slope(fast)->adjoint(y), slope(general)->adjoint(y.to(at::kDouble))}};
      for (const auto& [a, b] : pairs) {
        const double error = test::max_difference(a, b) / b.abs().max().item<double>();
        QVERIFY2(error < 1e-6, (c.name + ": " + std::to_string(error)).c_str());
      }
      QVERIFY2(test::worst_adjoint_error(*slope(fast), at::kFloat) < 1e-6, c.name.c_str());
    }
  }

  // A tangent of the data goes through as the data does.
  void data_has_a_direction_too() {
    const Case c = cases().front();
    const ForwardDirection direction;
    const at::Tensor x = data_of(c, at::kDouble), dx = test::gaussian(x.sizes().vec(), at::kDouble, 8);
    const auto both = dual_parts(tl::apply(back_projector(c), dual(x, dx)));
    QVERIFY(both.value.equal(back_projector(c)->apply(x)) && both.tangent.equal(back_projector(c)->apply(dx)));
  }

  // The gradient of a tangent to the data against differences of the tangent.
  void mixed_second_derivatives() {
    for (const Case& c : cases()) {
      const at::Tensor x = data_of(c, at::kDouble).requires_grad_(),
                       w = test::gaussian(x.sizes().vec(), at::kDouble, 4);
      const ForwardDirection direction;
      const at::Tensor value = at::scalar_tensor(c.orbit.axis, at::kDouble);
      const auto slope = [&](const at::Tensor& data) {
        const at::Tensor volume =
            tl::apply(back_projector(c), data, vectors_of(c, Change::axis, dual(value, at::ones_like(value))));
        return tangent(differentiable_sum_of_squares(volume));
      };
      const at::Tensor gradient = torch::autograd::grad({slope(x)}, {x})[0];
      const double h = 1e-5, exact = (gradient * w).sum().item<double>();
      const double numeric = ((slope(x.detach() + h * w) - slope(x.detach() - h * w)) / (2 * h)).item<double>();
      QVERIFY2(std::abs(exact - numeric) < 1e-6 * std::abs(numeric), c.name.c_str());
    }
  }
};

TL_TEST_CASE(ForwardModeTest)

}  // namespace tl::forward_mode_test

#include "forward_mode.moc"
