// How honest the uncertainties of the axis finders are: errors over many noisy phantoms against what each reports.
//
// usage: bench_axis_coverage [PHANTOMS [COLUMNS]]     default: 60 per line, 256 columns
#include <ATen/ATen.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include "gpu/device.h"
#include "gpu/ops/axis_image.h"
#include "gpu/ops/axis_moments.h"
#include "gpu/ops/axis_phase_correlation.h"
#include "gpu/ops/axis_vo.h"
#include "gpu/ops/axis_wedge.h"
#include "gpu/verify/axis_scans.h"

using namespace tl;
using namespace tl::ops;

namespace {

int64_t cols = 256, views = 180;

struct Setting {
  const char* name;
  double photons;  // 0 = without noise
  int64_t rows;
};
constexpr Setting settings[] = {
    {"no noise, 1 row", 0, 1},       {"1e5 photons, 1 row", 1e5, 1},  {"1e5 photons, 5 rows", 1e5, 5},
    {"1e4 photons, 1 row", 1e4, 1},  {"1e4 photons, 5 rows", 1e4, 5}, {"1e3 photons, 1 row", 1e3, 1},
    {"1e3 photons, 5 rows", 1e3, 5},
};

struct Finder {
  const char* name;
  std::function<AxisResult(const at::Tensor&, const std::vector<double>&)> find;
};

// A slice of twelve ellipses with a skin, up to 2 in absorption; the axis anywhere within 20 px.
at::Tensor scan(uint64_t seed, const std::vector<double>& angles, double axis, const Setting& s) {
  const double radius = 80.0 / 256 * static_cast<double>(cols);
  Phantom p = random_ellipses(radius, 12, seed);
  p.parts.push_back(disc(1.1 * radius, 0.3).parts[0]);
  const at::Tensor all = phantom_projections(p, ScanGeometry::parallel(angles, {s.rows, cols, 1, 1}, axis).or_throw(),
                                             {at::kFloat, 3, {}});
  const at::Tensor absorption = all * (2 / all.max());
  return s.photons > 0 ? noisy(absorption, s.photons, seed + 1000) : absorption;
}

}  // namespace

int main(int argc, char** argv) {
  init_devices();
  const int64_t phantoms = argc > 1 ? std::atoll(argv[1]) : 60;
  if (argc > 2) cols = std::atoll(argv[2]);
  views = cols * 180 / 256;
  const std::vector<double> angles = half_turn(views);
  const Finder finders[] = {
      {"Vo", [](const auto& p, const auto& t) { return axis_vo(p, t); }},
      {"wedge", [](const auto& p, const auto& t) { return axis_wedge(p, t); }},
      {"phase correlation", [](const auto& p, const auto& t) { return axis_phase_correlation(p, t); }},
      {"moments", [](const auto& p, const auto& t) -> AxisResult { return axis_moments(p, t); }},
  };
  std::printf("%-18s %-20s %8s %8s %8s %7s %7s %7s\n", "finder", "scan", "bias", "rms", "sigma", "in 1", "in 2",
              "solved");
  for (const Setting& s : settings)
    for (const Finder& f : finders) {
      double bias = 0, squares = 0, sigma = 0;
      int64_t one = 0, two = 0, resolved = 0;
      for (int64_t i = 0; i < phantoms; ++i) {
        const auto seed = static_cast<uint64_t>(i);
        const double axis = 40 * Philox{seed, 7}.uniform(0) - 20;
        const AxisResult r = f.find(scan(seed, angles, axis, s), angles);
        if (r.verdict != AxisVerdict::resolved) continue;
        const double error = r.axis - axis;
        ++resolved;
        bias += error;
        squares += error * error;
        sigma += r.uncertainty;
        one += std::abs(error) <= r.uncertainty ? 1 : 0;
        two += std::abs(error) <= 2 * r.uncertainty ? 1 : 0;
      }
      const double n = static_cast<double>(std::max<int64_t>(resolved, 1));
      std::printf("%-18s %-20s %8.4f %8.4f %8.4f %6.0f%% %6.0f%% %4lld/%lld\n", f.name, s.name, bias / n,
                  std::sqrt(squares / n), sigma / n, 100 * one / n, 100 * two / n, static_cast<long long>(resolved),
                  static_cast<long long>(phantoms));
      std::fflush(stdout);
    }
  return 0;
}
