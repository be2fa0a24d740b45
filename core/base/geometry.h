// ScanGeometry: positions of source (or beam direction) and detector in every view, as plain values.
//
// Coordinates (right-handed, object at rest): gantry angle t; cone source (sin t, -cos t) * source_to_axis; detector
// centre (-sin t, cos t) * axis_to_detector; the ray direction is the direction of travel; detector u = (cos t, sin t),
// v = +z. File row 0 is the top: the row index runs along -v. A stage turning by +phi about +z is t = -phi.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/base/region.h"
#include "core/base/vec3.h"

namespace tl {

enum class Beam { parallel, cone };

struct DetectorShape {
  int64_t rows = 1, cols = 1;
  double pitch_u = 1, pitch_v = 1;  // [mm]
  friend bool operator==(const DetectorShape&, const DetectorShape&) = default;
};

// A circular scan by its usual parameters, and deviations of views. Per-view lists have one entry per view, or none.
struct Orbit {
  Beam beam = Beam::parallel;
  std::vector<double> angles;                     // t [rad], one per view, up to 1e6 degrees in either direction
  double source_to_axis = 0;                      // [mm], cone only, > 0
  double axis_to_detector = 0;                    // [mm], >= 0
  double source_shift_u = 0, source_shift_v = 0;  // [mm], cone only
  double axis = 0;                                // [px from the detector centre, along +u]
  double tilt = 0;                                // [rad], in the detector plane; the axis' top leans towards +u
  double lamino = 0;                              // [rad], rotation axis leaning along the beam; parallel only
  std::vector<double> shift_u, shift_v;           // per-view image shifts [px, along +u, +v]; empty = 0
  double yaw = 0, pitch = 0;          // [rad] detector rotation about its column, then about its row (orbit_math.h)
  std::vector<double> roll;           // [rad], of each view, added to the tilt; empty = 0
  std::vector<double> magnification;  // per view: magnification of the image about the axis; empty = 1

  // Neither yaw nor pitch, and no view rolls or is magnified: distances, axis, tilt, lamino and shifts say all.
  [[nodiscard]] bool is_nominal() const { return yaw == 0 && pitch == 0 && roll.empty() && magnification.empty(); }
};

// Vectors of one view: beam = source position (cone) or direction of travel (parallel, unit length); detector = centre
// of the detector; u, v = steps of one pixel. Pixel (row, col) lies at
//   detector + (col - (cols-1)/2) u - (row - (rows-1)/2) v.
struct View {
  Vec3 beam, detector, u, v;
  friend bool operator==(const View&, const View&) = default;
};

class ScanGeometry {
 public:
  ScanGeometry() = default;
  // General constructor: any scan, jittered, tilted or helical. A parallel beam's direction may have any length.
  static Result<ScanGeometry> from_views(Beam beam, DetectorShape detector, std::vector<View> views);
  static Result<ScanGeometry> from_orbit(const Orbit& orbit, DetectorShape detector);
  // Twelve numbers per view: beam, detector, u, v (x, y, z each).
  static Result<ScanGeometry> from_vectors(Beam beam, DetectorShape detector, std::span<const double> vectors);
  // Common scans. Angles are gantry angles [rad], the axis is in px from the detector centre.
  static Result<ScanGeometry> parallel(std::vector<double> angles, DetectorShape detector, double axis = 0);
  static Result<ScanGeometry> cone(std::vector<double> angles, DetectorShape detector, double source_to_axis,
                                   double axis_to_detector, double axis = 0);
  static Result<ScanGeometry> laminography(std::vector<double> angles, DetectorShape detector, double lamino,
                                           double axis = 0);

  [[nodiscard]] Beam beam() const { return beam_; }
  [[nodiscard]] const DetectorShape& detector() const { return detector_; }
  [[nodiscard]] int64_t views() const { return static_cast<int64_t>(views_.size()); }
  [[nodiscard]] const View& view(int64_t i) const { return views_.at(static_cast<std::size_t>(i)); }
  [[nodiscard]] std::vector<double> vectors() const;  // [view * 12]

  // The equivalent circular scan, if there is one (to 1e-9 of the distances): from_orbit() of it makes this scan again.
  // Angles are unwrapped, so that neighbouring views differ by less than half a turn. Where several orbits make the
  // same scan, it is the one without yaw in a cone beam (a yaw is a source shift along u, with other angles, distances
  // and axis), with the mean of the rolls as tilt, and with the mean of the shifts along u in the axis. Lists are empty
  // where views do not differ by them; magnifications are listed, also equal ones, where pixels differ from
  // detector()'s.
  [[nodiscard]] std::optional<Orbit> orbit() const;
  [[nodiscard]] bool is_parallel() const { return beam_ == Beam::parallel; }
  [[nodiscard]] bool is_circular() const { return orbit().has_value(); }
  // Circular and nominal, no tilt, no lamino angle and the same shift in all views: a detector row sees one plane z =
  // const (parallel) or a column of voxels projects onto a line along v (cone).
  [[nodiscard]] bool is_plain_circular() const;
  // Full extent of the angles including one step, for equidistant views n * median step [rad]; 0 if not circular.
  [[nodiscard]] double angular_range() const;

  // The scan reduced to some views, rows and columns (indices of this one), or with binned pixels.
  [[nodiscard]] ScanGeometry crop(const ScanRegion& region) const;
  [[nodiscard]] ScanGeometry select(std::span<const int64_t> views) const;
  [[nodiscard]] ScanGeometry binned(int64_t rows, int64_t cols) const;
  [[nodiscard]] ScanRegion full() const { return {{0, views()}, {0, detector_.rows}, {0, detector_.cols}}; }

  // Magnification at the axis, 1 in a parallel beam; from view 0.
  [[nodiscard]] double magnification() const;
  // Pixel coordinates (col, row, fractional) onto which a point projects in a view, and its depth along the beam from
  // the source (cone) or from the origin (parallel) [mm].
  struct Hit {
    double col, row, depth;
  };
  [[nodiscard]] Hit project(int64_t view, Vec3 point) const;

  friend bool operator==(const ScanGeometry&, const ScanGeometry&) = default;

 private:
  Beam beam_ = Beam::parallel;
  DetectorShape detector_;
  std::vector<View> views_;
};

// Position of an axis given as a column of the index frame (pixel centres 0 ... cols-1), and back.
inline double axis_from_column(double column, int64_t cols) { return column - 0.5 * static_cast<double>(cols - 1); }
inline double column_from_axis(double axis, int64_t cols) { return axis + 0.5 * static_cast<double>(cols - 1); }

// count angles start, start + step, ... with step = range / count [rad].
std::vector<double> equidistant_angles(int64_t count, double range, double start = 0);

}  // namespace tl
