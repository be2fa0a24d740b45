// Assigns images to balls, and fits the orbit and their centres by Gauss and Newton.
#include "gpu/alignment/balls/ball_fit.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "core/base/orbit_math.h"
#include "core/base/units.h"

namespace tl::ops {
namespace {

using Values = std::vector<double>;
constexpr double usual_pitch = pi / 180;  // to which detectors are mounted by hand
constexpr double seen_in = 0.6;           // of the views: a ball

// Symmetric positive matrices, row by row.
struct Normal {
  std::size_t n;
  Values a, b;
  explicit Normal(std::size_t size) : n(size), a(size * size, 0.0), b(size, 0.0) {}
  double& at(std::size_t i, std::size_t j) { return a[i * n + j]; }
};

// Factors in place (Cholesky); false where the matrix is not positive.
bool factor(Normal& m) {
  for (std::size_t j = 0; j < m.n; ++j) {
    double d = m.at(j, j);
    const double whole = d;
    for (std::size_t k = 0; k < j; ++k) d -= m.at(j, k) * m.at(j, k);
    if (!(d > 1e-13 * whole)) return false;
    m.at(j, j) = std::sqrt(d);
    for (std::size_t i = j + 1; i < m.n; ++i) {
      double s = m.at(i, j);
      for (std::size_t k = 0; k < j; ++k) s -= m.at(i, k) * m.at(j, k);
      m.at(i, j) = s / m.at(j, j);
    }
  }
  return true;
}
Values solve(Normal& m, Values b) {
  for (std::size_t i = 0; i < m.n; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= m.at(i, k) * b[k];
    b[i] /= m.at(i, i);
  }
  for (std::size_t i = m.n; i-- > 0;) {
    for (std::size_t k = i + 1; k < m.n; ++k) b[i] -= m.at(k, i) * b[k];
    b[i] /= m.at(i, i);
  }
  return b;
}

View view_of(const std::array<double, ball_unknowns>& p, const Orbit& o, std::size_t view, const DetectorShape& d) {
  const auto at = [&](BallUnknown u) { return p[static_cast<std::size_t>(u)]; };
  const OrbitTerms<double> terms{o.angles[view],
                                 o.source_to_axis,
                                 at(BallUnknown::source_to_detector) - o.source_to_axis,
                                 0,
                                 0,
                                 at(BallUnknown::axis),
                                 0,
                                 at(BallUnknown::height),
                                 at(BallUnknown::tilt),
                                 0,
                                 at(BallUnknown::yaw),
                                 at(BallUnknown::pitch),
                                 0,
                                 1};
  const auto w = orbit_view(terms, Beam::cone, d.pitch_u, d.pitch_v);
  return {{w[0], w[1], w[2]}, {w[3], w[4], w[5]}, {w[6], w[7], w[8]}, {w[9], w[10], w[11]}};
}

// Where a point lands: columns and rows from the detector's centre.
struct Landing {
  double u, v;
};
Landing landing(const View& w, Vec3 point) {
  const Vec3 normal = cross(w.u, w.v), ray = point - w.beam;
  const Vec3 q = w.beam + (dot(normal, w.detector - w.beam) / dot(normal, ray)) * ray - w.detector;
  return {dot(q, w.u) / dot(w.u, w.u), dot(q, w.v) / dot(w.v, w.v)};
}

struct Views {
  std::vector<View> all;
  Views(const std::array<double, ball_unknowns>& p, const Orbit& o, const DetectorShape& d) {
    for (std::size_t i = 0; i < o.angles.size(); ++i) all.push_back(view_of(p, o, i, d));
  }
};

// The point nearest to the rays of some images.
std::optional<Vec3> crossing(const std::vector<const BallImage*>& images, const Views& views) {
  Normal m(3);
  for (const BallImage* image : images) {
    const View& w = views.all[static_cast<std::size_t>(image->view)];
    Vec3 ray = w.detector + image->u * w.u + image->v * w.v - w.beam;
    ray = (1 / norm(ray)) * ray;
    const std::array<double, 3> r{ray.x, ray.y, ray.z}, s{w.beam.x, w.beam.y, w.beam.z};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        const double across = (i == j ? 1 : 0) - r[i] * r[j];
        m.at(i, j) += across;
        m.b[i] += across * s[j];
      }
  }
  if (images.size() < 2 || !factor(m)) return std::nullopt;
  const Values x = solve(m, m.b);
  return Vec3{x[0], x[1], x[2]};
}

// The nearest image to where each view sees the point, within reach.
std::vector<const BallImage*> images_near(Vec3 point, const std::vector<std::vector<const BallImage*>>& by_view,
                                          const Views& views, double reach) {
  std::vector<const BallImage*> near;
  for (std::size_t i = 0; i < by_view.size(); ++i) {
    const Landing at = landing(views.all[i], point);
    const BallImage* best = nullptr;
    double least = reach;
    for (const BallImage* image : by_view[i])
      if (const double off = std::hypot(image->u - at.u, image->v - at.v); off < least) {
        least = off;
        best = image;
      }
    if (best != nullptr) near.push_back(best);
  }
  return near;
}

struct Track {
  Vec3 centre;
  std::vector<const BallImage*> images;
};

// Points that most views see where the nominal orbit says, each image in one of them.
std::vector<Track> tracks_of(const std::vector<BallImage>& images, const Views& views, double reach) {
  const std::size_t n = views.all.size();
  std::vector<std::vector<const BallImage*>> by_view(n);
  for (const BallImage& image : images) by_view[static_cast<std::size_t>(image.view)].push_back(&image);
  const auto enough = static_cast<std::size_t>(std::ceil(seen_in * static_cast<double>(n)));
  std::vector<Track> tracks;
  for (std::size_t round = 0; round < images.size(); ++round) {
    Track best;
    // Two views a quarter of the views apart give a point; each of the first views may lack a ball.
    for (std::size_t a = 0; a < std::min<std::size_t>(n, 4); ++a) {
      const std::size_t b = (a + std::max<std::size_t>(1, n / 4)) % n;
      for (const BallImage* one : by_view[a])
        for (const BallImage* other : by_view[b]) {
          auto point = crossing({one, other}, views);
          if (!point) continue;
          std::vector<const BallImage*> near = images_near(*point, by_view, views, reach);
          for (int refine = 0; refine < 2 && near.size() >= 2; ++refine) {
            point = crossing(near, views);
            if (!point) break;
            near = images_near(*point, by_view, views, reach);
          }
          if (point && near.size() > best.images.size()) best = {*point, near};
        }
    }
    if (best.images.size() < enough) break;
    for (const BallImage* image : best.images) {
      auto& there = by_view[static_cast<std::size_t>(image->view)];
      there.erase(std::find(there.begin(), there.end(), image));
    }
    tracks.push_back(std::move(best));
  }
  return tracks;
}

// One fit of everything that is not fixed to all images of the tracks. Empty where they do not determine it.
std::optional<BallFit> fitted(const std::vector<Track>& tracks, std::array<double, ball_unknowns> p, const Orbit& o,
                              const DetectorShape& d) {
  std::vector<std::size_t> open;
  for (std::size_t k = 0; k < ball_unknowns; ++k)
    if (k != static_cast<std::size_t>(BallUnknown::pitch)) open.push_back(k);
  const std::size_t size = open.size() + 3 * tracks.size();
  const double lengths = o.source_to_axis;
  const std::array<double, ball_unknowns> unit{1, 1, 1e-2, 1e-2, 1e-2, 1e-2 * lengths};
  const double of_point = d.pitch_u;
  std::vector<Vec3> centres;
  for (const Track& t : tracks) centres.push_back(t.centre);
  double sum = 0;
  std::size_t coordinates = 0;
  Normal m(size);
  for (int round = 0; round < 40; ++round) {
    m = Normal(size);
    sum = 0;
    coordinates = 0;
    const double change = 1e-4;  // of the units, for differences of smooth functions
    const Views here(p, o, d);
    std::vector<Views> more;
    for (const std::size_t k : open) {
      auto q = p;
      q[k] += change * unit[k];
      more.emplace_back(q, o, d);
    }
    for (std::size_t t = 0; t < tracks.size(); ++t)
      for (const BallImage* image : tracks[t].images) {
        const auto view = static_cast<std::size_t>(image->view);
        const Landing at = landing(here.all[view], centres[t]);
        std::vector<std::pair<std::size_t, Landing>> slopes;
        const auto slope = [&](std::size_t unknown, Landing there) {
          slopes.push_back({unknown, {(there.u - at.u) / change, (there.v - at.v) / change}});
        };
        for (std::size_t k = 0; k < open.size(); ++k) slope(k, landing(more[k].all[view], centres[t]));
        const std::array<Vec3, 3> steps{Vec3{change * of_point, 0, 0}, Vec3{0, change * of_point, 0},
                                        Vec3{0, 0, change * of_point}};
        for (std::size_t k = 0; k < 3; ++k)
          slope(open.size() + 3 * t + k, landing(here.all[view], centres[t] + steps[k]));
        const double off_u = image->u - at.u, off_v = image->v - at.v;
        sum += off_u * off_u + off_v * off_v;
        coordinates += 2;
        for (const auto& [i, a] : slopes) {
          m.b[i] += a.u * off_u + a.v * off_v;
          for (const auto& [j, b] : slopes) m.at(i, j) += a.u * b.u + a.v * b.v;
        }
      }
    if (!factor(m)) return std::nullopt;
    const Values step = solve(m, m.b);
    double most = 0;
    for (std::size_t k = 0; k < open.size(); ++k) {
      p[open[k]] += step[k] * unit[open[k]];
      most = std::max(most, std::abs(step[k]));
    }
    for (std::size_t t = 0; t < tracks.size(); ++t) {
      const double* s = step.data() + open.size() + 3 * t;
      centres[t] = centres[t] + of_point * Vec3{s[0], s[1], s[2]};
    }
    if (!std::isfinite(most)) return std::nullopt;
    if (most < 1e-7) break;
  }
  if (coordinates <= size) return std::nullopt;
  BallFit fit;
  fit.value = p;
  fit.balls = centres;
  fit.rms = std::sqrt(sum / static_cast<double>(coordinates));
  const double variance = sum / static_cast<double>(coordinates - size);
  for (std::size_t k = 0; k < open.size(); ++k) {
    Values column(size, 0.0);
    column[k] = 1;
    fit.sigma[open[k]] = std::sqrt(std::max(0.0, variance * solve(m, column)[k])) * unit[open[k]];
  }
  // A pitch that is not known does to the tilt, in second order, what a rotation of the detector does: yaw times pitch.
  auto& of_tilt = fit.sigma[static_cast<std::size_t>(BallUnknown::tilt)];
  of_tilt = std::hypot(of_tilt, p[static_cast<std::size_t>(BallUnknown::yaw)] * usual_pitch);
  for (const Track& t : tracks) fit.counts.push_back(static_cast<int64_t>(t.images.size()));
  return fit;
}

Error too_few(std::size_t balls) {
  return invalid("three balls or more are needed in most views, and " + std::to_string(balls) +
                     (balls == 1 ? " was found" : " were found"),
                 "projections", "Lower the threshold, or scan a phantom with more balls that stay in the field");
}

}  // namespace

Orbit facing_the_source(const Orbit& orbit, const DetectorShape& detector) {
  if (orbit.source_shift_u == 0 && orbit.source_shift_v == 0) return orbit;
  Orbit o = orbit;
  const double turn = std::atan2(orbit.source_shift_u, orbit.source_to_axis), c = std::cos(orbit.tilt),
               s = std::sin(orbit.tilt);
  for (double& angle : o.angles) angle += turn;
  o.yaw -= turn;
  o.source_to_axis = orbit.source_to_axis / std::cos(turn);
  o.axis_to_detector = orbit.axis_to_detector / std::cos(turn);
  o.source_shift_u = o.source_shift_v = 0;
  // The line from the source through the axis meets the detector elsewhere.
  const double along = orbit.axis_to_detector * std::tan(turn), up = orbit.source_shift_v;
  o.axis += (up * s - along * c) / detector.pitch_u;
  if (o.shift_v.empty()) o.shift_v.assign(o.angles.size(), 0.0);
  for (double& shift : o.shift_v) shift += (along * s + up * c) / detector.pitch_v;
  return o;
}

Result<BallFit> fit_balls(const std::vector<BallImage>& images, const Orbit& nominal, const DetectorShape& detector,
                          const BallFitParams& params) {
  double height = 0;
  for (const double s : nominal.shift_v) height += s / static_cast<double>(nominal.shift_v.size());
  const std::array<double, ball_unknowns> start{
      nominal.axis, height, nominal.tilt, nominal.yaw, 0, nominal.source_to_axis + nominal.axis_to_detector};
  const Views views(start, nominal, detector);
  std::vector<Track> tracks = tracks_of(images, views, params.reach);
  if (tracks.size() < 3) return too_few(tracks.size());
  const Error undetermined = invalid("the balls do not determine the orbit: they lie at one height, or on the axis",
                                     "projections", "Use a phantom whose balls lie at several heights off the axis");
  auto fit = fitted(tracks, start, nominal, detector);
  if (!fit) return undetermined;
  constexpr double outlier = 4, floor = 0.02;  // times the rms; [px], rounding of perfect centres
  const double limit = outlier * std::max(fit->rms, floor);
  const Views found(fit->value, nominal, detector);
  int64_t used = 0;
  bool dropped = false;
  for (std::size_t t = 0; t < tracks.size(); ++t) {
    tracks[t].centre = fit->balls[t];
    auto& of_ball = tracks[t].images;
    const auto is_off = [&](const BallImage* image) {
      const Landing at = landing(found.all[static_cast<std::size_t>(image->view)], fit->balls[t]);
      return std::hypot(image->u - at.u, image->v - at.v) > limit;
    };
    const auto kept = std::remove_if(of_ball.begin(), of_ball.end(), is_off);
    dropped = dropped || kept != of_ball.end();
    of_ball.erase(kept, of_ball.end());
    used += static_cast<int64_t>(of_ball.size());
  }
  if (dropped) fit = fitted(tracks, fit->value, nominal, detector);
  if (!fit) return undetermined;
  fit->left_out = static_cast<int64_t>(images.size()) - used;
  return *fit;
}

Result<ScanGeometry> geometry_of(const BallFit& fit, const Orbit& nominal, const DetectorShape& detector) {
  std::vector<View> views = Views(fit.value, nominal, detector).all;
  return ScanGeometry::from_views(Beam::cone, detector, std::move(views));
}

}  // namespace tl::ops
