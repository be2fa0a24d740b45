// Smoothing and decimation of surfaces.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/cancel.h"
#include "core/mesh/mesh.h"

namespace tl::mesh {

inline constexpr int64_t max_smoothing = 200;

// Moves vertices so that the steps of voxels vanish, by a windowed sinc filter of `steps` iterations (G. Taubin, T.
// Zhang, G. Golub, Optimal surface smoothing as filter design, ECCV 1996), which preserves the volume. Triangles of
// several classes may share vertices: their common boundary stays shared. Throws Failure{cancelled}.
void smooth(std::vector<std::array<float, 3>>& vertices, std::span<const Triangle> triangles, int64_t steps,
            const CancelToken& cancel);

// Reduces a simple surface (is_simple()) to about `share` (above 0, below 1) of its triangles, fewest in flat parts (M.
// Garland, P. Heckbert, Surface simplification using quadric error metrics, SIGGRAPH 1997); it stays simple and keeps
// its holes and handles. More triangles remain if no further edge may collapse. Throws Failure{cancelled}.
LabelSurface decimated(const LabelSurface& part, double share, const CancelToken& cancel);

// Memory that the two need [bytes per vertex], in addition to the surface itself.
inline constexpr int64_t smoothing_bytes = 600, decimation_bytes = 700;

}  // namespace tl::mesh
