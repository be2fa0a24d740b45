// The CPU loops of projector and back-projector on typical scans: which of them fit, which one is used, their speed.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "core/base/cancel.h"

namespace tl::ops {

struct LoopRate {
  std::string scan;       // "cone, tilted"
  std::string direction;  // "back-projection"
  std::string loop;       // its name in the table, "blocks"
  std::string serves;     // "any geometry and grid"
  bool taken = false;     // the loop that the operator uses on this processor
  double updates = 0;     // voxels times views per second
  double difference = 0;  // difference from the generic loop: rms relative to rms
};

// The output of a loop for an input with one special number.
struct LoopOutput {
  std::string scan, direction, loop;
  at::Tensor output;
};

// All loops that fit, in float32, on the scans of measure_loops() and on one of a single view along the grid,
// whose rays pass through the centres of pixels and voxels: `number` replaces the number in the middle of the
// input.
std::vector<LoopOutput> loop_outputs(float number, const CancelToken& cancel);

// All loops that fit, in float32, on scans of 48 views: seconds of work. The variant of TL_CPU_VARIANT is measured.
std::vector<LoopRate> measure_loops(const CancelToken& cancel);

}  // namespace tl::ops
