// The CPU loops of projector and back-projector on typical scans: which of them fit, which one is taken, their speed.
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
  bool taken = false;     // the one that the operator takes on this processor
  double updates = 0;     // voxels times views per second
  double difference = 0;  // from the generic loop: rms over rms
};

// What a loop makes of an input with one outstanding number.
struct LoopOutput {
  std::string scan, direction, loop;
  at::Tensor output;
};

// All loops that fit, in float32, on the scans of measure_loops() and on one of a single view along the grid, whose
// rays pass through the middles of pixels and voxels: `number` replaces the number in the middle of the
// input.
std::vector<LoopOutput> loop_outputs(float number, const CancelToken& cancel);

// All loops that fit, in float32, on scans of 48 views: seconds of work. The variant of TL_CPU_VARIANT is measured.
std::vector<LoopRate> measure_loops(const CancelToken& cancel);

}  // namespace tl::ops
