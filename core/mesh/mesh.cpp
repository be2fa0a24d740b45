// Mesh: properties of a surface computed from its triangles.
#include "core/mesh/mesh.h"

#include <algorithm>

namespace tl::mesh {

namespace {

// The largest number of times that an edge occurs, and whether both directions occur equally often.
struct EdgeUse {
  int64_t most = 0;
  bool is_balanced = true;
};

EdgeUse edge_use(const LabelSurface& part) {
  // Equal edges are next to each other after sorting, with their direction.
  std::vector<std::pair<uint64_t, int>> edges;
  edges.reserve(3 * part.triangles.size());
  for (const Triangle& t : part.triangles)
    for (std::size_t i = 0; i < 3; ++i) {
      const uint64_t from = t[i], to = t[(i + 1) % 3];
      edges.emplace_back(std::min(from, to) << 32U | std::max(from, to), from < to ? 1 : -1);
    }
  std::sort(edges.begin(), edges.end());
  EdgeUse use;
  for (std::size_t first = 0, end = 0; first < edges.size(); first = end) {
    int64_t balance = 0;
    for (; end < edges.size() && edges[end].first == edges[first].first; ++end) balance += edges[end].second;
    use.most = std::max(use.most, static_cast<int64_t>(end - first));
    use.is_balanced = use.is_balanced && balance == 0;
  }
  return use;
}

}  // namespace

bool is_closed(const LabelSurface& part) { return edge_use(part).is_balanced; }

bool is_simple(const LabelSurface& part) {
  const EdgeUse use = edge_use(part);
  return use.is_balanced && use.most <= 2;
}

double enclosed_volume(const LabelSurface& part) {
  if (part.vertices.empty()) return 0;
  // Relative to a point of the surface, so that a large distance from the origin does not lose precision.
  const std::array<float, 3> o = part.vertices.front();
  double six_fold = 0;
  for (const Triangle& t : part.triangles) {
    std::array<std::array<double, 3>, 3> p{};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t d = 0; d < 3; ++d)
        p[i][d] = static_cast<double>(part.vertices[t[i]][d]) - static_cast<double>(o[d]);
    six_fold += p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) + p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
                p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
  }
  return six_fold / 6;
}

int64_t triangle_count(const Mesh& mesh) {
  int64_t count = 0;
  for (const LabelSurface& part : mesh) count += static_cast<int64_t>(part.triangles.size());
  return count;
}

int64_t bytes(const LabelSurface& part) {
  return static_cast<int64_t>(part.vertices.size() * sizeof(part.vertices[0]) +
                              part.triangles.size() * sizeof(Triangle));
}

}  // namespace tl::mesh
