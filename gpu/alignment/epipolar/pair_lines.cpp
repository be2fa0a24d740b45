// Compares line integrals of two views plane by plane, with derivatives in both directions.
#include "gpu/alignment/epipolar/pair_lines.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "gpu/device/grain.h"
#include "gpu/device/parallel_for.h"

namespace tl::ops {
namespace {

constexpr double rows_without = 5, rows_of_ramp = 4;  // next to top and bottom a line does not count, and begins to

struct LineBounds {
  double half_rows, half_cols;
  Beam beam;
};

// A plane's line in one view, its factor, and a weight: 0 if it leaves through top or bottom, 1 well within.
struct FanLine {
  double slope = 0, height = 0, factor = 0, nv = 0;
  double weight = 0, by_edge = 0;  // the weight's derivative to the height of the line's higher end

  FanLine(const double* c, double k, const LineBounds& b) : nv(c[Fan::nv0] + k * c[Fan::nv1]), bounds_(b) {
    slope = -(c[Fan::nu0] + k * c[Fan::nu1]) / nv;
    height = -(c[Fan::off0] + k * c[Fan::off1]) / nv;
    factor = c[Fan::area] / (b.beam == Beam::cone ? nv * std::abs(nv) : std::abs(nv));
    const double edge = std::abs(height) + std::abs(slope) * b.half_cols;
    const double x = (b.half_rows - rows_without - edge) / rows_of_ramp;
    const double inside = std::isfinite(x) ? std::clamp(x, 0.0, 1.0) : 0.0;
    weight = inside * inside * (3 - 2 * inside);
    by_edge = -6 * inside * (1 - inside) / rows_of_ramp;
  }

  struct Change {
    double slope, height, factor, weight;
  };
  [[nodiscard]] Change along(const double* c, const double* change, double k) const {
    const double of_nv = change[Fan::nv0] + k * change[Fan::nv1];
    Change d{-(change[Fan::nu0] + k * change[Fan::nu1] + slope * of_nv) / nv,
             -(change[Fan::off0] + k * change[Fan::off1] + height * of_nv) / nv,
             factor * (change[Fan::area] / c[Fan::area] - power() * of_nv / nv), 0};
    d.weight =
        by_edge * (std::copysign(1.0, height) * d.height + bounds_.half_cols * std::copysign(1.0, slope) * d.slope);
    return d;
  }
  // The transpose of along(): adds to the gradient with respect to the fan.
  void add_gradient(const double* c, Change g, double k, double* out) const {
    g.height += g.weight * by_edge * std::copysign(1.0, height);
    g.slope += g.weight * by_edge * bounds_.half_cols * std::copysign(1.0, slope);
    const double of_nu = -g.slope / nv, of_off = -g.height / nv;
    const double of_nv = -(g.slope * slope + g.height * height + power() * g.factor * factor) / nv;
    out[Fan::nu0] += of_nu;
    out[Fan::nu1] += k * of_nu;
    out[Fan::nv0] += of_nv;
    out[Fan::nv1] += k * of_nv;
    out[Fan::off0] += of_off;
    out[Fan::off1] += k * of_off;
    out[Fan::area] += g.factor * factor / c[Fan::area];
  }

 private:
  [[nodiscard]] double power() const { return bounds_.beam == Beam::cone ? 2 : 1; }
  const LineBounds& bounds_;
};

struct FanPlanes {
  FanPlanes(const at::Tensor& given, int64_t planes_, const DetectorShape& d, Beam beam)
      : fans(given.contiguous()),
        pairs(given.size(1)),
        planes(planes_),
        bounds{0.5 * static_cast<double>(d.rows), 0.5 * static_cast<double>(d.cols), beam} {
    TL_CHECK(
        given.dim() == 3 && given.size(0) == 2 && given.size(2) == Fan::entries && given.scalar_type() == at::kDouble,
        "fans of pairs of views");
  }
  [[nodiscard]] const double* fan(int64_t side, int64_t pair) const {
    return fans.const_data_ptr<double>() + (side * pairs + pair) * Fan::entries;
  }
  [[nodiscard]] double counted(int64_t plane) const {
    return static_cast<double>(plane) - 0.5 * static_cast<double>(planes - 1);
  }
  template <class F>
  void each_pair(const F& f) const {
    constexpr int64_t updates = 50;  // per plane
    ops::parallel_for(0, pairs, grain(updates * planes), [&](int64_t begin, int64_t end) {
      for (int64_t pair = begin; pair < end; ++pair) f(pair);
    });
  }

  at::Tensor fans;
  int64_t pairs, planes;
  LineBounds bounds;
};

// Both lines of a plane, and what is compared.
struct PlanePair {
  PlanePair(const FanPlanes& f, int64_t pair, int64_t plane)
      : k(f.counted(plane)),
        first(f.fan(0, pair), k, f.bounds),
        second(f.fan(1, pair), k, f.bounds),
        weight(first.weight * second.weight) {}
  // Noise of a line's value is the same in both.
  void compare(double value_first, double value_second) {
    noise = std::sqrt(first.factor * first.factor + second.factor * second.factor);
    difference = (first.factor * value_first - second.factor * value_second) / noise;
  }
  // Derivative of the difference to one factor.
  [[nodiscard]] double by_factor(double signed_value, double factor) const {
    return (signed_value - difference * factor / noise) / noise;
  }

  double k;
  FanLine first, second;
  double weight, noise = 1, difference = 0;
};

}  // namespace

PairLines lines_of_fans(const at::Tensor& fans, const DetectorShape& detector, Beam beam) {
  const FanPlanes f(fans, detector.rows, detector, beam);
  const std::vector<int64_t> shape{2 * f.pairs, f.planes};
  const PairLines out{at::empty(shape, at::kDouble), at::empty(shape, at::kDouble), at::empty(shape, at::kBool)};
  auto *slope = out.slope.mutable_data_ptr<double>(), *height = out.height.mutable_data_ptr<double>();
  bool* wanted = out.wanted.mutable_data_ptr<bool>();
  f.each_pair([&](int64_t pair) {
    for (int64_t plane = 0; plane < f.planes; ++plane) {
      const PlanePair p(f, pair, plane);
      const int64_t a = pair * f.planes + plane, b = a + f.pairs * f.planes;
      slope[a] = p.first.slope;
      height[a] = p.first.height;
      slope[b] = p.second.slope;
      height[b] = p.second.height;
      wanted[a] = wanted[b] = p.weight > 0;
    }
  });
  return out;
}

PairDifferences pair_differences(const at::Tensor& fans, const LineValues::WithSlopes& lines,
                                 const DetectorShape& detector, Beam beam) {
  const FanPlanes f(fans, detector.rows, detector, beam);
  const PairDifferences out{at::empty({f.pairs, f.planes}, at::kDouble), at::empty({f.pairs}, at::kDouble)};
  auto *difference = out.difference.mutable_data_ptr<double>(), *square = out.weight_square.mutable_data_ptr<double>();
  const double* value = lines.value.const_data_ptr<double>();
  f.each_pair([&](int64_t pair) {
    double sum = 0;
    for (int64_t plane = 0; plane < f.planes; ++plane) {
      PlanePair p(f, pair, plane);
      const int64_t a = pair * f.planes + plane, b = a + f.pairs * f.planes;
      difference[a] = 0;
      if (!(p.weight > 0)) continue;
      p.compare(value[a], value[b]);
      difference[a] = p.weight * p.difference;
      sum += p.weight * p.weight;
    }
    square[pair] = sum;
  });
  return out;
}

PairDifferences pair_differences_along(const at::Tensor& fans, const LineValues::WithSlopes& lines,
                                       const at::Tensor& fans_change, const at::Tensor& values_change,
                                       const DetectorShape& detector, Beam beam) {
  const FanPlanes f(fans, detector.rows, detector, beam);
  const at::Tensor change = fans_change.defined() ? fans_change.contiguous() : at::zeros_like(f.fans);
  const FanPlanes moved(change, detector.rows, detector, beam);
  const at::Tensor of_values = values_change.defined() ? values_change.contiguous() : at::Tensor();
  const PairDifferences out{at::empty({f.pairs, f.planes}, at::kDouble), at::empty({f.pairs}, at::kDouble)};
  auto *difference = out.difference.mutable_data_ptr<double>(), *square = out.weight_square.mutable_data_ptr<double>();
  const double* value = lines.value.const_data_ptr<double>();
  const double *by_slope = lines.by_slope.const_data_ptr<double>(),
               *by_height = lines.by_height.const_data_ptr<double>();
  const double* own = of_values.defined() ? of_values.const_data_ptr<double>() : nullptr;
  f.each_pair([&](int64_t pair) {
    double sum = 0;
    for (int64_t plane = 0; plane < f.planes; ++plane) {
      PlanePair p(f, pair, plane);
      const int64_t a = pair * f.planes + plane, b = a + f.pairs * f.planes;
      difference[a] = 0;
      if (!(p.weight > 0)) continue;
      p.compare(value[a], value[b]);
      const FanLine::Change da = p.first.along(f.fan(0, pair), moved.fan(0, pair), p.k),
                            db = p.second.along(f.fan(1, pair), moved.fan(1, pair), p.k);
      const double va = by_slope[a] * da.slope + by_height[a] * da.height + (own != nullptr ? own[a] : 0),
                   vb = by_slope[b] * db.slope + by_height[b] * db.height + (own != nullptr ? own[b] : 0);
      const double weight = da.weight * p.second.weight + p.first.weight * db.weight;
      const double of_difference = (p.first.factor * va - p.second.factor * vb) / p.noise +
                                   p.by_factor(value[a], p.first.factor) * da.factor +
                                   p.by_factor(-value[b], p.second.factor) * db.factor;
      difference[a] = weight * p.difference + p.weight * of_difference;
      sum += 2 * p.weight * weight;
    }
    square[pair] = sum;
  });
  return out;
}

PairGradients pair_gradients(const at::Tensor& fans, const LineValues::WithSlopes& lines,
                             const PairDifferences& gradients, const DetectorShape& detector, Beam beam) {
  const FanPlanes f(fans, detector.rows, detector, beam);
  const PairGradients out{at::zeros_like(f.fans), at::zeros_like(lines.value)};
  const auto given = [](const at::Tensor& t) { return t.defined() ? t.contiguous() : t; };
  const at::Tensor of_difference = given(gradients.difference), of_square = given(gradients.weight_square);
  const double* gd = of_difference.defined() ? of_difference.const_data_ptr<double>() : nullptr;
  const double* gs = of_square.defined() ? of_square.const_data_ptr<double>() : nullptr;
  const double* value = lines.value.const_data_ptr<double>();
  const double *by_slope = lines.by_slope.const_data_ptr<double>(),
               *by_height = lines.by_height.const_data_ptr<double>();
  double *to_fans = out.fans.mutable_data_ptr<double>(), *to_values = out.values.mutable_data_ptr<double>();
  f.each_pair([&](int64_t pair) {
    for (int64_t plane = 0; plane < f.planes; ++plane) {
      PlanePair p(f, pair, plane);
      if (!(p.weight > 0)) continue;
      const int64_t a = pair * f.planes + plane, b = a + f.pairs * f.planes;
      p.compare(value[a], value[b]);
      const double g = gd != nullptr ? gd[a] : 0;
      const double to_weight = g * p.difference + (gs != nullptr ? 2 * gs[pair] * p.weight : 0);
      to_values[a] = g * p.weight * p.first.factor / p.noise;
      to_values[b] = -g * p.weight * p.second.factor / p.noise;
      p.first.add_gradient(f.fan(0, pair),
                           {to_values[a] * by_slope[a], to_values[a] * by_height[a],
                            g * p.weight * p.by_factor(value[a], p.first.factor), to_weight * p.second.weight},
                           p.k, to_fans + pair * Fan::entries);
      p.second.add_gradient(f.fan(1, pair),
                            {to_values[b] * by_slope[b], to_values[b] * by_height[b],
                             g * p.weight * p.by_factor(-value[b], p.second.factor), to_weight * p.first.weight},
                            p.k, to_fans + (f.pairs + pair) * Fan::entries);
    }
  });
  return out;
}

}  // namespace tl::ops
