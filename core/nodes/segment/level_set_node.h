// Shared by the nodes that evolve a border step by step: its start, its number of steps, its smoothness.
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

// P derives from LevelSetParams; `without`: the initial border if no labels are given.
template <class P>
void declare_level_set(NodeBuilder<P>& n, const std::string& without, const std::string& labels) {
  n.category("Segmentation").partition(Partition::custom);
  n.not_differentiable("labels are integers");
  n.cite(
      "P. Marquez-Neila, L. Baumela, L. Alvarez, A morphological approach to curvature-based evolution of curves and "
      "surfaces, IEEE Trans. Pattern Anal. Mach. Intell. 36, 2 (2014)");
  n.template input<Volume>("volume", "Any volume without NaN.");
  n.template input<Labels>("start", "Initial border: around all numbers but 0; if not linked: " + without + ".", false);
  n.template output<Labels>("labels", labels);
  n.param("steps", "Steps", &P::steps).range(0, 100000).help("Number of steps of the border.");
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
