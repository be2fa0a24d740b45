// Surfaces of labels: closed triangle meshes of classes or objects, made slab by slab.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <set>
#include <span>

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "core/base/grid.h"
#include "core/mesh/mesh.h"

namespace tl::mesh {

struct SurfaceSettings {
  std::set<int64_t> numbers;  // numbers that get a surface; empty: all except `without`
  std::set<int64_t> without = {0};
  int64_t smoothing = 20;                                // iterations, 0 to max_smoothing; 0: the unsmoothed contour
  double keep = 1;                                       // share of the triangles to keep, above 0
  int64_t memory = std::numeric_limits<int64_t>::max();  // bytes that it may use
  CancelToken cancel;
};

// The surface of a number lies halfway between its voxels and others and encloses their volume, to one per cent for
// objects of several voxels; outside the volume counts as empty, so that surfaces are closed at its border. Voxels that
// touch only at an edge or a corner are not connected. Parts are closed and simple (is_simple()), and their triangles
// face outwards.
class SurfaceBuilder {
 public:
  SurfaceBuilder(const VolumeGrid& whole, SurfaceSettings settings);
  ~SurfaceBuilder();
  SurfaceBuilder(const SurfaceBuilder&) = delete;
  SurfaceBuilder& operator=(const SurfaceBuilder&) = delete;
  // The next whole slices, [z, y, x], upward. Error device, with numbers: the surface needs more than the memory.
  Result<void> add(std::span<const int32_t> slices);
  // After the last slice. Without a voxel of the numbers it is empty. Throws Failure{cancelled}, like add().
  Result<Mesh> finish();
  // Memory [bytes] that add() needs for slices with so many voxels, in addition to the surface.
  static int64_t workspace(int64_t voxels);

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

// Surfaces of labels in memory, [z, y, x] on the grid.
Result<Mesh> surface_of(std::span<const int32_t> labels, const VolumeGrid& grid, const SurfaceSettings& settings);

}  // namespace tl::mesh
