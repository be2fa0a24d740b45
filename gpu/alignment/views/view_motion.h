// Changes of views as functions of the view: which of them no data show, smoothing, and jumps.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "gpu/alignment/views/view_change.h"

namespace tl::ops {

// Motions of a whole object: translations, rotations and a change of size, in this order.
inline constexpr std::array object_motion_names = {"a shift along x",    "a shift along y",    "a shift along z",
                                                   "a rotation about x", "a rotation about y", "a rotation about z",
                                                   "a change of size"};
// Corners and centre of a box that fills 0.6 of the field of view [mm].
std::vector<Vec3> points_of_object(const ScanGeometry& geometry);
// The points after so much of a motion: a share of the width of the field of view, an angle [rad], or a share of the
// size.
std::vector<Vec3> moved_points(std::vector<Vec3> points, std::size_t motion, double amount,
                               const ScanGeometry& geometry);
// Columns and rows at which a view shows the points [px], in turn.
std::vector<double> image_positions(const ScanGeometry& geometry, int64_t view, const std::vector<Vec3>& points);

// Directions of the changes in which the views of a resting object differ from those of the nominal scan by no more
// than a motion of the whole object (translation, rotation, scale): orthonormal, [view * kinds + kind] in natural
// steps. Of each motion, the displacements of points in the field of view are fitted by the changes of each view; it is
// one of them if the fit leaves less than a tenth of their squares. In a parallel beam: sine and cosine of the angle in
// shift_u, a constant in shift_v, in the angle, and in the magnification.
std::vector<std::vector<double>> object_motions(const ScanGeometry& geometry, const std::vector<ViewChange>& kinds);

// Removes the part of the changes that lies in these directions.
void remove_motions(ViewChanges& changes, const std::vector<std::vector<double>>& motions,
                    const DetectorShape& detector);

// Each list smoothed over the views in their order by a Gaussian of that width [views]; at the ends a straight line is
// continued, so that a constant speed stays as it is. 0: unchanged.
void smooth_over_views(ViewChanges& changes, double width);

// Views before which a list jumps: steps between neighbours that differ from the median step by more than six times
// what is usual (median absolute deviation), and by more than `least`.
std::vector<int64_t> jumps(const std::vector<double>& list, double least);

}  // namespace tl::ops
