// core/nodes/filter/view_unsharp.cpp: sharpening of views by adding what a Gaussian takes away.
#include "core/nodes/filter/gaussian_node.h"

namespace tl {
namespace filter_view_unsharp_node {

struct Params : UnsharpParams {
  Params() { span = FilterSpan::slices; }
};

ops::Reach reach_of(const Params& p) { return smoothing_reach(p); }

void describe(NodeBuilder<Params>& n) {
  n.id("filter.view_unsharp", 1).title("Unsharp mask of views");
  n.summary("Sharpens every view by adding what a Gaussian takes away.");
  n.description(
      "The result is p + amount (p - smoothed p): after phase retrieval it regains detail that the filter has blurred, "
      "and amplifies noise by up to 1 + amount. The mean of a view stays.");
  describe_view_filter<Params, reach_of>(n);
  describe_unsharp(n);
}

}  // namespace filter_view_unsharp_node

TL_NODE(filter_view_unsharp)

}  // namespace tl
