// core/nodes/filter/non_local_means.cpp: non-local means of a volume: averages of voxels in similar surroundings.
#include "core/nodes/filter/non_local_means_node.h"

namespace tl::filter_non_local_means_node {

using Params = NonLocalMeansParams;

void describe(NodeBuilder<Params>& n) {
  n.id("filter.non_local_means", 1).title("Non-local means");
  n.summary("Non-local means: averages every voxel with nearby ones in similar surroundings.");
  n.description(
      "Removes noise and keeps repeated fine structures, which other filters blur. The time grows with the number of "
      "voxels searched: in three dimensions choose a search of 2 or 3. If the noise is not given, the noise of the "
      "middle slice is used.");
  describe_filter_node(n);
  describe_non_local_means(n, "slice");
}

}  // namespace tl::filter_non_local_means_node

TL_NODE(filter_non_local_means)
