// Shared by the nodes whose filter needs the whole volume at once.
#pragma once

#include <functional>

#include "core/itk/call.h"
#include "core/node/node_builder.h"

namespace tl {

// Sets the output "volume": the requested part of the result that `make` computes for the whole input "volume", once
// for all parts of a run or of live views. Planes between the voxels are interpolated.
Result<void> put_whole_volume(NodeRun& r, Unit unit,
                              const std::function<Result<void>(const insight::VolumeView& in, float* out)>& make);

// The threads, cancel token and progress of a run, for ITK.
insight::Call itk_call(NodeRun& r);

// The input "volume" in whole, whatever is wanted.
Regions whole_volume_needs(const Infos& in);

// Invalid: fewer voxels along an axis than a recursive Gaussian starts from.
Result<void> check_four_voxels(const VolumeGrid& grid);

}  // namespace tl
