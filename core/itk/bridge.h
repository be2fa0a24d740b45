// The bridge to ITK, for the source files of this folder alone: images in foreign memory, threads, cancel, progress,
// exceptions.
#pragma once

#include <itkCommand.h>
#include <itkImage.h>
#include <itkProcessObject.h>

#include <functional>
#include <string>

#include "core/base/error.h"
#include "core/itk/call.h"

namespace tl::insight {

using Image = itk::Image<float, 3>;

// The voxels themselves, not a copy, along the axes of the scan, with the voxel size of the reference along x as unit
// and its centre as origin: optimisers of ITK compare steps along parameters with each other, which in mm made them
// diverge.
Image::Pointer image_in_voxels_of(const VolumeGrid& reference, const VolumeView& volume);

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
