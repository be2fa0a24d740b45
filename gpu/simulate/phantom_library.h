// Named phantoms: Shepp-Logan in its usual forms, a disc, a hollow box and a hollow sphere, random ellipses, a geode.
#pragma once

#include <cstdint>

#include "gpu/simulate/phantom.h"

namespace tl::ops {

// Contrast of the 2-D Shepp-Logan head: `original` after Shepp and Logan, IEEE Trans. Nucl. Sci. 21 (1974), skull 2,
// soft tissue 1.02; `modified` after Toft, "The Radon transform" (1996), skull 1, tissue 0.2, better visible.
enum class Contrast { original, modified };

// Infinitely long along z; the unit circle of the tables has radius `scale` [mm]; table values are used as 1/mm.
Phantom shepp_logan_2d(double scale, Contrast contrast = Contrast::modified);

// Kak and Slaney, "Principles of computerized tomographic imaging" (1988), table 3.1, as in RTK's tests (with -0.02 as
// its last value). RTK rotates about y; its (X, Y, Z) is (x, -z, y) here. Semi-axes of the skull: 0.69, 0.92 and, along
// the rotation axis, 0.90 times `scale` [mm].
Phantom shepp_logan_3d(double scale);

// A circular rod around (x, y), infinitely long along z [mm, 1/mm].
Phantom disc(double radius, double value = 1, double x = 0, double y = 0);

// A hollow cube of edge 2 `half` and wall thickness `wall`, with a solid cube of edge `half` / 2 on its outer +x face
// [mm, 1/mm].
Phantom hollow_box(double half, double wall, double value = 1);

// A spherical shell, with a solid ball of a quarter of its radius on its outer +x side [mm, 1/mm].
Phantom hollow_sphere(double radius, double wall, double value = 1);

// `count` elliptic rods inside a circle of radius `radius` [mm], values 0.2 to 1, identical for equal seeds.
Phantom random_ellipses(double radius, int64_t count, uint64_t seed);

// Fine structure in all directions: an ellipsoidal shell of three layers around a matrix with cracks, layered and
// porous grains, cleft crystals, thin-walled bubbles and specks of several densities, inside the sphere of `radius`
// [mm]. Values 0 to about 1.4, mean about 0.5; identical for equal seeds. No body intersects the surface of another, so
// that values are nowhere negative.
Phantom geode(double radius, uint64_t seed);

}  // namespace tl::ops
