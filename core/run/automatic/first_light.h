// First light, a demonstration and self-test: simulates a noisy scan into a file, reconstructs it from that file, and
// computes the deviation from the true object.
#pragma once

#include <filesystem>

#include "core/run/executor.h"

namespace tl {

struct FirstLight {
  std::filesystem::path scan, volume, picture;
  RunReport report;
  double true_axis = 0;  // [px from the detector centre]
  double rms_error = 0;  // [1/mm], over the voxels that are in the field of every view
  double largest = 0;    // largest true value [1/mm]
};

// Writes scan.nx, volume.tif, slice.png and their records into options.output_dir, which is created if it is missing.
Result<FirstLight> first_light(const Registry& registry, const RunOptions& options);

}  // namespace tl
