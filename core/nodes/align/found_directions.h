// Directions of images by a network and by matching: how both are combined, and the table of what was found.
#pragma once

#include <functional>
#include <vector>

#include "core/nodes/align/region_training.h"
#include "core/values/values.h"
#include "gpu/alignment/directions/direction_search.h"

namespace tl {

struct DirectionsSpec {
  ops::ReferenceSpec reference;
  at::Tensor images;  // [image, size, size], float32, finite
  int64_t regions = 42;
  double reach = 4;  // largest shift [px of the images]
  int64_t steps = 1000;
  uint64_t seed = 1;
  CancelToken cancel{};
  std::function<void(double share)> progress{};              // of the whole, 0 to 1
  std::function<void(int64_t step, double loss)> trained{};  // after a step of the training
};

struct FoundDirection {
  ops::ImagePose pose;     // the best one in the region that the network names, and its neighbours
  int64_t region = 0;      // that the network names
  double probability = 0;  // of that region and its neighbours
  bool agrees = false;     // matching over all directions finds the same, within the spacing of coarse directions
  Verdict verdict = Verdict::none;  // flat: no more than noise; ambiguous: another direction fits as well; resolved
};

struct FoundDirections {
  std::vector<FoundDirection> images;
  double noise = 0, amplitude = 0;  // as the network was trained with, of working images
};

// Matches all images with all directions, which also shows how strong signal and noise are; trains a network with
// these; matches again within the regions that it names. Errors: those of ReferenceViews::make(); throws cancelled.
Result<FoundDirections> find_directions(const DirectionsSpec& spec);

// Bytes that it needs, images and volume not counted.
int64_t bytes_of_directions(const DirectionsSpec& spec, int64_t images);

// The view that such an image is: `centre` is that of the volume's grid.
View view_of_pose(const ops::ImagePose& pose, const DetectorShape& detector, int64_t edge, Vec3 centre);

// By image: the columns of directions_table(), without numbers where the verdict is flat; "region", "probability",
// "correlation", "agrees" (1 or 0), "verdict": 0 resolved, 1 ambiguous, 2 flat.
Result<Table> found_directions_table(const FoundDirections& found, const DirectionsSpec& spec);

}  // namespace tl
