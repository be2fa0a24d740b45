// From probabilities of classes: the most probable class of each voxel and its uncertainty; and the outputs of nodes
// that compute such probabilities.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <vector>

#include "core/node/node_run.h"
#include "core/values/label_table.h"

namespace tl {

struct MostProbable {
  at::Tensor numbers;      // int32 [z, y, x]: number of the class; among equal probabilities the first
  at::Tensor uncertainty;  // float32 [z, y, x]: 1 minus the difference between the two largest probabilities
};
// From probabilities [class, z, y, x] (float32, contiguous); NaN counts as 0.
MostProbable most_probable(const at::Tensor& probabilities, const std::vector<LabelClass>& classes);

// Sets the outputs "labels", "probabilities" and "uncertainty" on the requested grid, from the probabilities [class, z,
// y, x] (floating, contiguous) that `find` computes there. Those of a plane are cached: an image's labels and
// uncertainty are requested one after the other.
Result<void> put_classes(NodeRun& r, const std::vector<LabelClass>& classes,
                         const std::function<Result<at::Tensor>(const VolumeGrid& wanted)>& find);
// Sets the outputs from differentiable probabilities of any type; "probabilities" and "uncertainty" pass gradients
// on.
void put_differentiated_classes(NodeRun& r, const std::vector<LabelClass>& classes, const at::Tensor& probabilities);
bool is_plane(const VolumeGrid& grid);

}  // namespace tl
