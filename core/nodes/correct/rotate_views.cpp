// core/nodes/correct/rotate_views.cpp: views rotated in their plane, against a tilted detector.
#include <ATen/ATen.h>

#include <cmath>

#include "core/node/node_builder.h"
#include "core/values/crop.h"
#include "gpu/correction/view_resampling.h"

namespace tl::correct_rotate_views_node {

struct Params {
  std::optional<double> angle;  // [rad]
};

// The detector axes rotate with the views, so that the rays do not change.
View rotated(View view, double angle, const DetectorShape& d) {
  const double c = std::cos(angle), s = std::sin(angle);
  const Vec3 u = (1 / d.pitch_u) * view.u, v = (1 / d.pitch_v) * view.v;
  view.u = d.pitch_u * (c * u - s * v);
  view.v = d.pitch_v * (s * u + c * v);
  return view;
}

struct DetectorRotation {
  double angle = 0;
  ScanGeometry geometry;
};

// A given angle corrects views of a rotated camera: the geometry already describes upright ones. With auto, the tilt in
// the geometry is removed from views and geometry.
Result<DetectorRotation> rotation_of(const Params& p, const ScanGeometry& geometry) {
  if (p.angle) return DetectorRotation{*p.angle, geometry};
  const auto orbit = geometry.orbit();
  if (!orbit) return invalid("the scan is not circular: its tilt is not known", "angle", "Give the angle");
  std::vector<View> views;
  views.reserve(static_cast<std::size_t>(geometry.views()));
  for (int64_t i = 0; i < geometry.views(); ++i)
    views.push_back(rotated(geometry.view(i), orbit->tilt, geometry.detector()));
  TL_TRY(ScanGeometry upright, ScanGeometry::from_views(geometry.beam(), geometry.detector(), std::move(views)));
  return DetectorRotation{orbit->tilt, orbit->tilt == 0 ? geometry : upright};
}

Result<void> check(const Params& p, const Infos& in) {
  TL_TRY(DetectorRotation rotation, rotation_of(p, scan_of(in).geometry));
  return std::isfinite(rotation.angle) ? ok() : Result<void>(invalid("the angle is not finite", "angle"));
}

Result<Infos> infos(const Params& p, const Infos& in, const Findings*) {
  ProjectionsInfo scan = scan_of(in);
  TL_TRY(DetectorRotation rotation, rotation_of(p, scan.geometry));
  scan.geometry = rotation.geometry;
  return Infos{{"projections", scan}};
}

int64_t workspace(const Params&, const Infos& in, const Region& wanted, int64_t element_size) {
  // The rotated views before cropping, and the positions in double.
  const DetectorShape& d = scan_of(in).geometry.detector();
  return (std::get<ScanRegion>(wanted).views.size() * element_size + 64) * d.rows * d.cols;
}

Result<void> run(const Params& p, NodeRun& r) {
  Projections whole = r.in<Projections>("projections");
  const auto& w = std::get<ScanRegion>(r.region);
  if (whole.vectors.defined() && !p.angle)
    return invalid("the angle follows the tilt of a geometry that is being learned", "angle",
                   "Give the angle, or remove this node while learning");
  TL_TRY(DetectorRotation rotation, rotation_of(p, r.info<ProjectionsInfo>("projections").geometry));
  const DetectorShape& d = whole.geometry.detector();
  const ops::RotationSpec spec{rotation.angle, d.pitch_u, d.pitch_v, r.cancel()};
  TL_TRY(whole.data, ops::rotate_views(whole.data, spec));
  for (at::Tensor* t : {&whole.references.flats, &whole.references.darks})
    if (t->defined()) {
      TL_TRY(*t, ops::rotate_views(*t, spec));
    }
  if (!p.angle) whole.geometry = rotation.geometry.crop({w.views, {0, d.rows}, {0, d.cols}});
  return r.done("projections", contiguous_part(whole, {{0, w.views.size()}, w.rows, w.cols}));
}

void describe(NodeBuilder<Params>& n) {
  n.id("correct.rotate_views", 1).title("Rotate views").category("Correction").partition(Partition::per_view);
  n.summary("Rotates every view in its plane, so that a tilted rotation axis stands upright.");
  n.description(
      "A positive angle rotates the views counterclockwise, with row 0 at the top. On auto the tilt in the geometry is "
      "removed from the views and from the geometry. Reconstruction does not need this, since it uses the tilt of the "
      "geometry without resampling; methods that work on single detector rows do: stripe removal, and most axis "
      "finders.");
  n.example({{"angle", "7"}});
  n.synonyms({"tilt", "roll", "detector rotation", "straighten", "rotation", "tilted axis"});
  n.input<Projections>("projections", "Any scan.");
  n.output<Projections>("projections", "The rotated views.");
  n.param("angle", "Angle", &Params::angle)
      .range(-180, 180, Unit::deg)
      .automatic("the tilt of the geometry")
      .help("Counterclockwise; the geometry applies to the rotated views.");
  n.on_gpu();
  n.check(check).infos(infos).workspace(workspace).run(run);
}

}  // namespace tl::correct_rotate_views_node

TL_NODE(correct_rotate_views)
