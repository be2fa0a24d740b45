// Eigenvalues of symmetric 2 x 2 and 3 x 3 matrices, element by element along rows.
#pragma once

#include <cstdint>

namespace tl::ops {

// Rows of the matrices' elements; the eigenvalues overwrite xx, yy (and zz), the largest first.
struct SymmetricRows {
  float *xx, *yy, *zz, *xy, *xz, *yz;
};
void eigenvalues_2(const SymmetricRows& m, int64_t count);
// Trigonometric solution of the characteristic equation, in double.
void eigenvalues_3(const SymmetricRows& m, int64_t count);

}  // namespace tl::ops
