// AngleOrder: the views of a scan by their angles, whatever the order in which they were recorded, with repeated
// angles.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/geometry.h"

namespace tl {

// Views at one angle: they differ by less than a thousandth of the mean gap between all views.
struct AngleGroup {
  double angle = 0;            // [rad] mean over its views, in [0, period) up to rounding
  std::vector<int64_t> views;  // by ascending angle; views of equal angle in the order of the scan
};

// Angles [rad] folded into [0, period) and grouped, by ascending angle; views just below the period belong to the group
// at zero.
std::vector<AngleGroup> angle_groups(std::span<const double> angles, double period);

// gap[k] lies between group k and the next one; the last gap leads back to the first group, one period later.
std::vector<double> angle_gaps(const std::vector<AngleGroup>& groups, double period);

// The median gap weighted by angle, the largest gap excluded: half of the angle lies in gaps up to this one. (The plain
// median would be the distance of nearly equal angles in a scan of several turns.)
double typical_gap(std::vector<double> gaps);

// A larger gap is missing data [typical gaps].
constexpr double missing_gap = 10;
// The gap between the end and the start of a scan is at least this large [typical gaps]; if the largest gap of a turn
// is smaller, the scan covers the full turn. Smaller than missing_gap, because half a turn of four views has gaps of
// one and of five steps.
constexpr double open_gap = 3 * (1 - 1e-9);

// Order of the views by angle. Full turns are subtracted, so that scans over several turns, back and forth, interlaced,
// with golden-ratio steps or repeated angles give the same as one sweep over their angles; nothing depends on the order
// of recording, except which of equal views comes first. A scan that moves along the axis by more than a row per turn
// (helical) keeps its turns, since views of different turns show different parts of the object.
struct AngleOrder {
  std::vector<int64_t> views;      // every view once, by ascending angle
  std::vector<double> angles;      // [rad] of views[k], ascending, the first is 0
  std::vector<AngleGroup> groups;  // the same views, grouped by equal angle; angles as above
  std::vector<int64_t> group_of;   // per view, in the order of the scan: index of its group
  double begin = 0;                // [rad] gantry angle of views[0]
  double step = 0;                 // [rad] typical gap between different angles; 0 if there is only one
  // [rad] range that was measured: the sum of all gaps except those with missing data, plus one step for the two end
  // views; at most 2 pi, also for several turns; for helical scans over all turns. 0 if there is only one angle.
  double covered = 0;
  // Like `covered`, but including gaps with missing data between views: from the start of the scan to its end.
  double range = 0;
  bool closed = false;  // a full turn: the last and the first group are neighbours

  // The other views at the same angle, nearest in time first.
  [[nodiscard]] std::vector<int64_t> repeats(int64_t view) const;
  // A view of the next smaller and one of the next larger angle; of several, the nearest in time. None beyond the ends
  // of a scan that covers less than a turn.
  struct Neighbours {
    std::optional<int64_t> before, after;
  };
  [[nodiscard]] Neighbours neighbours(int64_t view) const;
};

// Order of gantry angles [rad], which need not be reduced to a turn.
AngleOrder angle_order(std::span<const double> angles);
// The order of the views of any scan, circular or not, by the directions of their beams.
AngleOrder angle_order(const ScanGeometry& geometry);

// Gantry angle of each view [rad], in (-pi, pi]: of the ray direction in a parallel beam, of the source in a cone beam.
std::vector<double> beam_angles(const ScanGeometry& geometry);

}  // namespace tl
