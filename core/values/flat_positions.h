// The positions of the flats of a scan among its views if only some views are used.
#pragma once

#include <cstdint>
#include <vector>

namespace tl {

// The position of a flat (ScanInfo::flat_positions) counted in chosen views, which are ascending. A flat taken
// between two views stays between the chosen ones around it; one taken at a view moves to the nearest chosen view on
// its side of the gap; outside of the chosen views it keeps its distance.
double position_among(const std::vector<int64_t>& chosen, double at);

struct FlatsAmong {
  std::vector<int64_t> flats;     // those that stay, in their order
  std::vector<double> positions;  // of each
};
// The positions of all flats that correct chosen views. Flats with the first or the last view of a part of the scan are
// left out if no view of the part is chosen and other parts lie on both sides, for they would stand with these; all
// stay if none would. Flats taken at different times before the first chosen view, or after the last, stay apart, the
// nearest at half a view from it.
FlatsAmong flats_among(const std::vector<int64_t>& chosen, const std::vector<double>& positions);

}  // namespace tl
