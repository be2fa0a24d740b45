// Verifies Fourier reconstruction and its correlation on smooth balls, and the alignment of frames on a moving pixel.
#include <ATen/ATen.h>

#include <cmath>

#include "gpu/alignment/frames/frame_shifts.h"
#include "gpu/filtering/fourier_volume/fourier_volume.h"
#include "gpu/filtering/shell_correlation.h"
#include "gpu/simulate/smooth_balls.h"
#include "gpu/verify/cases.h"
#include "gpu/verify/verify.h"

namespace tl {
namespace {

using verify::add_check;

constexpr int64_t edge = 32;  // [px] of views and volume

const std::vector<ops::SmoothBall> four_balls{{{3.1, -2.2, 1.4}, 1.3, 1},
                                              {{-4.2, 1.7, -3.3}, 1.1, 0.8},
                                              {{0.4, 4.8, 3.9}, 1, 1.2},
                                              {{-2.6, -4.1, 2.2}, 1.2, 0.7}};

// 1 less the least correlation of shells up to a frequency [cycles per voxel].
double worst_shell(const at::Tensor& a, const at::Tensor& b, double up_to) {
  double worst = 0;
  for (const ops::FourierShell& s : ops::shell_correlation(a, b, {1, 1, 1}).or_throw())
    if (s.frequency <= up_to) worst = std::max(worst, 1 - s.correlation);
  return worst;
}

void balls_from_all_sides(CheckTable& table, const CancelToken& cancel) {
  const ScanGeometry g = ops::random_views(1000, edge, Philox{50, 3});
  ops::FourierVolumeSpec spec;
  spec.sampling.geometry = g;
  spec.sampling.grid = VolumeGrid::cubic(edge, edge, edge, 1);
  spec.sampling.cancel = cancel;
  const at::Tensor image = ops::fourier_volume(ops::views_of_balls(four_balls, g), spec).or_throw().to(at::kDouble);
  const at::Tensor truth = ops::volume_of_balls(four_balls, edge);
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
