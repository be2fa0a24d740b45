// Matches images with projections of a reference from all directions, rotated in the plane and shifted.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <vector>

#include "core/base/cancel.h"
#include "gpu/alignment/directions/reference_views.h"
#include "gpu/alignment/directions/sphere.h"

namespace tl::ops {

// An image as a projection of the reference: how it lies, and where the centre of the volume's grid lies in it.
struct ImagePose {
  ImageAxes axes;
  double col = 0, row = 0;  // from the middle, to the right and downwards [working px]
  // Integral of image times projection, whose square has the integral 1, over the circle around that point: the
  // amplitude with which the image contains the projection.
  double likeness = 0;
  double energy = 0;  // integral of the image's square, its mean left out, over the circle [value^2 working px^2]

  [[nodiscard]] double correlation() const { return energy > 0 ? likeness / std::sqrt(energy) : 0; }
};

// The best coarse match of each image, numbered for refined(), and how alike it is: in each region of the sphere, and
// among the directions that are far from the best of all.
struct CoarseMatches {
  at::Tensor likeness;      // float32 [image, region]
  at::Tensor match;         // int64 [image, region]
  at::Tensor far_likeness;  // float32 [image]
  at::Tensor far_match;     // int64 [image]
};

// A number of an image, and a match to begin with.
struct ImageMatch {
  int64_t image = 0, match = 0;
};

class DirectionSearch {
 public:
  using Progress = std::function<void(int64_t done, int64_t all)>;
  // Shifts up to `reach` [working px]. The views and regions outlive the search.
  DirectionSearch(const ReferenceViews& views, const SphereRegions& regions, double reach, CancelToken cancel);

  // All coarse directions, rotations in the plane by about 2/3 of a working pixel at the edge, and shifts by whole
  // working pixels, of working images [image, 2 edge, 2 edge]. By transforms along circles: a product of matrices for
  // each frequency. The result does not depend on the number of threads.
  [[nodiscard]] CoarseMatches coarse(const at::Tensor& images, const Progress& progress = {}) const;

  // The maximum near each match, by fine directions, rotations and shifts, and a paraboloid through the best of them.
  // In the order of `starts`.
  [[nodiscard]] std::vector<ImagePose> refined(const at::Tensor& images, const std::vector<ImageMatch>& starts,
                                               const Progress& progress = {}) const;

  // Matches of directions farther apart than this are not neighbours [rad].
  static constexpr double far_apart = 0.7;  // 40 degrees

 private:
  struct Shift {
    double col, row;
  };
  void match_block(const at::Tensor& images, int64_t first, int64_t count, CoarseMatches& found) const;
  void refine_group(const at::Tensor& images, const std::vector<ImageMatch>& starts,
                    const std::vector<std::size_t>& group, std::vector<ImagePose>& poses) const;
  [[nodiscard]] int64_t coarse_angles() const { return views_.polar().angles() / 2; }

  const ReferenceViews& views_;
  CancelToken cancel_;
  std::vector<Shift> shifts_;
  std::vector<int64_t> region_of_;  // of the coarse directions
  std::vector<Vec3> directions_;    // coarse
  at::Tensor coarse_spectra_;       // [frequency, ring, coarse direction], of unit norm
  at::Tensor fine_spectra_;         // [frequency, ring, fine direction]
  at::Tensor is_far_;               // bool [coarse, coarse]
  int64_t regions_;
};

}  // namespace tl::ops
