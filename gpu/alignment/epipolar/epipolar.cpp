// Compares derivatives of line integrals of pairs of views along the lines in which common planes cut them.
#include "gpu/alignment/epipolar/epipolar.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "gpu/alignment/epipolar/line_lookup.h"
#include "gpu/operator/forward_mode.h"
#include "gpu/operator/reduce.h"

namespace tl::ops {
namespace {

constexpr double outside = 0.52;        // of the width, from the middle: where all planes of a pair may meet
constexpr double min_across = 0.15;     // sine of the angle between parallel beams
constexpr double min_steep = 0.3;       // part of a plane's normal along the columns of a detector, parallel beam
constexpr double margin = 5, ramp = 4;  // rows within which a line does not count, and over which it begins to

struct Vec {
  at::Tensor x, y, z;
};
Vec operator+(const Vec& a, const Vec& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Vec operator-(const Vec& a, const Vec& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Vec operator*(const at::Tensor& s, const Vec& a) { return {s * a.x, s * a.y, s * a.z}; }
at::Tensor dot(const Vec& a, const Vec& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vec cross(const Vec& a, const Vec& b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
at::Tensor length(const Vec& a) { return dot(a, a).sqrt(); }

// Vectors of all views, or of the first or second views of pairs.
struct Views {
  Vec beam, detector, u, v;
};
Views views_of(const at::Tensor& vectors) {
  const auto part = [&](int64_t n) {
    return Vec{vectors.select(1, 3 * n), vectors.select(1, 3 * n + 1), vectors.select(1, 3 * n + 2)};
  };
  return {part(0), part(1), part(2), part(3)};
}
// The point of the central ray that is nearest to the origin.
Vec middle(const Views& w, Beam beam) {
  if (beam == Beam::parallel) return w.detector - dot(w.detector, w.beam) * w.beam;
  const Vec ray = w.detector - w.beam;
  return w.beam - (dot(w.beam, ray) / dot(ray, ray)) * ray;
}

tl::View plain_view(const double* p) {
  return {{p[0], p[1], p[2]}, {p[3], p[4], p[5]}, {p[6], p[7], p[8]}, {p[9], p[10], p[11]}};
}

// Do all planes through both sources meet outside of this view, to one side?
bool epipole_outside(const tl::View& w, Vec3 other, int64_t cols) {
  const Vec3 normal = tl::cross(w.u, w.v), along = other - w.beam;
  const double away = tl::dot(normal, along);
  if (std::abs(away) < 1e-9 * norm(normal) * norm(along)) return true;
  const Vec3 at = w.beam + (tl::dot(normal, w.detector - w.beam) / away) * along - w.detector;
  return std::abs(tl::dot(at, w.u)) > outside * static_cast<double>(cols) * tl::dot(w.u, w.u);
}

struct Pairs {
  std::vector<int64_t> first, second;
  std::vector<double> apart;
};
Pairs pairs_of(const at::Tensor& vectors, const EpipolarParams& p) {
  const at::Tensor plain = vectors.detach().contiguous();
  const double* numbers = plain.const_data_ptr<double>();
  const int64_t views = vectors.size(0);
  Pairs all;
  for (int64_t i = 0; i < views; ++i)
    for (int64_t j = i + 1; j < views; ++j) {
      const tl::View a = plain_view(numbers + 12 * i), b = plain_view(numbers + 12 * j);
      const Vec3 ray_a = p.beam == Beam::cone ? a.detector - a.beam : a.beam,
                 ray_b = p.beam == Beam::cone ? b.detector - b.beam : b.beam;
      const Vec3 across = tl::cross(ray_a, ray_b);
      const double sine = norm(across) / (norm(ray_a) * norm(ray_b));
      bool counts = norm(b.beam - a.beam) > 0;
      if (p.beam == Beam::cone) {
        counts = counts && epipole_outside(a, b.beam, p.detector.cols) && epipole_outside(b, a.beam, p.detector.cols);
      } else {
        const auto steep = [&](Vec3 v) { return std::abs(tl::dot(across, v)) > min_steep * norm(across) * norm(v); };
        counts = counts && sine > min_across && steep(a.v) && steep(b.v);
      }
      if (!counts) continue;
      all.first.push_back(i);
      all.second.push_back(j);
      all.apart.push_back(std::atan2(sine, tl::dot(ray_a, ray_b) / (norm(ray_a) * norm(ray_b))));
    }
  const auto most = static_cast<std::size_t>(std::max<int64_t>(1, p.max_values / p.detector.rows));
  if (all.first.size() <= most) return all;
  Pairs some;
  std::size_t due = 0;
  for (std::size_t n = 0; n < all.first.size(); ++n) {
    due += most;
    if (due < all.first.size()) continue;
    due -= all.first.size();
    some.first.push_back(all.first[n]);
    some.second.push_back(all.second[n]);
    some.apart.push_back(all.apart[n]);
  }
  return some;
}

// Absorption over the distance from the source, in units of that of the middle: [view, row, col].
at::Tensor over_distance(const at::Tensor& data, const at::Tensor& vectors, const DetectorShape& d) {
  const Views w = views_of(vectors);
  const Vec ray = w.detector - w.beam;
  const at::Tensor x = (at::arange(d.cols, at::kDouble) - 0.5 * static_cast<double>(d.cols - 1)).view({1, 1, -1}),
                   y = (0.5 * static_cast<double>(d.rows - 1) - at::arange(d.rows, at::kDouble)).view({1, -1, 1});
  const at::Tensor square = dot(ray, ray);
  const auto share = [&](const at::Tensor& t) { return (t / square).view({-1, 1, 1}); };
  const at::Tensor of_cols = 1 + 2 * share(dot(ray, w.u)) * x + share(dot(w.u, w.u)) * x * x;
  const at::Tensor of_rows = 2 * share(dot(ray, w.v)) * y + share(dot(w.v, w.v)) * y * y;
  const at::Tensor distance = of_cols + of_rows + 2 * share(dot(w.u, w.v)) * x * y;
  return data * distance.rsqrt().to(data.scalar_type());
}

// The lines in one of the two views: slope and height [pair, plane], and the factor on what is looked up.
struct Lines {
  at::Tensor slope, height, factor;
};
// Planes through the source with the normal n = n0 + h n1 in a cone beam; n . (x - through) = h with n = n0 in a
// parallel one.
Lines lines_of(const Views& w, const Vec& n0, const Vec& n1, const Vec& through, const at::Tensor& h, Beam beam) {
  const auto part = [&](const Vec& a) {
    const at::Tensor fixed = dot(n0, a).unsqueeze(1);
    return beam == Beam::cone ? fixed + h * dot(n1, a).unsqueeze(1) : fixed;
  };
  const at::Tensor nu = part(w.u), nv = part(w.v);
  // The plane holds the source; in a parallel beam it is h away from the middle.
  const at::Tensor off = beam == Beam::cone ? part(w.detector - w.beam) : part(w.detector - through) - h;
  const Vec area = cross(w.u, w.v);
  const Vec ray = w.detector - w.beam;
  const at::Tensor factor = beam == Beam::cone ? (dot(area, ray).abs() / length(ray)).unsqueeze(1) / (nv * nv.abs())
                                               : dot(area, w.beam).abs().unsqueeze(1) / nv.abs();
  return {(-nu / nv).expand_as(off), -off / nv, factor.expand_as(off)};
}

// 0 for lines that leave the detector at top or bottom, 1 for those that cross it well within, smoothly.
at::Tensor weight_of(const Lines& lines, const DetectorShape& d) {
  const at::Tensor edge = lines.height.abs() + lines.slope.abs() * (0.5 * static_cast<double>(d.cols));
  const at::Tensor inside = ((0.5 * static_cast<double>(d.rows) - margin - edge) / ramp).clamp(0, 1);
  return inside * inside * (3 - 2 * inside);
}

// What a table has at lines, differentiable with respect to both.
at::Tensor look_up(const at::Tensor& table, const LineGrid& grid, const std::vector<int64_t>& views,
                   const Lines& lines) {
  const auto plain = [](const at::Tensor& t) { return dual_parts(t).value.detach().contiguous(); };
  const auto at = std::make_shared<LinesOfViews>(LinesOfViews{views, plain(lines.slope), plain(lines.height)});
  const auto looked_up = [&](LookUp what) {
    return tl::apply(make_line_lookup(table.size(0), grid, table.scalar_type(), at, what), table);
  };
  at::Tensor value = looked_up(LookUp::value);
  if (is_differentiated(lines.slope)) value = value + looked_up(LookUp::by_slope) * (lines.slope - at->slope);
  if (is_differentiated(lines.height)) value = value + looked_up(LookUp::by_height) * (lines.height - at->height);
  return value;
}

}  // namespace

EpipolarDifferences epipolar_differences(const at::Tensor& projections, const at::Tensor& vectors,
                                         const EpipolarParams& p) {
  const DetectorShape& d = p.detector;
  TL_CHECK(projections.dim() == 3 && vectors.dim() == 2 && vectors.size(0) == projections.size(0) &&
               vectors.size(1) == 12 && vectors.scalar_type() == at::kDouble,
           "epipolar consistency of [view, row, col] with vectors [view, 12]");
  const Pairs pairs = pairs_of(dual_parts(vectors).value, p);
  if (pairs.first.empty())
    throw Failure(
        invalid("no two views have planes in common that cross both detectors", "projections", "Use more of the scan"));
  const at::Tensor first = vectors.index_select(0, at::tensor(pairs.first)),
                   second = vectors.index_select(0, at::tensor(pairs.second));
  const Views a = views_of(first), b = views_of(second);
  const Views all = views_of(vectors);
  at::Tensor spacing = at::scalar_tensor(d.pitch_v, at::kDouble);
  if (p.beam == Beam::cone)
    spacing = d.pitch_v * differentiable_mean(
                              (length(middle(all, p.beam) - all.beam) / length(all.detector - all.beam)).contiguous());
  const at::Tensor h =
      (spacing * (at::arange(d.rows, at::kDouble) - 0.5 * static_cast<double>(d.rows - 1))).unsqueeze(0);
  const at::Tensor half = at::scalar_tensor(0.5, at::kDouble);
  const Vec through = half * (middle(a, p.beam) + middle(b, p.beam));
  Vec n0, n1;
  if (p.beam == Beam::cone) {
    const Vec base = b.beam - a.beam, up = (1 / length(a.v)) * a.v + (1 / length(b.v)) * b.v;
    const Vec across = up - (dot(up, base) / dot(base, base)) * base;
    n0 = cross(a.beam - through, b.beam - through);
    n1 = cross(base, (1 / length(across)) * across);
  } else {
    n0 = cross(a.beam, b.beam);
    n0 = (1 / length(n0)) * n0;
  }
  const Lines of_a = lines_of(a, n0, n1, through, h, p.beam), of_b = lines_of(b, n0, n1, through, h, p.beam);

  const LineGrid grid = LineGrid::crossing(d.rows, d.cols);
  const at::Tensor seen = p.beam == Beam::cone ? over_distance(projections, vectors, d) : projections;
  const LineValue value = p.beam == Beam::cone ? LineValue::derivative : LineValue::integral;
  const at::Tensor table = tl::apply(make_line_table(projections.size(0), grid, value, p.width), seen.contiguous());
  const at::Tensor weight = weight_of(of_a, d) * weight_of(of_b, d);
  const at::Tensor difference =
      of_a.factor * look_up(table, grid, pairs.first, of_a) - of_b.factor * look_up(table, grid, pairs.second, of_b);
  const at::Tensor noise = (of_a.factor * of_a.factor + of_b.factor * of_b.factor).sqrt();
  const at::Tensor level = (differentiable_sum_of_squares(weight.contiguous()) / weight.numel()).sqrt();
  if (!(level.detach().item<double>() > 0))
    throw Failure(invalid("no plane through two sources crosses both detectors from the left to the right",
                          "projections", "Use more rows of the detector"));
  return {weight * (difference / noise) / level, pairs.first, pairs.second, pairs.apart};
}

}  // namespace tl::ops
