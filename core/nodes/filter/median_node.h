// Shared by the median filters of volumes and of views.
#pragma once

#include "core/nodes/filter/filter_node.h"
#include "gpu/image/median_filter.h"

namespace tl {

struct MedianParams {
  FilterSpan span = FilterSpan::volume;
  int64_t size = 3;
};

inline ops::Reach reach_of(const MedianParams& p) { return filter_reach(p.span, p.size / 2); }

// P derives from MedianParams.
template <class P>
void describe_median(NodeBuilder<P>& n) {
  n.on_gpu();
  n.cite("A. W. Paeth, Median finding on a 3x3 grid, Graphics Gems, Academic Press (1990)");
  n.synonyms({"despeckle", "denoise", "smooth", "salt and pepper", "outliers"});
  n.param("size", "Size", &P::size)
      .range(1, 31, Unit::px)
      .help("Edge of the window; an even number counts as the next odd one.");
  n.run([](const P& p, NodeRun& r) {
    return run_filter(reach_of(p), r, [&](const at::Tensor& t) {
      ops::MedianSpec spec;
      spec.reach = reach_of(p);
      spec.cancel = r.cancel();
      return ops::median_filter(t, spec);
    });
  });
}

}  // namespace tl
