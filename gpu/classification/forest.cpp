// Checks forests, and finds bins of values.
#include "gpu/classification/forest.h"

#include <algorithm>
#include <cmath>

namespace tl::ops {

Result<void> Forest::validate(const std::string& where) const {
  const auto wrong = [&](const char* what) { return invalid(std::string("the forest is damaged: ") + what, where); };
  if (features < 1 || features > max_features || classes < 1 || classes > max_classes || roots.empty() ||
      trees() > max_trees)
    return wrong("sizes out of range");
  const auto count = static_cast<int64_t>(nodes.size());
  const auto rows = static_cast<int64_t>(leaves.size()) / classes;
  if (static_cast<int64_t>(edges.size()) != features * edges_per_feature || leaf.size() != nodes.size() ||
      rows * classes != static_cast<int64_t>(leaves.size()))
    return wrong("its arrays do not fit each other");
  for (int64_t f = 0; f < features; ++f) {
    const float* e = edges.data() + f * edges_per_feature;
    for (int64_t i = 0; i < edges_per_feature; ++i)
      if (std::isnan(e[i]) || (i > 0 && e[i] < e[i - 1])) return wrong("split values are not ascending");
  }
  for (std::size_t t = 0; t < roots.size(); ++t) {
    const int64_t end = t + 1 < roots.size() ? roots[t + 1] : count;
    if (roots[t] < 0 || roots[t] >= end || end > count || (t == 0 && roots[t] != 0)) return wrong("a tree is empty");
    for (int64_t i = roots[t]; i < end; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const ForestNode& n = nodes[at];
      // The next index is always higher, so that a walk ends.
      const bool is_leaf = n.next == i;
      if (is_leaf ? n.bin != edges_per_feature || leaf[at] < 0 || leaf[at] >= rows
                  : n.next <= i || n.next + int64_t{1} >= end || n.bin >= edges_per_feature)
        return wrong("a step leads out of its tree");
      if (n.feature >= features) return wrong("a split by a feature that is not there");
    }
  }
  const auto share = [](float v) { return v >= 0 && v <= 1; };
  if (!std::all_of(leaves.begin(), leaves.end(), share)) return wrong("a class probability is not in the range 0 to 1");
  return ok();
}

int64_t bin_of(const float* edges, float value) {
  if (std::isnan(value)) return edges_per_feature;
  return std::lower_bound(edges, edges + edges_per_feature, value) - edges;
}

}  // namespace tl::ops
