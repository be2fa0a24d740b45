// Random scans without a single stripe: bodies, noise or none, rounded counts, orders of recording; and columns of
// equal gain to add to them.
#pragma once

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/base/units.h"
#include "gpu/simulate/phantom_library.h"

namespace tl::test {

inline const std::vector<std::string>& clean_bodies() {
  static const std::vector<std::string> all = {"ellipses", "few ellipses", "disc on the axis", "tube", "box", "head"};
  return all;
}
// rounded: counts without noise, as integers; single: without noise, as float32.
inline const std::vector<std::string>& clean_noises() {
  static const std::vector<std::string> all = {"none", "single", "rounded", "photons"};
  return all;
}
inline const std::vector<std::string>& view_orders() {
  static const std::vector<std::string> all = {"sorted",   "reversed", "golden ratio",   "interlaced",
                                               "shuffled", "repeated", "back and forth", "two turns"};
  return all;
}

struct CleanScan {
  at::Tensor absorption;       // [view, row, col]
  std::vector<double> angles;  // gantry angles in the order of recording [rad]
  double axis = 0;             // [px] from the detector's centre
  std::string words;
};

class CleanScans {
 public:
  explicit CleanScans(uint64_t seed) : random_{seed, 77}, seed_(seed) {}

  // Sizes and other unspecified properties are drawn at random. Line integrals are at most 2.5; air on both sides.
  CleanScan make(const std::string& body, const std::string& noise, const std::string& order) {
    constexpr int64_t rows = 3;
    const bool full = uniform() < 0.5;
    const auto cols = static_cast<int64_t>(160 + 16 * std::floor(12 * uniform()));
    const auto views = static_cast<int64_t>((full ? 240 : 150) + 360 * uniform());
    CleanScan s;
    s.axis = -8 + 16 * uniform();
    s.angles = angles_in(order, views, full ? 2 * pi : pi);
    Orbit orbit;
    orbit.angles = s.angles;
    orbit.axis = s.axis;
    const auto geometry = ScanGeometry::from_orbit(orbit, {1, cols, 1, 1}).or_throw();
    const double field = (0.6 + 0.35 * uniform()) * (0.5 * static_cast<double>(cols) - std::abs(s.axis));
    const int64_t rays = uniform() < 0.5 ? 1 : 3;
    at::Tensor lines = ops::phantom_projections(body_of(body, field), geometry, {at::kDouble, rays, {}});
    lines = lines * ((0.3 + 2.2 * uniform()) / lines.max().item<double>());
    s.absorption = recorded(lines.expand({views, rows, cols}), noise);
    s.words = body + ", " + noise + ", " + order + ": " + std::to_string(views) + " views, " + std::to_string(cols) +
              " columns, " + (full ? "full turn" : "half turn") + ", seed " + std::to_string(seed_);
    return s;
  }

  double uniform() { return random_.uniform(next_++); }

 private:
  std::vector<double> angles_in(const std::string& order, int64_t views, double range) {
    constexpr double golden = 0.6180339887498949;
    std::vector<int64_t> place(static_cast<std::size_t>(views));
    std::iota(place.begin(), place.end(), int64_t{0});
    if (order == "reversed") std::reverse(place.begin(), place.end());
    if (order == "shuffled")
      for (std::size_t i = place.size(); i > 1; --i)
        std::swap(place[i - 1], place[static_cast<std::size_t>(static_cast<double>(i) * uniform())]);
    if (order == "interlaced") {
      std::stable_sort(place.begin(), place.end(), [](int64_t a, int64_t b) { return a % 5 < b % 5; });
    }
    std::vector<double> angles;
    for (int64_t i = 0; i < views; ++i) {
      const auto k = static_cast<double>(place[static_cast<std::size_t>(i)]), n = static_cast<double>(views);
      double share = k / n;
      if (order == "golden ratio")
        share = static_cast<double>(i) * golden - std::floor(static_cast<double>(i) * golden);
      if (order == "repeated") share = std::floor(k / 2) * 2 / n;
      if (order == "back and forth") share = 2 * std::min(k, n - 1 - k) / n;
      if (order == "two turns") share = 2 * k / n - std::floor(2 * k / n);
      angles.push_back(share * range);
    }
    return angles;
  }

  ops::Phantom body_of(const std::string& body, double field) {
    ops::Phantom all;
    const auto add = [&all](const ops::Phantom& p) {
      all.parts.insert(all.parts.end(), p.parts.begin(), p.parts.end());
    };
    if (body == "ellipses" || body == "few ellipses")
      add(ops::random_ellipses(field, body == "ellipses" ? 6 + static_cast<int64_t>(8 * uniform()) : 2, seed_));
    if (body == "disc on the axis") {
      add(ops::disc((0.3 + 0.7 * uniform()) * field));
      if (uniform() < 0.5) add(ops::disc(0.1 * field, 0.5, 0.2 * field, 0.1 * field));
    }
    if (body == "tube") {  // tubes with thin and thick walls, with and without content
      const double outer = (0.7 + 0.3 * uniform()) * field, wall = 0.7 + 6 * uniform();
      add(ops::disc(outer));
      add(ops::disc(outer - wall, -1));
      if (uniform() < 0.7) add(ops::random_ellipses(0.8 * outer, 5, seed_));
    }
    if (body == "box") add(ops::hollow_box((0.5 + 0.2 * uniform()) * field, 0.1 * field));
    if (body == "head") add(ops::shepp_logan_2d(field));
    return all;
  }

  at::Tensor recorded(const at::Tensor& lines, const std::string& noise) {
    if (noise == "none") return lines.contiguous();
    if (noise == "single") return lines.to(at::kFloat).contiguous();
    const double beam = std::exp(std::log(1e3) + uniform() * (noise == "rounded" ? 4 : 6));
    at::Tensor counts = beam * (-lines).exp();
    if (noise == "photons") {
      at::Tensor numbers = at::empty(lines.sizes(), at::kDouble);
      for (int64_t i = 0; i < numbers.numel(); ++i) numbers.mutable_data_ptr<double>()[i] = random_.normal(next_++);
      counts = counts + counts.sqrt() * numbers;
    }
    return -(counts.round().clamp_min(1) / std::round(beam)).log().to(at::kFloat).contiguous();
  }

  Philox random_;
  uint64_t seed_, next_ = 0;
};

// Number i of a fixed series that mixes bodies, noises and orders; its seed is i.
inline CleanScan numbered_clean_scan(int64_t i) {
  const auto pick = [](const std::vector<std::string>& all, int64_t k) {
    return all[static_cast<std::size_t>(k) % all.size()];
  };
  return CleanScans(static_cast<uint64_t>(i))
      .make(pick(clean_bodies(), i), pick(clean_noises(), i / 6), pick(view_orders(), i / 3 + i / 24));
}

// Columns with the same gain in every row and view: [first, first + width) for each of `places`.
inline at::Tensor with_equal_stripes(const at::Tensor& absorption, const std::vector<int64_t>& places, int64_t width,
                                     double gain) {
  at::Tensor out = absorption.clone();
  for (const int64_t c : places) out.narrow(2, c, width).sub_(std::log(gain));
  return out;
}

}  // namespace tl::test
