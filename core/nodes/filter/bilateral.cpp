// core/nodes/filter/bilateral.cpp: bilateral filter of a volume: smoothing that stops at edges.
#include "core/nodes/filter/bilateral_node.h"

namespace tl::filter_bilateral_node {

using Params = BilateralParams;

void describe(NodeBuilder<Params>& n) {
  n.id("filter.bilateral", 1).title("Bilateral filter");
  n.summary("Bilateral filter: smooths a volume and keeps its edges.");
  n.description(
      "Averages neighbours with weights that fall with the distance and with the difference in value, so that noise is "
      "smoothed and edges stay. Neighbours up to twice the width are used. Without a given contrast it is 2.5 times "
      "the noise of the middle slice.");
  describe_filter_node(n);
  describe_bilateral(n, "slice");
}

}  // namespace tl::filter_bilateral_node

TL_NODE(filter_bilateral)
