// Directions of a parallel beam's views as Euler angles and origins, as in files of single-particle programs.
#pragma once

#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/base/geometry.h"
#include "core/values/values.h"

namespace tl {

// Rotations about z, the new y and the new z [rad] that rotate the axes of the object into those of the image: its x
// along the columns, its y upwards, its z towards the source (J. B. Heymann, M. Chagoyen, D. M. Belnap, J. Struct.
// Biol. 151, 196 (2005)). After a shift of the image by (x, y) [px], the object's origin is at pixel n / 2 of n,
// counted from 0 at the left and at the bottom.
struct ViewDirection {
  double rot = 0, tilt = 0, psi = 0;
  double x = 0, y = 0;
};

View view_of(const ViewDirection& direction, const DetectorShape& detector);
// The direction of a view: tilt from 0 to pi, the other angles from -pi to pi, rot 0 if tilt is 0 or pi. Invalid unless
// u, v and the beam are perpendicular to each other (to 1e-6).
Result<ViewDirection> direction_of(const View& view, const DetectorShape& detector);

// A row for each view: rlnAngleRot, rlnAngleTilt, rlnAnglePsi [deg], rlnOriginXAngst, rlnOriginYAngst; NaN where there
// is none. Errors as direction_of().
Result<Table> directions_table(const std::vector<std::optional<View>>& views, const DetectorShape& detector);

}  // namespace tl
