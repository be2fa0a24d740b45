// Bricks: labels of a volume of which most voxels are 0, kept in cubes of 32 voxels.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>

#include "core/base/grid.h"

namespace tl::strokes {

inline constexpr int64_t brick_edge = 32, brick_voxels = brick_edge * brick_edge * brick_edge;

struct Voxel {
  int64_t k = 0, j = 0, i = 0;  // along z, y, x
  friend auto operator<=>(const Voxel&, const Voxel&) = default;
};

// How the voxels of a volume are numbered: by brick, x fastest, and by their index within it, x fastest. The last
// bricks along each axis may extend beyond the volume.
class BrickLayout {
 public:
  explicit BrickLayout(const VolumeGrid& grid);
  [[nodiscard]] int64_t bricks() const { return bricks_z_ * bricks_y_ * bricks_x_; }
  [[nodiscard]] bool holds(const Voxel& v) const {
    return v.k >= 0 && v.j >= 0 && v.i >= 0 && v.k < nz_ && v.j < ny_ && v.i < nx_;
  }
  // The brick of a voxel of the volume.
  [[nodiscard]] int64_t brick_of(const Voxel& v) const {
    return (v.k / brick_edge * bricks_y_ + v.j / brick_edge) * bricks_x_ + v.i / brick_edge;
  }
  [[nodiscard]] static std::size_t index_in_brick(const Voxel& v) {
    return static_cast<std::size_t>((v.k % brick_edge * brick_edge + v.j % brick_edge) * brick_edge + v.i % brick_edge);
  }
  [[nodiscard]] Voxel voxel(int64_t brick, std::size_t index) const;

 private:
  int64_t nz_, ny_, nx_, bricks_z_, bricks_y_, bricks_x_;
};

// The voxels of a volume that a stroke covers.
class VoxelSet {
 public:
  explicit VoxelSet(const VolumeGrid& grid) : layout_(grid) {}
  void add(const Voxel& v);  // without effect outside the volume
  void remove(const Voxel& v);
  [[nodiscard]] bool has(const Voxel& v) const;
  [[nodiscard]] bool empty() const { return bricks_.empty(); }
  [[nodiscard]] int64_t count() const;
  [[nodiscard]] const BrickLayout& layout() const { return layout_; }
  // In ascending order of bricks, and of indices within each.
  void for_each(const std::function<void(int64_t brick, std::size_t index)>& call) const;
  // Keeps the voxels for which `wanted` is true.
  void keep_if(const std::function<bool(const Voxel&)>& wanted);

 private:
  static constexpr std::size_t word_bits = 64, words = brick_voxels / word_bits;
  using Mask = std::array<uint64_t, words>;
  BrickLayout layout_;
  std::map<int64_t, Mask> bricks_;  // none of the bricks is empty
};

// Copies share their bricks until one of them is changed.
class Bricks {
 public:
  struct Brick {
    std::array<uint16_t, brick_voxels> numbers{};
    int64_t labelled = 0;  // voxels that are not 0
  };
  explicit Bricks(const VolumeGrid& grid) : layout_(grid) {}
  [[nodiscard]] const BrickLayout& layout() const { return layout_; }
  [[nodiscard]] const std::map<int64_t, std::shared_ptr<const Brick>>& bricks() const { return bricks_; }
  // nullptr: all 0.
  [[nodiscard]] const Brick* find(int64_t brick) const;
  [[nodiscard]] uint16_t at(const Voxel& v) const;  // 0 outside the volume
  // A brick without labels is not stored.
  void replace(int64_t brick, std::shared_ptr<const Brick> with);

 private:
  BrickLayout layout_;
  std::map<int64_t, std::shared_ptr<const Brick>> bricks_;
};

// Looks up voxels one after the other; consecutive neighbours are faster. The labels must outlive it.
class LabelReader {
 public:
  explicit LabelReader(const Bricks& labels) : labels_(labels) {}
  uint16_t at(const Voxel& v) {
    if (!labels_.layout().holds(v)) return 0;
    const int64_t brick = labels_.layout().brick_of(v);
    if (brick != last_) {
      found_ = labels_.find(brick);
      last_ = brick;
    }
    return found_ == nullptr ? uint16_t{0} : found_->numbers[BrickLayout::index_in_brick(v)];
  }

 private:
  const Bricks& labels_;
  int64_t last_ = -1;
  const Bricks::Brick* found_ = nullptr;
};

// The voxel of `grid` nearest to a point, even outside the grid. Halfway points, as in a coarser grid, belong to the
// lower voxel.
Voxel nearest_voxel(const VolumeGrid& grid, Vec3 point);

// Labels at the points in some rows of `wanted` (of nz * ny rows along x), x fastest: those of the nearest voxels of
// `grid`, the grid of `labels`; 0 outside.
void read_labels(const Bricks& labels, const VolumeGrid& grid, const VolumeGrid& wanted, Range rows, int32_t* to);

}  // namespace tl::strokes
