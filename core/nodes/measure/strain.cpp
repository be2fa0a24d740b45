// core/nodes/measure/strain.cpp: the strain of a displacement.
#include <ATen/ATen.h>

#include "core/nodes/displacement.h"
#include "core/nodes/filter/filter_node.h"

namespace tl::measure_strain_node {

struct Params {};

constexpr ops::Reach one_voxel{1, 1, 1};

const MapsInfo& displacement_of(const Infos& in) { return std::get<MapsInfo>(in.at("displacement")); }

Result<void> check(const Params&, const Infos& in) {
  if (!is_displacement(displacement_of(in)))
    return invalid("these maps are not a displacement", "displacement",
                   "Connect the displacement of a registration: components x, y and z in mm");
  return ok();
}

Result<Infos> infos(const Params&, const Infos& in, const Findings*) {
  const MapsInfo& u = displacement_of(in);
  const std::vector<LabelClass> channels = {{0, "xx", ""}, {1, "yy", ""}, {2, "zz", ""},
                                            {3, "yz", ""}, {4, "xz", ""}, {5, "xy", ""}};
  VolumeInfo change;
  change.grid = u.grid;
  change.unit = Unit::none;
  change.pending = u.pending;
  return Infos{{"strain", MapsInfo{u.grid, channels, u.pending, Unit::none}}, {"volume", change}};
}

Result<Regions> needs(const Params&, const Infos& in, const Region& wanted) {
  const Neighbourhood around = neighbourhood(displacement_of(in).grid, std::get<VolumeGrid>(wanted), one_voxel);
  return Regions{{"displacement", around.grid}};
}

// Central differences, one-sided at the borders; 0 along an axis of one voxel.
at::Tensor slope_along(const at::Tensor& u, int64_t axis) {
  const int64_t n = u.size(axis);
  if (n == 1) return at::zeros_like(u);
  const at::Tensor first = u.narrow(axis, 1, 1) - u.narrow(axis, 0, 1),
                   last = u.narrow(axis, n - 1, 1) - u.narrow(axis, n - 2, 1);
  if (n == 2) return at::cat({first, last}, axis);
  return at::cat({first, 0.5 * (u.narrow(axis, 2, n - 2) - u.narrow(axis, 0, n - 2)), last}, axis);
}

Result<void> run(const Params&, NodeRun& r) {
  const auto& in = r.in<Maps>("displacement");
  const auto& wanted = std::get<VolumeGrid>(r.region);
  const Neighbourhood around = neighbourhood(displacement_of(r.infos).grid, wanted, one_voxel);
  const at::Tensor along_z = slope_along(in.data, 1), along_y = slope_along(in.data, 2),
                   along_x = slope_along(in.data, 3);
  const VolumeGrid& g = around.grid;
  // Derivatives along the axes of the scan: [component of the displacement][axis].
  const auto slopes = [&](double Vec3::*axis) {
    const auto share = [&](Vec3 step) { return step.*axis / dot(step, step); };
    return share(g.step_z) * along_z + share(g.step_y) * along_y + share(g.step_x) * along_x;
  };
  const std::array<at::Tensor, 3> by = {slopes(&Vec3::x), slopes(&Vec3::y), slopes(&Vec3::z)};
  const auto d = [&](int64_t component, std::size_t axis) { return by[axis][component]; };
  const auto strain = [&](int64_t a, int64_t b) {
    const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
    at::Tensor e = d(a, j) + d(b, i);
    for (int64_t k = 0; k < 3; ++k) e = e + d(k, i) * d(k, j);
    return part_of_neighbourhood(0.5 * e, around);
  };
  if (r.wants("strain"))
    r.out("strain",
          Maps{at::stack({strain(0, 0), strain(1, 1), strain(2, 2), strain(1, 2), strain(0, 2), strain(0, 1)}), wanted,
               Unit::none});
  const auto f = [&](int64_t a, std::size_t b) { return a == static_cast<int64_t>(b) ? d(a, b) + 1 : d(a, b); };
  const at::Tensor determinant = f(0, 0) * (f(1, 1) * f(2, 2) - f(1, 2) * f(2, 1)) -
                                 f(0, 1) * (f(1, 0) * f(2, 2) - f(1, 2) * f(2, 0)) +
                                 f(0, 2) * (f(1, 0) * f(2, 1) - f(1, 1) * f(2, 0));
  return r.done("volume", Volume{part_of_neighbourhood(determinant - 1, around), wanted, Unit::none});
}

int64_t workspace(const Params&, const Infos&, const Region& wanted, int64_t element_size) {
  return 40 * region_bytes(wanted, element_size);
}

void describe(NodeBuilder<Params>& n) {
  n.id("measure.strain", 1).title("Strain").category("Measure").partition(Partition::custom);
  n.summary("Strain of a displacement: the Green-Lagrange tensor and the change of volume at each voxel.");
  n.description(
      "E = (F^T F - 1) / 2 with F = 1 + du/dx: 0 for any shift and rotation, however large; xx is the relative change "
      "of length along x where it is small. The change of volume is det F - 1. Slopes are differences of neighbouring "
      "voxels, along the axes of the scan. Noise of the displacement grows in its slopes: a registration with wider "
      "control points is smoother.");
  n.synonyms({"Green-Lagrange", "deformation gradient", "Jacobian", "dilatation", "digital volume correlation", "DVC"});
  n.input<Maps>("displacement", "Components x, y and z in mm, for example from Align volumes.");
  n.output<Maps>("strain", "xx, yy, zz, yz, xz and xy of the tensor, without unit.");
  n.output<Volume>("volume", "Relative change of volume.");
  n.check(check).infos(infos).needs(needs).workspace(workspace).run(run);
}

}  // namespace tl::measure_strain_node

TL_NODE(measure_strain)
