// VolumeData: the voxels that VTK renders, smoothed against interpolation steps, and statistics of their values.
#pragma once

#include <vtkImageData.h>
#include <vtkSmartPointer.h>

#include <QImage>
#include <array>
#include <vector>

#include "core/picture/object_values.h"
#include "widgets/views/scene/volume_scene.h"

namespace tl::ui {

using VolumeBounds = std::array<double, 6>;  // x, y, z from and to

class VolumeData {
 public:
  VolumeData() = default;
  // Volumes wider than `widest` voxels are binned; 0: no limit.
  VolumeData(const VolumeVoxels& voxels, int widest);

  [[nodiscard]] bool empty() const { return smooth_ == nullptr; }
  [[nodiscard]] vtkImageData* smooth() const { return smooth_; }
  [[nodiscard]] const picture::ObjectValues& values() const { return values_; }
  [[nodiscard]] const VolumeGrid& grid() const { return voxels_.grid; }  // as given, not binned
  [[nodiscard]] int binning() const { return binning_; }
  // From the centre of the first to that of the last voxel; the centre is at the origin.
  [[nodiscard]] const VolumeBounds& bounds() const { return bounds_; }
  [[nodiscard]] Vec3 edges() const;
  [[nodiscard]] double voxel() const;
  [[nodiscard]] double size() const;  // edge of a cube with the same number of voxels
  // The part of `within` with values from `low` to `high`; empty (from > to) if there are none.
  [[nodiscard]] VolumeBounds filled(picture::Levels range, VolumeBounds within) const;

  // Unsmoothed voxels of a slice over a rectangle, in colours of the window; row 0 is the
  // lowest.
  struct Slice {
    std::size_t axis = 2;  // the one across the slice
    double at = 0;         // its coordinate
    VolumeBounds part{};
  };
  [[nodiscard]] vtkSmartPointer<vtkImageData> slice_colors(const Slice& slice, const VolumeScene& scene) const;

 private:
  void measure_blocks();
  [[nodiscard]] int64_t nearest(std::size_t axis, double coordinate) const;

  VolumeVoxels voxels_;
  vtkSmartPointer<vtkImageData> smooth_;
  picture::ObjectValues values_;
  VolumeBounds bounds_{};
  int binning_ = 1;
  std::array<int, 3> blocks_{};                 // along x, y, z
  std::vector<std::pair<float, float>> spans_;  // smallest and largest value of each block
};

}  // namespace tl::ui
