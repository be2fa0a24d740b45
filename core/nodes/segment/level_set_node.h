// What the nodes that move a border step by step share: where it begins, how often it moves, how smooth it is.
#pragma once

#include "core/nodes/segment/segment_node.h"

namespace tl {

struct LevelSetParams {
  int64_t steps = 100, smoothing = 1;
  std::string classes;
};

inline Result<Infos> level_set_infos(const LevelSetParams& p, const Infos& in) {
  return info_of_classes(volume_of(in).grid, p.classes);
}

// P derives from LevelSetParams; `without`: what the border is where no labels begin it.
template <class P>
void declare_level_set(NodeBuilder<P>& n, const std::string& without, const std::string& labels) {
  n.category("Segmentation").partition(Partition::custom);
  n.not_differentiable("labels are integers");
  n.cite(
      "P. Marquez-Neila, L. Baumela, L. Alvarez, A morphological approach to curvature-based evolution of curves and "
      "surfaces, IEEE Trans. Pattern Anal. Mach. Intell. 36, 2 (2014)");
  n.template input<Volume>("volume", "Any volume without NaN.");
  n.template input<Labels>("start", "Where the border begins: around all numbers but 0; without it: " + without + ".",
                           false);
  n.template output<Labels>("labels", labels);
  n.param("steps", "Steps", &P::steps).range(0, 100000).help("How often the border is moved.");
  n.param("smoothing", "Smoothing", &P::smoothing)
      .range(0, 100)
      .help("Steps of smoothing after each: 1 to 4 are usual.");
  n.infos([](const P& p, const Infos& in, const Findings*) {
     return level_set_infos(p, in);
   }).needs([](const P&, const Infos& in, const Region&) {
    return Result<Regions>(inputs_on(volume_of(in).grid, in));
  });
}

}  // namespace tl
