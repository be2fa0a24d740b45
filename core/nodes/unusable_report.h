// Reports of unusable values (not finite, or impossible for a detector): their share of the scan and first position.
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

// Warns about a part with unusable values, and again with their share of the whole scan when all of it has been
// checked: at most two warnings of a kind. invalid if the whole scan contains nothing usable. `scan`: geometry of the
// region.
Result<void> report_unusable(const InspectedViews& inspected, const ScanGeometry& scan, NodeRun& r);

// The views without unusable values, which are reported. Nothing is checked while learning.
Result<at::Tensor> usable_line_integrals(const at::Tensor& data, const ScanGeometry& geometry, NodeRun& r);

}  // namespace tl
