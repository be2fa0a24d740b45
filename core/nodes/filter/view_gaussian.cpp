// core/nodes/filter/view_gaussian.cpp: Gaussian smoothing of views.
#include "core/nodes/filter/gaussian_node.h"

namespace tl::filter_view_gaussian_node {

using Params = ForViews<GaussianParams>;

void describe(NodeBuilder<Params>& n) {
  n.id("filter.view_gaussian", 1).title("Gaussian filter of views");
  n.summary("Gaussian filter: smooths every view.");
  n.description(
      "Averages neighbouring pixels with Gaussian weights, up to four standard deviations. Borders are mirrored, so "
      "the sum of a view is kept and the filter is its own transpose. A lower cutoff of the reconstruction also "
      "smooths, but within slices only.");
  describe_view_filter(n);
  describe_gaussian(n);
}

}  // namespace tl::filter_view_gaussian_node

TL_NODE(filter_view_gaussian)
