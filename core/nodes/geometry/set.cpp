// core/nodes/geometry/set.cpp: rotation axis, tilt, angles, distances and per-view shifts; no pixel is resampled.
#include <ATen/ATen.h>

#include "core/base/orbit_math.h"
#include "core/node/node_builder.h"
#include "core/values/crop.h"

namespace tl::geometry_set_node {

using Maybe = std::optional<double>;
using MaybeList = std::vector<double>;

struct Params {
  Learnable<Maybe> axis, tilt, yaw, pitch, source_to_axis, axis_to_detector, source_to_detector, source_shift_u,
      source_shift_v, lamino;
  Learnable<MaybeList> shift_u, shift_v, roll, angle, magnification;
  std::optional<Beam> beam;
  Maybe first_angle, angular_range;
  std::optional<Length> pixel_size;
};

// The number that planning uses for a learned value: its present value; gradients pass through `vectors`.
double present_number(const Learnable<Maybe>& p, double fallback) {
  return p.tensor.defined() ? p.tensor.detach().item<double>() : p.value.value_or(fallback);
}
bool is_given(const Learnable<Maybe>& p) { return p.tensor.defined() || p.value.has_value(); }
MaybeList numbers(const Learnable<MaybeList>& p) {
  if (!p.tensor.defined()) return p.value;
  const at::Tensor held = p.tensor.detach().contiguous();
  return {held.data_ptr<double>(), held.data_ptr<double>() + held.numel()};
}

// A single number for all views or a number per view; nothing keeps the values of the scan.
Result<void> per_view(const MaybeList& given, std::vector<double>& list, std::size_t views, const char* name) {
  if (given.empty()) return ok();
  if (given.size() != views && given.size() != 1)
    return invalid(std::to_string(given.size()) + " values for " + std::to_string(views) + " views", name,
                   "Give one value per view, or one for all");
  list = given.size() == views ? given : std::vector<double>(views, given.front());
  return ok();
}

Result<Orbit> new_orbit(const Params& p, const ScanGeometry& old, DetectorShape& detector) {
  const auto is = old.orbit();
  if (!is)
    return invalid("the scan is not circular: its geometry cannot be given by an axis and angles", "projections");
  Orbit o = *is;
  detector = old.detector();
  if (p.pixel_size) {
    detector.pitch_v *= p.pixel_size->value / detector.pitch_u;
    detector.pitch_u = p.pixel_size->value;
  }
  o.beam = p.beam.value_or(o.beam);
  o.axis = present_number(p.axis, o.axis);
  o.tilt = present_number(p.tilt, o.tilt);
  o.lamino = present_number(p.lamino, o.lamino);
  o.yaw = present_number(p.yaw, o.yaw);
  o.pitch = present_number(p.pitch, o.pitch);
  o.source_to_axis = present_number(p.source_to_axis, o.source_to_axis);
  o.axis_to_detector = present_number(p.axis_to_detector, o.axis_to_detector);
  if (is_given(p.source_to_detector)) {
    if (is_given(p.axis_to_detector))
      return invalid("the distance from axis to detector follows from that from source to detector", "axis_to_detector",
                     "Give one of them");
    o.axis_to_detector = present_number(p.source_to_detector, 0) - o.source_to_axis;
  }
  if (o.beam == Beam::cone) {
    o.source_shift_u = present_number(p.source_shift_u, o.source_shift_u);
    o.source_shift_v = present_number(p.source_shift_v, o.source_shift_v);
  }
  const std::size_t n = o.angles.size();
  const double first = p.first_angle.value_or(o.angles.front());
  if (p.angular_range) {
    o.angles = equidistant_angles(static_cast<int64_t>(n), *p.angular_range, first);
  } else if (p.first_angle) {
    const double offset = first - o.angles.front();
    for (double& a : o.angles) a += offset;
  }
  TL_TRY(per_view(numbers(p.shift_u), o.shift_u, n, "shift_u"));
  TL_TRY(per_view(numbers(p.shift_v), o.shift_v, n, "shift_v"));
  TL_TRY(per_view(numbers(p.roll), o.roll, n, "roll"));
  TL_TRY(per_view(numbers(p.magnification), o.magnification, n, "magnification"));
  std::vector<double> turned;
  TL_TRY(per_view(numbers(p.angle), turned, n, "angle"));
  for (std::size_t i = 0; i < turned.size(); ++i) o.angles[i] += turned[i];
  return o;
}

Result<void> check(const Params& p, const Infos& in) {
  DetectorShape detector;
  TL_TRY(Orbit o, new_orbit(p, scan_of(in).geometry, detector));
  if (o.beam == Beam::cone && !(o.source_to_axis > 0))
    return invalid("a cone beam needs the distance from source to axis", "source_to_axis");
  return ok();
}

Result<Infos> infos(const Params& p, const Infos& in, const Findings*) {
  ProjectionsInfo scan = scan_of(in);
  if (p.pixel_size) scan.pixel_size = Origin::user;
  DetectorShape detector;
  TL_TRY(Orbit o, new_orbit(p, scan.geometry, detector));
  TL_TRY(scan.geometry, ScanGeometry::from_orbit(o, detector));
  return Infos{{"projections", scan}};
}

bool learns(const Params& p) {
  for (const auto* l : {&p.axis, &p.tilt, &p.yaw, &p.pitch, &p.source_to_axis, &p.axis_to_detector,
                        &p.source_to_detector, &p.source_shift_u, &p.source_shift_v, &p.lamino})
    if (l->tensor.defined()) return true;
  for (const auto* l : {&p.shift_u, &p.shift_v, &p.roll, &p.angle, &p.magnification})
    if (l->tensor.defined()) return true;
  return false;
}

// The view vectors [view, 12] of the whole scan from the tensors of learned parameters, by the same formula as
// ScanGeometry's own.
at::Tensor learned_vectors(const Params& p, const Orbit& o, const DetectorShape& detector) {
  const auto n = static_cast<int64_t>(o.angles.size());
  const auto constant = [](double v) { return at::scalar_tensor(v, at::kDouble); };
  const auto scalar = [&](const Learnable<Maybe>& l, double v) { return l.tensor.defined() ? l.tensor : constant(v); };
  const auto list = [&](const Learnable<MaybeList>& l, const std::vector<double>& v) {
    if (l.tensor.defined()) return l.tensor;
    return v.empty() ? constant(0) : at::tensor(v, at::kDouble);
  };
  // o.angles are the angles used for planning: they include the present deviations.
  at::Tensor angles = at::tensor(o.angles, at::kDouble);
  if (p.angle.tensor.defined()) angles = angles - at::tensor(numbers(p.angle), at::kDouble) + p.angle.tensor;
  const at::Tensor source_to_axis = scalar(p.source_to_axis, o.source_to_axis);
  const OrbitTerms<at::Tensor> terms{
      angles,
      source_to_axis,
      p.source_to_detector.tensor.defined() ? p.source_to_detector.tensor - source_to_axis
                                            : scalar(p.axis_to_detector, o.axis_to_detector),
      scalar(p.source_shift_u, o.source_shift_u),
      scalar(p.source_shift_v, o.source_shift_v),
      scalar(p.axis, o.axis),
      list(p.shift_u, o.shift_u),
      list(p.shift_v, o.shift_v),
      scalar(p.tilt, o.tilt),
      scalar(p.lamino, o.lamino),
      scalar(p.yaw, o.yaw),
      scalar(p.pitch, o.pitch),
      list(p.roll, o.roll),
      o.magnification.empty() && !p.magnification.tensor.defined() ? constant(1)
                                                                   : list(p.magnification, o.magnification)};
  const auto view = orbit_view(terms, o.beam, detector.pitch_u, detector.pitch_v);
  std::vector<at::Tensor> columns;
  columns.reserve(view.size());
  for (const at::Tensor& c : view) columns.push_back(c.expand({n}));
  return at::stack(columns, 1);
}

Result<void> run(const Params& p, NodeRun& r) {
  Projections out = r.in<Projections>("projections");
  const auto& region = std::get<ScanRegion>(r.region);
  DetectorShape detector;
  TL_TRY(Orbit o, new_orbit(p, r.info<ProjectionsInfo>("projections").geometry, detector));
  TL_TRY(ScanGeometry whole, ScanGeometry::from_orbit(o, detector));
  out.geometry = whole.crop(region);
  if (out.vectors.defined())
    return invalid("another node before this one already learns the geometry", {}, "Learn it in one of these nodes");
  if (learns(p)) out.vectors = crop_vectors(learned_vectors(p, o, detector), region, detector);
  return r.done("projections", std::move(out));
}

void describe(NodeBuilder<Params>& n) {
  n.id("geometry.set", 1).title("Set geometry").category("Alignment").partition(Partition::pointwise);
  n.role(NodeRole::set_geometry);
  n.recommended_remedy("angular_range", "angular_range").remedy("axis", "axis");
  n.summary(
      "Sets the geometry: rotation axis (centre of rotation), tilt, angles and distances; no pixel is resampled.");
  n.description(
      "Replaces numbers of the scan's geometry. Parameters left on 'auto' keep the scan's values. The rotation axis is "
      "given in pixels from the detector centre, positive towards larger columns when rows are not flipped: column "
      "(width - 1) / 2 + axis of the index frame. Every number marked as learnable can be found by the optimiser. In a "
      "cone beam a yaw of the detector is equivalent to a source shift along rows with other angles, axis and "
      "distances: nodes after this one see the source shift, and a yaw set there is added to it.");
  n.synonyms({"rotation axis", "centre of rotation", "COR", "tilt", "angles", "distances", "jitter", "geometry",
              "laminography", "source shift", "center of rotation", "detector yaw", "roll", "magnification"});
  n.input<Projections>("projections", "A circular scan.");
  n.output<Projections>("projections", "The same pixels with the new geometry.");
  n.param("axis", "Axis", &Params::axis)
      .range(-1e6, 1e6, Unit::px)
      .learnable()
      .automatic("as the scan has it")
      .help("Rotation axis, in pixels from the detector centre.");
  n.param("tilt", "Tilt", &Params::tilt)
      .range(-90, 90, Unit::deg)
      .learnable()
      .automatic("as the scan has it")
      .help("Tilt of the rotation axis in the detector plane: its top leans towards larger columns.");
  n.advanced_param("shift_u", "Shifts along rows", &Params::shift_u)
      .range(-1e6, 1e6, Unit::px)
      .learnable()
      .per_view()
      .help("Shift of the image in each view towards larger columns; empty = as the scan has it.");
  n.advanced_param("shift_v", "Shifts along columns", &Params::shift_v)
      .range(-1e6, 1e6, Unit::px)
      .learnable()
      .per_view()
      .help("Shift of the image in each view upwards (+z); empty = as the scan has it.");
  n.advanced_param("roll", "Rolls", &Params::roll)
      .range(-90, 90, Unit::deg)
      .learnable()
      .per_view()
      .help("Rotation of the detector in its plane in each view, in addition to the tilt; empty = as the scan has it.");
  n.advanced_param("angle", "Angle deviations", &Params::angle)
      .range(-1e5, 1e5, Unit::deg)
      .learnable()
      .per_view()
      .help("Added to the gantry angle of each view; empty = 0.");
  n.advanced_param("magnification", "Magnifications", &Params::magnification)
      .range(1e-3, 1e3)
      .learnable()
      .per_view()
      .help("Factor by which the image of each view is enlarged about the rotation axis; empty = as in the scan.");
  n.advanced_param("yaw", "Detector yaw", &Params::yaw)
      .range(-80, 80, Unit::deg)
      .learnable()
      .automatic("as the scan has it")
      .help("Rotation of the detector about its columns, cone beam: larger columns lie farther from the source.");
  n.advanced_param("pitch", "Detector pitch", &Params::pitch)
      .range(-80, 80, Unit::deg)
      .learnable()
      .automatic("as the scan has it")
      .help("Rotation of the detector about its rows, cone beam: its top lies farther from the source.");
  n.param("beam", "Beam", &Params::beam,
          {{std::nullopt, "as_is", "As the scan has it"},
           {Beam::parallel, "parallel", "Parallel"},
           {Beam::cone, "cone", "Cone"}})
      .help("Parallel (synchrotron) or cone (laboratory source) beam.");
  n.param("source_to_axis", "Source to axis", &Params::source_to_axis)
      .range(1e-6, 1e9, Unit::mm)
      .learnable()
      .automatic("as the scan has it")
      .help("Distance from the source to the rotation axis (cone beam).");
  n.param("axis_to_detector", "Axis to detector", &Params::axis_to_detector)
      .range(0, 1e9, Unit::mm)
      .learnable()
      .automatic("as the scan has it")
      .help("Distance from the rotation axis to the detector.");
  n.advanced_param("source_to_detector", "Source to detector", &Params::source_to_detector)
      .range(1e-6, 1e9, Unit::mm)
      .learnable()
      .automatic("as the scan has it")
      .help("Distance from the source to the detector (cone beam), in place of that from axis to detector.");
  n.advanced_param("source_shift_u", "Source shift along rows", &Params::source_shift_u)
      .range(-1e6, 1e6, Unit::mm)
      .learnable()
      .automatic("as the scan has it")
      .help("Offset of the source along the detector's columns (cone beam).");
  n.advanced_param("source_shift_v", "Source shift upwards", &Params::source_shift_v)
      .range(-1e6, 1e6, Unit::mm)
      .learnable()
      .automatic("as the scan has it")
      .help("Offset of the source along the rotation axis (cone beam).");
  n.advanced_param("first_angle", "First angle", &Params::first_angle)
      .range(-1e5, 1e5, Unit::deg)
      .automatic("as the scan has it")
      .help("Gantry angle of the first view; the others follow.");
  n.advanced_param("angular_range", "Angular range", &Params::angular_range)
      .range(-1e5, 1e5, Unit::deg)
      .automatic("the angles of the scan")
      .help("Replaces all angles: equal steps of range / views; negative rotates in the opposite direction.");
  n.advanced_param("lamino", "Laminography angle", &Params::lamino)
      .range(-89, 89, Unit::deg)
      .learnable()
      .automatic("as the scan has it")
      .help(
          "Laminography, parallel beam: angle by which the rotation axis leans along the beam. Positive: its top leans "
          "away from the source, towards the detector. The larger, the more directions are missing, which lowers the "
          "values of a reconstruction.");
  n.param("pixel_size", "Pixel size", &Params::pixel_size)
      .range(1e-6, 1e9, Unit::um)
      .automatic("as the scan has it")
      .help("Distance between detector columns; the distance between rows is scaled by the same factor.");
  n.where_input_is();
  n.check(check).infos(infos).run(run);
}

}  // namespace tl::geometry_set_node

TL_NODE(geometry_set)
