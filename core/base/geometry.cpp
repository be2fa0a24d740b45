// Makes scan geometries, recognises orbits in them, crops them, and projects points.
#include "core/base/geometry.h"

#include <algorithm>
#include <cmath>
#include <string>

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

// No rotation stage goes further; up to here sine and cosine keep ten digits.
constexpr double largest_angle = 1e6 * pi / 180;

// Whether all values are equal within `tolerance` times `scale`.
bool constant(const std::vector<double>& values, double scale, double tolerance = rounding) {
  const auto [lo, hi] = std::minmax_element(values.begin(), values.end());
  return values.empty() || *hi - *lo <= tolerance * std::max(scale, 1e-300);
}

bool finite(Vec3 a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
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
  if (vectors.size() % 12 != 0) return invalid("view vectors come in twelves", "geometry");
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
  if ((!o.shift_u.empty() && o.shift_u.size() != n) || (!o.shift_v.empty() && o.shift_v.size() != n))
    return invalid("per-view shifts need one entry per view", "shifts",
                   std::to_string(n) + " views, " + std::to_string(o.shift_u.size()) + " and " +
                       std::to_string(o.shift_v.size()) + " shifts");
  for (std::size_t i = 0; i < n; ++i)
    if (!(std::abs(o.angles[i]) <= largest_angle))
      return invalid("the angle of view " + std::to_string(i) + " is " +
                         format_quantity(from_stored(o.angles[i], Unit::deg), Unit::deg) +
                         ", more than any rotation stage reaches",
                     "angles", "Correct the angles in the file");
  std::vector<double> vectors(12 * n);
  for (std::size_t i = 0; i < n; ++i) {
    const OrbitTerms<double> terms{o.angles[i],
                                   o.source_to_axis,
                                   o.axis_to_detector,
                                   o.source_shift_u,
                                   o.source_shift_v,
                                   o.axis,
                                   o.shift_u.empty() ? 0.0 : o.shift_u[i],
                                   o.shift_v.empty() ? 0.0 : o.shift_v[i],
                                   o.tilt,
                                   o.lamino,
                                   0.0,
                                   0.0,
                                   0.0,
                                   1.0};
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
  std::vector<double> angle(n), source(n), source_u(n), source_v(n), distance(n), column(n), row(n), tilt(n), lamino(n);
  double scale = detector_.pitch_u * static_cast<double>(detector_.cols);
  for (std::size_t i = 0; i < n; ++i) {
    const View& w = views_[i];
    const double pu = norm(w.u), pv = norm(w.v);
    if (std::abs(pu - detector_.pitch_u) > rounding * pu || std::abs(pv - detector_.pitch_v) > rounding * pv ||
        std::abs(dot(w.u, w.v)) > rounding * pu * pv)
      return std::nullopt;
    const Vec3 along = (1 / (pu * pv)) * cross(w.v, w.u);  // direction of travel of the central normal
    const double horizontal = std::hypot(along.x, along.y);
    if (!(horizontal > rounding)) return std::nullopt;
    angle[i] = std::atan2(-along.x, along.y);
    lamino[i] = std::atan2(along.z, horizontal);
    const Vec3 u0{std::cos(angle[i]), std::sin(angle[i]), 0};
    const Vec3 v0 = cross(u0, along);
    tilt[i] = std::atan2(dot(w.u, v0), dot(w.u, u0));
    distance[i] = dot(w.detector, along);
    column[i] = -dot(w.detector, w.u) / (pu * pu);
    row[i] = -dot(w.detector, w.v) / (pv * pv);
    if (beam_ == Beam::cone) {
      source[i] = -dot(w.beam, along);
      source_u[i] = dot(w.beam, u0);
      source_v[i] = dot(w.beam, v0);
    } else if (norm(w.beam - along) > rounding) {
      return std::nullopt;
    }
    scale = std::max({scale, std::abs(source[i]), std::abs(distance[i])});
  }
  const bool same = constant(source, scale) && constant(source_u, scale) && constant(source_v, scale) &&
                    constant(distance, scale) && constant(tilt, 1) && constant(lamino, 1);
  if (!same || (beam_ == Beam::cone && (std::abs(lamino[0]) > rounding || !(source[0] > 0)))) return std::nullopt;

  Orbit o;
  o.beam = beam_;
  for (std::size_t i = 1; i < n; ++i) angle[i] -= 2 * pi * std::round((angle[i] - angle[i - 1]) / (2 * pi));
  o.angles = angle;
  const auto tidy = [scale](double v, double unit) { return std::abs(v) < residue * scale * unit ? 0.0 : v; };
  o.source_to_axis = mean(source);
  o.axis_to_detector = tidy(mean(distance), 1);
  o.source_shift_u = tidy(mean(source_u), 1);
  o.source_shift_v = tidy(mean(source_v), 1);
  o.axis = tidy(mean(column), 1 / detector_.pitch_u);
  o.tilt = std::abs(mean(tilt)) < rounding ? 0 : mean(tilt);
  o.lamino = std::abs(mean(lamino)) < rounding ? 0 : mean(lamino);
  if (!constant(column, scale / detector_.pitch_u, residue)) {
    o.shift_u = column;
    for (double& s : o.shift_u) s -= o.axis;
  }
  const double lift =
      tidy(*std::max_element(row.begin(), row.end(), [](double a, double b) { return std::abs(a) < std::abs(b); }),
           1 / detector_.pitch_v);
  if (lift != 0) o.shift_v = row;
  return o;
}

bool ScanGeometry::is_plain_circular() const {
  const auto o = orbit();
  return o && o->tilt == 0 && o->lamino == 0 && o->shift_u.empty() &&
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
