// Verifies invariance: moving, rotating or scaling scan and volume together has no effect, or changes values by a known
// power of the scale.
#include <ATen/ATen.h>

#include <array>
#include <cmath>

#include "gpu/projection/back_projector/back_projector.h"
#include "gpu/projection/projector/projector.h"
#include "gpu/verify/cases.h"
#include "gpu/verify/verify.h"

namespace tl {
namespace {

// p -> scale * turn(p) + shift, applied to all positions and directions.
struct Motion {
  std::string name;
  std::array<Vec3, 3> columns = {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
  Vec3 shift;
  double scale = 1;

  [[nodiscard]] Vec3 direction(Vec3 p) const { return p.x * columns[0] + p.y * columns[1] + p.z * columns[2]; }
  [[nodiscard]] Vec3 step(Vec3 p) const { return scale * direction(p); }
  [[nodiscard]] Vec3 point(Vec3 p) const { return step(p) + shift; }
};

// Columns of a rotation about z, then y, then x by generic angles.
std::array<Vec3, 3> generic_turn() {
  const auto turned = [](Vec3 p) {
    const auto about = [](double& a, double& b, double t) {
      const double c = std::cos(t), s = std::sin(t), x = a;
      a = c * x - s * b;
      b = s * x + c * b;
    };
    about(p.x, p.y, 0.7);
    about(p.z, p.x, -0.4);
    about(p.y, p.z, 1.1);
    return p;
  };
  return {turned({1, 0, 0}), turned({0, 1, 0}), turned({0, 0, 1})};
}

verify::ScanCase moved(const verify::ScanCase& scan, const Motion& m) {
  const ScanGeometry& g = scan.geometry;
  std::vector<View> views;
  for (int64_t i = 0; i < g.views(); ++i) {
    const View& v = g.view(i);
    views.push_back(
        {g.is_parallel() ? m.direction(v.beam) : m.point(v.beam), m.point(v.detector), m.step(v.u), m.step(v.v)});
  }
  DetectorShape detector = g.detector();
  detector.pitch_u *= m.scale;
  detector.pitch_v *= m.scale;
  VolumeGrid grid = scan.grid;
  grid.centre = m.point(grid.centre);
  for (Vec3* s : {&grid.step_x, &grid.step_y, &grid.step_z}) *s = m.step(*s);
  return {scan.name, ScanGeometry::from_views(g.beam(), detector, views).or_throw(), grid};
}

double relative_gap(const at::Tensor& a, const at::Tensor& reference) {
  return (a - reference).abs().max().item<double>() / reference.abs().max().item<double>();
}

}  // namespace

CheckTable verify_invariance() {
  // float64: only rounding of the moved coordinates remains. A wrong unit or a coordinate system fixed in space would
  // give errors of order one.
  constexpr double bound = 1e-11;
  const std::vector<Motion> motions = {{"shifted", {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}, {3.1, -7.3, 11.9}, 1},
                                       {"turned", generic_turn(), {}, 1},
                                       {"3.7 times larger", {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}, {}, 3.7}};
  CheckTable table;
  for (const auto& scan : verify::scan_cases())
    for (const Motion& m : motions) {
      const verify::ScanCase other = moved(scan, m);
      const auto add = [&](const std::string& op, const OperatorPtr& a, const OperatorPtr& b, double factor) {
        const at::Tensor x = verify::gaussian(a->domain(), 5, 1);
        const double found = relative_gap(b->apply(x), factor * a->apply(x));
        table.push_back({"invariance", op, scan.name + ", " + m.name, "float64", found, bound, found <= bound});
      };
      // A line integral scales with length; a back-projection is a sum over views and does not.
      add("projector", make_projector({scan.geometry, scan.grid}).or_throw(),
          make_projector({other.geometry, other.grid}).or_throw(), m.scale);
      const auto back = [](const verify::ScanCase& s, DistanceWeight w) {
        return make_back_projector({s.geometry, s.grid, w}).or_throw();
      };
      add("back-projector", back(scan, DistanceWeight::none), back(other, DistanceWeight::none), 1);
    }
  return table;
}

}  // namespace tl
