// Verifies C10: gradients with respect to the geometry by autograd, against central differences and between the element
// types.
#include <ATen/ATen.h>

#include <cmath>

#include "core/base/orbit_math.h"
#include "core/base/units.h"
#include "gpu/operator/dual.h"
#include "gpu/verify/cases.h"
#include "gpu/verify/larger_deviation.h"
#include "gpu/verify/verify.h"

namespace tl {
namespace {

using ops::Dual;
using verify::exact_dot;
using verify::gaussian;

constexpr int64_t views = 9;
constexpr DetectorShape detector{11, 15, 0.6, 0.7};

// A learnable parameter of a circular scan. step: difference that moves the image by less than 1e-6 px everywhere, so
// that at the seeded points below no sample crosses a pixel centre.
struct Parameter {
  std::string name;
  bool cone_only;
  double step;
  Dual<1> OrbitTerms<Dual<1>>::*member;
  int64_t view;  // the only view that it affects, or every_view
};
constexpr int64_t every_view = -1;

std::vector<Parameter> parameters() {
  using Terms = OrbitTerms<Dual<1>>;
  return {{"axis", false, 2e-7, &Terms::axis, every_view},
          {"tilt", false, 2e-8, &Terms::tilt, every_view},
          {"shift u of view 4", false, 2e-7, &Terms::shift_u, 4},
          {"shift v of view 2", false, 2e-7, &Terms::shift_v, 2},
          {"angle of view 5", false, 2e-8, &Terms::angle, 5},
          {"source to axis", true, 5e-7, &Terms::source_to_axis, every_view},
          {"axis to detector", true, 5e-7, &Terms::axis_to_detector, every_view},
          {"source shift u", true, 2e-7, &Terms::source_shift_u, every_view}};
}

// The vectors [view, 12] of the test scan with one parameter changed, and their derivative with respect to it.
struct Moved {
  at::Tensor vectors, tangent;
};

Moved move(Beam beam, const Parameter& parameter, double by) {
  Moved out{at::empty({views, 12}, at::kDouble), at::empty({views, 12}, at::kDouble)};
  auto vectors = out.vectors.accessor<double, 2>(), tangent = out.tangent.accessor<double, 2>();
  for (int64_t i = 0; i < views; ++i) {
    const double at = static_cast<double>(i);
    OrbitTerms<Dual<1>> terms{0.21 + 2 * pi * at / static_cast<double>(views),
                              45.0,
                              20.0,
                              0.8,
                              -0.6,
                              0.37,
                              0.3 * std::sin(1.7 * at),
                              0.2 * std::cos(2.3 * at),
                              0.03,
                              0.0,
                              0.0,
                              0.0,
                              0.0,
                              1.0};
    if (parameter.view == every_view || parameter.view == i)
      terms.*parameter.member = terms.*parameter.member + Dual<1>::variable(by, 0);
    const auto view = orbit_view(terms, beam, detector.pitch_u, detector.pitch_v);
    for (int64_t n = 0; n < 12; ++n) {
      vectors[i][n] = view[static_cast<std::size_t>(n)].value;
      tangent[i][n] = view[static_cast<std::size_t>(n)].slope[0];
    }
  }
  return out;
}

enum class Side { apply, adjoint };

// d<g, A x>/d(vectors) (or with A*) by autograd.
at::Tensor autograd_gradient(const OperatorPtr& op, Side side, const at::Tensor& x, const at::Tensor& g,
                             const at::Tensor& values) {
  const at::Tensor vectors = values.clone().requires_grad_();
  const at::Tensor out = side == Side::apply ? apply(op, x, vectors) : adjoint(op, x, vectors);
  (out * g).sum().backward();
  return vectors.grad();
}

double loss(const OperatorPtr& op, Side side, const at::Tensor& x, const at::Tensor& g, const at::Tensor& vectors) {
  const auto moved = op->with_vectors(vectors);
  return exact_dot(side == Side::apply ? moved->apply(x) : moved->adjoint(x), g);
}

// The worst error over several seeds, relative to the root mean square of their derivatives: a single sum of random
// products may be small by chance, without the differences being more accurate.
void check_parameter(const OperatorPtr& op, const std::string& name, Beam beam, const Parameter& parameter,
                     uint64_t seeds, CheckTable& table) {
  const Moved at = move(beam, parameter, 0);
  // No sample of smooth weights crosses anything: the rounding of transforms asks for larger steps.
  const double step = name == "Fourier slices" ? 20 * parameter.step : parameter.step;
  for (const Side side : {Side::apply, Side::adjoint}) {
    const auto from = side == Side::apply ? op->domain() : op->range();
    const auto to = side == Side::apply ? op->range() : op->domain();
    double squares = 0, fine = 0, coarse = 0;
    for (uint64_t seed = 1; seed <= seeds; ++seed) {
      const at::Tensor x = gaussian(from, seed, 4), g = gaussian(to, seed, 5);
      const double difference = (loss(op, side, x, g, move(beam, parameter, step).vectors) -
                                 loss(op, side, x, g, move(beam, parameter, -step).vectors)) /
                                (2 * step);
      const double exact = exact_dot(autograd_gradient(op, side, x, g, at.vectors), at.tangent);
      const double single =
          exact_dot(autograd_gradient(op, side, x.to(at::kFloat), g.to(at::kFloat), at.vectors), at.tangent);
      squares += difference * difference;
      fine = verify::larger_deviation(fine, std::abs(exact - difference));
      coarse = verify::larger_deviation(coarse, std::abs(single - exact));
    }
    const double scale = std::sqrt(squares / static_cast<double>(seeds));
    const std::string where = (beam == Beam::parallel ? "parallel, " : "cone, ") + parameter.name;
    const std::string which = side == Side::apply ? name : name + ", adjoint";
    table.push_back({"C10", which, where, "float64", fine / scale, 1e-6, fine < 1e-6 * scale});
    table.push_back({"C10", which, where, "float32", coarse / scale, 1e-3, coarse < 1e-3 * scale});
  }
}

}  // namespace

CheckTable verify_gradients(VerifySize size, const CancelToken& cancel) {
  const VolumeGrid grid{6, 9, 8, {0.21, -0.32, 0.13}, {0.7, 0, 0}, {0, 0.8, 0}, {0, 0, 0.6}};
  const uint64_t seeds = size == VerifySize::small ? 1 : 4;
  CheckTable table;
  for (const Beam beam : {Beam::parallel, Beam::cone}) {
    const at::Tensor start = move(beam, parameters()[0], 0).vectors;
    const auto geometry = ScanGeometry::from_vectors(
        beam, detector, {start.const_data_ptr<double>(), static_cast<std::size_t>(start.numel())});
    const verify::ScanCase scan{"", geometry.value(), grid};
    for (const auto& [name, make, on_devices] : verify::operator_cases()) {
      cancel.check();
      const OperatorPtr op = make(scan);
      // The generic loops have the same gradient code as the fast ones.
      if (op == nullptr || op->with_vectors(start) == nullptr || name == "back-projector, generic") continue;
      for (const Parameter& parameter : parameters())
        if (beam == Beam::cone || !parameter.cone_only) check_parameter(op, name, beam, parameter, seeds, table);
    }
  }
  return table;
}

}  // namespace tl
