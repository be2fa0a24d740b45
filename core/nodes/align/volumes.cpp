// core/nodes/align/volumes.cpp: registration of one volume to another.
#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/itk/linear_registration.h"
#include "core/nodes/displacement.h"
#include "core/nodes/segment/segment_node.h"
#include "core/nodes/whole_volume.h"
#include "core/values/grid_positions.h"
#include "gpu/image/warp/bspline_registration.h"
#include "gpu/image/warp/volume_sampling.h"
#include "gpu/operator/reduce.h"

namespace tl::align_volumes_node {

enum class Motion { translation, rigid, similarity, affine, bspline };
enum class Start { positions, centres, mass };
using insight::Agreement;

struct Params {
  Motion motion = Motion::rigid;
  Agreement agreement = Agreement::mean_squares;
  Start start = Start::positions;
  int64_t coarsest = 8, finest = 1;
  double smoothing = 0.7, spacing = 12, stiffness = 1e-4;
  int64_t steps = 100;
};

constexpr std::array<const char*, 12> number_names = {"shift_x",    "shift_y",    "shift_z",    "rotation_x",
                                                      "rotation_y", "rotation_z", "stretch_xx", "stretch_yy",
                                                      "stretch_zz", "stretch_yz", "stretch_xz", "stretch_xy"};
Unit unit_of(std::size_t number) { return number < 3 ? Unit::mm : number < 6 ? Unit::rad : Unit::none; }

// What was found, for run().
struct Found {
  insight::LinearMap map = insight::no_motion;
  at::Tensor field;  // float64 [3, z, y, x] along x, y, z [mm] on the fixed grid; undefined: none
};

const VolumeGrid& fixed_grid(const Infos& in) { return volume_of(in, "fixed").grid; }

Result<void> check(const Params& p, const Infos& in) {
  const VolumeInfo &fixed = volume_of(in, "fixed"), &moving = volume_of(in, "moving");
  for (const auto& [info, port] : {std::pair{&fixed, "fixed"}, std::pair{&moving, "moving"}})
    if (!info->pending && !check_four_voxels(info->grid).ok())
      return invalid("the volume has fewer than 4 voxels along an axis", port, "Volumes are registered, not slices");
  if (p.agreement == Agreement::mean_squares && fixed.unit != moving.unit)
    return invalid("the volumes have different units, so that their values cannot be compared", "agreement",
                   "Choose correlation or mutual information");
  if (p.finest > p.coarsest) return invalid("the finest level is coarser than the coarsest", "finest");
  if (p.motion == Motion::bspline) {
    double points = 1;
    for (const int64_t n : {fixed.grid.nz, fixed.grid.ny, fixed.grid.nx})
      points *= std::ceil(static_cast<double>(n - 1) / p.spacing) + 3;
    if (points > static_cast<double>(fixed.grid.count()))
      return invalid("the fixed volume has fewer voxels than control points", "spacing", "Increase the spacing");
  }
  return ok();
}

// x, y, z of the middle of a volume, weighted by its values above the smallest.
Vec3 centre_of_mass(const Volume& v) {
  const at::Tensor weight = v.data.detach().to(at::kDouble) - extrema(v.data.detach().contiguous()).min;
  const at::Tensor positions = grid_positions(v.grid);
  const double mass = total(weight.contiguous());
  if (!(mass > 0)) return v.grid.centre;
  const auto mean = [&](int64_t a) { return total((positions[a] * weight).contiguous()) / mass; };
  return {mean(0), mean(1), mean(2)};
}

// From the table of a registration before this one, else as the parameter says.
Result<insight::LinearMap> start_of(const Params& p, const NodeRun& r) {
  insight::LinearMap map = insight::no_motion;
  if (r.has_in("start") && !r.in<Table>("start").columns.empty()) {
    const auto& table = r.in<Table>("start");
    for (std::size_t i = 0; i < number_names.size(); ++i) {
      const auto found = std::find_if(table.columns.begin(), table.columns.end(),
                                      [&](const Table::Column& c) { return c.name == number_names[i]; });
      if (found == table.columns.end() || found->values.empty() || !std::isfinite(found->values[0]))
        return invalid(std::string("the table to start from has no number ") + number_names[i], "start",
                       "Give the table \"parameters\" of another registration");
      map[i] = found->values[0];
    }
    return map;
  }
  const auto &fixed = r.in<Volume>("fixed"), &moving = r.in<Volume>("moving");
  Vec3 shift;
  if (p.start == Start::centres) shift = moving.grid.centre - fixed.grid.centre;
  if (p.start == Start::mass) shift = centre_of_mass(moving) - centre_of_mass(fixed);
  map[0] = shift.x, map[1] = shift.y, map[2] = shift.z;
  return map;
}

// Where the points [3, ...] of the fixed volume lie in the moving one by the linear map alone.
at::Tensor mapped(const insight::LinearMap& map, const VolumeGrid& fixed, const at::Tensor& positions) {
  const insight::Matrix3 a = insight::matrix_of(map);
  const at::Tensor x = positions[0] - fixed.centre.x, y = positions[1] - fixed.centre.y,
                   z = positions[2] - fixed.centre.z;
  const auto row = [&](std::size_t i, double centre) {
    return a.m[3 * i] * x + a.m[3 * i + 1] * y + a.m[3 * i + 2] * z + (centre + map[i]);
  };
  return at::stack({row(0, fixed.centre.x), row(1, fixed.centre.y), row(2, fixed.centre.z)});
}

Scalar scalar(double value, Unit unit, double sigma, Verdict verdict) {
  return {at::scalar_tensor(value, at::kDouble), unit, sigma, verdict};
}

double length(const double* v) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

// Rows: value, sigma, and 1 where the volumes leave the number open.
Findings findings(const insight::LinearRegistration& found, bool is_fitted) {
  Table table;
  for (std::size_t i = 0; i < number_names.size(); ++i)
    table.columns.push_back({number_names[i], unit_of(i), {found.map[i], found.sigma[i], found.flat[i] ? 1.0 : 0.0}});
  const auto verdict_of = [&](std::size_t first) {
    if (std::any_of(found.flat.begin() + static_cast<std::ptrdiff_t>(first),
                    found.flat.begin() + static_cast<std::ptrdiff_t>(first + 3), [](bool f) { return f; }))
      return Verdict::flat;
    return found.converged ? Verdict::resolved : Verdict::ambiguous;
  };
  Findings f;
  f.values["parameters"] = std::move(table);
  f.values["shift"] =
      scalar(length(&found.map[0]), Unit::mm, length(&found.sigma[0]), is_fitted ? verdict_of(0) : Verdict::none);
  f.values["rotation"] =
      scalar(length(&found.map[3]), Unit::deg, length(&found.sigma[3]), is_fitted ? verdict_of(3) : Verdict::none);
  return f;
}

Result<insight::LinearRegistration> register_linearly(const Params& p, NodeRun& r, const insight::LinearMap& start) {
  const at::Tensor fixed = r.in<Volume>("fixed").data.detach().to(at::kCPU, at::kFloat).contiguous(),
                   moving = r.in<Volume>("moving").data.detach().to(at::kCPU, at::kFloat).contiguous();
  at::Tensor mask;
  if (r.has_in("mask")) mask = mask_of(r.in<Labels>("mask")).to(at::kByte).contiguous();
  insight::LinearRegistrationSpec spec;
  spec.fixed = {fixed.const_data_ptr<float>(), r.in<Volume>("fixed").grid};
  spec.moving = {moving.const_data_ptr<float>(), r.in<Volume>("moving").grid};
  spec.mask = mask.defined() ? mask.const_data_ptr<uint8_t>() : nullptr;
  spec.motion = static_cast<insight::Motion>(p.motion);
  spec.agreement = p.agreement;
  spec.coarsest = p.coarsest;
  spec.finest = p.finest;
  spec.smoothing = p.smoothing;
  spec.start = start;
  spec.most_steps = p.steps;
  return insight::register_linear(spec, itk_call(r));
}

Result<ops::BSplineRegistration> register_by_splines(const Params& p, NodeRun& r, const insight::LinearMap& start) {
  const auto &fixed = r.in<Volume>("fixed"), &moving = r.in<Volume>("moving");
  ops::BSplineRegistrationSpec spec;
  spec.fixed = fixed.data.detach().to(at::kCPU, at::kFloat).contiguous();
  spec.moving = moving.data.detach().to(at::kCPU, at::kFloat).contiguous();
  for (const auto& [data, port] : {std::pair{spec.fixed, "fixed"}, std::pair{spec.moving, "moving"}})
    if (!std::isfinite(total(data)))
      return invalid(std::string("the ") + port + " volume has values that are not finite numbers", port,
                     "Mask or replace them, for example by a circular mask");
  if (r.has_in("mask")) {
    spec.mask = mask_of(r.in<Labels>("mask"));
    if (!spec.mask.any().item<bool>())
      return invalid("the mask has no voxels", "mask", "Label what is to be compared by any number but 0");
  }
  spec.start = fractional_indices(moving.grid, mapped(start, fixed.grid, grid_positions(fixed.grid)));
  const std::array<Vec3, 3> from = {fixed.grid.step_z, fixed.grid.step_y, fixed.grid.step_x},
                            to = {moving.grid.step_z, moving.grid.step_y, moving.grid.step_x};
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = 0; b < 3; ++b) spec.to_moving[3 * a + b] = dot(to[a], from[b]) / dot(to[a], to[a]);
  spec.likeness = static_cast<ops::Likeness>(p.agreement);
  spec.spacing = {p.spacing, p.spacing, p.spacing};
  spec.stiffness = p.stiffness;
  spec.coarsest = p.coarsest;
  spec.finest = p.finest;
  spec.smoothing = p.smoothing;
  spec.most_steps = p.steps;
  spec.cancel = r.cancel();
  spec.progress = itk_call(r).progress;
  return ops::register_bspline(spec);
}

Result<Findings> measure(const Params& p, NodeRun& r) {
  auto kept = std::make_shared<Found>();
  TL_TRY(kept->map, start_of(p, r));
  Findings f;
  if (p.motion != Motion::bspline) {
    TL_TRY(const insight::LinearRegistration found, register_linearly(p, r, kept->map));
    kept->map = found.map;
    f = findings(found, true);
    f.values["overlap"] = scalar(found.overlap, Unit::percent, 0, Verdict::none);
    if (!found.converged)
      r.message(LogLevel::warning, "the steps were used up before the registration settled: allow more");
  } else {
    TL_TRY(const ops::BSplineRegistration found, register_by_splines(p, r, kept->map));
    const VolumeGrid& g = r.in<Volume>("fixed").grid;
    kept->field = displacement_in_mm(found.displacement, g);
    insight::LinearRegistration start;
    start.map = kept->map;
    f = findings(start, false);
    const double largest = kept->field.square().sum(0).max().sqrt().item<double>();
    const std::array<double, 3> mm = {found.sigma[0] * norm(g.step_z), found.sigma[1] * norm(g.step_y),
                                      found.sigma[2] * norm(g.step_x)};
    f.values["shift"] =
        scalar(largest, Unit::mm, length(mm.data()), found.converged ? Verdict::resolved : Verdict::ambiguous);
    f.values["overlap"] = scalar(found.overlap, Unit::percent, 0, Verdict::none);
    f.kept_bytes = static_cast<int64_t>(kept->field.nbytes());
  }
  f.kept = std::move(kept);
  return f;
}

Result<Infos> infos(const Params&, const Infos& in, const Findings*) {
  const VolumeInfo &fixed = volume_of(in, "fixed"), &moving = volume_of(in, "moving");
  return Infos{{"volume", VolumeInfo{fixed.grid, moving.unit, fixed.pending, fixed.voxel_size}},
               {"displacement", MapsInfo{fixed.grid, displacement_channels(), fixed.pending, Unit::mm}}};
}

Result<Regions> all_inputs(const Params&, const Infos& in) {
  Regions all;
  for (const auto& [port, info] : in) all[port] = port == "mask" ? Region{fixed_grid(in)} : full_region(info);
  return all;
}

Result<Regions> needs(const Params&, const Infos& in, const Region&) {
  return Regions{{"moving", volume_of(in, "moving").grid}};
}

Result<void> run(const Params&, NodeRun& r) {
  const auto& found = *static_cast<const Found*>(r.findings->kept.get());
  const auto& wanted = std::get<VolumeGrid>(r.region);
  const VolumeGrid& fixed = r.info<VolumeInfo>("fixed").grid;
  const auto& moving = r.in<Volume>("moving");
  const at::Tensor positions = grid_positions(wanted);
  at::Tensor moved = mapped(found.map, fixed, positions);
  if (found.field.defined()) {
    const at::Tensor where = fractional_indices(fixed, positions);
    moved = moved +
            at::stack({ops::sampled(found.field[0], where, r.cancel()), ops::sampled(found.field[1], where, r.cancel()),
                       ops::sampled(found.field[2], where, r.cancel())});
  }
  if (r.wants("displacement"))
    r.out("displacement", Maps{(moved - positions).to(r.dtype).contiguous(), wanted, Unit::mm});
  if (r.wants("volume"))
    r.out("volume", Volume{volume_at(moving.data.detach(), moving.grid, moved, r.cancel()), wanted, moving.unit});
  return ok();
}

int64_t workspace(const Params& p, const Infos& in, const Region&, int64_t) {
  const VolumeGrid &fixed = fixed_grid(in), &moving = volume_of(in, "moving").grid;
  // Of splines: positions, the field and their gradients in double, twelve of each voxel.
  constexpr int64_t of_splines = 400, of_positions = 120;
  return insight::bytes_of_registration(fixed, moving) +
         (p.motion == Motion::bspline ? of_splines : of_positions) * fixed.count();
}

void describe(NodeBuilder<Params>& n) {
  n.id("align.volumes", 1).title("Align volumes").category("Alignment").partition(Partition::custom);
  n.not_differentiable("the alignment is searched for; warp a volume by a learned displacement instead");
  n.summary("Registration: finds how one volume has to be shifted, rotated, stretched or deformed to fit another.");
  n.description(
      "The fixed volume stays; each of its points is looked for in the moving one, from coarse levels to fine ones. "
      "The "
      "volume that comes out is the moving one on the grid of the fixed, interpolated once. Linear motions are found "
      "by "
      "ITK, deformations by B-splines between control points. The table has a column for each number (shift, rotation "
      "as a vector about the middle of the fixed volume, stretch) with three rows: its value, its sigma from disjoint "
      "parts of the volume, and 1 where the volumes leave it open, such as the angle of a cylinder about its axis. "
      "Volumes far apart need a start: from the centres of the volumes, from those of their mass, or from the table of "
      "a "
      "registration before this one; a deformation starts best from a rigid or affine table. Values outside of the "
      "moving volume are 0.");
  n.cite("B. B. Avants et al., The Insight ToolKit image registration framework, Front. Neuroinform. 8, 44 (2014)");
  n.cite(
      "D. Mattes et al., PET-CT image registration in the chest using free-form deformations, IEEE Trans. Med. Imaging "
      "22, 120 (2003)");
  n.cite(
      "D. Rueckert et al., Nonrigid registration using free-form deformations: application to breast MR images, IEEE "
      "Trans. Med. Imaging 18, 712 (1999)");
  n.synonyms({"registration", "register", "ITK", "elastix", "SimpleITK", "rigid", "affine", "deformation", "B-spline",
              "digital volume correlation", "DVC", "mutual information", "before and after"});
  n.example({{"coarsest", "2"}});
  n.input<Volume>("fixed", "The volume that stays, without NaN.");
  n.input<Volume>("moving", "The volume that is moved, without NaN; its voxels may have another size and orientation.");
  n.input<Labels>("mask", "Where the fixed volume is compared: all numbers but 0.", false);
  n.input<Table>("start", "The table \"parameters\" of a registration to start from; without columns: none.", false);
  n.output<Volume>("volume", "The moving volume on the grid of the fixed one.");
  n.output<Maps>("displacement",
                 "From each point of the fixed volume to the same point in the moving one: x, y, z [mm].");
  n.output<Table>("parameters",
                  "Shift, rotation and stretch: a row of values, one of sigmas, one of what is left open.");
  n.output<Scalar>("shift", "Length of the shift; of a deformation the largest displacement.");
  n.output<Scalar>("rotation", "Angle of the rotation.");
  n.output<Scalar>("overlap", "Share of the fixed volume that lies in the moving one.");
  n.param("motion", "Motion", &Params::motion,
          {{Motion::translation, "translation", "Translation"},
           {Motion::rigid, "rigid", "Rigid: shift and rotation"},
           {Motion::similarity, "similarity", "Rigid and scale"},
           {Motion::affine, "affine", "Affine"},
           {Motion::bspline, "bspline", "Deformation (B-splines)"}})
      .help("What the moving volume may do.");
  n.param("agreement", "Agreement", &Params::agreement,
          {{Agreement::mean_squares, "mean_squares", "Equal values"},
           {Agreement::correlation, "correlation", "Correlation"},
           {Agreement::mutual_information, "mutual_information", "Mutual information"}})
      .help(
          "What makes the volumes agree: equal values; values up to factor and offset; any relation of the two, such "
          "as "
          "inverted grey or another method of measurement.");
  n.param("start_from", "Start from", &Params::start,
          {{Start::positions, "positions", "Positions as they are"},
           {Start::centres, "centres", "Centres of the volumes"},
           {Start::mass, "mass", "Centres of mass"}})
      .help("Start of the search, if no table gives it.");
  n.param("coarsest", "Coarsest level", &Params::coarsest, {{1, "1", "1"}, {2, "2", "2"}, {4, "4", "4"}, {8, "8", "8"}})
      .help("The first level, in voxels; levels with fewer than 16 voxels along an axis are left out.");
  n.advanced_param("finest", "Finest level", &Params::finest,
                   {{1, "1", "1"}, {2, "2", "2"}, {4, "4", "4"}, {8, "8", "8"}})
      .help("The last level: 2 is eight times faster than 1, and half as accurate. It keeps 4 voxels along each axis.");
  n.advanced_param("smoothing", "Smoothing", &Params::smoothing)
      .range(0, 10, Unit::px)
      .help("Standard deviation of the Gaussian before volumes are compared, in voxels of the level.");
  n.param("spacing", "Control points", &Params::spacing)
      .range(2, 1000, Unit::px)
      .help("Deformation: distance of the control points in voxels of the fixed volume.");
  n.advanced_param("stiffness", "Stiffness", &Params::stiffness)
      .range(0, 1e6)
      .help("Deformation: how much neighbouring control points must agree; larger is smoother.");
  n.advanced_param("steps", "Steps", &Params::steps).range(1, 100000).help("Largest number of steps at a level.");
  n.check(check).infos(infos).needs(needs).workspace(workspace).measure(all_inputs, measure).run(run);
}

}  // namespace tl::align_volumes_node

TL_NODE(align_volumes)
