// Verifies Fourier reconstruction and its correlation on smooth balls, and the alignment of frames on a moving pixel.
#include <ATen/ATen.h>

#include <cmath>

#include "core/base/random.h"
#include "core/base/units.h"
#include "gpu/alignment/frames/frame_shifts.h"
#include "gpu/filtering/fourier_volume/fourier_volume.h"
#include "gpu/filtering/shell_correlation.h"
#include "gpu/verify/cases.h"
#include "gpu/verify/verify.h"

namespace tl {
namespace {

using verify::add_check;

constexpr int64_t edge = 32;  // [px] of views and volume

struct SmoothBall {
  Vec3 centre;
  double sigma, value;
};
const std::vector<SmoothBall> smooth_balls{{{3.1, -2.2, 1.4}, 1.3, 1},
                                           {{-4.2, 1.7, -3.3}, 1.1, 0.8},
                                           {{0.4, 4.8, 3.9}, 1, 1.2},
                                           {{-2.6, -4.1, 2.2}, 1.2, 0.7}};

// exp(-(x - centre)^2 / (2 sigma^2)) at pixels about 0.
at::Tensor bell(double centre, double sigma) {
  const at::Tensor x = at::arange(edge, at::kDouble) - 0.5 * static_cast<double>(edge - 1) - centre;
  return at::exp(x.square() / (-2 * sigma * sigma));
}

at::Tensor volume_of_balls() {
  at::Tensor v = at::zeros({edge, edge, edge}, at::kDouble);
  for (const SmoothBall& b : smooth_balls)
    v += b.value * bell(b.centre.z, b.sigma).view({edge, 1, 1}) * bell(b.centre.y, b.sigma).view({edge, 1}) *
         bell(b.centre.x, b.sigma);
  return v;
}

at::Tensor views_of_balls(const ScanGeometry& g) {
  at::Tensor p = at::zeros({g.views(), edge, edge}, at::kFloat);
  for (int64_t i = 0; i < g.views(); ++i)
    for (const SmoothBall& b : smooth_balls)
      p[i] += (b.value * b.sigma * std::sqrt(2 * pi) * bell(-dot(b.centre, g.view(i).v), b.sigma).view({edge, 1}) *
               bell(dot(b.centre, g.view(i).u), b.sigma))
                  .to(at::kFloat);
  return p;
}

ScanGeometry random_directions(int64_t count) {
  const Philox random{50, 3};
  std::vector<View> all;
  for (int64_t i = 0; i < count; ++i) {
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
  return ScanGeometry::from_views(Beam::parallel, {edge, edge, 1, 1}, std::move(all)).or_throw();
}

// 1 less the least correlation of shells up to a frequency [cycles per voxel].
double worst_shell(const at::Tensor& a, const at::Tensor& b, double up_to) {
  double worst = 0;
  for (const ops::FourierShell& s : ops::shell_correlation(a, b, {1, 1, 1}).or_throw())
    if (s.frequency <= up_to) worst = std::max(worst, 1 - s.correlation);
  return worst;
}

void balls_from_all_sides(CheckTable& table, const CancelToken& cancel) {
  const ScanGeometry g = random_directions(1000);
  ops::FourierVolumeSpec spec;
  spec.sampling.geometry = g;
  spec.sampling.grid = VolumeGrid::cubic(edge, edge, edge, 1);
  spec.sampling.cancel = cancel;
  const at::Tensor image = ops::fourier_volume(views_of_balls(g), spec).or_throw().to(at::kDouble);
  const at::Tensor truth = volume_of_balls();
  const std::string scan = "Gaussian balls, 1000 random directions";
  add_check(table, {"Fourier, 1 - correlation", "Fourier reconstruction", scan, "float32",
                    worst_shell(image, truth, 0.4), 0.01, false, "To 0.4 cycles per voxel."});
  const double error = ((image - truth).square().mean().sqrt() / truth.square().mean().sqrt()).item<double>();
  add_check(table, {"Fourier, rms error", "Fourier reconstruction", scan, "float32", error, 0.03});
}

// Two volumes with a common signal and independent noise, both white: the correlation is SNR / (1 + SNR) in every
// shell.
void correlation_of_noise(CheckTable& table) {
  const std::vector<int64_t> shape{edge, edge, edge};
  const at::Tensor signal = verify::gaussian(shape, 1, 21);
  const at::Tensor first = signal + verify::gaussian(shape, 2, 21), second = signal + verify::gaussian(shape, 3, 21);
  double worst = 0;
  for (const ops::FourierShell& s : ops::shell_correlation(first, second, {1, 1, 1}).or_throw()) {
    if (s.numbers < 100) continue;
    // One sigma of a correlation of n / 2 independent numbers: (1 - c^2) / sqrt(n / 2).
    const double sigma = 0.75 / std::sqrt(0.5 * static_cast<double>(s.numbers));
    worst = std::max(worst, std::abs(s.correlation - 0.5) / sigma);
  }
  add_check(table, {"shell correlation, sigmas", "Fourier shell correlation", "white noise, SNR 1", "float64", worst, 4,
                    false, "The largest of some ten deviations from SNR / (1 + SNR)."});
}

// The test case of FlexAlign's own test: a bright pixel that moves by one pixel per frame along the diagonal.
void moving_pixel(CheckTable& table, const CancelToken& cancel) {
  constexpr int64_t frames = 10, rows = 42, cols = 24;
  at::Tensor movie = at::zeros({frames, rows, cols});
  for (int64_t n = 0; n < frames; ++n) movie[n][n + 12][n + 6] = 1;
  double worst = 0;
  for (const ops::FramePair& p : ops::pair_shifts({movie, 8, 32, cancel}).or_throw()) {
    const auto moved = static_cast<double>(p.second - p.first);
    worst = std::max({worst, std::abs(p.x[0] - moved), std::abs(p.y[0] - moved)});
  }
  add_check(table, {"frames, shifts of pairs", "alignment of frames", "a pixel on the diagonal, 10 frames of 42 x 24",
                    "float32", worst, 1e-4});
}

}  // namespace

CheckTable verify_fourier(const CancelToken& cancel) {
  CheckTable table;
  balls_from_all_sides(table, cancel);
  correlation_of_noise(table);
  moving_pixel(table, cancel);
  return table;
}

}  // namespace tl
