// Euler angles of views, and views of Euler angles.
#include "core/nodes/view_directions.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/units.h"

namespace tl {
namespace {

// Half a pixel if n is even: the distance from the centre of a detector in Tomoloom to pixel n / 2.
double from_middle(int64_t n) { return n % 2 == 0 ? 0.5 : 0; }

}  // namespace

View view_of(const ViewDirection& d, const DetectorShape& detector) {
  const double ca = std::cos(d.rot), sa = std::sin(d.rot), cb = std::cos(d.tilt), sb = std::sin(d.tilt),
               cg = std::cos(d.psi), sg = std::sin(d.psi);
  View view;
  view.u = detector.pitch_u * Vec3{cg * cb * ca - sg * sa, cg * cb * sa + sg * ca, -cg * sb};
  view.v = detector.pitch_v * Vec3{-sg * cb * ca - cg * sa, -sg * cb * sa + cg * ca, sg * sb};
  view.beam = Vec3{-sb * ca, -sb * sa, -cb};
  view.detector = (d.x - from_middle(detector.cols)) * view.u + (d.y - from_middle(detector.rows)) * view.v;
  return view;
}

Result<ViewDirection> direction_of(const View& view, const DetectorShape& detector) {
  const auto unit = [](Vec3 a) { return (1 / norm(a)) * a; };
  const Vec3 u = unit(view.u), v = unit(view.v), towards_source = -1 * unit(view.beam);
  constexpr double rounding = 1e-6;
  if (norm(cross(u, v) - towards_source) > rounding || std::abs(dot(u, v)) > rounding)
    return invalid("columns, rows and beam are not at right angles", "projections",
                   "Euler angles exist only for a detector that is upright in the beam");
  ViewDirection d;
  const double across = std::hypot(towards_source.x, towards_source.y);
  d.tilt = std::atan2(across, towards_source.z);
  if (across > rounding) {
    d.rot = std::atan2(towards_source.y, towards_source.x);
    d.psi = std::atan2(v.z, -u.z);
  } else {
    d.psi = std::atan2(u.y, v.y);
  }
  const double pitch_u = norm(view.u), pitch_v = norm(view.v);
  d.x = dot(view.detector, u) / pitch_u + from_middle(detector.cols);
  d.y = dot(view.detector, v) / pitch_v + from_middle(detector.rows);
  return d;
}

Result<Table> directions_table(const std::vector<std::optional<View>>& views, const DetectorShape& detector) {
  constexpr double angstrom = 1e-7;  // [mm]
  Table t;
  for (const char* name : {"rlnAngleRot", "rlnAngleTilt", "rlnAnglePsi"}) t.columns.push_back({name, Unit::deg, {}});
  for (const char* name : {"rlnOriginXAngst", "rlnOriginYAngst"}) t.columns.push_back({name, Unit::none, {}});
  for (const std::optional<View>& view : views) {
    std::array<double, 5> row{};
    row.fill(std::nan(""));
    if (view) {
      TL_TRY(const ViewDirection d, direction_of(*view, detector));
      row = {from_stored(d.rot, Unit::deg), from_stored(d.tilt, Unit::deg), from_stored(d.psi, Unit::deg),
             d.x * detector.pitch_u / angstrom, d.y * detector.pitch_v / angstrom};
    }
    for (std::size_t c = 0; c < row.size(); ++c) t.columns[c].values.push_back(row.at(c));
  }
  return t;
}

}  // namespace tl
