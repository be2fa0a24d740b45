// Clipping: which voxels of its middle slice a volume would lose by being saved as integers, reported before the run.
// No array type.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/picture/image.h"

namespace tl {

class Executor;

// Settings of an output.save_volume node that writes integers of a given range.
struct SavedIntegers {
  std::string type;          // "uint16", "uint8"
  double low = 0, high = 1;  // the values mapped to the smallest and the largest integer; low < high
  friend bool operator==(const SavedIntegers&, const SavedIntegers&) = default;
};
std::optional<SavedIntegers> saved_integers(const GraphNode& node);

struct ClippedSlice {
  std::string node;  // that saves the volume
  double share = 0;  // share of clipped voxels, 0 to 1
  std::string text;  // "0.12 % of the voxels are outside of 0 to 1 and are clipped (7 below, 5 NaN)"; empty: none
};
ClippedSlice clipped_in(const picture::Image& slice, const SavedIntegers& saved);

// One result for every active node that saves integers, from the middle slice of its volume, which is computed. Errors:
// those of computing it; cancelled.
Result<std::vector<ClippedSlice>> clipped_slices(Executor& executor, const Graph& graph);

}  // namespace tl
