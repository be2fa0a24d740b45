// core/nodes/filter/warp_volume.cpp: a volume at displaced positions.
#include <ATen/ATen.h>

#include "core/nodes/displacement.h"
#include "core/values/grid_positions.h"
#include "gpu/image/warp/bspline_field.h"
#include "gpu/image/warp/volume_sampling.h"

namespace tl::filter_warp_volume_node {

struct Params {
  Learnable<std::optional<NumberArray>> control;  // [3, z, y, x]: components x, y and z of the displacement [mm]
  double spacing = 12;
};

const VolumeGrid& grid_of_output(const Infos& in) {
  const auto maps = in.find("displacement");
  return maps == in.end() ? volume_of(in).grid : std::get<MapsInfo>(maps->second).grid;
}

ops::BSplineFieldSpec field_spec(const Params& p, const VolumeGrid& g) {
  ops::BSplineFieldSpec spec;
  spec.shape = {g.nz, g.ny, g.nx};
  spec.spacing = {p.spacing, p.spacing, p.spacing};
  for (std::size_t a = 0; a < 3; ++a) spec.points[a] = ops::control_points(spec.shape[a], p.spacing);
  return spec;
}

std::vector<int64_t> control_shape(const Params& p, const Infos& in) {
  const auto points = field_spec(p, grid_of_output(in)).points;
  return {3, points[0], points[1], points[2]};
}

Result<void> check(const Params& p, const Infos& in) {
  const auto maps = in.find("displacement");
  if (maps != in.end() && !is_displacement(std::get<MapsInfo>(maps->second)))
    return invalid("these maps are not a displacement", "displacement",
                   "Connect the displacement of a registration: components x, y and z in mm");
  if (p.control.value && p.control.value->shape() != control_shape(p, in))
    return invalid("there are " + shape_text(p.control.value->shape()) + " control points, not " +
                       shape_text(control_shape(p, in)),
                   "control", "Learn them again, or set them to auto");
  return ok();
}

Result<Infos> infos(const Params&, const Infos& in, const Findings*) {
  VolumeInfo info = volume_of(in);
  info.grid = grid_of_output(in);
  return Infos{{"volume", info}};
}

Result<Regions> needs(const Params&, const Infos& in, const Region& wanted) {
  Regions all{{"volume", volume_of(in).grid}};
  if (in.contains("displacement")) all["displacement"] = wanted;
  return all;
}

Result<void> run(const Params& p, NodeRun& r) {
  const auto& in = r.in<Volume>("volume");
  const auto& wanted = std::get<VolumeGrid>(r.region);
  at::Tensor positions = grid_positions(wanted);
  const at::Tensor start = positions;
  if (r.has_in("displacement")) positions = positions + r.in<Maps>("displacement").data.to(at::kDouble);
  const at::Tensor control = tensor_of(p.control, {});
  if (control.defined()) {
    const VolumeGrid& grid = grid_of_output(r.infos);
    const at::Tensor field = tl::apply(ops::make_bspline_field(field_spec(p, grid)), control.contiguous());
    const at::Tensor where = fractional_indices(grid, start);
    positions =
        positions + at::stack({ops::sampled(field[0], where, r.cancel()), ops::sampled(field[1], where, r.cancel()),
                               ops::sampled(field[2], where, r.cancel())});
  }
  return r.done("volume", Volume{volume_at(in.data, in.grid, positions, r.cancel()), wanted, in.unit});
}

// Positions and the field in double.
int64_t workspace(const Params&, const Infos& in, const Region& wanted, int64_t) {
  return region_bytes(wanted, 100) + 24 * grid_of_output(in).count();
}

void describe(NodeBuilder<Params>& n) {
  n.id("filter.warp_volume", 1).title("Warp volume").category("Filter").partition(Partition::custom);
  n.summary("A volume at displaced positions: applies the displacement of a registration, or one that is learned.");
  n.description(
      "Each point of the result has the value of the volume at this point plus the displacement, by trilinear "
      "interpolation; beyond the volume it is 0. The displacement is that of a registration, or the sum of B-splines "
      "whose control points can be learned: between a reconstruction and its forward projection the node models a "
      "moving object. Gradients pass to the volume, to the displacement and to the control points.");
  n.cite(
      "D. Rueckert et al., Nonrigid registration using free-form deformations: application to breast MR images, IEEE "
      "Trans. Med. Imaging 18, 712 (1999)");
  n.synonyms({"deform", "displacement field", "resample", "motion", "transform", "apply", "B-spline"});
  n.input<Volume>("volume", "Any volume.");
  n.input<Maps>("displacement", "Components x, y and z in mm, for example from Align volumes.", false);
  n.output<Volume>("volume", "The warped volume, on the grid of the displacement.");
  n.param("control", "Control points", &Params::control)
      .unit(Unit::mm)
      .automatic("no displacement")
      .learnable()
      .help("Displacement along x, y and z at the control points of cubic B-splines.");
  n.param("spacing", "Spacing", &Params::spacing)
      .range(2, 1000, Unit::px)
      .help("Distance of the control points, in voxels.");
  n.array_of_auto("control", [](const Params& p, const Infos& in) {
    return NumberArray::filled(control_shape(p, in), 0, Unit::mm);
  });
  n.check(check).infos(infos).needs(needs).workspace(workspace).run(run);
}

}  // namespace tl::filter_warp_volume_node

TL_NODE(filter_warp_volume)
