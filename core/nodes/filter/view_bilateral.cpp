// core/nodes/filter/view_bilateral.cpp: bilateral filter of views: smoothing that stops at edges.
#include "core/nodes/filter/bilateral_node.h"

namespace tl::filter_view_bilateral_node {

using Params = ForViews<BilateralParams>;

void describe(NodeBuilder<Params>& n) {
  n.id("filter.view_bilateral", 1).title("Bilateral filter of views");
  n.summary("Bilateral filter: smooths every view and keeps edges.");
  n.description(
      "Averages neighbouring pixels with weights that fall with the distance and with the difference in value, so that "
      "noise is smoothed and edges stay. Use it on absorption, where noise is about the same everywhere. If the "
      "contrast is not given, 2.5 times the noise of the middle view is used.");
  describe_view_filter(n);
  describe_bilateral(n, "view");
}

}  // namespace tl::filter_view_bilateral_node

TL_NODE(filter_view_bilateral)
