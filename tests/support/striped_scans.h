// Random scans in closed form with photon noise and six kinds of stripes, whose columns are known.
#pragma once

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/base/units.h"

namespace tl::test {

enum class ScanStripes { none, offset, gain, partial, fluctuating, dead, large };
enum class ScanBody { ellipses, boxes };

struct StripedScan {
  at::Tensor clean, data;        // absorption [view, col]: without noise and stripes, with both
  std::vector<uint8_t> touched;  // 1 for columns with a stripe
};

class StripedScans {
 public:
  explicit StripedScans(uint64_t seed, int64_t views = 180, int64_t cols = 256)
      : random_{seed, 21}, views_(views), cols_(cols) {}

  // The largest absorption is 2. Stripes lie in slots of 24 columns, away from the edges.
  StripedScan make(ScanStripes kind, double photons, ScanBody body = ScanBody::ellipses) {
    StripedScan s{
        at::zeros({views_, cols_}, at::kDouble), {}, std::vector<uint8_t>(static_cast<std::size_t>(cols_), 0)};
    add_body(s.clean, body);
    s.clean *= 2 / s.clean.max().item<double>();
    at::Tensor x = s.clean.clone();
    std::vector<int64_t> places = slots(kind == ScanStripes::large ? 48 : 24);
    if (kind == ScanStripes::large) {
      places.resize(std::min<std::size_t>(places.size(), 3));
      for (std::size_t i = 0; i < places.size(); ++i) {
        const auto width = static_cast<int64_t>(10 + 2 * i);
        x.narrow(1, places[i], width).add_(std::log(1.7) * (i % 2 == 0 ? 1 : -1));
        touch(s, places[i], width);
      }
    } else if (kind == ScanStripes::offset || kind == ScanStripes::gain || kind == ScanStripes::partial) {
      for (std::size_t i = 0; i < places.size(); ++i) {
        const auto width = static_cast<int64_t>(1 + i % 3);
        const double sign = i % 2 == 0 ? 1 : -1;
        at::Tensor columns = x.narrow(1, places[i], width);
        if (kind == ScanStripes::offset) columns.add_(0.08 * sign);
        if (kind == ScanStripes::gain) columns.mul_(1 + 0.06 * sign);
        if (kind == ScanStripes::partial) columns.narrow(0, i % 2 == 0 ? 0 : views_ / 5, views_ / 2).add_(0.1 * sign);
        touch(s, places[i], width);
      }
    }
    s.data = noisy(x, photons);
    if (kind == ScanStripes::fluctuating || kind == ScanStripes::dead)
      for (std::size_t i = 0; i < std::min<std::size_t>(places.size(), 5); ++i) {
        const int64_t width = kind == ScanStripes::dead ? 2 : 1;
        at::Tensor columns = s.data.narrow(1, places[i], width);
        if (kind == ScanStripes::fluctuating) columns.add_(0.4 * numbers({views_, width}));
        if (kind == ScanStripes::dead) columns.copy_((0.3 + 1.4 * uniform()) + 0.01 * numbers({views_, width}));
        touch(s, places[i], width);
      }
    return s;
  }

 private:
  double uniform() { return random_.uniform(next_++); }
  at::Tensor numbers(const std::vector<int64_t>& shape) {
    at::Tensor out = at::empty(shape, at::kDouble);
    for (int64_t i = 0; i < out.numel(); ++i) out.mutable_data_ptr<double>()[i] = random_.normal(next_++);
    return out;
  }
  static void touch(StripedScan& s, int64_t first, int64_t count) {
    std::fill_n(s.touched.begin() + first, count, uint8_t{1});
  }

  // A wide body and eight smaller parts: mean over four rays per column of the line integrals.
  void add_body(at::Tensor& out, ScanBody body) {
    struct Part {
      double value, a, b, x, y, turn;
    };
    std::vector<Part> parts{{1, 0.75, 0.6, 0, 0, pi * uniform()}};
    for (int i = 0; i < 8; ++i) {
      const double r = 0.45 * std::sqrt(uniform()), t = 2 * pi * uniform();
      parts.push_back({-0.6 + 1.4 * uniform(), 0.04 + 0.16 * uniform(), 0.04 + 0.16 * uniform(), r * std::cos(t),
                       r * std::sin(t), pi * uniform()});
    }
    double* to = out.mutable_data_ptr<double>();
    constexpr int rays = 4;
    for (int64_t v = 0; v < views_; ++v) {
      const double t = pi * static_cast<double>(v) / static_cast<double>(views_);
      for (const Part& p : parts) {
        const double c = std::abs(std::cos(t - p.turn)), s = std::abs(std::sin(t - p.turn));
        const double centre = p.x * std::cos(t) + p.y * std::sin(t);
        for (int64_t i = 0; i < cols_ * rays; ++i) {
          const double d = 2 * (static_cast<double>(i) + 0.5) / static_cast<double>(cols_ * rays) - 1 - centre;
          to[v * cols_ + i / rays] +=
              p.value * (body == ScanBody::boxes ? box(p.a, p.b, d, c, s) : ellipse(p.a, p.b, d, c, s)) / rays;
        }
      }
    }
  }
  static double ellipse(double a, double b, double d, double c, double s) {
    const double square = a * a * c * c + b * b * s * s;
    return 2 * a * b * std::sqrt(std::max(square - d * d, 0.0)) / square;
  }
  static double box(double a, double b, double d, double c, double s) {
    const double slope = std::max(c * s, 1e-12), across = (a * c + b * s - std::abs(d)) / slope;
    return std::clamp(across, 0.0, std::min(2 * a / std::max(s, 1e-12), 2 * b / std::max(c, 1e-12)));
  }

  at::Tensor noisy(const at::Tensor& x, double photons) {
    const at::Tensor counts = photons * (-x).exp();
    return -((counts + counts.sqrt() * numbers(x.sizes().vec())).clamp_min(1) / photons).log();
  }
  std::vector<int64_t> slots(int64_t pitch) {
    std::vector<int64_t> all;
    for (int64_t first = 20; first + pitch <= cols_ - 20; first += pitch)
      all.push_back(first + static_cast<int64_t>(12 * uniform()));
    for (std::size_t i = all.size(); i > 1; --i)
      std::swap(all[i - 1], all[static_cast<std::size_t>(static_cast<double>(i) * uniform())]);
    if (all.size() > 6) all.resize(6);
    return all;
  }

  Philox random_;
  int64_t views_, cols_;
  uint64_t next_ = 0;
};

}  // namespace tl::test
