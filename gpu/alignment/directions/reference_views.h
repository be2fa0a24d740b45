// Projections of a reference volume from all directions.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "core/base/geometry.h"
#include "core/base/grid.h"
#include "gpu/alignment/directions/polar.h"

namespace tl::ops {

// How an image lies in space, as unit vectors: its columns, its rows upwards, and towards the source.
struct ImageAxes {
  Vec3 right, up, towards;
};
// Columns along the meridian (southwards), rows along the parallel (eastwards): no rotation in the plane.
ImageAxes upright_axes(Vec3 towards);
// `v`, rotated by the smallest rotation that takes the direction `from` to `to`; both are unit vectors, not opposite.
Vec3 carried(Vec3 v, Vec3 from, Vec3 to);
// Rotated counter-clockwise in the plane of the image [rad].
ImageAxes rotated_in_plane(const ImageAxes& axes, double angle);

struct ReferenceSpec {
  at::Tensor volume;  // [z, y, x], float32
  VolumeGrid grid;
  DetectorShape detector;  // of the images: square, with square pixels
  int64_t edge = 32;       // of working images [px]: a multiple of 4, at most the detector's
  int64_t parts = 8;       // of icosahedral_directions(): coarse directions; fine ones have twice as many
  CancelToken cancel{};
};

// Working images (polar.h) of the volume from the fine directions, upright, with the centre of the volume's grid in
// the middle. Over the circle that polar grids cover each has the mean 0 and the integral of its square is 1.
class ReferenceViews {
 public:
  // Made of slices through the transform of the volume (fourier_projector.h). Errors: invalid for a volume that is not
  // finite or shows nothing, and those of fourier_sizes(); cancelled is thrown.
  static Result<ReferenceViews> make(const ReferenceSpec& spec);

  [[nodiscard]] const std::vector<Vec3>& directions() const { return directions_; }
  // Indices of the coarse directions among them.
  [[nodiscard]] const std::vector<int64_t>& coarse() const { return coarse_; }
  [[nodiscard]] double coarse_spacing() const { return spacing_; }    // largest angle between neighbours [rad]
  [[nodiscard]] const at::Tensor& images() const { return images_; }  // [direction, 2 edge, 2 edge], float32
  [[nodiscard]] const PolarGrid& polar() const { return polar_; }
  [[nodiscard]] int64_t edge() const { return edge_; }

  static int64_t bytes(const ReferenceSpec& spec);

 private:
  explicit ReferenceViews(const ReferenceSpec& spec);
  [[nodiscard]] Result<void> project(const ReferenceSpec& spec);

  int64_t edge_;
  double spacing_;
  PolarGrid polar_;
  std::vector<Vec3> directions_;
  std::vector<int64_t> coarse_;
  at::Tensor images_;
};

}  // namespace tl::ops
