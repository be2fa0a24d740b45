// core/nodes/filter/median.cpp: median filter of a volume.
#include "core/nodes/filter/median_node.h"

namespace tl::filter_median_node {

using Params = MedianParams;

void describe(NodeBuilder<Params>& n) {
  n.id("filter.median", 1).title("Median filter");
  n.summary("Median filter: replaces every voxel by the median of the box around it.");
  n.description(
      "Removes single wrong voxels and fine noise and keeps edges. Exact for any size: 3 x 3 x 3 takes seconds for a "
      "large volume, larger boxes take longer with the number of their voxels. Borders are mirrored; NaN counts as the "
      "largest value, so single NaN voxels vanish.");
  describe_filter_node(n);
  describe_median(n);
}

}  // namespace tl::filter_median_node

TL_NODE(filter_median)
