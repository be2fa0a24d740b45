// core/nodes/filter/unsharp.cpp: unsharp masking of a volume: adds the details that a Gaussian removes.
#include "core/nodes/filter/gaussian_node.h"

namespace tl::filter_unsharp_node {

using Params = UnsharpParams;

void describe(NodeBuilder<Params>& n) {
  n.id("filter.unsharp", 1).title("Unsharp mask");
  n.summary("Unsharp mask: sharpens a volume by adding its difference from the Gaussian-smoothed volume.");
  n.description(
      "The result is v + amount (v - smoothed v). Use it to recover detail that phase retrieval or the detector has "
      "blurred; it amplifies noise by up to 1 + amount. The mean of the volume is kept.");
  describe_filter_node(n);
  describe_unsharp(n);
}

}  // namespace tl::filter_unsharp_node

TL_NODE(filter_unsharp)
