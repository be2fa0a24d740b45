// Stripes in some detector rows of a scan: which of them are walls of a tube around the rotation axis, whether the rest
// are rings, and the rows without them.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "core/base/geometry.h"
#include "gpu/correction/stripes/summary.h"

namespace tl::ops {

struct RingSearch {
  std::vector<std::vector<Stripe>> rows;  // the stripes of each row
  std::vector<uint8_t> walls;             // one entry per column, 1 in a wall of a tube
  StripeSummary summary;                  // of all stripes but walls
  bool rings = false;
};

// For circular scans: the gantry angle [rad] of each view in the order of recording, and the angle of one column of a
// cone beam near the axis (0 = parallel). Empty angles: no rotation axis is known, so that tubes around it are not
// detected.
struct RingGeometry {
  std::vector<double> angles;
  double fan_per_column = 0;
};
// No angles if the scan is on no circle, or its axis is tilted.
RingGeometry ring_geometry(const ScanGeometry& geometry);

// The stripes of projections [view, row, col], absorption (offset) or transmission (gain). The wall of a tube around
// the rotation axis stays in the same columns in all views and rows, as stripes do. A stripe counts as such a wall if
// the axis is clear from the rows (centres of mass, or opposite views and rays), and if every row has an equal wall on
// the other side, with more absorption between the two than outside.
RingSearch find_rings(const at::Tensor& projections, const RingGeometry& geometry, const StripeRemovalSpec& spec);

// Absorption rows [view, row, col] for the search for the rotation axis: in rows with rings, their columns are
// corrected, except walls of a tube; otherwise the same tensor. Stripes do not move when the object rotates, and so
// attract every method to an axis in the middle between them.
at::Tensor rows_without_rings(const at::Tensor& absorption, const RingGeometry& geometry,
                              const CancelToken& cancel = {});

}  // namespace tl::ops
