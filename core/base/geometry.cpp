// Makes scan geometries, recognises orbits in them, crops them, and projects points.
#include "core/base/geometry.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/base/angle_order.h"
#include "core/base/orbit_math.h"
#include "core/base/units.h"

namespace tl {
namespace {

// Relative tolerance within which lengths or angles are equal up to rounding.
constexpr double rounding = 1e-9;
// Rounding error of a zero, relative to the distances. Pixels are often 1e-6 of the distances, so a larger value would
// hide real shifts: 1e-13 of a metre is 1e-7 of a 1 um pixel.
constexpr double residue = 1e-13;

Result<void> check_detector(const DetectorShape& d) {
  if (d.rows < 1 || d.cols < 1)
    return invalid("a detector needs at least one pixel, not " + std::to_string(d.rows) + " x " +
                   std::to_string(d.cols));
  if (!(d.pitch_u > 0) || !(d.pitch_v > 0) || !std::isfinite(d.pitch_u) || !std::isfinite(d.pitch_v))
    return invalid("the pixel size must be positive", "pixel size", "Give it in the scan or in the load node");
  return ok();
}

// Larger than the angle of any rotation stage; up to this value sine and cosine keep ten digits.
constexpr double largest_angle = 1e6 * pi / 180;

double turns(double angle) { return 2 * pi * std::round(angle / (2 * pi)); }

// Whether all values are equal within `tolerance` times `scale`.
bool constant(const std::vector<double>& values, double scale, double tolerance = rounding) {
  const auto [lo, hi] = std::minmax_element(values.begin(), values.end());
  return values.empty() || *hi - *lo <= tolerance * std::max(scale, 1e-300);
}

bool finite(Vec3 a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }

Result<void> check_lists(const Orbit& o) {
  const std::size_t n = o.angles.size();
  for (const auto& [list, name] : {std::pair{&o.shift_u, "shift_u"}, std::pair{&o.shift_v, "shift_v"},
                                   std::pair{&o.roll, "roll"}, std::pair{&o.magnification, "magnification"}})
    if (!list->empty() && list->size() != n)
      return invalid(
          "a list per view has " + std::to_string(list->size()) + " entries for " + std::to_string(n) + " views", name,
          "Give one entry per view");
  for (std::size_t i = 0; i < o.magnification.size(); ++i)
    if (!(o.magnification[i] > 0))
      return invalid("the magnification of view " + std::to_string(i) + " is not positive", "magnification");
  return ok();
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

// One view in the terms of an orbit (OrbitTerms), with its shifts in column and row, and its roll in the tilt.
struct PlacedView {
  double angle = 0, lamino = 0, source = 0, source_u = 0, source_v = 0, distance = 0;
  double column = 0, row = 0, tilt = 0, yaw = 0, pitch = 0, magnification = 1;
};

// None if the pixels are skewed or stretched in one direction only, or if the beam is parallel to the rotation axis.
std::optional<PlacedView> placed_view(const View& w, Beam beam, const DetectorShape& detector) {
  const double pu = norm(w.u), pv = norm(w.v);
  PlacedView p;
  p.magnification = detector.pitch_u / pu;
  if (std::abs(detector.pitch_v / pv - p.magnification) > rounding * p.magnification ||
      std::abs(dot(w.u, w.v)) > rounding * pu * pv)
    return std::nullopt;
  const Vec3 normal = (1 / (pu * pv)) * cross(w.v, w.u);
  // Direction from which the angle follows: a parallel beam, and in a cone beam the horizontal part of the normal,
  // which makes the yaw 0.
  Vec3 along = normal;
  if (beam == Beam::parallel) {
    if (norm(w.beam - normal) > rounding) along = w.beam;
  } else if (const double level = std::hypot(normal.x, normal.y); level > rounding && std::abs(normal.z) > rounding) {
    along = {normal.x / level, normal.y / level, 0};
  }
  const bool oblique = norm(along - normal) > rounding;
  const double horizontal = std::hypot(along.x, along.y), facing = dot(normal, along);
  if (!(horizontal > rounding) || !(facing > rounding)) return std::nullopt;
  p.angle = std::atan2(-along.x, along.y);
  const Vec3 u0{std::cos(p.angle), std::sin(p.angle), 0};
  const Vec3 v0 = cross(u0, along);
  if (beam == Beam::parallel) p.lamino = std::atan2(along.z, horizontal);
  p.distance = dot(w.detector, along);
  Vec3 on_detector = w.detector, u1 = u0, v1 = v0;
  if (oblique) {
    // normal = cos(pitch) (cos(yaw) along - sin(yaw) u0) - sin(pitch) v0
    const double sideways = dot(normal, u0);
    p.yaw = beam == Beam::parallel ? std::atan2(-sideways, facing) : 0;
    p.pitch = std::atan2(-dot(normal, v0), std::hypot(sideways, facing));
    const Vec3 ahead = std::cos(p.yaw) * along - std::sin(p.yaw) * u0;
    u1 = std::cos(p.yaw) * u0 + std::sin(p.yaw) * along;
    v1 = std::cos(p.pitch) * v0 + std::sin(p.pitch) * ahead;
    p.distance = dot(w.detector, normal) / facing;
    on_detector = w.detector - p.distance * along;
  }
  p.tilt = std::atan2(dot(w.u, v1), dot(w.u, u1));
  p.column = -dot(on_detector, w.u) / (pu * pu);
  p.row = -dot(on_detector, w.v) / (pv * pv);
  if (beam == Beam::cone) {
    p.source = -dot(w.beam, along);
    p.source_u = dot(w.beam, u0);
    p.source_v = dot(w.beam, v0);
  }
  return p;
}

}  // namespace

Result<ScanGeometry> ScanGeometry::from_views(Beam beam, DetectorShape detector, std::vector<View> views) {
  TL_TRY(check_detector(detector));
  if (views.empty()) return invalid("a scan needs at least one view", "geometry");
  for (std::size_t i = 0; i < views.size(); ++i) {
    View& w = views[i];
    if (!finite(w.beam) || !finite(w.detector) || !finite(w.u) || !finite(w.v))
      return invalid("view " + std::to_string(i) + " has a number that is not finite", "geometry",
                     "Look at the angles, distances and shifts of the scan");
    const double length = norm(w.beam);
    if (beam == Beam::parallel && length > 0 && std::abs(length - 1) > residue) w.beam = (1 / length) * w.beam;
    const Vec3 normal = cross(w.u, w.v);
    const double area = norm(normal);
    const Vec3 along = beam == Beam::parallel ? w.beam : w.detector - w.beam;
    if (!std::isfinite(area) || !(area > 0) || !std::isfinite(norm(along)) ||
        !(std::abs(dot(normal, along)) > 1e-6 * area * norm(along)))
      return invalid("view " + std::to_string(i) + " has a detector that its beam does not cross", "geometry");
  }
  ScanGeometry g;
  g.beam_ = beam;
  g.detector_ = detector;
  g.views_ = std::move(views);
  return g;
}

Result<ScanGeometry> ScanGeometry::from_vectors(Beam beam, DetectorShape detector, std::span<const double> vectors) {
  if (vectors.size() % 12 != 0)
    return invalid("the number of view vector components is not a multiple of 12", "geometry");
  std::vector<View> views(vectors.size() / 12);
  for (std::size_t i = 0; i < views.size(); ++i) {
    const double* p = vectors.data() + 12 * i;
    views[i] = {{p[0], p[1], p[2]}, {p[3], p[4], p[5]}, {p[6], p[7], p[8]}, {p[9], p[10], p[11]}};
  }
  return from_views(beam, detector, std::move(views));
}

Result<ScanGeometry> ScanGeometry::from_orbit(const Orbit& o, DetectorShape detector) {
  TL_TRY(check_detector(detector));
  const std::size_t n = o.angles.size();
  if (o.beam == Beam::cone && !(o.source_to_axis > 0))
    return invalid("a cone-beam scan needs a positive distance from source to axis", "source_to_axis",
                   "Give the distance, or choose a parallel beam");
  if (o.beam == Beam::cone && !(o.source_to_axis + o.axis_to_detector > 0))
    return invalid("the detector lies behind the source", "axis_to_detector");
  if (o.beam == Beam::cone && o.lamino != 0) return invalid("laminography is for a parallel beam", "lamino");
  TL_TRY(check_lists(o));
  for (std::size_t i = 0; i < n; ++i)
    if (!(std::abs(o.angles[i]) <= largest_angle))
      return invalid("the angle of view " + std::to_string(i) + " is " +
                         format_quantity(from_stored(o.angles[i], Unit::deg), Unit::deg) +
                         ", more than any rotation stage reaches",
                     "angles", "Correct the angles in the file");
  std::vector<double> vectors(12 * n);
  const auto at = [](const std::vector<double>& list, std::size_t i, double none) {
    return list.empty() ? none : list[i];
  };
  for (std::size_t i = 0; i < n; ++i) {
    const OrbitTerms<double> terms{o.angles[i],
                                   o.source_to_axis,
                                   o.axis_to_detector,
                                   o.source_shift_u,
                                   o.source_shift_v,
                                   o.axis,
                                   at(o.shift_u, i, 0),
                                   at(o.shift_v, i, 0),
                                   o.tilt,
                                   o.lamino,
                                   o.yaw,
                                   o.pitch,
                                   at(o.roll, i, 0),
                                   at(o.magnification, i, 1)};
    const auto view = orbit_view(terms, o.beam, detector.pitch_u, detector.pitch_v);
    std::copy(view.begin(), view.end(), vectors.begin() + static_cast<std::ptrdiff_t>(12 * i));
  }
  return from_vectors(o.beam, detector, vectors);
}

Result<ScanGeometry> ScanGeometry::parallel(std::vector<double> angles, DetectorShape detector, double axis) {
  Orbit o;
  o.angles = std::move(angles);
  o.axis = axis;
  return from_orbit(o, detector);
}

Result<ScanGeometry> ScanGeometry::cone(std::vector<double> angles, DetectorShape detector, double source_to_axis,
                                        double axis_to_detector, double axis) {
  Orbit o;
  o.beam = Beam::cone;
  o.angles = std::move(angles);
  o.source_to_axis = source_to_axis;
  o.axis_to_detector = axis_to_detector;
  o.axis = axis;
  return from_orbit(o, detector);
}

Result<ScanGeometry> ScanGeometry::laminography(std::vector<double> angles, DetectorShape detector, double lamino,
                                                double axis) {
  Orbit o;
  o.angles = std::move(angles);
  o.lamino = lamino;
  o.axis = axis;
  return from_orbit(o, detector);
}

std::vector<double> ScanGeometry::vectors() const {
  std::vector<double> out;
  out.reserve(12 * views_.size());
  for (const View& w : views_)
    for (const Vec3& p : {w.beam, w.detector, w.u, w.v}) out.insert(out.end(), {p.x, p.y, p.z});
  return out;
}

std::optional<Orbit> ScanGeometry::orbit() const {
  if (views_.empty()) return std::nullopt;
  const std::size_t n = views_.size();
  std::vector<PlacedView> placed(n);
  double scale = detector_.pitch_u * static_cast<double>(detector_.cols);
  for (std::size_t i = 0; i < n; ++i) {
    const auto view = placed_view(views_[i], beam_, detector_);
    if (!view) return std::nullopt;
    placed[i] = *view;
    scale = std::max({scale, std::abs(view->source), std::abs(view->distance)});
  }
  const auto all = [&placed](double PlacedView::*number) {
    std::vector<double> list;
    list.reserve(placed.size());
    for (const PlacedView& view : placed) list.push_back(view.*number);
    return list;
  };
  const auto source = all(&PlacedView::source), source_u = all(&PlacedView::source_u),
             source_v = all(&PlacedView::source_v), distance = all(&PlacedView::distance),
             lamino = all(&PlacedView::lamino), yaw = all(&PlacedView::yaw), pitch = all(&PlacedView::pitch);
  const bool same = constant(source, scale) && constant(source_u, scale) && constant(source_v, scale) &&
                    constant(distance, scale) && constant(lamino, 1) && constant(yaw, 1) && constant(pitch, 1);
  if (!same || (beam_ == Beam::cone && !(source[0] > 0))) return std::nullopt;

  Orbit o;
  o.beam = beam_;
  o.angles = all(&PlacedView::angle);
  for (std::size_t i = 1; i < n; ++i) o.angles[i] -= turns(o.angles[i] - o.angles[i - 1]);
  const auto tidy = [scale](double v, double unit) { return std::abs(v) < residue * scale * unit ? 0.0 : v; };
  const auto tidy_angle = [](double v) { return std::abs(v) < rounding ? 0.0 : v; };
  o.source_to_axis = mean(source);
  o.axis_to_detector = tidy(mean(distance), 1);
  o.source_shift_u = tidy(mean(source_u), 1);
  o.source_shift_v = tidy(mean(source_v), 1);
  std::vector<double> column = all(&PlacedView::column), row = all(&PlacedView::row);
  o.axis = tidy(mean(column), 1 / detector_.pitch_u);
  std::vector<double> tilt = all(&PlacedView::tilt);
  for (std::size_t i = 1; i < n; ++i) tilt[i] -= turns(tilt[i] - tilt[0]);
  o.tilt = tidy_angle(mean(tilt));
  o.lamino = tidy_angle(mean(lamino));
  o.yaw = tidy_angle(mean(yaw));
  o.pitch = tidy_angle(mean(pitch));
  if (!constant(tilt, 1)) {
    o.roll = std::move(tilt);
    for (double& r : o.roll) r -= o.tilt;
  }
  std::vector<double> magnification = all(&PlacedView::magnification);
  const bool magnified =
      std::any_of(magnification.begin(), magnification.end(), [](double m) { return std::abs(m - 1) > rounding; });
  if (magnified) o.magnification = std::move(magnification);
  if (!constant(column, scale / detector_.pitch_u, residue)) {
    o.shift_u = std::move(column);
    for (double& s : o.shift_u) s -= o.axis;
  }
  const double lift =
      tidy(*std::max_element(row.begin(), row.end(), [](double a, double b) { return std::abs(a) < std::abs(b); }),
           1 / detector_.pitch_v);
  if (lift != 0) o.shift_v = std::move(row);
  return o;
}

bool ScanGeometry::is_plain_circular() const {
  const auto o = orbit();
  return o && o->is_nominal() && o->tilt == 0 && o->lamino == 0 && o->shift_u.empty() &&
         constant(o->shift_v, static_cast<double>(detector_.rows));
}

double ScanGeometry::angular_range() const { return is_circular() ? angle_order(*this).covered : 0; }

ScanGeometry ScanGeometry::crop(const ScanRegion& r) const {
  TL_CHECK(full().contains(r) && r.count() > 0, "crop outside the scan");
  ScanGeometry g = *this;
  g.views_.assign(views_.begin() + r.views.begin, views_.begin() + r.views.end);
  g.detector_.rows = r.rows.size();
  g.detector_.cols = r.cols.size();
  const double du = 0.5 * static_cast<double>(r.cols.begin + r.cols.end - detector_.cols);
  const double dv = -0.5 * static_cast<double>(r.rows.begin + r.rows.end - detector_.rows);
  if (du != 0 || dv != 0)
    for (View& w : g.views_) w.detector = w.detector + du * w.u + dv * w.v;
  return g;
}

ScanGeometry ScanGeometry::select(std::span<const int64_t> views) const {
  ScanGeometry g = *this;
  g.views_.clear();
  for (const int64_t i : views) g.views_.push_back(view(i));
  return g;
}

ScanGeometry ScanGeometry::binned(int64_t rows, int64_t cols) const {
  const int64_t n_rows = detector_.rows / rows, n_cols = detector_.cols / cols;
  ScanGeometry g = crop({{0, views()}, {0, n_rows * rows}, {0, n_cols * cols}});
  const double fr = static_cast<double>(rows), fc = static_cast<double>(cols);
  g.detector_ = {n_rows, n_cols, detector_.pitch_u * fc, detector_.pitch_v * fr};
  for (View& w : g.views_) {
    w.u = fc * w.u;
    w.v = fr * w.v;
  }
  return g;
}

double ScanGeometry::magnification() const {
  if (beam_ == Beam::parallel || views_.empty()) return 1;
  const View& w = views_.front();
  const Vec3 normal = cross(w.v, w.u);
  return dot(normal, w.detector - w.beam) / -dot(normal, w.beam);
}

ScanGeometry::Hit ScanGeometry::project(int64_t index, Vec3 p) const {
  const View& w = view(index);
  const Vec3 normal = cross(w.v, w.u);
  const Vec3 direction = beam_ == Beam::parallel ? w.beam : p - w.beam;
  const Vec3 q = p + (dot(normal, w.detector - p) / dot(normal, direction)) * direction - w.detector;
  const double uu = dot(w.u, w.u), vv = dot(w.v, w.v), uv = dot(w.u, w.v);
  const double a = dot(q, w.u), b = dot(q, w.v), det = uu * vv - uv * uv;
  const double along = dot(normal, beam_ == Beam::parallel ? p : p - w.beam) / norm(normal);
  return {(a * vv - b * uv) / det + 0.5 * static_cast<double>(detector_.cols - 1),
          -(b * uu - a * uv) / det + 0.5 * static_cast<double>(detector_.rows - 1), along};
}

std::vector<double> equidistant_angles(int64_t count, double range, double start) {
  std::vector<double> angles(static_cast<std::size_t>(std::max<int64_t>(count, 0)));
  for (std::size_t i = 0; i < angles.size(); ++i)
    angles[i] = start + range * static_cast<double>(i) / static_cast<double>(count);
  return angles;
}

}  // namespace tl
