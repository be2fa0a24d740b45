// Fourier reconstruction of views from random directions: time next to the transforms of the views, and agreement with
// the truth.
#include <cmath>

#include "core/base/random.h"
#include "core/base/units.h"
#include "gpu/filtering/fourier_volume/fourier_volume.h"
#include "gpu/filtering/fourier_volume/symmetry.h"
#include "gpu/filtering/shell_correlation.h"
#include "tests/bench/cases/bursts_and_directions.h"

namespace tl::bench {
namespace {

// A smooth ball: exp(-r^2 / (2 sigma^2)).
struct Ball {
  Vec3 centre;
  double sigma = 1;
};

// As many balls in each part of the object that its symmetry repeats.
std::vector<Ball> balls_of(const std::vector<ops::Rotation>& group, int64_t size) {
  const Philox random{50, 7};
  constexpr uint64_t balls = 12;
  std::vector<Ball> all;
  for (uint64_t i = 0; i < balls; ++i) {
    const auto place = [&](uint64_t n) {
      return 0.22 * static_cast<double>(size) * (2 * random.uniform(4 * i + n) - 1);
    };
    const Vec3 centre{place(0), place(1), place(2)};
    const double sigma = 1 + random.uniform(4 * i + 3);
    for (const ops::Rotation& r : group) all.push_back({ops::rotated(r, centre), sigma});
  }
  return all;
}

// exp(-(x - x0)^2 / (2 sigma^2)) at n points about 0, times a factor.
at::Tensor bump(int64_t n, double centre, double sigma, double factor) {
  const at::Tensor x = at::arange(n, at::kDouble) - 0.5 * static_cast<double>(n - 1) - centre;
  return factor * at::exp(x.square() / (-2 * sigma * sigma));
}

at::Tensor volume_of(const std::vector<Ball>& all, int64_t n) {
  at::Tensor v = at::zeros({n, n, n}, at::kDouble);
  for (const Ball& b : all)
    v += bump(n, b.centre.z, b.sigma, 1).view({n, 1, 1}) * bump(n, b.centre.y, b.sigma, 1).view({n, 1}) *
         bump(n, b.centre.x, b.sigma, 1);
  return v;
}

at::Tensor projections_of(const std::vector<Ball>& all, const ScanGeometry& g, int64_t n) {
  at::Tensor p = at::zeros({g.views(), n, n}, at::kFloat);
  for (int64_t i = 0; i < g.views(); ++i) {
    const View& v = g.view(i);
    at::Tensor view = at::zeros({n, n}, at::kDouble);
    for (const Ball& b : all)
      view += bump(n, -dot(b.centre, v.v), b.sigma, b.sigma * std::sqrt(2 * pi)).view({n, 1}) *
              bump(n, dot(b.centre, v.u), b.sigma, 1);
    p[i].copy_(view);
  }
  return p;
}

ScanGeometry random_views(int64_t views, int64_t n) {
  const Philox random{50, 3};
  std::vector<View> all;
  for (int64_t i = 0; i < views; ++i) {
    const auto three = [&](int64_t from) {
      const auto at = static_cast<uint64_t>(6 * i + from);
      return Vec3{random.normal(at), random.normal(at + 1), random.normal(at + 2)};
    };
    View v;
    v.beam = three(0);
    v.beam = (1 / norm(v.beam)) * v.beam;
    const Vec3 across = cross(three(3), v.beam);
    v.u = (1 / norm(across)) * across;
    v.v = cross(v.u, v.beam);
    all.push_back(v);
  }
  return ScanGeometry::from_views(Beam::parallel, {n, n, 1, 1}, std::move(all)).or_throw();
}

}  // namespace

void run_fourier_case(Arguments& arguments) {
  const int64_t views = arguments.number("views", 1000), n = arguments.number("size", 64);
  const std::string symmetry = arguments.text("symmetry", "C1");
  arguments.finish();
  const std::vector<ops::Rotation> group = ops::symmetry_group(symmetry).or_throw();
  const std::vector<Ball> balls = balls_of(group, n);
  const ScanGeometry g = random_views(views, n);
  const at::Tensor p = projections_of(balls, g, n);
  ops::FourierVolumeSpec spec;
  spec.sampling.geometry = g;
  spec.sampling.grid = VolumeGrid::cubic(n, n, n, 1);
  spec.symmetry = symmetry;
  at::Tensor volume;
  const Times whole = median_times(arguments.repeat(), [&] { volume = ops::fourier_volume(p, spec).or_throw(); });
  const Times transforms = median_times(arguments.repeat(), [&] {
    constexpr int64_t together = 256;
    for (int64_t i = 0; i < views; i += together)
      (void)at::fft_rfft2(p.narrow(0, i, std::min(together, views - i)), at::IntArrayRef({2 * n, 2 * n}));
  });
  double least = 1;
  const auto shells = ops::shell_correlation(volume.to(at::kDouble), volume_of(balls, n), {1, 1, 1}).or_throw();
  for (const ops::FourierShell& s : shells)
    if (s.frequency <= 0.4) least = std::min(least, s.correlation);
  std::printf(
      "{\"case\": \"fourier\", \"views\": %lld, \"size\": %lld, \"rotations\": %zu, \"wall_s\": %.3f, "
      "\"processor_s\": %.3f, \"transforms_s\": %.3f, \"ratio\": %.1f, \"least_correlation_to_0.4\": %.5f}\n",
      static_cast<long long>(views), static_cast<long long>(n), group.size(), whole.wall, whole.processor,
      transforms.wall, whole.wall / transforms.wall, least);
}

}  // namespace tl::bench
