// core/nodes/filter/gaussian.cpp: Gaussian smoothing of a volume.
#include "core/nodes/filter/gaussian_node.h"

namespace tl::filter_gaussian_node {

using Params = GaussianParams;

void describe(NodeBuilder<Params>& n) {
  n.id("filter.gaussian", 1).title("Gaussian filter");
  n.summary("Gaussian filter: smooths a volume.");
  n.description(
      "Averages neighbours with Gaussian weights, up to four standard deviations. Borders are mirrored, so the sum of "
      "the volume is kept and the filter is its own transpose.");
  describe_filter_node(n);
  describe_gaussian(n);
}

}  // namespace tl::filter_gaussian_node

TL_NODE(filter_gaussian)
