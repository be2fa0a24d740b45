// The positions of a scan's flats among its views if only some views are used.
#pragma once

#include <cstdint>
#include <vector>

namespace tl {

// The position of a flat (ScanInfo::flat_positions) counted in chosen views, which are ascending. A flat taken between
// two views stays between the chosen ones around it; one taken at a view moves to the nearest chosen view on its side
// of the gap; outside the chosen views its distance to them is kept.
double position_among(const std::vector<int64_t>& chosen, double at);

struct FlatsAmong {
  std::vector<int64_t> flats;     // indices of the flats that are kept, in their order
  std::vector<double> positions;  // of each
};
// The positions of all flats that correct chosen views. Flats at the first or the last view of a part of the scan are
// left out if no view of that part is chosen and other parts are on both sides, because they would be assigned to
// these; if none would remain, all are kept. Flats taken at different times before the first chosen view, or after the
// last, stay separate, the nearest at half a view from it.
FlatsAmong flats_among(const std::vector<int64_t>& chosen, const std::vector<double>& positions);

}  // namespace tl
