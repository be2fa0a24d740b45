// Fourier reconstruction of views from random directions: time next to the transforms of the views, and agreement with
// the truth.
#include "gpu/filtering/fourier_volume/fourier_volume.h"
#include "gpu/filtering/fourier_volume/symmetry.h"
#include "gpu/filtering/shell_correlation.h"
#include "gpu/simulate/smooth_balls.h"
#include "tests/bench/cases/bursts_and_directions.h"

namespace tl::bench {
namespace {

// As many balls in each part of the object that its symmetry repeats.
std::vector<ops::SmoothBall> balls_of(const std::vector<ops::Rotation>& group, int64_t size) {
  std::vector<ops::SmoothBall> all;
  for (const ops::SmoothBall& b : ops::random_balls({12, 0.22 * static_cast<double>(size), 1, 2}, Philox{50, 7}))
    for (const ops::Rotation& r : group) all.push_back({ops::rotated(r, b.centre), b.sigma, b.value});
  return all;
}

}  // namespace

void run_fourier_case(Arguments& arguments) {
  const int64_t views = arguments.number("views", 1000), n = arguments.number("size", 64);
  const std::string symmetry = arguments.text("symmetry", "C1");
  arguments.finish();
  const std::vector<ops::Rotation> group = ops::symmetry_group(symmetry).or_throw();
  const std::vector<ops::SmoothBall> balls = balls_of(group, n);
  const ScanGeometry g = ops::random_views(views, n, Philox{50, 3});
  const at::Tensor p = ops::views_of_balls(balls, g);
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
  const auto shells =
      ops::shell_correlation(volume.to(at::kDouble), ops::volume_of_balls(balls, n), {1, 1, 1}).or_throw();
  for (const ops::FourierShell& s : shells)
    if (s.frequency <= 0.4) least = std::min(least, s.correlation);
  std::printf(
      "{\"case\": \"fourier\", \"views\": %lld, \"size\": %lld, \"rotations\": %zu, \"wall_s\": %.3f, "
      "\"processor_s\": %.3f, \"transforms_s\": %.3f, \"ratio\": %.1f, \"least_correlation_to_0.4\": %.5f}\n",
      static_cast<long long>(views), static_cast<long long>(n), group.size(), whole.wall, whole.processor,
      transforms.wall, whole.wall / transforms.wall, least);
}

}  // namespace tl::bench
