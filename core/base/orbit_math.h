// The view vectors of a circular orbit, as one template for doubles (planning) and torch tensors (learning).
#pragma once

#include <array>
#include <cmath>

#include "core/base/geometry.h"

namespace tl {

// Parameters of one view, or of all views at once if T is a tensor over views. Lengths in mm, angles in rad, shifts in
// detector pixels. Absent distances are those of a parallel beam.
template <class T>
struct OrbitTerms {
  T angle;           // gantry angle t
  T source_to_axis;  // cone only
  T axis_to_detector;
  T source_shift_u, source_shift_v;  // source offset along u and v [mm], cone only
  T axis;                            // rotation-axis position [px from the detector centre, along +u]
  T shift_u, shift_v;                // image shift of this view [px, along +u and +v]
  T tilt;                            // in the detector plane: positive if the top of the axis leans towards +u
  T lamino;                          // the axis leans along the beam by this angle (parallel only; 0 = plain CT)
  T yaw, pitch;                      // rotation of the detector about its column (yaw), then about its row (pitch)
  T roll;                            // in-plane rotation of this view, added to the tilt
  T magnification;                   // magnification of this view's image, 1 = none
};

// beam, detector, u, v: twelve components in the order of ScanGeometry::vectors().
template <class T>
std::array<T, 12> orbit_view(const OrbitTerms<T>& o, Beam beam, double pitch_u, double pitch_v) {
  using std::cos;
  using std::sin;
  const T c = cos(o.angle), s = sin(o.angle);
  const T cl = cos(o.lamino), sl = sin(o.lamino);
  const T ct = cos(o.tilt + o.roll), st = sin(o.tilt + o.roll);
  const T cy = cos(o.yaw), sy = sin(o.yaw), cp = cos(o.pitch), sp = sin(o.pitch);
  // Beam direction of travel, and the detector's untilted axes: u0 = (c, s, 0), v0 = u0 x direction.
  const std::array<T, 3> direction = {-1.0 * s * cl, c * cl, sl + 0.0 * c};
  const std::array<T, 3> u0 = {c + 0.0 * sl, s + 0.0 * sl, 0.0 * c + 0.0 * sl};
  const std::array<T, 3> v0 = {s * sl, -1.0 * c * sl, cl + 0.0 * c};
  std::array<T, 12> out;
  for (std::size_t a = 0; a < 3; ++a) {
    const T u1 = cy * u0[a] + sy * direction[a];
    const T v1 = cp * v0[a] + sp * (cy * direction[a] - sy * u0[a]);
    const T u = pitch_u * (ct * u1 + st * v1) / o.magnification;
    const T v = pitch_v * (ct * v1 - st * u1) / o.magnification;
    out[a] = beam == Beam::parallel
                 ? direction[a]
                 : o.source_shift_u * u0[a] + o.source_shift_v * v0[a] - o.source_to_axis * direction[a];
    out[3 + a] = o.axis_to_detector * direction[a] - (o.axis + o.shift_u) * u - o.shift_v * v;
    out[6 + a] = u;
    out[9 + a] = v;
  }
  return out;
}

}  // namespace tl
