// Cuts regions into blocks.
#include "core/run/common/plan.h"

#include <array>

namespace tl {

std::string_view to_string(CutAxis axis) {
  static constexpr std::array<std::string_view, 4> names = {"none", "views", "rows", "z"};
  return names.at(static_cast<std::size_t>(axis));
}

int64_t extent(const Region& region, CutAxis axis) {
  if (const auto* s = std::get_if<ScanRegion>(&region)) {
    if (axis == CutAxis::views) return s->views.size();
    if (axis == CutAxis::rows) return s->rows.size();
  }
  if (const auto* g = std::get_if<VolumeGrid>(&region); g != nullptr && axis == CutAxis::z) return g->nz;
  return 1;
}

std::vector<Region> cut(const Region& region, CutAxis axis, int64_t count) {
  const int64_t length = extent(region, axis);
  count = std::clamp<int64_t>(count, 1, std::max<int64_t>(length, 1));
  if (count == 1) return {region};
  int64_t lines = (length + count - 1) / count;
  if (lines > lines_at_once) lines -= lines % lines_at_once;
  std::vector<Region> pieces;
  for (int64_t begin = 0; begin < length; begin += lines) {
    const Range part{begin, std::min(begin + lines, length)};
    if (const auto* g = std::get_if<VolumeGrid>(&region)) {
      pieces.emplace_back(g->slab(part));
      continue;
    }
    ScanRegion s = std::get<ScanRegion>(region);
    Range& r = axis == CutAxis::views ? s.views : s.rows;
    r = {r.begin + part.begin, r.begin + part.end};
    pieces.emplace_back(s);
  }
  return pieces;
}

}  // namespace tl
