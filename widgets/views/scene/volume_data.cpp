// VolumeData: smoothing, binning, value spans of blocks, colours of slices.
#include "widgets/views/scene/volume_data.h"

#include <vtkImageGaussianSmooth.h>
#include <vtkImageShrink3D.h>
#include <vtkNew.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tl::ui {
namespace {

// Standard deviation in voxels. Linear interpolation between sharp voxels causes steps, which gradient shading shows as
// rings on every curved surface; this is the smallest value that removes them.
constexpr double smoothing = 0.85;
constexpr int block = 8;  // voxels

// Voxels in VTK's order: x fastest, y and z upwards. NaN is replaced by the lowest value.
vtkSmartPointer<vtkImageData> to_vtk(const VolumeVoxels& voxels, float lowest) {
  const VolumeGrid& g = voxels.grid;
  auto data = vtkSmartPointer<vtkImageData>::New();
  data->SetDimensions(static_cast<int>(g.nx), static_cast<int>(g.ny), static_cast<int>(g.nz));
  data->SetSpacing(norm(g.step_x), norm(g.step_y), norm(g.step_z));
  data->SetOrigin(-0.5 * static_cast<double>(g.nx - 1) * norm(g.step_x),
                  -0.5 * static_cast<double>(g.ny - 1) * norm(g.step_y),
                  -0.5 * static_cast<double>(g.nz - 1) * norm(g.step_z));
  data->AllocateScalars(VTK_FLOAT, 1);
  auto* to = static_cast<float*>(data->GetScalarPointer());
  for (int64_t k = 0; k < g.nz; ++k)
    for (int64_t j = 0; j < g.ny; ++j) {
      const float* from = voxels.image->pixels.data() + (k * g.ny + (g.ny - 1 - j)) * g.nx;
      to = std::transform(from, from + g.nx, to, [lowest](float v) { return std::isfinite(v) ? v : lowest; });
    }
  return data;
}

}  // namespace

VolumeData::VolumeData(const VolumeVoxels& voxels, int widest) : voxels_(voxels) {
  values_ = picture::object_values(*voxels.image);
  vtkSmartPointer<vtkImageData> data = to_vtk(voxels, static_cast<float>(values_.range.low));
  const auto longest = static_cast<int>(std::max({voxels.grid.nx, voxels.grid.ny, voxels.grid.nz}));
  binning_ = widest > 0 ? (longest + widest - 1) / widest : 1;
  if (binning_ > 1) {
    vtkNew<vtkImageShrink3D> shrink;
    shrink->SetInputData(data);
    shrink->SetShrinkFactors(binning_, binning_, binning_);
    shrink->MeanOn();
    shrink->Update();
    data = shrink->GetOutput();
  }
  vtkNew<vtkImageGaussianSmooth> smooth;
  smooth->SetInputData(data);
  smooth->SetStandardDeviations(smoothing, smoothing, smoothing);
  constexpr double radius = 2.4;  // of the kernel, in standard deviations: two voxels
  smooth->SetRadiusFactors(radius, radius, radius);
  smooth->Update();
  smooth_ = smooth->GetOutput();
  smooth_->GetBounds(bounds_.data());
  measure_blocks();
}

Vec3 VolumeData::edges() const { return {bounds_[1] - bounds_[0], bounds_[3] - bounds_[2], bounds_[5] - bounds_[4]}; }
double VolumeData::voxel() const { return *std::min_element(smooth_->GetSpacing(), smooth_->GetSpacing() + 3); }
double VolumeData::size() const { return std::cbrt(static_cast<double>(smooth_->GetNumberOfPoints())); }

void VolumeData::measure_blocks() {
  std::array<int, 3> size{};
  smooth_->GetDimensions(size.data());
  for (std::size_t a = 0; a < 3; ++a) blocks_[a] = (size[a] + block - 1) / block;
  constexpr float infinite = std::numeric_limits<float>::infinity();
  spans_.assign(static_cast<std::size_t>(blocks_[0]) * blocks_[1] * blocks_[2], {infinite, -infinite});
  const auto* from = static_cast<const float*>(smooth_->GetScalarPointer());
  for (int z = 0; z < size[2]; ++z)
    for (int y = 0; y < size[1]; ++y) {
      auto* row = spans_.data() + (static_cast<std::ptrdiff_t>(z / block) * blocks_[1] + y / block) * blocks_[0];
      for (int x = 0; x < size[0]; ++x, ++from) {
        auto& [low, high] = row[x / block];
        low = std::min(low, *from);
        high = std::max(high, *from);
      }
    }
}

VolumeBounds VolumeData::filled(picture::Levels range, VolumeBounds within) const {
  std::array<int, 3> first = blocks_, last{-1, -1, -1};
  std::size_t i = 0;
  for (int z = 0; z < blocks_[2]; ++z)
    for (int y = 0; y < blocks_[1]; ++y)
      for (int x = 0; x < blocks_[0]; ++x, ++i) {
        if (spans_[i].second < range.low || spans_[i].first > range.high) continue;
        const std::array<int, 3> at{x, y, z};
        for (std::size_t a = 0; a < 3; ++a) {
          first[a] = std::min(first[a], at[a]);
          last[a] = std::max(last[a], at[a]);
        }
      }
  VolumeBounds out{};
  for (std::size_t a = 0; a < 3; ++a) {
    // A voxel more at each side: values are interpolated up to the neighbour.
    const double step = smooth_->GetSpacing()[a];
    out[2 * a] = std::max(within[2 * a], bounds_[2 * a] + (first[a] * block - 1) * step);
    out[2 * a + 1] = std::min(within[2 * a + 1], bounds_[2 * a] + ((last[a] + 1) * block) * step);
  }
  return out;
}

int64_t VolumeData::nearest(std::size_t axis, double coordinate) const {
  const VolumeGrid& g = voxels_.grid;
  const std::array<int64_t, 3> count{g.nx, g.ny, g.nz};
  const double part = (coordinate - bounds_[2 * axis]) / (bounds_[2 * axis + 1] - bounds_[2 * axis]);
  return std::clamp<int64_t>(std::lround(part * static_cast<double>(count[axis] - 1)), 0, count[axis] - 1);
}

vtkSmartPointer<vtkImageData> VolumeData::slice_colors(const Slice& slice, const VolumeScene& scene) const {
  // The lower of the other two axes runs along the rows.
  const std::size_t u = slice.axis == 0 ? 1 : 0, v = slice.axis == 2 ? 1 : 2;
  const int64_t first_u = nearest(u, slice.part[2 * u]), last_u = nearest(u, slice.part[2 * u + 1]);
  const int64_t first_v = nearest(v, slice.part[2 * v]), last_v = nearest(v, slice.part[2 * v + 1]);
  auto picture = vtkSmartPointer<vtkImageData>::New();
  picture->SetDimensions(static_cast<int>(last_u - first_u + 1), static_cast<int>(last_v - first_v + 1), 1);
  picture->AllocateScalars(VTK_UNSIGNED_CHAR, 3);
  auto* to = static_cast<unsigned char*>(picture->GetScalarPointer());
  const VolumeGrid& g = voxels_.grid;
  const double last_color = static_cast<double>(scene.colors.size() - 1);
  const double scale = last_color / (scene.levels.high - scene.levels.low);
  std::array<int64_t, 3> at{};
  at[slice.axis] = nearest(slice.axis, slice.at);
  for (at[v] = first_v; at[v] <= last_v; ++at[v])
    for (at[u] = first_u; at[u] <= last_u; ++at[u]) {
      const auto index = (at[2] * g.ny + (g.ny - 1 - at[1])) * g.nx + at[0];
      const double value = voxels_.image->pixels[static_cast<std::size_t>(index)];
      const double place = std::isfinite(value) ? std::clamp((value - scene.levels.low) * scale, 0.0, last_color) : 0;
      const QRgb color = scene.colors[static_cast<std::size_t>(std::lround(place))];
      *to++ = static_cast<unsigned char>(qRed(color));
      *to++ = static_cast<unsigned char>(qGreen(color));
      *to++ = static_cast<unsigned char>(qBlue(color));
    }
  return picture;
}

}  // namespace tl::ui
