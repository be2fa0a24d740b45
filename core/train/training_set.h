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
  std::string name;   // for messages: the file, and which part of it
  at::Tensor volume;  // float32 [channel, z, y, x], finite
  at::Tensor labels;  // int32 [z, y, x]: indices of classes, or `unlabelled`
};

struct TrainingSet {
  std::vector<Item> training, validation;
  std::vector<LabelClass> classes;  // by index
  double voxel_size = 0;            // [mm]; 0: not known
};

// The classes whose numbers occur, by number, those without a name in the table included.
std::vector<LabelClass> classes_in(const std::vector<at::Tensor>& numbers, const LabelTable& table);

// Labelled voxels of each class.
std::vector<int64_t> class_counts(const std::vector<Item>& items, int64_t classes);

// Mean and standard deviation of each channel over the voxels of all items in `mask_of` (bool, [z, y, x] of each item);
// 1 for a deviation of 0.
net::InputScaling scaling_of(const std::vector<Item>& items, const std::function<at::Tensor(const Item&)>& mask_of);

// Whole items, drawn at random, are kept for validation: `share` of them, at least one. Errors: invalid for less than
// two.
Result<TrainingSet> split_by_item(std::vector<Item> items, double share, uint64_t seed);

// Every item is cut in two across its longest suitable axis, so that `share` of its labelled voxels are kept for
// validation; `gap` voxels between the two belong to neither, because neighbouring planes are nearly equal. Views of
// the same memory. Errors: invalid, `where` names the item: nothing would be left to train or to validate with.
Result<TrainingSet> split_by_block(const std::vector<Item>& items, double share, int64_t gap);

// What must hold before training: sizes that fit, finite voxels, indices below `classes`, at least two classes that are
// labelled in the training items. Errors: invalid, `where` names the item.
Result<void> check(const TrainingSet& set, int64_t channels);

}  // namespace tl::train
