// Conversion of rotation-axis positions to and from the conventions of other packages.
#pragma once

#include <cstdint>

#include "core/base/geometry.h"

namespace tl {

// Our convention: pixels from the detector centre, 0 = centred, positive towards larger columns. cols: detector
// columns. Cropping or padding moves the centre of an image: convert with the columns of the image in question.

// TomoPy and algotom, `center`: a column, pixel centres at 0 ... cols-1. TomoPy's default is cols / 2, half a pixel to
// the right of the middle.
inline double tomopy_center(double axis, int64_t cols) { return column_from_axis(axis, cols); }
inline double axis_of_tomopy(double center, int64_t cols) { return axis_from_column(center, cols); }

// nabu, `rotation_axis_position`: the same column. Its axis finders print positions relative to the middle, like
// Tomoloom.
inline double nabu_axis_position(double axis, int64_t cols) { return column_from_axis(axis, cols); }
inline double axis_of_nabu(double position, int64_t cols) { return axis_from_column(position, cols); }

// ASTRA: the axis is the origin and the detector moves. `factor` of astra.geom_postalignment: offset of the detector's
// centre from the projected axis, in detector pixels along +u.
inline double astra_postalignment(double axis) { return -axis; }
inline double axis_of_astra(double factor) { return -factor; }

}  // namespace tl
