// Makes the geometry of a scan on disk: from its orbit, or from the positions that its file states for every view.
#include "core/nodes/input/scan_geometry.h"

#include <cmath>
#include <utility>

namespace tl {
namespace {

// Adds the offsets of axis and source stated in the file, adapted to mirroring.
Result<void> add_stated_offsets(const ScanOverrides& overrides, const io::ScanInfo& scan, Orbit& o) {
  const io::StatedOffsets& stated = scan.offsets;
  if (!stated.any()) return ok();
  if (overrides.axes == Axes::transpose)
    return invalid("the scan says where its rotation axis is, along the columns of its frames", "axes",
                   "Keep rows and columns");
  const auto value = [](const std::optional<io::Found<double>>& f) { return f ? f->value : 0; };
  const double u = overrides.flip_u == Flip::mirror ? -1 : 1, v = overrides.flip_v == Flip::mirror ? -1 : 1;
  o.axis = u * value(stated.axis);
  o.tilt = u * v * value(stated.tilt);
  o.source_shift_u = u * value(stated.source_shift_u);
  o.source_shift_v = v * value(stated.source_shift_v);
  return ok();
}

// The shifts of the chosen views, times a sign; empty = no shifts.
std::vector<double> shifts_of(const std::optional<io::Found<std::vector<double>>>& all,
                              const std::vector<int64_t>& chosen, double sign) {
  std::vector<double> list;
  if (!all) return list;
  for (const int64_t i : chosen) list.push_back(sign * all->value.at(static_cast<std::size_t>(i)));
  return list;
}

// The parameter that contradicts a scan which states where every pixel is in every view; null if there is none. The
// sense of rotation may be a guess.
const char* contradicting_parameter(const ScanOverrides& overrides, const io::ScanInfo& scan) {
  const bool is_sense_guessed = scan.vectors->origin == Origin::guessed;
  if (overrides.flip_u == Flip::mirror) return "flip_u";
  if (overrides.flip_v == Flip::mirror) return "flip_v";
  if (overrides.axes == Axes::transpose) return "axes";
  if (overrides.rotation == Rotation::reversed && !is_sense_guessed) return "rotation";
  return overrides.pixel_size ? "pixel_size" : nullptr;
}

Result<ScanGeometry> stated_geometry(const ScanOverrides& overrides, const io::ScanInfo& scan,
                                     const std::vector<int64_t>& chosen) {
  if (const char* parameter = contradicting_parameter(overrides, scan))
    return invalid("the scan states where every pixel is in every view", parameter, "Leave the parameter as it was");
  const DetectorShape detector{scan.rows, scan.cols, scan.pixel_size_u.value, scan.pixel_size_v.value};
  TL_TRY(const ScanGeometry all, ScanGeometry::from_vectors(scan.beam, detector, scan.vectors->value));
  const ScanGeometry some = all.select(chosen);
  if (overrides.rotation != Rotation::reversed) return some;
  // What has been turned by its angle about z, from the first view of the scan on, is turned the other way instead.
  std::vector<View> views;
  for (int64_t i = 0; i < some.views(); ++i) {
    const double angle = scan.angles.value.at(static_cast<std::size_t>(chosen[static_cast<std::size_t>(i)]));
    const double back = 2 * (scan.angles.value.front() - angle), c = std::cos(back), s = std::sin(back);
    const auto turned = [&](Vec3 p) { return Vec3{c * p.x - s * p.y, s * p.x + c * p.y, p.z}; };
    const View& view = some.view(i);
    views.push_back({turned(view.beam), turned(view.detector), turned(view.u), turned(view.v)});
  }
  return ScanGeometry::from_views(scan.beam, detector, std::move(views));
}

}  // namespace

Result<ScanGeometry> scan_geometry(const ScanOverrides& overrides, const io::ScanInfo& scan,
                                   const std::vector<int64_t>& chosen) {
  if (scan.vectors) return stated_geometry(overrides, scan, chosen);
  Orbit o;
  o.beam = scan.beam;
  for (const int64_t i : chosen) {
    const double angle = scan.angles.value.at(static_cast<std::size_t>(i));
    o.angles.push_back(overrides.rotation == Rotation::reversed ? -angle : angle);
  }
  if (overrides.view_shifts == ViewShifts::as_the_file_says) {
    const double u = overrides.flip_u == Flip::mirror ? -1 : 1, v = overrides.flip_v == Flip::mirror ? -1 : 1;
    // v runs against the rows: transposed, u runs along the former -v, and v along the former -u.
    const bool transposed = overrides.axes == Axes::transpose;
    o.shift_u = transposed ? shifts_of(scan.shift_v, chosen, -u) : shifts_of(scan.shift_u, chosen, u);
    o.shift_v = transposed ? shifts_of(scan.shift_u, chosen, -v) : shifts_of(scan.shift_v, chosen, v);
  }
  if (scan.source_to_axis) o.source_to_axis = scan.source_to_axis->value;
  if (scan.axis_to_detector) o.axis_to_detector = scan.axis_to_detector->value;
  TL_TRY(add_stated_offsets(overrides, scan, o));
  DetectorShape d{scan.rows, scan.cols, scan.pixel_size_u.value, scan.pixel_size_v.value};
  if (overrides.axes == Axes::transpose) d = {d.cols, d.rows, d.pitch_v, d.pitch_u};
  if (overrides.pixel_size) {
    d.pitch_v *= overrides.pixel_size->value / d.pitch_u;
    d.pitch_u = overrides.pixel_size->value;
  }
  return ScanGeometry::from_orbit(o, d);
}

}  // namespace tl
