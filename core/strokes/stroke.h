// Stroke: the voxels that one stroke changed, with their numbers before and after.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "core/base/error.h"
#include "core/strokes/bricks.h"

namespace tl::strokes {

struct VoxelChange {
  uint16_t index = 0;              // within the brick
  uint16_t before = 0, after = 0;  // differ
  friend bool operator==(const VoxelChange&, const VoxelChange&) = default;
};
struct BrickChange {
  int64_t brick = 0;
  std::vector<VoxelChange> voxels;  // at least one, in ascending order of indices
  friend bool operator==(const BrickChange&, const BrickChange&) = default;
};
struct Stroke {
  std::vector<BrickChange> bricks;  // in ascending order
  [[nodiscard]] bool empty() const { return bricks.empty(); }
  [[nodiscard]] int64_t voxels() const;
  friend bool operator==(const Stroke&, const Stroke&) = default;
};

// What painting `voxels` with `number` changes. Voxels of locked numbers stay as they are.
Stroke painted(const Bricks& labels, const VoxelSet& voxels, uint16_t number, const std::set<int64_t>& locked);

enum class Direction { redo, undo };
// Applies a stroke, or takes it back. invalid, with `labels` unchanged: they are not those before, or after, it.
Result<void> apply(Bricks& labels, const Stroke& stroke, Direction direction);

}  // namespace tl::strokes
