// Surfaces of labels: each number is contoured within its own box of a slab by VTK's flying edges; equal vertices, also
// of neighbouring slabs and numbers, are merged.
#include "core/mesh/surface.h"

#include <vtkCellArray.h>
#include <vtkFlyingEdges3D.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/wording.h"
#include "core/mesh/mesh_filters.h"

namespace tl::mesh {
namespace {

constexpr int64_t max_voxels_along = int64_t{1} << 19;  // twice an index, and some, in 21 bits
constexpr int64_t entry_bytes = 64;                     // of the table of vertices

// Bounding box of the voxels of a number, both ends included.
struct Box {
  int64_t z0, z1, y0, y1, x0, x1;
};

std::string megabytes(int64_t size) {
  constexpr double mega = 1e6;
  return std::to_string(static_cast<int64_t>(std::ceil(static_cast<double>(size) / mega))) + " MB";
}

// Twice the coordinates of a vertex in voxels are integers.
uint64_t vertex_key(int64_t x2, int64_t y2, int64_t z2) {
  constexpr int64_t offset = 4;  // keeps positions before the first voxel non-negative
  constexpr unsigned bits = 21;
  return (static_cast<uint64_t>(z2 + offset) << 2 * bits) | (static_cast<uint64_t>(y2 + offset) << bits) |
         static_cast<uint64_t>(x2 + offset);
}

}  // namespace

class SurfaceBuilder::Work {
 public:
  Work(const VolumeGrid& grid, SurfaceSettings settings) : grid_(grid), settings_(std::move(settings)) {}

  Result<void> add(std::span<const int32_t> slices) {
    const int64_t plane = grid_.ny * grid_.nx;
    const int64_t count = static_cast<int64_t>(slices.size()) / plane;
    TL_CHECK(count > 0 && count * plane == static_cast<int64_t>(slices.size()) && next_ + count <= grid_.nz,
             "a surface is made of whole slices of its volume");
    if (std::max({grid_.nz, grid_.ny, grid_.nx}) > max_voxels_along)
      return invalid("a volume of more than " + std::to_string(max_voxels_along) + " voxels along an axis", "labels",
                     "Crop or bin it");
    std::vector<const int32_t*> planes{next_ == 0 ? nullptr : last_.data()};
    for (int64_t k = 0; k < count; ++k) planes.push_back(slices.data() + k * plane);
    TL_TRY(contour(planes));
    last_.assign(planes.back(), planes.back() + plane);
    next_ += count;
    return ok();
  }

  Result<Mesh> finish() {
    TL_CHECK(next_ == grid_.nz, "a surface is finished after the last slice");
    TL_TRY(contour({last_.data(), nullptr}));
    last_ = {};
    known_ = {};
    if (settings_.smoothing > 0) {
      std::vector<Triangle> all;
      for (const auto& [number, triangles] : triangles_) all.insert(all.end(), triangles.begin(), triangles.end());
      smooth(vertices_, all, settings_.smoothing, settings_.cancel);
    }
    move_into_the_scan();
    Mesh mesh = split();
    if (settings_.keep < 1)
      for (LabelSurface& part : mesh) part = decimated(part, settings_.keep, settings_.cancel);
    return mesh;
  }

 private:
  [[nodiscard]] bool is_wanted(int64_t number) const {
    return settings_.numbers.empty() ? !settings_.without.contains(number) : settings_.numbers.contains(number);
  }

  // Contours the layers of cells between these slices, of which the first is slice next_ - 1; null: an empty slice.
  Result<void> contour(const std::vector<const int32_t*>& planes) {
    for (const auto& [number, box] : boxes(planes)) {
      settings_.cancel.check();
      contour_number(planes, number, box);
      TL_TRY(check_memory(static_cast<int64_t>(planes.size())));
    }
    // Of the existing vertices, only those in its first slice can be shared with the next slab.
    const int64_t top = 2 * (next_ - 1 + static_cast<int64_t>(planes.size()) - 1);
    std::unordered_map<uint64_t, uint32_t> kept;
    for (const auto& [key, index] : known_)
      if (static_cast<int64_t>(std::lround(2 * vertices_[index][2])) == top) kept.emplace(key, index);
    known_ = std::move(kept);
    return ok();
  }

  // The boxes of the requested numbers, in one pass: a box is extended once for every run of equal voxels.
  [[nodiscard]] std::map<int32_t, Box> boxes(const std::vector<const int32_t*>& planes) const {
    std::map<int32_t, Box> found;
    for (std::size_t p = 0; p < planes.size(); ++p) {
      if (planes[p] == nullptr) continue;
      const int64_t k = next_ - 1 + static_cast<int64_t>(p);
      for (int64_t j = 0; j < grid_.ny; ++j) {
        const int32_t* row = planes[p] + j * grid_.nx;
        for (int64_t from = 0, to = 0; from < grid_.nx; from = to) {
          while (to < grid_.nx && row[to] == row[from]) ++to;
          if (!is_wanted(row[from])) continue;
          Box& box = found.try_emplace(row[from], Box{k, k, j, j, from, to - 1}).first->second;
          box = {std::min(box.z0, k), std::max(box.z1, k),    std::min(box.y0, j),
                 std::max(box.y1, j), std::min(box.x0, from), std::max(box.x1, to - 1)};
        }
      }
    }
    return found;
  }

  void contour_number(const std::vector<const int32_t*>& planes, int32_t number, const Box& box) {
    const int64_t first = next_ - 1, last = first + static_cast<int64_t>(planes.size()) - 1;
    const int64_t z0 = std::max(first, box.z0 - 1), z1 = std::min(last, box.z1 + 1);
    const int64_t nx = box.x1 - box.x0 + 3, ny = box.y1 - box.y0 + 3, nz = z1 - z0 + 1;
    vtkNew<vtkUnsignedCharArray> inside;
    inside->SetNumberOfValues(nz * ny * nx);
    inside->FillValue(0);
    for (int64_t k = z0; k <= z1; ++k) {
      const int32_t* from = planes[static_cast<std::size_t>(k - first)];
      if (from == nullptr) continue;
      for (int64_t j = box.y0; j <= box.y1; ++j) {
        unsigned char* to = inside->GetPointer(((k - z0) * ny + j - box.y0 + 1) * nx + 1);
        const int32_t* row = from + j * grid_.nx + box.x0;
        for (int64_t i = 0; i < nx - 2; ++i) to[i] = row[i] == number ? 1 : 0;
      }
    }
    vtkNew<vtkImageData> image;
    image->SetDimensions(static_cast<int>(nx), static_cast<int>(ny), static_cast<int>(nz));
    image->GetPointData()->SetScalars(inside);
    vtkNew<vtkFlyingEdges3D> edges;
    edges->SetInputData(image);
    edges->SetValue(0, 0.5);
    edges->ComputeNormalsOff();
    edges->ComputeGradientsOff();
    edges->ComputeScalarsOff();
    edges->Update();
    take(*edges->GetOutput(), number, {2 * (box.x0 - 1), 2 * (box.y0 - 1), 2 * z0});
  }

  // Adds the triangles of a contour, whose vertex positions are relative to a corner [half voxels].
  void take(vtkPolyData& contour, int32_t number, std::array<int64_t, 3> corner) {
    std::vector<uint32_t> indices(static_cast<std::size_t>(contour.GetNumberOfPoints()));
    for (std::size_t i = 0; i < indices.size(); ++i) {
      std::array<double, 3> p{};
      contour.GetPoint(static_cast<vtkIdType>(i), p.data());
      std::array<int64_t, 3> at{};
      for (std::size_t d = 0; d < 3; ++d) at[d] = std::llround(2 * p[d]) + corner[d];
      const auto [entry, is_new] =
          known_.try_emplace(vertex_key(at[0], at[1], at[2]), static_cast<uint32_t>(vertices_.size()));
      if (is_new)
        vertices_.push_back(
            {static_cast<float>(at[0]) / 2, static_cast<float>(at[1]) / 2, static_cast<float>(at[2]) / 2});
      indices[i] = entry->second;
    }
    std::vector<Triangle>& triangles = triangles_[number];
    vtkIdType count = 0;
    const vtkIdType* ends = nullptr;
    for (vtkIdType c = 0; c < contour.GetNumberOfPolys(); ++c) {
      contour.GetPolys()->GetCellAtId(c, count, ends);
      const auto corner_of = [&](int i) { return indices[static_cast<std::size_t>(ends[i])]; };
      triangles.push_back({corner_of(0), corner_of(1), corner_of(2)});
    }
    triangle_count_ += contour.GetNumberOfPolys();
  }

  // Memory needed while `slices` slices are contoured.
  [[nodiscard]] Result<void> check_memory(int64_t slices) const {
    const auto vertices = static_cast<int64_t>(vertices_.size());
    constexpr int64_t vertex = sizeof(vertices_[0]), triangle = sizeof(Triangle);
    int64_t needed = 2 * (vertices * vertex + triangle_count_ * triangle) + vertices * 2 * int64_t{sizeof(uint32_t)};
    needed += std::max(
        static_cast<int64_t>(known_.size()) * entry_bytes + workspace(slices * grid_.ny * grid_.nx),
        vertices * std::max(settings_.smoothing > 0 ? smoothing_bytes : 0, settings_.keep < 1 ? decimation_bytes : 0));
    if (needed <= settings_.memory && vertices_.size() < std::numeric_limits<uint32_t>::max() / 2) return ok();
    return Error{ErrorKind::device,
                 "the surfaces in the first " + std::to_string(std::min(next_ + slices - 1, grid_.nz)) + " of " +
                     std::to_string(grid_.nz) + " slices have " + std::to_string(triangle_count_) +
                     " triangles, which need " + megabytes(needed) + "; there are " + megabytes(settings_.memory),
                 "labels",
                 "Give more memory (" + two_wordings("--max-memory", "in the preferences") +
                     "), choose fewer classes, or crop or bin the input of the labels"};
  }

  // Converts voxel indices to mm; if the axes of the grid are left-handed, the orientation of triangles is reversed.
  void move_into_the_scan() {
    for (std::array<float, 3>& v : vertices_) {
      const Vec3 p = grid_.position(v[2], v[1], v[0]);
      v = {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
    }
    if (dot(cross(grid_.step_x, grid_.step_y), grid_.step_z) >= 0) return;
    for (auto& [number, triangles] : triangles_)
      for (Triangle& t : triangles) std::swap(t[1], t[2]);
  }

  // Gives each part its own vertices.
  Mesh split() {
    Mesh mesh;
    constexpr uint32_t unowned = std::numeric_limits<uint32_t>::max();
    std::vector<uint32_t> owner(vertices_.size(), unowned), index(vertices_.size());
    for (auto& [number, triangles] : triangles_) {
      if (triangles.empty()) continue;
      const auto own = static_cast<uint32_t>(mesh.size());
      LabelSurface& part = mesh.emplace_back();
      part.number = number;
      for (Triangle& t : triangles)
        for (uint32_t& corner : t) {
          if (owner[corner] != own) {
            owner[corner] = own;
            index[corner] = static_cast<uint32_t>(part.vertices.size());
            part.vertices.push_back(vertices_[corner]);
          }
          corner = index[corner];
        }
      part.triangles = std::move(triangles);
    }
    vertices_ = {};
    triangles_.clear();
    return mesh;
  }

  VolumeGrid grid_;
  SurfaceSettings settings_;
  std::vector<int32_t> last_;  // the slice before next_
  int64_t next_ = 0;
  std::vector<std::array<float, 3>> vertices_;    // x, y, z in voxels of the grid, finally in mm in the scan's frame
  std::unordered_map<uint64_t, uint32_t> known_;  // vertices of this slab
  std::map<int64_t, std::vector<Triangle>> triangles_;
  int64_t triangle_count_ = 0;
};

SurfaceBuilder::SurfaceBuilder(const VolumeGrid& whole, SurfaceSettings settings)
    : work_(std::make_unique<Work>(whole, std::move(settings))) {}
SurfaceBuilder::~SurfaceBuilder() = default;
Result<void> SurfaceBuilder::add(std::span<const int32_t> slices) { return work_->add(slices); }
Result<Mesh> SurfaceBuilder::finish() { return work_->finish(); }

// One byte for whether a voxel is inside, one for its edge case, and the kept slice (int32).
int64_t SurfaceBuilder::workspace(int64_t voxels) { return 6 * voxels; }

Result<Mesh> surface_of(std::span<const int32_t> labels, const VolumeGrid& grid, const SurfaceSettings& settings) {
  SurfaceBuilder builder(grid, settings);
  TL_TRY(builder.add(labels));
  return builder.finish();
}

}  // namespace tl::mesh
