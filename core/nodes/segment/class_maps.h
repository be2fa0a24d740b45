// What probabilities of classes say: the most probable class of each voxel, and how uncertain it is; and the outputs of
// nodes that find such probabilities.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <vector>

#include "core/node/node_run.h"
#include "core/values/label_table.h"

namespace tl {

struct MostProbable {
  at::Tensor numbers;      // int32 [z, y, x]: of the class; of equal probabilities the first
  at::Tensor uncertainty;  // float32 [z, y, x]: 1 less the difference between the two largest
};
// Of probabilities [class, z, y, x] (float32, contiguous); NaN counts as 0.
MostProbable most_probable(const at::Tensor& probabilities, const std::vector<LabelClass>& classes);

// The outputs "labels", "probabilities" and "uncertainty" on the grid that is wanted, of the probabilities [class, z,
// y, x] (floating, contiguous) that `find` computes there. Those of a plane are kept: an image's labels and
// uncertainty are asked for one after the other.
Result<void> put_classes(NodeRun& r, const std::vector<LabelClass>& classes,
                         const std::function<Result<at::Tensor>(const VolumeGrid& wanted)>& find);
// The same of probabilities that are differentiated, in any type; "probabilities" and "uncertainty" pass derivatives
// on.
void put_differentiated_classes(NodeRun& r, const std::vector<LabelClass>& classes, const at::Tensor& probabilities);
bool is_plane(const VolumeGrid& grid);

}  // namespace tl
