// Reports of unusable values (not finite, or beyond what a detector gives): their share of the scan and first position.
#pragma once

#include "core/node/node_run.h"
#include "gpu/correction/unusable_values.h"

namespace tl {

// A part of a scan, as a node read it.
struct InspectedViews {
  ScanRegion region;             // in indices of the scan
  ops::UnusableValues unusable;  // view, row and column count from the region's begin
  int64_t floored = 0;           // values at or below the smallest transmission
  int64_t dark_views = 0, first_dark = -1;
};

// Warns of a part with something wrong, and again with the share of the whole scan when all of it has been checked: two
// warnings of a kind at most. invalid when the whole scan holds nothing usable. `scan` is that of the region.
Result<void> report_unusable(const InspectedViews& inspected, const ScanGeometry& scan, NodeRun& r);

// The views without unusable values, which are reported. Nothing is checked while learning.
Result<at::Tensor> usable_line_integrals(const at::Tensor& data, const ScanGeometry& geometry, NodeRun& r);

}  // namespace tl
