// What a step of learning costs compared with a plain pass: value and slope along one direction, and the gradient.
#include "bench.h"
#include "core/base/units.h"
#include "gpu/operator/forward_mode.h"
#include "gpu/operator/reduce.h"
#include "gpu/projection/back_projector/back_projector.h"
#include "gpu/projection/projector/projector.h"

using namespace tl;

namespace {

struct Case {
  std::string name;
  OperatorPtr op;
};

// The slice of acceptance A1: 360 views over a full turn, source at 3, detector of 512 columns on the axis, 1.5 wide.
Orbit orbit(Beam beam, int64_t views, double range) {
  Orbit o;
  o.beam = beam;
  o.angles = equidistant_angles(views, range);
  o.source_to_axis = beam == Beam::cone ? 3 : 0;
  o.axis = 0.37;
  return o;
}

std::vector<Case> cases() {
  const auto scan = [](Beam beam, int64_t views, double range, DetectorShape d) {
    return ScanGeometry::from_orbit(orbit(beam, views, range), d).or_throw();
  };
  const double pitch = 1.5 / 512, fine = 1.0 / 512;
  const auto fan = scan(Beam::cone, 360, 2 * pi, {1, 512, pitch, pitch});
  const auto parallel = scan(Beam::parallel, 360, 2 * pi, {1, 512, pitch, pitch});
  const auto cone = scan(Beam::cone, 90, 2 * pi, {48, 64, 8 * pitch, 8 * pitch});
  const VolumeGrid slice = VolumeGrid::cubic(1, 512, 512, fine), cube = VolumeGrid::cubic(48, 48, 48, 10 * fine);
  return {{"back-projection, fan slice 512^2 x 360 (A1)", make_back_projector({fan, slice}).or_throw()},
          {"back-projection, parallel slice 512^2 x 360", make_back_projector({parallel, slice}).or_throw()},
          {"back-projection, cone 48^3 x 90", make_back_projector({cone, cube}).or_throw()},
          {"projection, fan slice 512^2 x 360", make_projector({fan, slice}).or_throw()},
          {"projection, cone 48^3 x 90", make_projector({cone, cube}).or_throw()}};
}

}  // namespace

int main(int argc, char** argv) {
  bench::Arguments arguments(argc, argv);
  arguments.finish();
  for (const Case& c : cases()) {
    const at::Tensor x = at::rand(c.op->domain(), at::kFloat), y = at::rand(c.op->range(), at::kFloat);
    const auto* moving = dynamic_cast<const DirectionalOperator*>(c.op.get());
    const int64_t views = std::max(c.op->domain()[0], c.op->range()[0]);
    // A shift of the detector along x: what an axis does to most views.
    at::Tensor change = at::zeros({views == 48 ? 90 : views, 12}, at::kDouble);
    change.select(1, 3).fill_(1.5 / 512);
    const auto time = [&](const std::function<void()>& work) { return bench::median_times(arguments.repeat(), work); };
    const auto plain = time([&] { c.op->apply(x); }), transpose = time([&] { c.op->adjoint(y); });
    const auto along = time([&] { moving->apply_along(x, change); });
    const auto back = time([&] { c.op->vectors_gradient(x, y); });
    const OperatorPtr slope = moving->along(change);
    const auto mixed = time([&] { slope->adjoint(y); });
    std::printf(
        "{\"case\": \"%s\", \"plain\": %.4f, \"transpose\": %.4f, \"value_and_slope\": %.4f, \"gradient\": %.4f, "
        "\"slope_transpose\": %.4f, \"passes_forward\": %.2f, \"passes_backward\": %.2f}\n",
        c.name.c_str(), plain.wall, transpose.wall, along.wall, back.wall, mixed.wall, along.wall / plain.wall,
        (plain.wall + back.wall) / plain.wall);
  }
}
