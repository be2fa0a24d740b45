// Random forest: decides among classes by the mean of many trees, each grown from other samples and features.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "core/base/cancel.h"
#include "core/base/error.h"

namespace tl::ops {

// Whether all samples have equal weight, or all classes, however many samples they have.
enum class SampleWeights { equal, balanced };

struct ForestSpec {
  int64_t trees = 100;
  int64_t tried = 0;        // number of random features tried per split; 0: square root of their number
  int64_t min_in_leaf = 1;  // samples
  uint64_t seed = 1;
  SampleWeights weights = SampleWeights::balanced;
  CancelToken cancel;  // checked before each tree
};

inline constexpr int64_t max_bins = 256, max_features = 1024, max_classes = 1024, max_trees = 10000;
inline constexpr int64_t edges_per_feature = max_bins - 1;

// A sample whose value of `feature` is in bin `bin` or a lower one goes to node `next`, others to `next` + 1. A leaf's
// `next` is its own index.
struct ForestNode {
  uint16_t feature = 0, bin = edges_per_feature;
  int32_t next = 0;
};

// A forest as plain arrays, the form stored in a model file.
struct Forest {
  int64_t features = 0, classes = 0;
  std::vector<float> edges;       // [feature][edges_per_feature], ascending: bin b holds values up to edge b
  std::vector<ForestNode> nodes;  // sorted by tree; nodes after a split have higher indices
  std::vector<int32_t> leaf;      // by node: its row in `leaves`, or -1
  std::vector<int32_t> roots;     // by tree
  std::vector<float> leaves;      // [leaf][class]: shares of the classes among the samples

  [[nodiscard]] int64_t trees() const { return static_cast<int64_t>(roots.size()); }
  // Errors: invalid unless every walk ends in a leaf whose shares are numbers from 0 to 1 and the sizes fit each other;
  // `where` names the source of the forest.
  [[nodiscard]] Result<void> validate(const std::string& where) const;
};

// Grows a forest from samples: features [feature, sample] (float32) and their classes [sample] (int32, below
// `classes`). Each tree uses as many samples as there are, drawn with repetition, and splits until nodes are pure by
// the largest decrease of Gini impurity; split values are 255 quantiles of each feature. L. Breiman, Machine Learning
// 45, 5 (2001). The forest depends only on the seed, not on the number of threads. Errors: invalid for shapes, types,
// values that are not finite, numbers of classes, fewer than two classes that have samples, a spec out of range.
Result<Forest> grow_forest(const at::Tensor& features, const at::Tensor& classes, int64_t class_count,
                           const ForestSpec& spec);

// The mean of the trees' shares: [class, ...] (float32) for features [feature, ...] (float32). A feature that is NaN
// counts as larger than any number. Bit-identical for any number of threads. Errors: invalid for another number of
// features, types.
Result<at::Tensor> forest_probabilities(const Forest& forest, const at::Tensor& features,
                                        const CancelToken& cancel = {});

// The bin of a value among ascending edges: the number of edges below it. NaN: edges_per_feature.
int64_t bin_of(const float* edges, float value);

}  // namespace tl::ops
