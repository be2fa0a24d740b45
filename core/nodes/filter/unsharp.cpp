// core/nodes/filter/unsharp.cpp: sharpening by adding what a Gaussian takes away.
#include "core/nodes/filter/gaussian_node.h"

namespace tl {
namespace filter_unsharp_node {

struct Params : UnsharpParams {};

ops::Reach reach_of(const Params& p) { return smoothing_reach(p); }

void describe(NodeBuilder<Params>& n) {
  n.id("filter.unsharp", 1).title("Unsharp mask");
  n.summary("Sharpens a volume by adding what a Gaussian takes away.");
  n.description(
      "The result is v + amount (v - smoothed v). It regains detail that phase retrieval or a soft detector has "
      "blurred, "
      "and amplifies noise by up to 1 + amount. The mean of the volume stays.");
  describe_filter_node<Params, reach_of>(n);
  describe_unsharp(n);
}

}  // namespace filter_unsharp_node

TL_NODE(filter_unsharp)

}  // namespace tl
