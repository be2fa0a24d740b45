// core/nodes/filter/view_median.cpp: median filter of views.
#include "core/nodes/filter/median_node.h"

namespace tl::filter_view_median_node {

using Params = ForViews<MedianParams>;

void describe(NodeBuilder<Params>& n) {
  n.id("filter.view_median", 1).title("Median filter of views");
  n.remedy("zingers");
  n.summary("Median filter of every view: replaces each pixel by the median of the square around it.");
  n.description(
      "Removes fine noise and single wrong pixels in all views, at the cost of detail as fine as the square. Where "
      "only a few pixels are wrong, zinger removal leaves the others as they are. Borders are mirrored; NaN counts as "
      "the largest value, so single NaN pixels vanish.");
  describe_view_filter(n);
  describe_median(n);
}

}  // namespace tl::filter_view_median_node

TL_NODE(filter_view_median)
