// Random scans with a known rotation axis, most of them difficult: for tests of verdicts.
#pragma once

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/base/units.h"
#include "gpu/correction/flats/flat_field.h"
#include "gpu/simulate/phantom_library.h"
#include "gpu/simulate/poisson.h"

namespace tl::test {

struct AxisTrial {
  at::Tensor absorption;       // [view, row, col]
  std::vector<double> angles;  // as stated in the file [rad]
  double axis = 0;             // truth [px]
  double fan_per_column = 0;   // 0 = parallel [rad]
  bool has_axis = true;        // false for air: any resolved axis is then wrong
  [[nodiscard]] bool full_turn() const { return angles.back() > 1.5 * pi; }
};

inline const std::vector<std::string>& axis_trial_kinds() {
  static const std::vector<std::string> all = {"easy",
                                               "truncated, half turn",
                                               "truncated, full turn",
                                               "half acquisition",
                                               "displaced fan",
                                               "photons",
                                               "views",
                                               "rings",
                                               "axis to the edge",
                                               "wrong range",
                                               "motion",
                                               "saturated",
                                               "air",
                                               "disc on the axis",
                                               "slow drift",
                                               "20 photons",
                                               "half acquisition, no noise",
                                               "half acquisition, few columns",
                                               "leaning along the beam",
                                               "displaced cone",
                                               "equal stripes"};
  return all;
}

namespace axis_trials {

constexpr int64_t rows = 2;

// All properties of a trial; each kind changes some of them.
struct Recipe {
  uint64_t seed = 0;
  bool full = false, fan = false, empty = false, disc = false;
  bool solid = false;  // ellipsoids instead of rods
  int64_t views = 180, cols = 160;
  double source = 1000;                        // [mm] fan: source to axis, where the detector is; columns of 1 mm
  double photons = 1e4, axis = 0, radius = 0;  // radius 0 = as large as fits into the field
  double rings = 0, range_error = 0;           // rings: share of the beam; range_error: true range minus file's [rad]
  int64_t stripes = 0;                         // number of columns with a gain error common to all rows
  double moved = 0, move_direction = 0;        // [px], [rad]
  double move_at = 0;                          // share of the scan at which the object jumps; 0 = it drifts
  double clipped = 0;                          // share of the largest absorption above which values are clipped
  double lean = 0;                             // [rad] lean of the axis along the beam
  double rounded = 0;                          // photons 0: counts without noise, rounded; 0 = not rounded
};

class Draw {
 public:
  Draw(uint64_t seed, uint64_t stream) : random_{seed, stream} {}
  double operator()(double low, double high) { return low + (high - low) * random_.uniform(next_++); }
  double decades(double low, double high) { return std::exp((*this)(std::log(low), std::log(high))); }
  bool coin() { return (*this)(0, 1) < 0.5; }

 private:
  Philox random_;
  uint64_t next_ = 0;
};

inline Recipe recipe(const std::string& kind, uint64_t seed) {
  const auto& kinds = axis_trial_kinds();
  const auto index = static_cast<uint64_t>(std::find(kinds.begin(), kinds.end(), kind) - kinds.begin());
  Draw draw(seed, 100 + index);
  Recipe r;
  const bool few_shared = kind == "half acquisition, no noise" || kind == "half acquisition, few columns";
  if (few_shared) r.cols = 256;
  const auto w = static_cast<double>(r.cols);
  r.seed = 1000 * index + seed;
  r.axis = draw(-15, 15);
  const auto wide_turn = [&] {
    r.full = draw.coin();
    r.views = r.full ? 360 : 180;
  };
  if (kind == "truncated, half turn" || kind == "truncated, full turn") {
    r.full = kind == "truncated, full turn";
    r.views = r.full ? 360 : 200;
    r.photons = draw.decades(1e3, 1e5);
    r.radius = 0.5 * w / (1 - draw(0.05, 0.6));
  } else if (kind == "half acquisition" || kind == "displaced fan") {
    r.full = true;
    r.fan = kind == "displaced fan";
    r.views = 360;
    r.axis = (draw.coin() ? 0.5 : -0.5) * w * (1 - draw(0.03, 0.45));
    r.radius = draw(0.7, 0.95) * (0.5 * w + std::abs(r.axis));
  } else if (kind == "photons") {
    r.photons = draw.decades(1e2, 1e5);
  } else if (kind == "views") {
    r.full = draw.coin();
    r.views = std::llround(draw.decades(20, 1000));
  } else if (kind == "rings") {
    wide_turn();
    r.rings = draw(0.01, 0.1);
  } else if (kind == "axis to the edge") {
    wide_turn();
    r.axis = draw(-0.47, 0.47) * w;
    r.radius = draw(0.2, 0.45) * w;
  } else if (kind == "wrong range") {
    wide_turn();
    r.range_error = to_stored(draw(1, 5), Unit::deg) * (draw.coin() ? 1 : -1);
  } else if (kind == "motion") {
    wide_turn();
    r.moved = 2;
    r.move_direction = draw(0, 2 * pi);
    r.move_at = draw.coin() ? draw(0.1, 0.9) : 0;
  } else if (kind == "saturated") {
    wide_turn();
    r.clipped = draw(0.5, 0.9);
  } else if (kind == "air") {
    wide_turn();
    r.empty = true;
    r.photons = draw.decades(1e2, 1e5);
  } else if (kind == "disc on the axis") {
    wide_turn();
    r.disc = true;
    r.radius = draw(0.15, 0.4) * w;
  } else if (kind == "slow drift") {
    wide_turn();
    r.moved = draw(0.3, 2);
    r.move_direction = draw(0, 2 * pi);
  } else if (kind == "20 photons") {
    wide_turn();
    r.photons = 20;
  } else if (few_shared || kind == "displaced cone") {
    const bool noisy = kind == "half acquisition, few columns", cone = kind == "displaced cone";
    r.full = true;
    r.fan = r.solid = cone;
    r.views = 240;
    const double shared = cone ? draw(0.05, 0.4) : noisy ? draw(0.05, 0.18) : draw(0.02, 0.1);
    r.axis = (draw.coin() ? 0.5 : -0.5) * w * (1 - shared);
    r.radius = draw(0.7, 0.95) * (0.5 * w + std::abs(r.axis));
    r.source = cone ? draw.decades(300, 1000) : r.source;
    r.photons = cone || noisy ? draw.decades(3e3, 1e5) : 0;
    r.rounded = draw.coin() ? 2e4 : 0;
  } else if (kind == "leaning along the beam") {
    wide_turn();
    r.solid = true;
    r.photons = draw.decades(3e3, 1e5);
    r.lean = to_stored(draw(1.5, 5), Unit::deg) * (draw.coin() ? 1 : -1);
  } else if (kind == "equal stripes") {
    wide_turn();
    r.stripes = 2 + static_cast<int64_t>(draw(0, 4));
    r.photons = draw.decades(3e3, 1e6);
  }
  return r;
}

// An uneven beam on pixels of uneven response, darks, flats; pixels that change between flats and views cause rings.
inline at::Tensor recorded(const Recipe& k, const at::Tensor& lines) {
  constexpr double unevenness = 0.2, dark = 100;
  const int64_t views = lines.size(0), cols = k.cols, flats = 20;
  const auto frame = [cols](uint64_t seed, ops::NoiseSeries series, int64_t n) {
    return ops::NoiseFrame{seed, series, {{0, n}, {0, rows}, {0, cols}}, rows, cols};
  };
  const auto grain = [&](uint64_t seed, double size) {
    return ops::add_gaussian_noise(at::zeros({1, rows, cols}, at::kDouble), size,
                                   frame(seed, ops::NoiseSeries::flats, 1));
  };
  const at::Tensor x = at::linspace(-0.5, 0.5, cols, at::kDouble);
  const at::Tensor beam =
      k.photons * (1 + unevenness * (0.5 - 4 * x.square() + grain(3 * k.seed, 0.3))).clamp_min(0.05);
  const at::Tensor now = k.rings > 0 ? beam * (1 + grain(3 * k.seed + 2, k.rings)).clamp_min(0.2) : beam;
  const auto counted = [&](const at::Tensor& mean, ops::NoiseSeries series, int64_t n) {
    return ops::poisson_counts((mean + dark).expand({n, rows, cols}), frame(3 * k.seed + 1, series, n));
  };
  ops::FlatFieldSpec spec;
  spec.flats = counted(beam, ops::NoiseSeries::flats, flats);
  spec.darks = counted(at::zeros_like(beam), ops::NoiseSeries::darks, flats);
  spec.logarithm = ops::MinusLogSpec{};
  return ops::flat_field(counted(now * at::exp(-lines), ops::NoiseSeries::projections, views), spec)
      .or_throw()
      .logarithm.absorption;
}

// Replaces rods by ellipsoids of the same outline, at random heights.
inline void cut_rods(ops::Phantom& body, double radius, uint64_t seed) {
  Draw draw(seed, 99);
  for (ops::Primitive& part : body.parts) {
    part.half.z = draw(0.2, 0.8) * radius;
    part.centre.z = draw(-0.5, 0.5) * part.half.z;
  }
}

}  // namespace axis_trials

inline AxisTrial axis_trial(const std::string& kind, uint64_t seed) {
  using namespace axis_trials;
  const Recipe k = recipe(kind, seed);
  const double turn = k.full ? 2 * pi : pi;
  AxisTrial trial;
  trial.axis = k.axis;
  trial.has_axis = !k.empty;
  trial.fan_per_column = k.fan ? 1 / k.source : 0;
  trial.angles = equidistant_angles(k.views, turn);
  Orbit o;
  o.beam = k.fan ? Beam::cone : Beam::parallel;
  o.angles = equidistant_angles(k.views, turn + k.range_error);
  o.axis = k.axis;
  o.lamino = k.lean;
  if (k.fan) o.source_to_axis = k.source;
  for (int64_t i = 0; k.moved > 0 && i < k.views; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(k.views);
    const double done = k.move_at > 0 ? (share < k.move_at ? 0 : 1) : share;
    o.shift_u.push_back(k.moved * done * std::cos(o.angles[static_cast<std::size_t>(i)] - k.move_direction));
  }
  const auto geometry = ScanGeometry::from_orbit(o, {rows, k.cols, 1, 1}).or_throw();
  const double field = 0.9 * (0.5 * static_cast<double>(k.cols) - std::abs(k.axis));
  const double radius = k.radius > 0 ? k.radius : field;
  ops::Phantom body = k.disc ? ops::disc(radius) : ops::random_ellipses(radius, 12, k.seed);
  // Half of the objects that leave the field do so on all sides.
  if (!k.disc && k.seed % 2 == 0) body.parts.push_back(ops::disc(radius, 0.3).parts[0]);
  if (k.solid) cut_rods(body, radius, k.seed);
  body = ops::with_values_scaled(body, k.disc ? 0.5 / radius : 1 / std::max(radius, 40.0));
  at::Tensor lines = ops::phantom_projections(body, geometry, {at::kDouble, 2, {}});
  if (k.clipped > 0) lines = lines.clamp_max(k.clipped * lines.max().item<double>());
  if (k.photons > 0) {
    trial.absorption = recorded(k, k.empty ? at::zeros_like(lines) : lines);
  } else {
    if (k.rounded > 0) lines = -((k.rounded * at::exp(-lines)).round().clamp_min(1) / k.rounded).log();
    trial.absorption = lines.to(at::kFloat);
  }
  Draw place(k.seed, 98);
  const double gain = std::log(place(1.05, 1.25));
  for (int64_t i = 0; i < k.stripes; ++i) trial.absorption.select(2, static_cast<int64_t>(place(10, 150))).sub_(gain);
  return trial;
}

}  // namespace tl::test
