// Reports unusable values, counted over the blocks of a run, in words.
#include "core/nodes/unusable_report.h"

#include <ATen/ATen.h>

#include "core/base/text.h"

namespace tl {
namespace {

// Of one run.
struct UnusableTally {
  int64_t checked = 0, values = 0, floored = 0;
  bool warned = false, warned_of_dark = false;
};

constexpr double notable = 0.01;  // share of clipped values above which a warning is given

std::string share_text(int64_t part, int64_t whole) {
  return formatted("%lld of %lld (%.2g %%)", static_cast<long long>(part), static_cast<long long>(whole),
                   100 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string rows_text(const InspectedViews& s) {
  const Range &v = s.region.views, &r = s.region.rows;
  return "views " + std::to_string(v.begin) + " to " + std::to_string(v.end - 1) + ", rows " + std::to_string(r.begin) +
         " to " + std::to_string(r.end - 1);
}

int64_t pixels(const ScanRegion& r) { return r.views.size() * r.rows.size() * r.cols.size(); }

void warn_of_values(const InspectedViews& s, NodeRun& r) {
  const ops::UnusableValues& u = s.unusable;
  if (u.values > 0)
    r.message(LogLevel::warning, share_text(u.values, pixels(s.region)) + " values of " + rows_text(s) +
                                     " are not finite or beyond 4e9, the first in view " +
                                     std::to_string(s.region.views.begin + u.view) + ", row " +
                                     std::to_string(s.region.rows.begin + u.row) + ", column " +
                                     std::to_string(s.region.cols.begin + u.col) + ": they are filled from their row");
  if (u.dead_views > 0)
    r.message(
        LogLevel::warning,
        share_text(u.dead_views, s.region.views.size()) + " views (" + rows_text(s) +
            ") are constant (all pixels equal), the first is view " +
            std::to_string(s.region.views.begin + u.first_dead) +
            ": they are filled from the views at the nearest angles; excluding them in the load node leaves them out");
  if (u.unfilled > 0)
    r.message(LogLevel::warning, std::to_string(u.unfilled) + " rows of " + rows_text(s) +
                                     " have no usable value in any view: they count as empty beam");
}

void report_dark(const InspectedViews& s, UnusableTally& tally, NodeRun& r) {
  if (s.dark_views > s.unusable.dead_views && !tally.warned_of_dark) {
    tally.warned_of_dark = true;
    r.message(LogLevel::warning,
              share_text(s.dark_views, s.region.views.size()) + " views (" + rows_text(s) +
                  ") are dark: at least half of their values are below the smallest transmission, first in view " +
                  std::to_string(s.region.views.begin + s.first_dark));
  }
  if (s.floored == 0) return;
  const bool many = static_cast<double>(s.floored) > notable * static_cast<double>(pixels(s.region));
  r.message(
      many ? LogLevel::warning : LogLevel::info,
      share_text(s.floored, pixels(s.region)) + " values are below the smallest transmission and were raised to it");
}

}  // namespace

Result<void> report_unusable(const InspectedViews& inspected, const ScanGeometry& scan, NodeRun& r) {
  if (r.learning) return ok();
  const int64_t all = pixels(scan.full());
  const auto tally = r.memo<UnusableTally>("unusable values", 256, [] { return std::make_shared<UnusableTally>(); });
  const bool before = tally->checked >= all;
  tally->checked += pixels(inspected.region);
  tally->values += inspected.unusable.values;
  tally->floored += inspected.floored;
  if (inspected.unusable.any() && !tally->warned) {
    tally->warned = true;
    warn_of_values(inspected, r);
  }
  report_dark(inspected, *tally, r);
  if (before || tally->checked < all) return ok();
  if (tally->values + tally->floored >= all)
    return invalid("no value of the scan is usable", "projections",
                   "All are at or below the dark signal, not finite or beyond 4e9: look at the views, flats and darks");
  if (tally->checked > pixels(inspected.region) && tally->values > 0)
    r.message(LogLevel::warning, "in the whole scan " + share_text(tally->values, tally->checked) +
                                     " values are not finite or beyond 4e9");
  return ok();
}

Result<at::Tensor> usable_line_integrals(const at::Tensor& data, const ScanGeometry& geometry, NodeRun& r) {
  if (r.learning || data.requires_grad()) return data;
  const ops::UsableViews usable = ops::fill_unusable_values(data, 0, &geometry);
  if (!usable.found.any()) return data;
  // Row numbers in the scan are not known here: they are counted from the first reconstructed row.
  warn_of_values({geometry.full(), usable.found}, r);
  const int64_t all = data.numel();
  if (usable.found.values == all)
    return invalid("no value of these " + std::to_string(all) + " is usable", r.node(),
                   "All are not finite or beyond 4e9: check the result of the node before this one");
  return usable.data;
}

}  // namespace tl
