// A small phantom on which two classes are painted from its lowest to its highest slice, in a pipeline with a network.
#pragma once

#include <string>

#include "core/graph/graph.h"
#include "core/strokes/painted_labels.h"
#include "core/strokes/volume_shapes.h"

namespace tl::test {

inline constexpr double phantom_voxel = 0.01;  // mm
inline constexpr int64_t phantom_width = 48, phantom_height = 32;

// Paints a line of a class over the strokes before, from slice to slice at (x, y) voxels from the centre.
inline int64_t paint_line(const std::string& file, int64_t parent, double x, double y, uint16_t number) {
  const VolumeGrid grid = VolumeGrid::cubic(phantom_height, phantom_width, phantom_width, phantom_voxel);
  const auto labels = strokes::PaintedLabels::open_or_create(file, grid).or_throw();
  strokes::VoxelSet line(grid);
  const double end = phantom_voxel * phantom_height / 2;
  const Vec3 low{phantom_voxel * x, phantom_voxel * y, -end}, high{phantom_voxel * x, phantom_voxel * y, end};
  strokes::add_ball(line, grid, low, high, 3 * phantom_voxel);
  return labels->append(parent, strokes::painted(*labels->at(parent).or_throw(), line, number, {})).or_throw();
}

// "foam" in the middle, and "air" at a corner unless `classes` is 1. The strokes are in `file`.
inline Graph painted_phantom(const std::string& file, int classes = 2) {
  int64_t stroke = paint_line(file, 0, 0, 0, 1);
  if (classes > 1) stroke = paint_line(file, stroke, 20, 20, 2);
  Graph g;
  g.nodes["phantom"] = {"input.labelled_phantom", 1, {{"width", phantom_width}, {"height", phantom_height}}};
  g.nodes["paint"] = {"segment.painted",
                      1,
                      {{"file", file}, {"stroke", stroke}, {"classes", std::string("1 foam #e69f00; 2 air #56b4e9")}}};
  g.nodes["network"] = {"segment.network", 1, {}};
  g.links = {{"phantom", "volume", "paint", "volume"}, {"phantom", "volume", "network", "volume"}};
  return g;
}

}  // namespace tl::test
