// Aligns the patches of frames, and fits a spline to their shifts.
#include "gpu/alignment/frames/local_shifts.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "gpu/image/warp/view_sampling.h"

namespace tl::ops {
namespace {

constexpr double least_significance = 5;

struct PatchPart {
  int64_t row = 0, col = 0, rows = 0, cols = 0;
};

std::vector<PatchPart> parts_of(int64_t rows, int64_t cols, int64_t patch) {
  const int64_t down = patches_along(rows, patch), across = patches_along(cols, patch);
  const int64_t height = std::min(rows, patch), width = std::min(cols, patch);
  const auto begin = [](int64_t k, int64_t count, int64_t size, int64_t part) {
    return count < 2 ? 0 : std::llround(static_cast<double>((size - part) * k) / static_cast<double>(count - 1));
  };
  std::vector<PatchPart> parts;
  for (int64_t r = 0; r < down; ++r)
    for (int64_t c = 0; c < across; ++c)
      parts.push_back({begin(r, down, rows, height), begin(c, across, cols, width), height, width});
  return parts;
}

// The frames with their global shifts taken out, each averaged with its neighbours in time.
at::Tensor averaged_frames(const LocalShiftsSpec& spec) {
  const at::Tensor& frames = spec.pairs.frames;
  std::vector<at::Tensor> aligned;
  for (int64_t i = 0; i < frames.size(0); ++i)
    aligned.push_back(sampled_views(frames.narrow(0, i, 1),
                                    positions_in_frame(spec.global, {}, i, {frames.size(1), frames.size(2)}),
                                    spec.pairs.cancel)[0]);
  std::vector<at::Tensor> averaged;
  const int64_t half = spec.averaged / 2, last = frames.size(0) - 1;
  for (int64_t i = 0; i <= last; ++i) {
    at::Tensor sum = aligned[static_cast<std::size_t>(i)].clone();
    int64_t count = 1;
    for (int64_t k = std::max<int64_t>(0, i - half); k <= std::min(last, i + half); ++k)
      if (k != i) sum += aligned[static_cast<std::size_t>(k)], ++count;
    averaged.push_back(sum / static_cast<double>(count));
  }
  return at::stack(averaged);
}

int64_t control_points_for(int64_t samples, int64_t most) {
  constexpr int64_t least = 4;  // of a cubic spline
  return std::clamp(samples, least, most);
}

}  // namespace

int64_t patches_along(int64_t size, int64_t patch) { return std::max<int64_t>(1, (size + patch - 1) / patch); }

at::Tensor positions_in_frame(const FrameShifts& global, const FrameSpline& local, int64_t frame,
                              std::array<int64_t, 2> size) {
  const auto at = static_cast<std::size_t>(frame);
  at::Tensor row = at::arange(size[0], at::kDouble).unsqueeze(1).expand({size[0], size[1]}) + global.y[at];
  at::Tensor col = at::arange(size[1], at::kDouble).unsqueeze(0).expand({size[0], size[1]}) + global.x[at];
  if (!local.empty()) {
    const at::Tensor moved = local.displacement(frame);
    row = row + moved[0];
    col = col + moved[1];
  }
  return at::stack({row.clamp(0, static_cast<double>(size[0] - 1)), col.clamp(0, static_cast<double>(size[1] - 1))})
      .unsqueeze(0);
}

Result<LocalShifts> local_shifts(const LocalShiftsSpec& spec) {
  constexpr int64_t most_in_image = 6, most_in_time = 5;
  const at::NoGradGuard no_gradients;
  const at::Tensor& frames = spec.pairs.frames;
  const int64_t count = frames.size(0), rows = frames.size(1), cols = frames.size(2);
  const at::Tensor averaged = averaged_frames(spec);
  LocalShifts found;
  std::vector<SplineSample> samples;
  double variance = 0;
  for (const PatchPart& part : parts_of(rows, cols, spec.patch)) {
    ++found.patches;
    FramePairsSpec pairs = spec.pairs;
    pairs.frames = averaged.narrow(1, part.row, part.rows).narrow(2, part.col, part.cols);
    pairs.reach = std::max(2.0, static_cast<double>(std::min(part.rows, part.cols)) / 8);
    TL_TRY(const std::vector<FramePair> measured, pair_shifts(pairs));
    const FrameShifts shifts = shifts_of_pairs(measured, count);
    const auto reference = static_cast<std::size_t>(spec.global.reference);
    const bool agrees = shifts.significance >= least_significance && shifts.known[reference] && !shifts.at_reach;
    if (!agrees) continue;
    ++found.known;
    variance += 0.5 * (shifts.sigma_x * shifts.sigma_x + shifts.sigma_y * shifts.sigma_y);
    for (std::size_t i = 0; i < shifts.x.size(); ++i)
      if (shifts.known[i])
        samples.push_back({static_cast<double>(i),
                           static_cast<double>(part.row) + 0.5 * static_cast<double>(part.rows - 1),
                           static_cast<double>(part.col) + 0.5 * static_cast<double>(part.cols - 1),
                           shifts.x[i] - shifts.x[reference], shifts.y[i] - shifts.y[reference]});
  }
  if (found.known == 0) return found;
  const std::array<int64_t, 3> points{control_points_for(count, most_in_time),
                                      control_points_for(patches_along(rows, spec.patch), most_in_image),
                                      control_points_for(patches_along(cols, spec.patch), most_in_image)};
  found.spline = FrameSpline::fitted({count, rows, cols}, points, samples);
  double squares = 0, misfit = 0;
  for (const SplineSample& s : samples) {
    const auto [y, x] = found.spline.at(s);
    squares += x * x + y * y;
    misfit += (x - s.x) * (x - s.x) + (y - s.y) * (y - s.y);
  }
  const auto values = static_cast<double>(samples.size());
  // The spline averages over as many samples as there are for each control point.
  const double share = std::min(1.0, static_cast<double>(points[0] * points[1] * points[2]) / values);
  found.rms = std::sqrt(squares / values);
  found.sigma = std::sqrt(share * std::max(2 * variance / static_cast<double>(found.known), misfit / values));
  return found;
}

}  // namespace tl::ops
