// Counts labelled voxels, and cuts volumes so that both parts have enough of them.
#include "core/train/training_set.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "core/train/sampling.h"

namespace tl::train {
namespace {

// Labelled voxels [axis][class][index along the axis].
using Profiles = std::array<std::vector<std::vector<int64_t>>, 3>;

Profiles profiles_of(const at::Tensor& labels, int64_t classes) {
  Profiles profiles;
  for (std::size_t axis = 0; axis < 3; ++axis)
    profiles[axis].assign(static_cast<std::size_t>(classes),
                          std::vector<int64_t>(static_cast<std::size_t>(labels.size(static_cast<int64_t>(axis))), 0));
  const at::Tensor dense = labels.contiguous();
  const auto* voxel = dense.const_data_ptr<int32_t>();
  for (int64_t z = 0; z < labels.size(0); ++z)
    for (int64_t y = 0; y < labels.size(1); ++y)
      for (int64_t x = 0; x < labels.size(2); ++x, ++voxel)
        if (*voxel >= 0) {
          const auto c = static_cast<std::size_t>(*voxel);
          ++profiles[0][c][static_cast<std::size_t>(z)];
          ++profiles[1][c][static_cast<std::size_t>(y)];
          ++profiles[2][c][static_cast<std::size_t>(x)];
        }
  return profiles;
}

// Training is [0, training_end) along the axis; validation begins `gap` after it.
struct BlockCut {
  int64_t axis = 0, training_end = 0;
  double quality = -std::numeric_limits<double>::infinity();
};

// The number of classes in both parts counts most, then the number of kept voxels, then the requested share.
void improve(BlockCut& best, const Profiles& profiles, int64_t axis, double share, int64_t gap) {
  const auto& profile = profiles[static_cast<std::size_t>(axis)];
  const auto length = static_cast<int64_t>(profile[0].size());
  std::vector<int64_t> all(profile.size()), before(profile.size(), 0), between(profile.size(), 0);
  for (std::size_t c = 0; c < profile.size(); ++c)
    all[c] = std::accumulate(profile[c].begin(), profile[c].end(), int64_t{0});
  const auto sum = [](const std::vector<int64_t>& n) { return std::accumulate(n.begin(), n.end(), int64_t{0}); };
  const auto total = static_cast<double>(sum(all));
  for (std::size_t c = 0; c < profile.size(); ++c)
    for (int64_t i = 0; i < std::min(gap, length); ++i) between[c] += profile[c][static_cast<std::size_t>(i)];
  for (int64_t end = 1; end + gap < length; ++end) {
    int64_t both = 0, training = 0, validation = 0;
    for (std::size_t c = 0; c < profile.size(); ++c) {
      before[c] += profile[c][static_cast<std::size_t>(end - 1)];
      if (gap > 0)
        between[c] +=
            profile[c][static_cast<std::size_t>(end + gap - 1)] - profile[c][static_cast<std::size_t>(end - 1)];
      const int64_t behind = all[c] - before[c] - between[c];
      both += before[c] > 0 && behind > 0 ? 1 : 0;
      training += before[c];
      validation += behind;
    }
    if (training == 0 || validation == 0) continue;
    const auto kept = static_cast<double>(training + validation);
    const double quality =
        static_cast<double>(both) + kept / total - 2 * std::abs(static_cast<double>(validation) / kept - share);
    if (quality > best.quality) best = {axis, end, quality};
  }
}

// The item with labels only in [begin, end) along an axis.
Item with_labels_in(const Item& item, int64_t axis, int64_t begin, int64_t end, const char* part) {
  Item block{item.name + " (" + part + ")", item.volume, at::full_like(item.labels, unlabelled)};
  block.labels.narrow(axis, begin, end - begin).copy_(item.labels.narrow(axis, begin, end - begin));
  return block;
}

std::string text_of_sizes(const at::Tensor& t) {
  std::string text;
  for (const int64_t n : t.sizes()) text += (text.empty() ? "" : " x ") + std::to_string(n);
  return text;
}

Result<void> check_item(const Item& item, int64_t classes, int64_t channels) {
  if (!item.volume.defined() || item.volume.dim() != 4 || item.volume.scalar_type() != at::kFloat ||
      item.volume.numel() == 0)
    return invalid("there is no volume of float32 [channel, z, y, x]", item.name);
  if (item.volume.size(0) != channels)
    return invalid("the volume has " + std::to_string(item.volume.size(0)) + " channels, the network takes " +
                       std::to_string(channels),
                   item.name, "Make the network with inputs=" + std::to_string(item.volume.size(0)));
  if (!item.labels.defined() || item.labels.scalar_type() != at::kInt ||
      !item.labels.sizes().equals(item.volume.sizes().slice(1)))
    return invalid("the labels are " + (item.labels.defined() ? text_of_sizes(item.labels) : "missing") +
                       ", the volume is " + text_of_sizes(item.volume[0]),
                   item.name, "Give labels on the voxels of their volume");
  if (item.labels.max().item<int32_t>() >= classes)
    return invalid("a label has the index " + std::to_string(item.labels.max().item<int32_t>()) + ", but there are " +
                       std::to_string(classes) + " classes",
                   item.name);
  if (!at::isfinite(item.volume).all().item<bool>())
    return invalid("the volume has voxels that are not finite (NaN or infinite)", item.name,
                   "Replace them first, or crop the volume");
  return ok();
}

}  // namespace

std::vector<LabelClass> classes_in(const std::vector<at::Tensor>& numbers, const LabelTable& table) {
  std::set<int64_t> occur;
  for (const at::Tensor& n : numbers) {
    const at::Tensor dense = n.to(at::kInt).contiguous();
    const auto* voxel = dense.const_data_ptr<int32_t>();
    int64_t last = -1;
    for (int64_t i = 0; i < dense.numel(); ++i)
      if (voxel[i] != last || i == 0) occur.insert(last = voxel[i]);
  }
  if (table.not_labelled) occur.erase(*table.not_labelled);
  std::vector<LabelClass> classes;
  for (const int64_t number : occur) {
    const auto found = std::find_if(table.classes.begin(), table.classes.end(),
                                    [&](const LabelClass& c) { return c.number == number; });
    classes.push_back(found != table.classes.end() ? *found : LabelClass{number, {}, {}});
  }
  return classes;
}

std::vector<int64_t> class_counts(const std::vector<Item>& items, int64_t classes) {
  std::vector<int64_t> counts(static_cast<std::size_t>(classes), 0);
  for (const Item& item : items) {
    const at::Tensor dense = item.labels.contiguous();
    const auto* voxel = dense.const_data_ptr<int32_t>();
    for (int64_t i = 0; i < dense.numel(); ++i)
      if (voxel[i] >= 0) ++counts[static_cast<std::size_t>(voxel[i])];
  }
  return counts;
}

net::InputScaling scaling_of(const std::vector<Item>& items, const std::function<at::Tensor(const Item&)>& mask_of) {
  const auto channels = static_cast<std::size_t>(items.empty() ? 0 : items[0].volume.size(0));
  std::vector<double> sums(channels, 0), squares(channels, 0);
  double count = 0;
  for (const Item& item : items) {
    const at::Tensor mask = mask_of(item);
    for (int64_t z = 0; z < mask.size(0); ++z) {
      const at::Tensor in_slice = mask[z];
      const auto n = in_slice.sum().item<int64_t>();
      if (n == 0) continue;
      count += static_cast<double>(n);
      for (std::size_t c = 0; c < channels; ++c) {
        at::Tensor slice = item.volume[static_cast<int64_t>(c)][z].to(at::kDouble);
        if (n < in_slice.numel()) slice = slice.masked_select(in_slice);
        sums[c] += slice.sum().item<double>();
        squares[c] += slice.square().sum().item<double>();
      }
    }
  }
  net::InputScaling scaling;
  for (std::size_t c = 0; c < channels; ++c) {
    const double mean = sums[c] / count, variance = squares[c] / count - mean * mean;
    scaling.mean.push_back(mean);
    scaling.deviation.push_back(variance > 0 ? std::sqrt(variance) : 1);
  }
  return scaling;
}

Result<TrainingSet> split_by_item(std::vector<Item> items, double share, uint64_t seed) {
  if (items.size() < 2)
    return invalid("there is nothing to validate with: only " + std::to_string(items.size()) + " volume",
                   items.empty() ? "" : items[0].name, "Give another volume, or split it by blocks");
  Draws draws(seed, 0x73706c74);
  for (std::size_t i = items.size() - 1; i > 0; --i)
    std::swap(items[i], items[static_cast<std::size_t>(draws.below(static_cast<int64_t>(i) + 1))]);
  const auto count = static_cast<int64_t>(items.size());
  const int64_t kept = std::clamp<int64_t>(std::llround(share * static_cast<double>(count)), 1, count - 1);
  TrainingSet set;
  set.validation.assign(items.begin(), items.begin() + kept);
  set.training.assign(items.begin() + kept, items.end());
  return set;
}

Result<TrainingSet> split_by_block(const std::vector<Item>& items, double share, int64_t gap) {
  TrainingSet set;
  for (const Item& item : items) {
    const int64_t classes = item.labels.max().item<int32_t>() + int64_t{1};
    BlockCut best;
    if (classes > 0) {
      const Profiles profiles = profiles_of(item.labels, classes);
      for (int64_t axis = 0; axis < 3; ++axis) improve(best, profiles, axis, share, gap);
    }
    if (best.training_end == 0)
      return invalid("there is nothing to validate with: the labelled voxels are not in two blocks that are " +
                         std::to_string(gap) + " voxels apart",
                     item.name, "Label more voxels, give another volume, or set a smaller gap");
    const int64_t length = item.labels.size(best.axis);
    set.training.push_back(with_labels_in(item, best.axis, 0, best.training_end, "training block"));
    set.validation.push_back(with_labels_in(item, best.axis, best.training_end + gap, length, "validation block"));
  }
  return set;
}

Result<void> check(const TrainingSet& set, int64_t channels) {
  if (set.training.empty()) return invalid("there is nothing to train with", "items", "Give a volume and its labels");
  const auto classes = static_cast<int64_t>(set.classes.size());
  for (const auto* items : {&set.training, &set.validation})
    for (const Item& item : *items) TL_TRY(check_item(item, classes, channels));
  const std::vector<int64_t> counts = class_counts(set.training, classes);
  const auto labelled = std::count_if(counts.begin(), counts.end(), [](int64_t n) { return n > 0; });
  if (labelled < 2)
    return invalid(labelled == 0 ? "no voxel is labelled" : "only one class is labelled", set.training[0].name,
                   "Label voxels of at least two classes, the background being one");
  const std::vector<int64_t> validated = class_counts(set.validation, classes);
  if (!set.validation.empty() && std::all_of(validated.begin(), validated.end(), [](int64_t n) { return n == 0; }))
    return invalid("there is nothing to validate with: no voxel is labelled", set.validation[0].name,
                   "Give validation volumes with labels");
  return ok();
}

}  // namespace tl::train
