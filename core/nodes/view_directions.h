// Directions of a parallel beam's views as Euler angles and origins, as files of single particles state them.
#pragma once

#include "core/base/error.h"
#include "core/base/geometry.h"

namespace tl {

// Rotations about z, the new y and the new z [rad] that carry the axes of the object into those of the image: its x
// along the columns, its y upwards, its z towards the source (J. B. Heymann, M. Chagoyen, D. M. Belnap, J. Struct.
// Biol. 151, 196 (2005)). The image, moved by (x, y) [px], has the object's origin at pixel n / 2 of n, counted from 0
// at the left and at the bottom.
struct ViewDirection {
  double rot = 0, tilt = 0, psi = 0;
  double x = 0, y = 0;
};

View view_of(const ViewDirection& direction, const DetectorShape& detector);
// The same from a view: tilt from 0 to pi, the other angles from -pi to pi, rot 0 where tilt is 0 or pi. Invalid,
// unless u, v and the beam are at right angles to each other (to 1e-6).
Result<ViewDirection> direction_of(const View& view, const DetectorShape& detector);

}  // namespace tl
