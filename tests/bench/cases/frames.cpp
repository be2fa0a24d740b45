// Bursts of frames with known motion: how well they are aligned, and in which time.
#include "gpu/alignment/frames/local_shifts.h"
#include "gpu/image/warp/view_sampling.h"
#include "tests/bench/cases/bursts_and_directions.h"
#include "tests/support/frames/burst.h"

namespace tl::bench {
namespace {

// The least correlation of two images in rings of spatial frequency up to half of Nyquist.
double least_ring_correlation(const at::Tensor& a, const at::Tensor& b) {
  const at::Tensor fa = at::fft_fft2(a.to(at::kDouble) - a.mean()), fb = at::fft_fft2(b.to(at::kDouble) - b.mean());
  const auto frequencies = [](int64_t n) { return at::fft_fftfreq(n, 1.0, at::TensorOptions(at::kDouble)); };
  const at::Tensor radius =
      (frequencies(a.size(0)).square().unsqueeze(1) + frequencies(a.size(1)).square().unsqueeze(0)).sqrt();
  constexpr double width = 0.025, half_of_nyquist = 0.25;  // [cycles/px]
  double least = 1;
  for (double low = width; low + width <= half_of_nyquist + 1e-9; low += width) {
    const at::Tensor ring = radius.ge(low).logical_and(radius.lt(low + width));
    const at::Tensor x = fa.masked_select(ring), y = fb.masked_select(ring);
    const double power = x.abs().square().sum().item<double>() * y.abs().square().sum().item<double>();
    least = std::min(least, at::real(x * y.conj()).sum().item<double>() / std::sqrt(power));
  }
  return least;
}

// Where the point that lies at (row, col) at the time of the reference lies at the time of a frame: row, column.
std::array<double, 2> moved_to(const test::Motion& motion, int64_t reference, int64_t frame, double row, double col) {
  double r = row, c = col;
  for (int step = 0; step < 20; ++step) {
    const auto [x, y] = motion(reference, r, c);
    r = row - y, c = col - x;
  }
  const auto [x, y] = motion(frame, r, c);
  return {r + y, c + x};
}

}  // namespace

void run_frames_case(Arguments& arguments) {
  test::BurstSpec burst;
  burst.frames = arguments.number("frames", 50);
  burst.rows = burst.cols = arguments.number("size", 256);
  burst.blobs = burst.rows * burst.cols / 65;
  burst.noise = 0.01 * static_cast<double>(arguments.number("noise", 25));
  burst.seed = static_cast<unsigned>(arguments.number("seed", 1));
  const auto drift = static_cast<double>(arguments.number("drift", 8));
  const auto dome = static_cast<double>(arguments.number("dome", 2));
  const int64_t patch = arguments.number("patch", 64);
  arguments.finish();
  const test::Motion motion = test::drift_and_doming(burst, drift, dome);
  const at::Tensor frames = test::burst(burst, motion);

  ops::LocalShiftsSpec spec;
  spec.pairs = {frames, 6, 32, {}};
  spec.patch = patch;
  ops::LocalShifts found;
  at::Tensor average;
  const Times global = time_of([&] { spec.global = ops::frame_shifts(spec.pairs).or_throw(); });
  const Times local = time_of([&] { found = ops::local_shifts(spec).or_throw(); });
  const auto positions = [&](int64_t n) {
    return ops::positions_in_frame(spec.global, found.spline, n, {burst.rows, burst.cols});
  };
  const Times sampling = time_of([&] {
    average = at::zeros({burst.rows, burst.cols});
    for (int64_t n = 0; n < burst.frames; ++n) average += ops::sampled_views(frames.narrow(0, n, 1), positions(n))[0];
    average /= static_cast<double>(burst.frames);
  });

  const int64_t edge = burst.rows / 8, reference = spec.global.reference;
  double squares = 0, global_squares = 0, count = 0;
  for (int64_t n = 0; n < burst.frames; ++n) {
    const at::Tensor at = positions(n)[0];
    for (int64_t r = edge; r < burst.rows - edge; r += edge)
      for (int64_t c = edge; c < burst.cols - edge; c += edge) {
        const auto [row, col] = moved_to(motion, reference, n, static_cast<double>(r), static_cast<double>(c));
        squares += std::pow(at[0][r][c].item<double>() - row, 2) + std::pow(at[1][r][c].item<double>() - col, 2);
        const auto i = static_cast<std::size_t>(n);
        global_squares += std::pow(static_cast<double>(r) + spec.global.y[i] - row, 2) +
                          std::pow(static_cast<double>(c) + spec.global.x[i] - col, 2);
        count += 2;
      }
  }
  // The sum of frames that stay where the reference is; without noise, which is not the alignment's.
  test::BurstSpec still = burst;
  still.noise = 0;
  still.frames = 1;
  const test::Motion stays = [&](int64_t, double row, double col) { return motion(reference, row, col); };
  const at::Tensor unmoved = test::burst(still, stays)[0];
  const auto inner = [&](const at::Tensor& x) {
    return x.narrow(0, edge, burst.rows - 2 * edge).narrow(1, edge, burst.cols - 2 * edge);
  };
  std::printf(
      "{\"case\": \"frames\", \"frames\": %lld, \"size\": %lld, \"rms_error_px\": %.4f, \"global_alone_px\": %.4f, "
      "\"local_rms_px\": %.3f, \"patches\": %lld, \"known\": %lld, \"least_ring_correlation\": %.4f, "
      "\"without_alignment\": %.4f, \"global_s\": %.2f, \"local_s\": %.2f, \"sampling_s\": %.2f}\n",
      static_cast<long long>(burst.frames), static_cast<long long>(burst.rows), std::sqrt(squares / count),
      std::sqrt(global_squares / count), found.rms, static_cast<long long>(found.patches),
      static_cast<long long>(found.known), least_ring_correlation(inner(average), inner(unmoved)),
      least_ring_correlation(inner(frames.mean(0)), inner(unmoved)), global.wall, local.wall, sampling.wall);
}

}  // namespace tl::bench
