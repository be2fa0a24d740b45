// Bricks: addresses of voxels, sets of voxels, and sparse labels.
#include "core/strokes/bricks.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/base/grid_box.h"

namespace tl::strokes {
namespace {

int64_t bricks_along(int64_t voxels) { return (voxels + brick_edge - 1) / brick_edge; }

}  // namespace

BrickLayout::BrickLayout(const VolumeGrid& grid)
    : nz_(grid.nz),
      ny_(grid.ny),
      nx_(grid.nx),
      bricks_z_(bricks_along(grid.nz)),
      bricks_y_(bricks_along(grid.ny)),
      bricks_x_(bricks_along(grid.nx)) {}

Voxel BrickLayout::voxel(int64_t brick, std::size_t index) const {
  const auto at = static_cast<int64_t>(index);
  return {brick / (bricks_y_ * bricks_x_) * brick_edge + at / (brick_edge * brick_edge),
          brick / bricks_x_ % bricks_y_ * brick_edge + at / brick_edge % brick_edge,
          brick % bricks_x_ * brick_edge + at % brick_edge};
}

void VoxelSet::add(const Voxel& v) {
  if (!layout_.holds(v)) return;
  const std::size_t index = BrickLayout::index_in_brick(v);
  bricks_[layout_.brick_of(v)][index / word_bits] |= uint64_t{1} << (index % word_bits);
}

void VoxelSet::remove(const Voxel& v) {
  if (!has(v)) return;
  const auto found = bricks_.find(layout_.brick_of(v));
  const std::size_t index = BrickLayout::index_in_brick(v);
  found->second[index / word_bits] &= ~(uint64_t{1} << (index % word_bits));
  if (found->second == Mask{}) bricks_.erase(found);
}

bool VoxelSet::has(const Voxel& v) const {
  if (!layout_.holds(v)) return false;
  const auto found = bricks_.find(layout_.brick_of(v));
  const std::size_t index = BrickLayout::index_in_brick(v);
  return found != bricks_.end() && (found->second[index / word_bits] >> (index % word_bits) & 1) != 0;
}

int64_t VoxelSet::count() const {
  int64_t all = 0;
  for (const auto& [brick, mask] : bricks_)
    for (const uint64_t word : mask) all += std::popcount(word);
  return all;
}

void VoxelSet::for_each(const std::function<void(int64_t brick, std::size_t index)>& call) const {
  for (const auto& [brick, mask] : bricks_)
    for (std::size_t w = 0; w < words; ++w)
      for (uint64_t left = mask[w]; left != 0; left &= left - 1)
        call(brick, w * word_bits + static_cast<std::size_t>(std::countr_zero(left)));
}

void VoxelSet::keep_if(const std::function<bool(const Voxel&)>& wanted) {
  for (auto brick = bricks_.begin(); brick != bricks_.end();) {
    for (std::size_t w = 0; w < words; ++w)
      for (uint64_t left = brick->second[w]; left != 0; left &= left - 1) {
        const auto bit = static_cast<std::size_t>(std::countr_zero(left));
        if (!wanted(layout_.voxel(brick->first, w * word_bits + bit))) brick->second[w] &= ~(uint64_t{1} << bit);
      }
    brick = brick->second == Mask{} ? bricks_.erase(brick) : std::next(brick);
  }
}

const Bricks::Brick* Bricks::find(int64_t brick) const {
  const auto found = bricks_.find(brick);
  return found == bricks_.end() ? nullptr : found->second.get();
}

uint16_t Bricks::at(const Voxel& v) const { return LabelReader(*this).at(v); }

void Bricks::replace(int64_t brick, std::shared_ptr<const Brick> with) {
  if (with == nullptr || with->labelled == 0)
    bricks_.erase(brick);
  else
    bricks_[brick] = std::move(with);
}

Voxel nearest_voxel(const VolumeGrid& grid, Vec3 point) {
  constexpr double same_point = 1e-6;  // fraction of a voxel: rounding must not move halfway points to either side
  const auto nearest = [](double index) {
    constexpr double farthest = 1e15;
    return static_cast<int64_t>(std::clamp(std::floor(index + 0.5 - same_point), -farthest, farthest));
  };
  const GridPoint at = fractional_index(grid, point);
  return {nearest(at.k), nearest(at.j), nearest(at.i)};
}

void read_labels(const Bricks& labels, const VolumeGrid& grid, const VolumeGrid& wanted, Range rows, int32_t* to) {
  LabelReader look(labels);
  const auto box = box_in(grid, wanted);
  for (int64_t row = rows.begin; row < rows.end; ++row) {
    const int64_t k = row / wanted.ny, j = row % wanted.ny;
    for (int64_t i = 0; i < wanted.nx; ++i) {
      const Voxel v = box ? Voxel{box->z.begin + k, box->y.begin + j, box->x.begin + i}
                          : nearest_voxel(grid, wanted.position(static_cast<double>(k), static_cast<double>(j),
                                                                static_cast<double>(i)));
      *to++ = look.at(v);
    }
  }
}

}  // namespace tl::strokes
