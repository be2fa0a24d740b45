// Zingers and saturated pixels in a few views.
#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/run/hints/detectors.h"
#include "gpu/correction/zingers.h"

namespace tl::hints {
namespace {

constexpr double usual_limit = 0.2;   // above the median of the neighbours: the default of the node correct.zingers
constexpr double clear_of_noise = 8;  // in standard deviations; also required relative to the views before and after
constexpr double min_of_beam = 0.1;
constexpr int64_t fewest_zingers = 3;

struct Zingers {
  int64_t count = 0, pixels = 0;
  double limit = usual_limit;  // limit at which the node does not change noise
  double largest = 0;          // largest excess over the mean of the views before and after
  int64_t view = 0, row = 0, col = 0;
};

double value_at_share(const at::Tensor& values, double share) {
  const at::Tensor flat = values.flatten();
  const auto k = static_cast<int64_t>(share * static_cast<double>(flat.numel() - 1));
  return std::get<0>(flat.kthvalue(k + 1)).item<double>();
}

void count_zingers(const NeighbouringViews& n, Zingers& found) {
  const at::Tensor all = n.data.data.to(at::kFloat);
  const at::Tensor before = all[0], view = all[1], after = all[2];
  const Result<ops::ZingerRemovalResult> cleaned =
      ops::remove_zingers(view.unsqueeze(0).contiguous(),
                          {3, usual_limit, ops::OutlierSide::brighter, ops::OutlierScale::relative, CancelToken()});
  if (!cleaned.ok()) return;
  const at::Tensor usual = (0.5 * (before + after)).clamp_min(1e-6), root = usual.sqrt();
  // Noise is proportional to the root of the counts; motion between the views adds to it.
  const at::Tensor change = ((view - usual) / root).abs();
  const double noise = 1.4826 * value_at_share(change, 0.5) / std::sqrt(1.5);
  const double beam = value_at_share(view, 0.95), dim = std::max(value_at_share(view, 0.05), 1e-6);
  const at::Tensor rise = view - at::maximum(before, after);
  const at::Tensor hit = (cleaned.value().projections[0] != view)
                             .logical_and(rise > clear_of_noise * noise * root)
                             .logical_and(rise > min_of_beam * beam);
  found.count += hit.sum().item<int64_t>();
  found.pixels += view.numel();
  found.limit = std::max(found.limit, clear_of_noise * noise / std::sqrt(dim));
  const at::Tensor times = at::where(hit, view / usual, at::zeros_like(view));
  const double most = times.max().item<double>();
  if (most <= found.largest) return;
  const int64_t at = times.argmax().item<int64_t>();
  found.largest = most;
  found.view = n.middle;
  found.row = n.first_row + at / view.size(1);
  found.col = at % view.size(1);
}

std::optional<Hint> zingers(const std::vector<NeighbouringViews>& views) {
  Zingers found;
  for (const NeighbouringViews& n : views)
    if (n.data.kind != PixelKind::absorption && n.data.data.size(0) == 3) count_zingers(n, found);
  if (found.count < fewest_zingers) return {};
  Hint h;
  h.kind = HintKind::zingers;
  h.evidence = "Zingers: " + std::to_string(found.count) + " single bright pixels in " + std::to_string(views.size()) +
               " views, up to " + formatted("%.2g", found.largest) + " times their usual value (view " +
               std::to_string(found.view) + ", row " + std::to_string(found.row) + ", column " +
               std::to_string(found.col) + ")";
  h.advice = "Zinger removal replaces them before they become streaks.";
  h.node = Registry::all().recommended_remedy(to_string(h.kind));
  if (found.limit > usual_limit) h.params["limit"] = Number{std::ceil(20 * found.limit) / 20, {}};
  return h;
}

// Largest counts of usual detectors.
constexpr double full_scales[] = {255, 1023, 4095, 16383, 65535};
constexpr double fewest_saturated = 20, min_saturated_share = 1e-4;

struct Saturated {
  double share = 0, level = 0;
};
Saturated saturated(const at::Tensor& frames) {
  if (!frames.defined() || frames.numel() == 0) return {};
  const double most = frames.max().item<double>();
  if (std::find(std::begin(full_scales), std::end(full_scales), most) == std::end(full_scales)) return {};
  const auto count = static_cast<double>((frames == most).sum().item<int64_t>());
  const auto all = static_cast<double>(frames.numel());
  return count >= std::max(fewest_saturated, min_saturated_share * all) ? Saturated{count / all, most} : Saturated{};
}

std::optional<Hint> saturation(const std::vector<NeighbouringViews>& views) {
  Saturated in_views, in_flats;
  int64_t where = 0;
  for (const NeighbouringViews& n : views) {
    if (n.data.kind != PixelKind::counts) return {};
    const Saturated here = saturated(n.data.data), flats = saturated(n.data.references.flats);
    if (here.share > in_views.share) {
      in_views = here;
      where = n.middle;
    }
    if (flats.share > in_flats.share) in_flats = flats;
  }
  if (!(in_views.share > 0) && !(in_flats.share > 0)) return {};
  const double level = std::max(in_views.level, in_flats.level);
  const auto per_cent = [](double share) { return formatted("%.2g", 100 * share) + " %"; };
  Hint h;
  h.kind = HintKind::saturation;
  h.evidence = "Saturated: ";
  if (in_views.share > 0)
    h.evidence += per_cent(in_views.share) + " of the pixels around view " + std::to_string(where);
  if (in_views.share > 0 && in_flats.share > 0) h.evidence += " and ";
  if (in_flats.share > 0) h.evidence += per_cent(in_flats.share) + " of the level of the flats";
  h.evidence += " read " + formatted("%.0f", level) + ", the largest count of the detector";
  h.advice = "Bad pixels fills them from their neighbours; a shorter exposure avoids them.";
  h.node = Registry::all().recommended_remedy(to_string(h.kind));
  h.params["saturation"] = Number{level, {}};
  return h;
}

}  // namespace

std::vector<Hint> in_single_views(const std::vector<NeighbouringViews>& views) {
  std::vector<Hint> all;
  if (const auto h = saturation(views)) all.push_back(*h);
  if (const auto h = zingers(views)) all.push_back(*h);
  return all;
}

}  // namespace tl::hints
