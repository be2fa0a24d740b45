// Compares flats, darks and views with each other: odd frames, and series that do not fit together.
#include "gpu/correction/flats/reference_levels.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gpu/correction/flats/flat_field.h"

namespace tl::ops {
namespace {

constexpr double together = 1.0;               // [views] flats closer than this were taken together
constexpr std::size_t fewest_to_judge = 3;     // frames, of which a median is a majority
constexpr double clear_difference = 8;         // in standard deviations (normal, from the median deviation)
constexpr double min_flat_difference = 0.03;   // relative to the signal: a smaller difference is harmless drift
constexpr double min_dark_difference = 0.005;  // of the flat's signal
constexpr double closed_shutter = 0.2;         // of the usual signal
constexpr double low_share = 0.05, high_share = 0.95;

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return values.size() % 2 == 1 ? *middle : 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

// A difference that clearly exceeds the differences among the values.
double clear_of(const std::vector<double>& values, double median, double least) {
  constexpr double sigma_of_deviation = 1.4826;
  std::vector<double> deviations;
  for (const double v : values) deviations.push_back(std::abs(v - median));
  return std::max(least, clear_difference * sigma_of_deviation * median_of(deviations));
}

bool has_frames(const at::Tensor& t) { return t.defined() && t.numel() > 0; }

at::Tensor median_frame(const at::Tensor& frames) { return average_frames(frames, FrameAverage::median); }

// The mean of each frame's pixels, without non-finite ones; single outliers are clipped to `most`.
std::vector<double> means_of(const at::Tensor& frames, double least, double most) {
  std::vector<double> means;
  for (int64_t i = 0; i < frames.size(0); ++i) {
    const at::Tensor known = frames[i].masked_select(frames[i].isfinite());
    means.push_back(known.numel() == 0 ? 0 : known.clamp(least, most).mean().item<double>());
  }
  return means;
}

// Finds frames with outlying levels among frames taken together.
void judge_together(const std::vector<int64_t>& members, const std::vector<double>& levels, double least,
                    std::vector<OddFrame>& odd, double& spread) {
  std::vector<double> values;
  for (const int64_t i : members) values.push_back(levels[static_cast<std::size_t>(i)]);
  const double median = median_of(values);
  const double most = values.size() < fewest_to_judge ? HUGE_VAL : clear_of(values, median, least);
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::abs(values[i] - median) > most) {
      odd.push_back({members[i], values[i]});
    } else {
      low = std::min(low, values[i]);
      high = std::max(high, values[i]);
    }
  }
  spread = std::max(spread, high - low);
}

// First flats with hardly any signal, then the others group by group.
void judge_flats(const std::vector<double>& levels, const std::vector<double>& positions, ReferenceLevels& found) {
  const bool enough = levels.size() >= fewest_to_judge;
  const double least = enough ? closed_shutter * median_of(levels) : -HUGE_VAL;
  for (std::vector<int64_t>& group : groups_in_time(positions, static_cast<int64_t>(levels.size()))) {
    std::erase_if(group, [&](int64_t i) {
      const double level = levels[static_cast<std::size_t>(i)];
      if (level < least) found.odd_flats.push_back({i, level});
      return level < least;
    });
    if (!group.empty()) judge_together(group, levels, min_flat_difference, found.odd_flats, found.flat_spread);
  }
  std::sort(found.odd_flats.begin(), found.odd_flats.end(), [](auto& a, auto& b) { return a.index < b.index; });
}

at::Tensor without(const at::Tensor& frames, const std::vector<OddFrame>& odd) {
  std::vector<int64_t> kept;
  for (int64_t i = 0; i < frames.size(0); ++i)
    if (std::none_of(odd.begin(), odd.end(), [&](const OddFrame& o) { return o.index == i; })) kept.push_back(i);
  return kept.size() == static_cast<std::size_t>(frames.size(0)) ? frames : frames.index_select(0, at::tensor(kept));
}

double quantile_of(const at::Tensor& values, double share) {
  const auto k = static_cast<int64_t>(share * static_cast<double>(values.numel() - 1));
  return std::get<0>(values.flatten().kthvalue(k + 1)).item<double>();
}

void measure_transmissions(const at::Tensor& views, const at::Tensor& dark, const at::Tensor& signal,
                           ReferenceLevels& found) {
  const at::Tensor known = (views - dark).div(signal.masked_fill(signal.le(0), std::nan(""))).nanmean(1);
  const at::Tensor finite = known.masked_select(known.isfinite());
  if (finite.numel() == 0) return;
  found.has_transmissions = true;
  found.low_transmission = quantile_of(finite, low_share);
  found.high_transmission = quantile_of(finite, high_share);
}

}  // namespace

std::vector<std::vector<int64_t>> groups_in_time(const std::vector<double>& positions, int64_t flats) {
  std::vector<int64_t> order(static_cast<std::size_t>(flats));
  std::iota(order.begin(), order.end(), int64_t{0});
  if (positions.empty()) return {order};
  const auto position = [&](int64_t i) { return positions[static_cast<std::size_t>(i)]; };
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return position(a) < position(b); });
  std::vector<std::vector<int64_t>> groups;
  for (const int64_t i : order) {
    if (groups.empty() || position(i) - position(groups.back().back()) >= together) groups.emplace_back();
    groups.back().push_back(i);
  }
  return groups;
}

ReferenceLevels compare_references(const ReferenceSample& sample) {
  ReferenceLevels found;
  if (!has_frames(sample.flats)) return found;
  const at::Tensor flats = sample.flats.to(at::kDouble);
  const at::Tensor flat = median_frame(flats);
  at::Tensor dark = at::zeros_like(flat);
  if (has_frames(sample.darks)) {
    const at::Tensor darks = sample.darks.to(at::kDouble);
    dark = median_frame(darks);
    const double scale = std::abs((flat - dark).nanmedian().item<double>());
    if (scale > 0) {
      std::vector<int64_t> all(static_cast<std::size_t>(darks.size(0)));
      std::iota(all.begin(), all.end(), int64_t{0});
      judge_together(all, means_of((darks - dark) / scale, -1, 1), min_dark_difference, found.odd_darks,
                     found.dark_spread);
    }
    dark = median_frame(without(darks, found.odd_darks));
  }
  const at::Tensor signal = flat - dark;
  const at::Tensor lit = signal.gt(0);
  found.flats_exceed_darks = 2 * lit.sum().item<int64_t>() > signal.numel();
  if (!found.flats_exceed_darks) return found;
  const at::Tensor unlit_is_unknown = signal.masked_fill(lit.logical_not(), std::nan(""));
  constexpr double min_level = -0.5, max_level = 2.5;
  judge_flats(means_of((flats - dark) / unlit_is_unknown, min_level, max_level), sample.flat_positions, found);
  if (has_frames(sample.views)) {
    const at::Tensor usual = median_frame(without(flats, found.odd_flats)) - dark;
    measure_transmissions(sample.views.to(at::kDouble), dark, usual, found);
  }
  return found;
}

}  // namespace tl::ops
