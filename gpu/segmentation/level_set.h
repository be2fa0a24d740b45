// Binary level sets: first shapes, and the morphological steps of active contours.
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <cstdint>
#include <vector>

#include "core/base/error.h"
#include "gpu/device/grain.h"
#include "gpu/device/parallel_for.h"
#include "gpu/segmentation/lattice.h"

namespace tl::ops {

// A mask (bool) of the voxels less than `radius` voxels from `centre` (z, y, x; in one slice z is ignored).
at::Tensor ball_level_set(const std::vector<int64_t>& shape, const std::array<double, 3>& centre, double radius);
// A ball centred on the middle voxel (n / 2 along each axis), with 3/8 of the shortest axis as radius.
at::Tensor ball_level_set(const std::vector<int64_t>& shape);
// Cubes (squares) of `edge` voxels, the first of them false. Errors: invalid for an edge below 1.
Result<at::Tensor> checkerboard_level_set(const std::vector<int64_t>& shape, int64_t edge = 5);

// The operators of P. Marquez-Neila, L. Baumela and L. Alvarez, IEEE Trans. Pattern Anal. Mach. Intell. 36, 2 (2014),
// on a level set of 0 and 1; outside the lattice it is 0.
class LevelSet {
 public:
  // `mask`: bool, of the lattice's shape.
  LevelSet(const Lattice& lattice, const at::Tensor& mask);

  [[nodiscard]] const uint8_t* values() const { return values_.data(); }
  [[nodiscard]] uint8_t* values() { return values_.data(); }
  [[nodiscard]] at::Tensor mask(const at::Tensor& like) const;  // bool, in the shape of `like`

  // One step of curvature: the minimum of the maxima along all lines (in a volume: planes) through a voxel, and the
  // maximum of the minima; one after the other, in reversed order at every second call.
  void smooth();
  // Greatest (smallest) value of the 3 x 3 x 3 voxels around each.
  void dilate();
  void erode();
  // Moves the contour: a voxel (z, y, x) where twice_gradient() is not 0 becomes 1 if force(z, y, x, twice_gradient) is
  // above 0, and 0 if it is below. Called from several threads.
  template <class Force>
  void move(const Force& force);
  // Twice the differences of np.gradient along z, y, x at voxel i = (z, y, x): central, at the borders one-sided and
  // doubled.
  [[nodiscard]] std::array<int, 3> twice_gradient(int64_t z, int64_t y, int64_t x) const;

 private:
  static constexpr int64_t move_operations = 16;  // rough value per voxel, for the work per thread
  enum class Envelope { greatest, smallest };
  // For every voxel: the `inner` value within each structuring element, then the `outer` value of these.
  void apply(Envelope inner, Envelope outer, const std::vector<std::vector<LatticeStep>>& structures);

  Lattice lattice_;
  std::vector<uint8_t> values_, next_;
  std::vector<std::vector<LatticeStep>> flat_, box_;
  int64_t smoothed_ = 0;
};

template <class Force>
void LevelSet::move(const Force& force) {
  const Lattice& l = lattice_;
  ops::parallel_for(0, l.rows(), grain(l.nx * move_operations), [&](int64_t first, int64_t last) {
    for (int64_t r = first; r < last; ++r)
      for (int64_t x = 0; x < l.nx; ++x) {
        const auto i = static_cast<std::size_t>(r * l.nx + x);
        const int64_t z = r / l.ny, y = r % l.ny;
        next_[i] = values_[i];
        const std::array<int, 3> gradient = twice_gradient(z, y, x);
        if (gradient == std::array<int, 3>{0, 0, 0}) continue;
        const double f = force(z, y, x, gradient);
        if (f > 0) next_[i] = 1;
        if (f < 0) next_[i] = 0;
      }
  });
  values_.swap(next_);
}

}  // namespace tl::ops
