// core/nodes/filter/view_unsharp.cpp: unsharp masking of views: adds the details that a Gaussian removes.
#include "core/nodes/filter/gaussian_node.h"

namespace tl::filter_view_unsharp_node {

using Params = ForViews<UnsharpParams>;

void describe(NodeBuilder<Params>& n) {
  n.id("filter.view_unsharp", 1).title("Unsharp mask of views");
  n.summary("Unsharp mask of every view: sharpens by adding its difference from the Gaussian-smoothed view.");
  n.description(
      "The result is p + amount (p - smoothed p). Use it after phase retrieval to recover detail that the filter has "
      "blurred; it amplifies noise by up to 1 + amount. The mean of a view is kept.");
  describe_view_filter(n);
  describe_unsharp(n);
}

}  // namespace tl::filter_view_unsharp_node

TL_NODE(filter_view_unsharp)
