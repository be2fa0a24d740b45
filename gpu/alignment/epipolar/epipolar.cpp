// Compares derivatives of line integrals of pairs of views along the lines in which common planes cut them.
#include "gpu/alignment/epipolar/epipolar.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "gpu/alignment/epipolar/pair_lines.h"
#include "gpu/operator/forward_mode.h"
#include "gpu/operator/own_gradient.h"
#include "gpu/operator/reduce.h"

namespace tl::ops {
namespace {

// Where pairs of views begin to count, and count fully. Cone beam: where all their planes meet in a detector, from its
// middle, as a share of its width. Parallel beam: sine of the angle between both beams; part of a plane's normal along
// the columns of a detector.
struct Ramp {
  double from, to;
};
constexpr Ramp outside{0.52, 0.6}, across_beam{0.15, 0.2}, steep{0.3, 0.4};

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

// 0 to 1, with a continuous derivative.
at::Tensor smooth_step(const at::Tensor& x, const Ramp& ramp) {
  const at::Tensor t = ((x - ramp.from) / (ramp.to - ramp.from)).clamp(0, 1);
  return t * t * (3 - 2 * t);
}

// Do all planes through both sources meet outside of this view, to one side?
at::Tensor epipole_outside(const Views& w, const Vec& other, int64_t cols) {
  const Vec normal = cross(w.u, w.v), along = other - w.beam, ray = w.detector - w.beam;
  const at::Tensor away = dot(normal, along);
  // In columns from the middle, times away / u^2.
  const at::Tensor column = dot(normal, ray) * dot(along, w.u) - away * dot(ray, w.u);
  const at::Tensor inverse = static_cast<double>(cols) * away.abs() * dot(w.u, w.u) / column.abs();
  return smooth_step(-inverse, {-1 / outside.from, -1 / outside.to});
}

Views views_at(const at::Tensor& vectors, const std::vector<int64_t>& views) {
  return views_of(vectors.index_select(0, at::tensor(views)));
}

struct Pairs {
  std::vector<int64_t> first, second;
  at::Tensor weight;          // [pair]
  std::vector<double> apart;  // [rad]
};
at::Tensor weight_of_pairs(const Views& a, const Views& b, const EpipolarParams& p) {
  if (p.beam == Beam::cone)
    return epipole_outside(a, b.beam, p.detector.cols) * epipole_outside(b, a.beam, p.detector.cols);
  const Vec across = cross(a.beam, b.beam);
  const auto along = [&](const Vec& v) { return dot(across, v).abs() / (length(across) * length(v)); };
  return smooth_step(length(across) / (length(a.beam) * length(b.beam)), across_beam) * smooth_step(along(a.v), steep) *
         smooth_step(along(b.v), steep);
}
// Which pairs are looked at depends on their number alone, and each begins to count with a weight of 0: else the loss
// would jump where a pair more or less counts.
Pairs pairs_of(const at::Tensor& vectors, const EpipolarParams& p) {
  const int64_t views = vectors.size(0), all = views * (views - 1) / 2;
  const int64_t most = std::max<int64_t>(1, std::min(all, p.max_values / p.detector.rows));
  Pairs looked_at, out;
  int64_t due = 0;
  for (int64_t i = 0; i < views; ++i)
    for (int64_t j = i + 1; j < views; ++j) {
      due += most;
      if (due < all) continue;
      due -= all;
      looked_at.first.push_back(i);
      looked_at.second.push_back(j);
    }
  if (looked_at.first.empty()) return out;
  const at::Tensor plain = dual_parts(vectors).value.detach();
  const Views a = views_at(plain, looked_at.first), b = views_at(plain, looked_at.second);
  const Vec ray_a = p.beam == Beam::cone ? a.detector - a.beam : a.beam,
            ray_b = p.beam == Beam::cone ? b.detector - b.beam : b.beam;
  const at::Tensor apart = at::atan2(length(cross(ray_a, ray_b)), dot(ray_a, ray_b)).contiguous();
  const at::Tensor weight = weight_of_pairs(a, b, p).contiguous();
  for (std::size_t n = 0; n < looked_at.first.size(); ++n) {
    if (!(weight.const_data_ptr<double>()[n] > 0)) continue;
    out.first.push_back(looked_at.first[n]);
    out.second.push_back(looked_at.second[n]);
    out.apart.push_back(apart.const_data_ptr<double>()[n]);
  }
  if (!out.first.empty()) out.weight = weight_of_pairs(views_at(vectors, out.first), views_at(vectors, out.second), p);
  return out;
}

// Vectors of views of which squares of `bin` pixels are averaged; what is left at the ends of rows and columns is cut.
at::Tensor binned_vectors(const at::Tensor& vectors, const DetectorShape& d, int64_t bin) {
  const auto part = [&](int64_t n) { return vectors.narrow(1, 3 * n, 3); };
  const double right = 0.5 * static_cast<double>(d.cols % bin), down = 0.5 * static_cast<double>(d.rows % bin);
  return at::cat({part(0), part(1) - right * part(2) + down * part(3), static_cast<double>(bin) * part(2),
                  static_cast<double>(bin) * part(3)},
                 1);
}

// Absorption over the distance from the source, in units of that of the middle: [view, row, col].
at::Tensor over_distance(const at::Tensor& data, const at::Tensor& vectors, const DetectorShape& d) {
  const at::ScalarType type = data.scalar_type();
  const Views w = views_of(vectors);
  const Vec ray = w.detector - w.beam;
  const at::Tensor x = (at::arange(d.cols, type) - 0.5 * static_cast<double>(d.cols - 1)).view({1, 1, -1}),
                   y = (0.5 * static_cast<double>(d.rows - 1) - at::arange(d.rows, type)).view({1, -1, 1});
  const at::Tensor square = dot(ray, ray);
  const auto share = [&](const at::Tensor& t) { return (t / square).view({-1, 1, 1}).to(type); };
  const at::Tensor of_cols = 1 + 2 * share(dot(ray, w.u)) * x + share(dot(w.u, w.u)) * x * x;
  const at::Tensor of_rows = 2 * share(dot(ray, w.v)) * y + share(dot(w.v, w.v)) * y * y;
  const at::Tensor squared_distance = of_cols + of_rows + (2 * share(dot(w.u, w.v)) * y) * x;
  return data * squared_distance.rsqrt();
}

// The fan of lines in one of the two views, [pair, Fan::entries], of planes through the source with the normal
// n = n0 + h n1 in a cone beam; n . (x - through) = h with n = n0 in a parallel one. h = k spacing.
at::Tensor fan_of(const Views& w, const Vec& n0, const Vec& n1, const Vec& through, const at::Tensor& spacing,
                  Beam beam) {
  const Vec normal = cross(w.u, w.v);
  std::vector<at::Tensor> entries;
  if (beam == Beam::cone) {
    const Vec ray = w.detector - w.beam;
    for (const Vec& a : {w.u, w.v, ray}) {
      entries.push_back(dot(n0, a));
      entries.push_back(spacing * dot(n1, a));
    }
    entries.push_back(dot(normal, ray).abs() / length(ray));
  } else {
    const at::Tensor of_u = dot(n0, w.u), none = at::zeros_like(of_u);
    entries = {
        of_u, none, dot(n0, w.v), none, dot(n0, w.detector - through), none - spacing, dot(normal, w.beam).abs()};
  }
  return at::stack(entries, 1);
}

// The same as pair_differences() of the lines in `seen`, differentiable with respect to both.
PairDifferences compared(const at::Tensor& seen, const at::Tensor& fans, std::vector<int64_t> views, LineValue value,
                         const EpipolarParams& p) {
  const DualParts data = dual_parts(seen), shape = dual_parts(fans);
  const at::Tensor x = data.value.detach().contiguous(), at_fans = shape.value.detach().contiguous();
  const PairLines lines = lines_of_fans(at_fans, p.detector, p.beam);
  const auto op = make_line_values(x.size(0), LineGrid::crossing(p.detector.rows, p.detector.cols), x.scalar_type(),
                                   value, p.width, {std::move(views), lines.slope, lines.height, lines.wanted});
  const bool forward = data.tangent.defined() || shape.tangent.defined();
  const bool reverse = c10::GradMode::is_enabled() && (data.value.requires_grad() || shape.value.requires_grad());
  if (!forward && !reverse) return pair_differences(at_fans, {op->apply(x), {}, {}}, p.detector, p.beam);
  const LineValues::WithSlopes values = op->with_slopes(x);
  PairDifferences out = pair_differences(at_fans, values, p.detector, p.beam);
  if (reverse) {
    const auto backward = [op, at_fans, values, detector = p.detector, beam = p.beam,
                           of_data = data.value.requires_grad()](const Tensors& gradients) {
      if (!gradients[0].defined() && !gradients[1].defined()) return Tensors{at::Tensor(), at::Tensor()};
      const PairGradients g = pair_gradients(at_fans, values, {gradients[0], gradients[1]}, detector, beam);
      return Tensors{of_data ? op->adjoint(g.values) : at::Tensor(), g.fans};
    };
    const Tensors both = with_gradient({out.difference, out.weight_square}, {data.value, shape.value}, backward);
    out = {both[0], both[1]};
  }
  if (!forward) return out;
  const at::Tensor moved = data.tangent.defined() ? op->apply(data.tangent.detach().contiguous()) : at::Tensor();
  const at::Tensor turned = shape.tangent.defined() ? shape.tangent.detach() : at::Tensor();
  const PairDifferences change = pair_differences_along(at_fans, values, turned, moved, p.detector, p.beam);
  return {dual(out.difference, change.difference), dual(out.weight_square, change.weight_square)};
}

}  // namespace

EpipolarDifferences epipolar_differences(const at::Tensor& given, const at::Tensor& given_vectors,
                                         const EpipolarParams& given_params) {
  EpipolarParams p = given_params;
  p.detector = given_params.binned();
  const DetectorShape& d = p.detector;
  TL_CHECK(given.dim() == 3 && given_vectors.dim() == 2 && given_vectors.size(0) == given.size(0) &&
               given_vectors.size(1) == 12 && given_vectors.scalar_type() == at::kDouble && p.bin >= 1,
           "epipolar consistency of [view, row, col] with vectors [view, 12]");
  const at::Tensor projections = p.bin == 1 ? given : at::avg_pool2d(given, p.bin),
                   vectors = p.bin == 1 ? given_vectors : binned_vectors(given_vectors, given_params.detector, p.bin);
  const Pairs pairs = pairs_of(vectors, p);
  if (pairs.first.empty())
    throw Failure(
        invalid("no two views have planes in common that cross both detectors", "projections", "Use more of the scan"));
  const Views a = views_at(vectors, pairs.first), b = views_at(vectors, pairs.second);
  const Views all = views_of(vectors);
  at::Tensor spacing = at::scalar_tensor(d.pitch_v, at::kDouble);
  if (p.beam == Beam::cone)
    spacing = d.pitch_v * differentiable_mean(
                              (length(middle(all, p.beam) - all.beam) / length(all.detector - all.beam)).contiguous());
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
  const at::Tensor fans =
      at::stack({fan_of(a, n0, n1, through, spacing, p.beam), fan_of(b, n0, n1, through, spacing, p.beam)}, 0);
  const at::Tensor seen = p.beam == Beam::cone ? over_distance(projections, vectors, d) : projections;
  std::vector<int64_t> views = pairs.first;
  views.insert(views.end(), pairs.second.begin(), pairs.second.end());
  const PairDifferences both =
      compared(seen, fans, std::move(views), p.beam == Beam::cone ? LineValue::derivative : LineValue::integral, p);
  const at::Tensor weight_square = (both.weight_square * pairs.weight.square()).contiguous();
  const at::Tensor level = (differentiable_sum(weight_square) / static_cast<double>(both.difference.numel())).sqrt();
  if (!(level.detach().item<double>() > 0))
    throw Failure(invalid("no plane through two sources crosses both detectors from the left to the right",
                          "projections", "Use more rows of the detector"));
  return {both.difference * (pairs.weight / level).unsqueeze(1), pairs.first, pairs.second, pairs.apart};
}

}  // namespace tl::ops
