// What may be wrong with the geometry of a single view, and the scan with such changes.
#pragma once

#include <string_view>
#include <vector>

#include "core/base/geometry.h"
#include "core/base/units.h"

namespace tl::ops {

// shift_u, shift_v: the image lies so far towards +u, +v [px]. roll: the image is rotated in the plane of the detector
// about its centre; the top of the object leans towards +u [rad]. angle: the gantry angle is so much larger [rad].
// magnification: the image is larger by this share, about the centre of the detector.
enum class ViewChange { shift_u, shift_v, roll, angle, magnification };

std::string_view to_string(ViewChange kind);
Unit unit_of(ViewChange kind);
// The change that moves the image by about one pixel at the end of the detector's longer half.
double natural_step(ViewChange kind, const DetectorShape& detector);

// Values of some kinds of changes in every view, [view * kinds + kind].
struct ViewChanges {
  std::vector<ViewChange> kinds;
  std::vector<double> values;

  [[nodiscard]] std::size_t views() const { return kinds.empty() ? 0 : values.size() / kinds.size(); }
  [[nodiscard]] double at(std::size_t view, std::size_t kind) const { return values[view * kinds.size() + kind]; }
  // All values of one kind, and its position among the kinds (their number if it is not among them).
  [[nodiscard]] std::vector<double> list(std::size_t kind) const;
  [[nodiscard]] std::size_t find(ViewChange kind) const;
};
// Zeros.
ViewChanges no_changes(std::vector<ViewChange> kinds, int64_t views);

// The scan with the changes on top of its own geometry. Shifts alone keep a circular scan circular. Errors: invalid if
// the numbers are not one set per view, or leave no valid view.
Result<ScanGeometry> changed(const ScanGeometry& geometry, const ViewChanges& changes);

}  // namespace tl::ops
