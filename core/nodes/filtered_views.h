// What FBP and FDK share: the choice of filter, weighting and filtering of the views, and the size of the volume.
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <vector>

#include "core/node/node_run.h"
#include "core/node/params.h"
#include "gpu/ops/ramp_filter.h"

namespace tl {

enum class RampChoice { none, ram_lak, shepp_logan, cosine, hamming, hann };
std::vector<Choice> ramp_choices();

enum class ConeWeights { none, fdk };

struct FilterTask {
  RampChoice filter = RampChoice::ram_lak;
  double cutoff = 1;
  ops::RowExtension extension = ops::RowExtension::zero;
  double pitch = 1;  // [mm] on the (virtual) detector
  ConeWeights cone = ConeWeights::none;
};

// Views times their angular weights (and FDK's cosines), ramp-filtered; kept in the run's memo unless learning.
Result<at::Tensor> filtered_views(const FilterTask& task, const Projections& in, NodeRun& r);

// Reconstruction wants line integrals; counts and transmission are refused with the node that is missing.
Result<void> needs_line_integrals(const ProjectionsInfo& scan);

// Applies a voxel size [mm] and a width in voxels over the same field of view.
Result<void> resize(VolumeGrid& grid, const std::optional<Length>& voxel, const std::optional<int64_t>& width);

}  // namespace tl
