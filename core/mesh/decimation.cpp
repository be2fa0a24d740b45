// Decimation by collapsing edges in the order of the quadric error (M. Garland, P. Heckbert, SIGGRAPH 1997). Our own,
// since neither filter of VTK for it keeps a closed surface closed: an edge is collapsed only if its two ends have no
// neighbours in common but the two opposite corners, by which every edge keeps exactly two triangles.
#include <algorithm>
#include <cmath>
#include <queue>

#include "core/base/vec3.h"
#include "core/mesh/mesh_filters.h"

namespace tl::mesh {
namespace {

// The sum of squared distances to planes, as the ten numbers of a symmetric 4 x 4 matrix.
struct Quadric {
  double xx = 0, xy = 0, xz = 0, xw = 0, yy = 0, yz = 0, yw = 0, zz = 0, zw = 0, ww = 0;

  // Weighted by `area`, of the plane through p with a unit normal.
  void add_plane(Vec3 n, Vec3 p, double area) {
    const double w = -dot(n, p);
    xx += area * n.x * n.x, xy += area * n.x * n.y, xz += area * n.x * n.z, xw += area * n.x * w;
    yy += area * n.y * n.y, yz += area * n.y * n.z, yw += area * n.y * w;
    zz += area * n.z * n.z, zw += area * n.z * w, ww += area * w * w;
  }
  [[nodiscard]] Quadric plus(const Quadric& o) const {
    return {xx + o.xx, xy + o.xy, xz + o.xz, xw + o.xw, yy + o.yy,
            yz + o.yz, yw + o.yw, zz + o.zz, zw + o.zw, ww + o.ww};
  }
  [[nodiscard]] double at(Vec3 p) const {
    return p.x * (xx * p.x + 2 * (xy * p.y + xz * p.z + xw)) + p.y * (yy * p.y + 2 * (yz * p.z + yw)) +
           p.z * (zz * p.z + 2 * zw) + ww;
  }
  // The position where the error is smallest; `fallback` if it is not unique (a line or a plane).
  [[nodiscard]] Vec3 least(Vec3 fallback) const {
    const Vec3 a{xx, xy, xz}, b{xy, yy, yz}, c{xz, yz, zz}, right{-xw, -yw, -zw};
    const double determinant = dot(a, cross(b, c)), scale = xx + yy + zz;
    constexpr double flat = 1e-4;
    if (std::abs(determinant) <= flat * scale * scale * scale) return fallback;
    const Vec3 bc = cross(b, c), ca = cross(c, a), ab = cross(a, b);
    return (1 / determinant) * (right.x * bc + right.y * ca + right.z * ab);
  }
};

class Decimation {
 public:
  Decimation(const LabelSurface& part, const CancelToken& cancel) : cancel_(cancel), triangles_(part.triangles) {
    const auto& o = part.vertices.front();
    origin_ = {o[0], o[1], o[2]};
    for (const auto& v : part.vertices) positions_.push_back(Vec3{v[0], v[1], v[2]} - origin_);
    around_.resize(positions_.size());
    quadrics_.resize(positions_.size());
    changes_.resize(positions_.size());
    for (std::size_t i = 0; i < triangles_.size(); ++i) {
      const Vec3 n = normal(triangles_[i]);
      const double doubled = norm(n);
      for (const uint32_t corner : triangles_[i]) {
        around_[corner].push_back(static_cast<uint32_t>(i));
        if (doubled > 0) quadrics_[corner].add_plane((1 / doubled) * n, positions_[corner], doubled);
      }
    }
  }

  void reduce_to(std::size_t wanted) {
    for (const Triangle& t : triangles_)
      for (std::size_t i = 0; i < 3; ++i)
        if (t[i] < t[(i + 1) % 3]) propose(t[i], t[(i + 1) % 3]);
    std::size_t left = triangles_.size();
    constexpr std::size_t often = 4096;
    for (std::size_t step = 0; left > wanted && !queue_.empty(); ++step) {
      if (step % often == 0) cancel_.check();
      const Collapse c = queue_.top();
      queue_.pop();
      if (c.changes != changes_[c.kept] + changes_[c.gone] || !may_collapse(c)) continue;
      collapse(c);
      left -= 2;
    }
  }

  [[nodiscard]] LabelSurface result(int64_t number) const {
    LabelSurface out;
    out.number = number;
    constexpr uint32_t none = ~0U;
    std::vector<uint32_t> index(positions_.size(), none);
    for (Triangle t : triangles_) {
      if (t[0] == t[1]) continue;
      for (uint32_t& corner : t) {
        if (index[corner] == none) {
          index[corner] = static_cast<uint32_t>(out.vertices.size());
          const Vec3 p = positions_[corner] + origin_;
          out.vertices.push_back({static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)});
        }
        corner = index[corner];
      }
      out.triangles.push_back(t);
    }
    return out;
  }

 private:
  struct Collapse {
    double cost;
    uint32_t kept, gone, changes;  // change counts of the two vertices when it was queued
    Vec3 position;
    bool operator<(const Collapse& o) const { return cost > o.cost; }  // the least first
  };

  [[nodiscard]] Vec3 normal(const Triangle& t) const {
    return cross(positions_[t[1]] - positions_[t[0]], positions_[t[2]] - positions_[t[0]]);
  }

  void propose(uint32_t a, uint32_t b) {
    const Quadric both = quadrics_[a].plus(quadrics_[b]);
    const Vec3 middle = 0.5 * (positions_[a] + positions_[b]);
    Vec3 position = both.least(middle);
    // A distant minimum is the intersection of nearly parallel planes.
    if (norm(position - middle) > 2 * norm(positions_[a] - positions_[b])) position = middle;
    queue_.push({both.at(position), a, b, changes_[a] + changes_[b], position});
  }

  [[nodiscard]] std::vector<uint32_t> neighbours(uint32_t of) const {
    std::vector<uint32_t> all;
    for (const uint32_t i : around_[of])
      for (const uint32_t corner : triangles_[i])
        if (corner != of) all.push_back(corner);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

  [[nodiscard]] bool may_collapse(const Collapse& c) const {
    const std::vector<uint32_t> a = neighbours(c.kept), b = neighbours(c.gone);
    std::vector<uint32_t> common;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
    constexpr std::size_t of_a_tetrahedron = 3;
    if (common.size() != 2 || (a.size() <= of_a_tetrahedron && b.size() <= of_a_tetrahedron)) return false;
    return keeps_facing(c.kept, c) && keeps_facing(c.gone, c);
  }

  // No triangle around the vertex flips or degenerates to a line when it moves.
  [[nodiscard]] bool keeps_facing(uint32_t vertex, const Collapse& c) const {
    constexpr double min_cosine = 0.2;
    for (const uint32_t i : around_[vertex]) {
      const Triangle& t = triangles_[i];
      const auto has = [&](uint32_t v) { return t[0] == v || t[1] == v || t[2] == v; };
      if (has(c.kept) && has(c.gone)) continue;
      std::array<Vec3, 3> p{};
      for (std::size_t d = 0; d < 3; ++d) p[d] = t[d] == vertex ? c.position : positions_[t[d]];
      const Vec3 before = normal(t), after = cross(p[1] - p[0], p[2] - p[0]);
      const double lengths = norm(before) * norm(after);
      if (norm(after) == 0 || dot(before, after) < min_cosine * lengths) return false;
    }
    return true;
  }

  void collapse(const Collapse& c) {
    positions_[c.kept] = c.position;
    quadrics_[c.kept] = quadrics_[c.kept].plus(quadrics_[c.gone]);
    for (const uint32_t i : around_[c.gone]) {
      Triangle& t = triangles_[i];
      if (t[0] == c.kept || t[1] == c.kept || t[2] == c.kept) {
        for (const uint32_t corner : t)
          if (corner != c.gone) std::erase(around_[corner], i);
        t = {};  // gone
      } else {
        std::replace(t.begin(), t.end(), c.gone, c.kept);
        around_[c.kept].push_back(i);
      }
    }
    around_[c.gone] = {};
    // Larger than any count stored for this vertex.
    changes_[c.kept] += changes_[c.gone] + 1;
    changes_[c.gone] = changes_[c.kept];
    for (const uint32_t other : neighbours(c.kept)) propose(c.kept, other);
  }

  CancelToken cancel_;
  Vec3 origin_;
  std::vector<Triangle> triangles_;  // of equal corners: gone
  std::vector<Vec3> positions_;      // relative to the origin
  std::vector<std::vector<uint32_t>> around_;
  std::vector<Quadric> quadrics_;
  std::vector<uint32_t> changes_;
  std::priority_queue<Collapse> queue_;
};

}  // namespace

LabelSurface decimated(const LabelSurface& part, double share, const CancelToken& cancel) {
  if (part.triangles.empty() || share >= 1) return part;
  cancel.check();
  Decimation work(part, cancel);
  work.reduce_to(static_cast<std::size_t>(std::llround(share * static_cast<double>(part.triangles.size()))));
  return work.result(part.number);
}

}  // namespace tl::mesh
