// Detects problems in parts of a scan: one function per part, used by scan_hints().
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/cancel.h"
#include "core/run/hints/hint.h"
#include "core/values/values.h"

namespace tl::hints {

// Three views at neighbouring angles as recorded, with flats and darks; fewer if the middle one is at an end of the
// scan.
struct NeighbouringViews {
  Projections data;
  int64_t middle = 0;     // index of the second view in the scan
  int64_t first_row = 0;  // of the detector
};
// Pixels of single views: zingers, saturation.
std::vector<Hint> in_single_views(const std::vector<NeighbouringViews>& views);

// Absorption of some rows in all views: rings, truncation, axis, angles.
std::vector<Hint> in_whole_rows(const Projections& rows, const CancelToken& cancel);

// The views' angles alone.
std::optional<Hint> missing_angles(const ScanGeometry& geometry);

}  // namespace tl::hints
