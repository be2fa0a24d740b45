// Training sets: volumes with labels, and how they are split for training and validation.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/net/network.h"
#include "core/values/class_indices.h"

namespace tl::train {

// One volume, slice (nz = 1) or block of a volume.
struct Item {
  std::string name;   // for messages: the file, and the part of it
  at::Tensor volume;  // float32 [channel, z, y, x], finite
  at::Tensor labels;  // int32 [z, y, x]: class indices, or `unlabelled`
};

struct TrainingSet {
  std::vector<Item> training, validation;
  std::vector<LabelClass> classes;  // by index
  double voxel_size = 0;            // [mm]; 0: not known
};

// The classes whose numbers occur, sorted by number, including classes without a name in the table.
std::vector<LabelClass> classes_in(const std::vector<at::Tensor>& numbers, const LabelTable& table);

// Labelled voxels of each class.
std::vector<int64_t> class_counts(const std::vector<Item>& items, int64_t classes);

// Mean and standard deviation of each channel over the voxels of all items in `mask_of` (bool, [z, y, x] of each item);
// 1 for a deviation of 0.
net::InputScaling scaling_of(const std::vector<Item>& items, const std::function<at::Tensor(const Item&)>& mask_of);

// Whole items, drawn at random, are used for validation: `share` of them, at least one. Errors: invalid for less than
// two.
Result<TrainingSet> split_by_item(std::vector<Item> items, double share, uint64_t seed);

// Every item is divided in two across its longest suitable axis, so that `share` of its labelled voxels are used for
// validation; `gap` voxels in between belong to neither part, because neighbouring planes are nearly equal. The parts
// share memory with the item. Errors: invalid, `where` names the item: a part would be empty.
Result<TrainingSet> split_by_block(const std::vector<Item>& items, double share, int64_t gap);

// Conditions for training: matching sizes, finite voxels, indices below `classes`, at least two classes with labels in
// the training items. Errors: invalid, `where` names the item.
Result<void> check(const TrainingSet& set, int64_t channels);

}  // namespace tl::train
