// The bridge to ITK, for the source files of this folder alone: images in foreign memory, their levels, the points that
// are compared, threads, cancel, progress, exceptions.
#pragma once

#include <itkCommand.h>
#include <itkImage.h>
#include <itkProcessObject.h>
#include <itkSpatialObject.h>
#include <itkTransform.h>

#include <functional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/itk/call.h"
#include "core/itk/volume_moments.h"

namespace tl::insight {

using Image = itk::Image<float, 3>;

// The voxels themselves, not a copy, along the axes of the scan, with the voxel size of the reference along x as unit
// and its centre as origin: optimisers of ITK compare steps along parameters with each other, which in mm made them
// diverge.
Image::Pointer image_in_voxels_of(const VolumeGrid& reference, const VolumeView& volume);

// Smoothed (Gaussian of so many voxels of the level, one sigma), in standard deviations from a mean, and shrunk to the
// voxels of a level.
Image::Pointer level_image(const Image::Pointer& image, const Moments& moments, double smoothing, unsigned level);

// Disjoint blocks of an image, four along each axis where it is long enough.
std::vector<Image::RegionType> blocks_of(const Image& image);

// Points that are compared by a metric: those in voxels other than 0 of a mask on the grid of the image, in memory that
// outlives them.
using Points = itk::SpatialObject<3>;
Points::Pointer points_of_mask(const Image::Pointer& image, const uint8_t* voxels);
// Those of `points` (null: all) that the map, as it is now, takes into the moving image, at least a margin [unit of
// length] from its outermost voxels' centres, an eighth of the image where it is thinner than that.
Points::Pointer points_within(const Points::Pointer& points, const Image::Pointer& moving,
                              const itk::Transform<double, 3, 3>& map, double margin);

// Work is always cut into so many pieces, however many threads take them, so that sums have the same bits.
inline constexpr unsigned work_units = 16;

// Runs `f` with the threads and the cancel token of the call, and turns exceptions of ITK into errors: invalid for what
// it says of the input, device where memory is refused. Failure (cancelled) passes.
Result<void> run_itk(const Call& call, const std::string& what, const std::function<void()>& f);

// Throws Failure{cancelled} if the call that this thread works for was: for what ITK calls at every voxel.
void check_cancelled();

// Passes progress of a filter on, from `from` to `to` of the whole, and aborts it when it is cancelled.
void watch(itk::ProcessObject& filter, const Call& call, double from, double to);

}  // namespace tl::insight
