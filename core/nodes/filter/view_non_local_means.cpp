// core/nodes/filter/view_non_local_means.cpp: non-local means of views: averages of pixels in similar surroundings.
#include "core/nodes/filter/non_local_means_node.h"

namespace tl::filter_view_non_local_means_node {

using Params = ForViews<NonLocalMeansParams>;

void describe(NodeBuilder<Params>& n) {
  n.id("filter.view_non_local_means", 1).title("Non-local means of views");
  n.summary("Non-local means of every view: averages each pixel with nearby ones in similar surroundings.");
  n.description(
      "Removes noise and keeps repeated fine structures, which other filters blur. Use it on absorption, where noise "
      "is about the same everywhere. The time grows with the number of pixels searched. If the noise is not given, the "
      "noise of the middle view is used.");
  describe_view_filter(n);
  describe_non_local_means(n, "view");
}

}  // namespace tl::filter_view_non_local_means_node

TL_NODE(filter_view_non_local_means)
