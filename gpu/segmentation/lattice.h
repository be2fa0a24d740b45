// Lattice of voxels: its shape, the neighbours of a voxel, and checks of masks, labels and volumes.
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace tl::ops {

// All operators of this folder use tensors [z, y, x] or [y, x] in CPU memory; the latter is one slice, and the result
// has the same shape. In one slice the borders along z are ignored, and there are no neighbours along z. For results of
// each slice separately, call them slice by slice (select(0, z)).

// Which voxels are neighbours: those that share a face (6 in a volume, 4 in a slice), a face or an edge (18; 8), or at
// least a corner (26; 8).
enum class Connectivity { faces = 1, edges = 2, corners = 3 };

// Edge lengths of a voxel, all in the same unit.
struct VoxelSize {
  double z = 1, y = 1, x = 1;
  [[nodiscard]] bool cubic() const { return z == y && y == x; }
  friend bool operator==(const VoxelSize&, const VoxelSize&) = default;
};

struct Lattice {
  int64_t nz = 1, ny = 1, nx = 1;
  [[nodiscard]] int64_t count() const { return nz * ny * nx; }
  [[nodiscard]] int64_t rows() const { return nz * ny; }
  [[nodiscard]] bool one_slice() const { return nz == 1; }
  friend bool operator==(const Lattice&, const Lattice&) = default;
};

// Offset to a neighbour, in voxels.
struct LatticeStep {
  int64_t z = 0, y = 0, x = 0;
};

// All neighbours, nearest first; equally near ones in raster order.
std::vector<LatticeStep> neighbours_of(const Lattice& lattice, Connectivity connectivity);

// Calls visit(n, step) for the neighbours of voxel (z, y, x) that are in the lattice: n is their index in raster order.
template <class Visit>
void for_neighbours(const Lattice& l, const std::vector<LatticeStep>& steps, int64_t z, int64_t y, int64_t x,
                    const Visit& visit) {
  for (const LatticeStep& s : steps) {
    const int64_t k = z + s.z, j = y + s.y, i = x + s.x;
    if (k < 0 || k >= l.nz || j < 0 || j >= l.ny || i < 0 || i >= l.nx) continue;
    visit((k * l.ny + j) * l.nx + i, s);
  }
}

// Errors of the checks: invalid for other ranks, types and shapes, and for an empty tensor; unavailable unless in CPU
// memory. `where` names the operator.
Result<Lattice> check_mask(const at::Tensor& mask, const std::string& where);      // bool
Result<Lattice> check_labels(const at::Tensor& labels, const std::string& where);  // bool, uint8 or int32
Result<Lattice> check_volume(const at::Tensor& volume, const std::string& where);  // float32 or float64
Result<void> check_same_shape(const at::Tensor& a, const at::Tensor& b, const std::string& what,
                              const std::string& where);
Result<void> check_voxel_size(const VoxelSize& voxel, const std::string& where);
// Errors: invalid if a value is NaN.
Result<void> check_no_nan(const at::Tensor& volume, const std::string& where);
// Errors: invalid if a value is NaN or infinite.
Result<void> check_finite(const at::Tensor& volume, const std::string& where);

}  // namespace tl::ops
