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
// Zhang, G. Golub, Optimal surface smoothing as filter design, ECCV 1996), which keeps the volume. Triangles of
// several classes may share vertices: their common boundary stays one. Throws Failure{cancelled}.
void smooth(std::vector<std::array<float, 3>>& vertices, std::span<const Triangle> triangles, int64_t steps,
            const CancelToken& cancel);

// About `share` (above 0, below 1) of the triangles, fewest where the surface is flat (M. Garland, P. Heckbert, Surface
// simplification using quadric error metrics, SIGGRAPH 1997), of a simple surface (is_simple()), which stays simple and
// keeps its holes and handles. More where these leave no edge that may go. Throws Failure{cancelled}.
LabelSurface decimated(const LabelSurface& part, double share, const CancelToken& cancel);

// Memory that the two need [bytes per vertex], in addition to the surface itself.
inline constexpr int64_t smoothing_bytes = 600, decimation_bytes = 700;

}  // namespace tl::mesh
