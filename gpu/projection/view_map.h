// The projective map of a view, for plain numbers and for dual numbers (derivatives by view vectors).
#pragma once

#include <array>
#include <vector>

#include "core/base/geometry.h"
#include "core/base/grid.h"
#include "gpu/projection/back_projector/shared/math.h"

namespace tl::ops {

template <class S>
using Triple = std::array<S, 3>;

template <class S>
Triple<S> cross3(const Triple<S>& a, const Triple<S>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
template <class S>
S dot3(const Triple<S>& a, const Triple<S>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Twelve coefficients over the position p [mm] in the object frame: u, v and w = c[0] + c[1] p.x + c[2] p.y + c[3] p.z
// each, with column = u / w and row = v / w. Computed from the twelve numbers of a view (beam, detector, u, v).
//
// Parallel: p = d + a u - b v + s r, solved with the dual basis of (u, v, r). Cone: p - s = w (e + a u - b v) with e =
// d - s, solved with the dual basis of (e, u, v).
template <class S>
std::array<S, 12> map_coefficients(const std::array<S, 12>& view, Beam beam, int64_t rows, int64_t cols) {
  const Triple<S> b{view[0], view[1], view[2]}, d{view[3], view[4], view[5]};
  const Triple<S> u{view[6], view[7], view[8]}, v{view[9], view[10], view[11]};
  const double col0 = 0.5 * static_cast<double>(cols - 1), row0 = 0.5 * static_cast<double>(rows - 1);
  std::array<S, 12> c{};
  if (beam == Beam::parallel) {
    const Triple<S> a_u = cross3(v, b), a_v = cross3(b, u);
    const S scale = 1.0 / dot3(u, a_u);
    c[0] = col0 - scale * dot3(a_u, d);
    c[4] = row0 + scale * dot3(a_v, d);
    c[8] = S(1.0);
    for (std::size_t a = 0; a < 3; ++a) {
      c[1 + a] = scale * a_u[a];
      c[5 + a] = -1.0 * (scale * a_v[a]);
    }
    return c;
  }
  const Triple<S> e{d[0] - b[0], d[1] - b[1], d[2] - b[2]};
  const Triple<S> n = cross3(u, v), a_u = cross3(v, e), a_v = cross3(e, u);
  const S scale = 1.0 / dot3(e, n);
  for (std::size_t a = 0; a < 3; ++a) {
    c[9 + a] = scale * n[a];
    c[1 + a] = scale * a_u[a] + col0 * c[9 + a];
    c[5 + a] = row0 * c[9 + a] - scale * a_v[a];
  }
  for (std::size_t f = 0; f < 3; ++f)
    c[4 * f] = -1.0 * (c[4 * f + 1] * b[0] + c[4 * f + 2] * b[1] + c[4 * f + 3] * b[2]);
  return c;
}

// The maps of all views over the voxel indices of a grid.
std::vector<ViewMap> view_maps(const ScanGeometry& geometry, const VolumeGrid& grid);

}  // namespace tl::ops
