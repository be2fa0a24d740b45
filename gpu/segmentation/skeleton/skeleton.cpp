// Thins masks: from each of the six directions in turn, simple border voxels are found in parallel and then removed.
#include "gpu/segmentation/skeleton/skeleton.h"

#include <ATen/ATen.h>

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "gpu/device/parallel_for.h"

namespace tl::ops {
namespace {

// The 27 voxels around a voxel, as bits: bit 9 (dz + 1) + 3 (dy + 1) + dx + 1.
using Cube = uint32_t;
constexpr int centre = 13;
constexpr int bit_of(int dz, int dy, int dx) { return 9 * (dz + 1) + 3 * (dy + 1) + dx + 1; }

// For each of the 27 voxels: the voxels that touch it, without itself and the centre.
constexpr std::array<Cube, 27> touching = [] {
  std::array<Cube, 27> all{};
  for (int a = 0; a < 27; ++a)
    for (int b = 0; b < 27; ++b) {
      const int dz = a / 9 - b / 9, dy = a / 3 % 3 - b / 3 % 3, dx = a % 3 - b % 3;
      const bool is_near = dz * dz <= 1 && dy * dy <= 1 && dx * dx <= 1;
      if (is_near && a != b && b != centre) all[static_cast<std::size_t>(a)] |= Cube{1} << b;
    }
  return all;
}();

// For each corner, edge and face of the central voxel: the other voxels that share it.
struct Cell {
  Cube others = 0;
  int sign = 0;  // in the Euler characteristic
};
constexpr std::array<Cell, 26> cells = [] {
  std::array<Cell, 26> all{};
  std::size_t next = 0;
  for (int z = -1; z <= 1; ++z)
    for (int y = -1; y <= 1; ++y)
      for (int x = -1; x <= 1; ++x) {
        if (z == 0 && y == 0 && x == 0) continue;
        Cell& cell = all[next++];
        for (int dz = 0; dz <= (z != 0 ? 1 : 0); ++dz)
          for (int dy = 0; dy <= (y != 0 ? 1 : 0); ++dy)
            for (int dx = 0; dx <= (x != 0 ? 1 : 0); ++dx)
              if (dz + dy + dx > 0) cell.others |= Cube{1} << bit_of(dz * z, dy * y, dx * x);
        const int open = (z != 0 ? 1 : 0) + (y != 0 ? 1 : 0) + (x != 0 ? 1 : 0);  // 1 face, 2 edge, 3 corner
        cell.sign = open == 2 ? -1 : 1;
      }
  return all;
}();

// Whether removing the centre keeps the Euler characteristic of the cube: components minus tunnels plus cavities.
bool keeps_euler_characteristic(Cube cube) {
  int change = -1;  // the voxel itself
  for (const Cell& cell : cells)
    if ((cube & cell.others) == 0) change += cell.sign;
  return change == 0;
}

// Whether the other voxels are connected with each other.
bool is_simple(Cube cube) {
  Cube rest = cube & ~(Cube{1} << centre);
  if (rest == 0) return true;
  Cube reached = rest & (~rest + 1), edge = reached;
  rest &= ~reached;
  while (edge != 0 && rest != 0) {
    const Cube next = touching[static_cast<std::size_t>(std::countr_zero(edge))] & rest;
    edge = (edge & (edge - 1)) | next;
    rest &= ~next;
  }
  return rest == 0;
}

bool is_end_of_line(Cube cube) { return std::popcount(cube) == 2; }

// A mask with a border of one background voxel.
class Padded {
 public:
  explicit Padded(const at::Tensor& mask)
      : nz_(mask.size(0) + 2),
        ny_(mask.size(1) + 2),
        nx_(mask.size(2) + 2),
        voxels_(static_cast<std::size_t>(nz_ * ny_ * nx_)) {
    const bool* from = mask.const_data_ptr<bool>();
    each_row([&](int64_t row) {
      for (int64_t x = 0; x < nx_ - 2; ++x) voxels_[static_cast<std::size_t>(row + x)] = *from++ ? 1 : 0;
    });
  }
  [[nodiscard]] at::Tensor unpadded() const {
    at::Tensor mask = at::empty({nz_ - 2, ny_ - 2, nx_ - 2}, at::kBool);
    bool* to = mask.mutable_data_ptr<bool>();
    each_row([&](int64_t row) {
      for (int64_t x = 0; x < nx_ - 2; ++x) *to++ = voxels_[static_cast<std::size_t>(row + x)] != 0;
    });
    return mask;
  }
  [[nodiscard]] Cube cube(int64_t at) const {
    Cube bits = 0;
    int bit = 0;
    for (int64_t z = -1; z <= 1; ++z)
      for (int64_t y = -1; y <= 1; ++y) {
        const uint8_t* line = voxels_.data() + at + (z * ny_ + y) * nx_ - 1;
        for (int x = 0; x < 3; ++x) bits |= static_cast<Cube>(line[x]) << bit++;
      }
    return bits;
  }
  void clear(int64_t at) { voxels_[static_cast<std::size_t>(at)] = 0; }

  // Voxels with background at this offset that may be removed, in memory order.
  [[nodiscard]] std::vector<int64_t> candidates(int64_t offset, const CancelToken& cancel) const {
    std::vector<std::vector<int64_t>> of_slice(static_cast<std::size_t>(nz_));
    ops::parallel_for(1, nz_ - 1, 1, [&](int64_t first, int64_t last) {
      for (int64_t z = first; z < last; ++z) {
        cancel.check();
        for (int64_t y = 1; y < ny_ - 1; ++y) {
          const int64_t row = (z * ny_ + y) * nx_;
          for (int64_t at = row + 1; at < row + nx_ - 1; ++at) {
            if (voxels_[static_cast<std::size_t>(at)] == 0 || voxels_[static_cast<std::size_t>(at + offset)] != 0)
              continue;
            const Cube bits = cube(at);
            if (!is_end_of_line(bits) && keeps_euler_characteristic(bits) && is_simple(bits))
              of_slice[static_cast<std::size_t>(z)].push_back(at);
          }
        }
      }
    });
    std::vector<int64_t> all;
    for (const auto& some : of_slice) all.insert(all.end(), some.begin(), some.end());
    return all;
  }
  // In the order in which borders are peeled.
  [[nodiscard]] std::array<int64_t, 6> borders() const { return {-nx_, nx_, 1, -1, ny_ * nx_, -ny_ * nx_}; }

 private:
  // Calls f(index of the first voxel) for each row of the mask.
  template <class F>
  void each_row(const F& f) const {
    for (int64_t z = 1; z < nz_ - 1; ++z)
      for (int64_t y = 1; y < ny_ - 1; ++y) f((z * ny_ + y) * nx_ + 1);
  }

  int64_t nz_, ny_, nx_;
  std::vector<uint8_t> voxels_;
};

}  // namespace

Result<at::Tensor> skeleton(const at::Tensor& mask, const CancelToken& cancel) {
  if (mask.dim() != 3 || mask.scalar_type() != at::kBool || !mask.device().is_cpu())
    return invalid("a skeleton is made of a mask [z, y, x] in CPU memory", "skeleton");
  Padded voxels(mask.contiguous());
  for (int unchanged = 0; unchanged < 6;) {
    unchanged = 0;
    for (const int64_t offset : voxels.borders()) {
      bool is_changed = false;
      // Candidates that are neighbours may depend on each other: each is tested again before it is removed.
      for (const int64_t at : voxels.candidates(offset, cancel)) {
        if (!is_simple(voxels.cube(at))) continue;
        voxels.clear(at);
        is_changed = true;
      }
      if (!is_changed) ++unchanged;
    }
  }
  return voxels.unpadded();
}

}  // namespace tl::ops
