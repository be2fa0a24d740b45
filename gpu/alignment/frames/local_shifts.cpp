// Aligns the patches of frames, and fits a spline to their shifts.
#include "gpu/alignment/frames/local_shifts.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <cmath>

#include "gpu/image/warp/view_sampling.h"

namespace tl::ops {
namespace {

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

// Successive frames that are averaged: none where too few averages would be left that have no frame in common.
int64_t frames_averaged(const LocalShiftsSpec& spec) {
  return spec.pairs.frames.size(0) >= 3 * spec.averaged ? spec.averaged : 1;
}

// The frames with their shifts so far taken out, each averaged with its neighbours in time; `time` gets the mean
// of their indices.
at::Tensor averaged_frames(const LocalShiftsSpec& spec, const FrameSpline& local, std::vector<double>& time) {
  const at::Tensor& frames = spec.pairs.frames;
  std::vector<at::Tensor> aligned;
  for (int64_t i = 0; i < frames.size(0); ++i)
    aligned.push_back(sampled_views(frames.narrow(0, i, 1),
                                    positions_in_frame(spec.global, local, i, {frames.size(1), frames.size(2)}),
                                    spec.pairs.cancel)[0]);
  std::vector<at::Tensor> averaged;
  const int64_t half = frames_averaged(spec) / 2, last = frames.size(0) - 1;
  for (int64_t i = 0; i <= last; ++i) {
    const int64_t begin = std::max<int64_t>(0, i - half), end = std::min(last, i + half);
    at::Tensor sum = aligned[static_cast<std::size_t>(begin)].clone();
    for (int64_t k = begin + 1; k <= end; ++k) sum += aligned[static_cast<std::size_t>(k)];
    averaged.push_back(sum / static_cast<double>(end - begin + 1));
    time.push_back(0.5 * static_cast<double>(begin + end));
  }
  return at::stack(averaged);
}

int64_t control_points_for(int64_t samples, int64_t most) {
  constexpr int64_t least = 4;  // of a cubic spline
  return std::clamp(samples, least, most);
}

// What the patches show beyond `so_far`.
struct PatchShifts {
  std::vector<SplineSample> samples;
  int64_t patches = 0, known = 0;
  double variance = 0;  // mean over known patches, of x or y [px^2]
};
Result<PatchShifts> patch_shifts(const LocalShiftsSpec& spec, const FrameSpline& so_far) {
  const at::Tensor& frames = spec.pairs.frames;
  std::vector<double> time;
  const at::Tensor averaged = averaged_frames(spec, so_far, time);
  // The noise of frames that two averages share looks like an image that does not move.
  const auto shares_frames = [apart = frames_averaged(spec)](const FramePair& p) { return p.second - p.first < apart; };
  PatchShifts found;
  for (const PatchPart& part : parts_of(frames.size(1), frames.size(2), spec.patch)) {
    ++found.patches;
    FramePairsSpec pairs = spec.pairs;
    pairs.frames = averaged.narrow(1, part.row, part.rows).narrow(2, part.col, part.cols);
    pairs.reach = std::max(2.0, static_cast<double>(std::min(part.rows, part.cols)) / 8);
    TL_TRY(std::vector<FramePair> measured, pair_shifts(pairs));
    measured.erase(std::remove_if(measured.begin(), measured.end(), shares_frames), measured.end());
    const FrameShifts shifts = shifts_of_pairs(measured, frames.size(0));
    const auto reference = static_cast<std::size_t>(spec.global.reference);
    if (!frames_agree(shifts, pairs.reach) || !shifts.known[reference] || shifts.at_reach) continue;
    ++found.known;
    found.variance += 0.5 * (shifts.sigma_x * shifts.sigma_x + shifts.sigma_y * shifts.sigma_y);
    // By which a point of the reference lies elsewhere in frame i.
    const auto total = [&](std::size_t i) {
      SplineSample s{time[i], static_cast<double>(part.row) + 0.5 * static_cast<double>(part.rows - 1),
                     static_cast<double>(part.col) + 0.5 * static_cast<double>(part.cols - 1)};
      const auto [y, x] = so_far.empty() ? std::array<double, 2>{} : so_far.at(s);
      s.x = x + shifts.x[i], s.y = y + shifts.y[i];
      return s;
    };
    const SplineSample origin = total(reference);
    for (std::size_t i = 0; i < shifts.x.size(); ++i) {
      if (!shifts.known[i]) continue;
      found.samples.push_back(total(i));
      found.samples.back().x -= origin.x;
      found.samples.back().y -= origin.y;
    }
  }
  if (found.known > 0) found.variance /= static_cast<double>(found.known);
  return found;
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
  constexpr int most_passes = 5;
  constexpr double enough = 0.02;  // [px] rms that a pass adds
  const c10::NoGradGuard no_gradients;
  const int64_t count = spec.pairs.frames.size(0), rows = spec.pairs.frames.size(1), cols = spec.pairs.frames.size(2);
  const std::array<int64_t, 3> points{control_points_for(count, most_in_time),
                                      control_points_for(patches_along(rows, spec.patch), most_in_image),
                                      control_points_for(patches_along(cols, spec.patch), most_in_image)};
  LocalShifts found;
  for (int pass = 0; pass < most_passes; ++pass) {
    TL_TRY(const PatchShifts patches, patch_shifts(spec, found.spline));
    found.patches = patches.patches;
    found.known = patches.known;
    if (patches.known == 0) return LocalShifts{{}, 0, 0, patches.patches, 0};
    const FrameSpline before = found.spline;
    found.spline = FrameSpline::fitted({count, rows, cols}, points, patches.samples);
    double squares = 0, misfit = 0, added = 0;
    for (const SplineSample& s : patches.samples) {
      const auto [y, x] = found.spline.at(s);
      const auto [old_y, old_x] = before.empty() ? std::array<double, 2>{} : before.at(s);
      squares += x * x + y * y;
      misfit += (x - s.x) * (x - s.x) + (y - s.y) * (y - s.y);
      added += (x - old_x) * (x - old_x) + (y - old_y) * (y - old_y);
    }
    const auto values = static_cast<double>(patches.samples.size());
    // The spline averages over as many samples as there are for each control point.
    const double share = std::min(1.0, static_cast<double>(points[0] * points[1] * points[2]) / values);
    found.rms = std::sqrt(squares / values);
    found.sigma = std::sqrt(share * std::max(2 * patches.variance, misfit / values));
    if (std::sqrt(added / values) < enough) break;
  }
  return found;
}

}  // namespace tl::ops
