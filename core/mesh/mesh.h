// Mesh: the surfaces of classes as triangles.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace tl::mesh {

using Triangle = std::array<uint32_t, 3>;  // indices of vertices, counter-clockwise when viewed from outside the class

// The surface of one class or object.
struct LabelSurface {
  int64_t number = 0;                          // of its voxels
  std::vector<std::array<float, 3>> vertices;  // x, y, z [mm], in the frame of the scan
  std::vector<Triangle> triangles;
};

// In ascending order of label numbers. Where two surfaces touch, each has its own vertices, at the same points.
using Mesh = std::vector<LabelSurface>;

// Whether every edge occurs equally often in both directions: the surface is then watertight.
bool is_closed(const LabelSurface& part);
// Whether it is closed and every edge belongs to exactly two triangles, so that it touches itself along no edge.
bool is_simple(const LabelSurface& part);
// The volume enclosed by a closed part [mm^3]; negative if its triangles face inwards.
double enclosed_volume(const LabelSurface& part);
int64_t triangle_count(const Mesh& mesh);
int64_t bytes(const LabelSurface& part);

}  // namespace tl::mesh
