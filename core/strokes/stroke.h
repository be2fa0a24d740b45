// Stroke: the voxels changed by one stroke, with their numbers before and after.
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
  std::vector<VoxelChange> voxels;  // at least one, sorted by index
  friend bool operator==(const BrickChange&, const BrickChange&) = default;
};
struct Stroke {
  std::vector<BrickChange> bricks;  // in ascending order
  [[nodiscard]] bool empty() const { return bricks.empty(); }
  [[nodiscard]] int64_t voxels() const;
  friend bool operator==(const Stroke&, const Stroke&) = default;
};

// The changes by painting `voxels` with `number`. Voxels with locked numbers are not changed.
Stroke painted(const Bricks& labels, const VoxelSet& voxels, uint16_t number, const std::set<int64_t>& locked);

enum class Direction { redo, undo };
// Applies or undoes a stroke. invalid, with `labels` unchanged: they differ from the state before (or after) the
// stroke.
Result<void> apply(Bricks& labels, const Stroke& stroke, Direction direction);

}  // namespace tl::strokes
