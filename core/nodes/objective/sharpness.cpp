// core/nodes/objective/sharpness.cpp: objective: sharpness of a region of an image.
#include <ATen/ATen.h>

#include "core/nodes/objective/objective_node.h"
#include "gpu/objective/image.h"

namespace tl::objective_sharpness_node {

using Maybe = std::optional<int64_t>;

struct Params {
  ops::SharpnessMeasure measure = ops::SharpnessMeasure::gradient;
  int64_t first_x = 0, first_y = 0, first_z = 0;
  Maybe last_x, last_y, last_z;
};

// The voxels first ... last of an axis with n of them.
Result<Range> part(int64_t first, const Maybe& last, int64_t n, const char* name) {
  const Range range{first, last.value_or(n - 1) + 1};
  if (range.begin >= range.end || range.end > n)
    return invalid("the region contains no voxel of the " + std::to_string(n) + " along this axis", name,
                   "Voxels count from 0; the last one is included");
  return range;
}

Result<std::array<Range, 3>> box(const Params& p, const VolumeGrid& grid) {
  std::array<Range, 3> out;
  TL_TRY(out[0], part(p.first_z, p.last_z, grid.nz, p.last_z ? "last_z" : "first_z"));
  TL_TRY(out[1], part(p.first_y, p.last_y, grid.ny, p.last_y ? "last_y" : "first_y"));
  TL_TRY(out[2], part(p.first_x, p.last_x, grid.nx, p.last_x ? "last_x" : "first_x"));
  return out;
}

const VolumeGrid& grid_of(const Infos& in) { return volume_of(in).grid; }

Result<void> check(const Params& p, const Infos& in) {
  TL_TRY([[maybe_unused]] const auto region, box(p, grid_of(in)));
  return ok();
}

Result<Regions> needs(const Params& p, const Infos& in, const Region&) {
  TL_TRY(const auto region, box(p, grid_of(in)));
  return Regions{{"volume", grid_of(in).sub(region[0], region[1], region[2])}};
}

Result<void> run(const Params& p, NodeRun& r) {
  return put_loss(r, -ops::sharpness(r.in<Volume>("volume").data, p.measure));
}

void describe(NodeBuilder<Params>& n) {
  n.id("objective.sharpness", 1).title("Sharpness of a region").partition(Partition::whole).on_gpu();
  n.summary("Scores the sharpness (autofocus measure) of a region of an image, whatever the scale of its grey values.");
  n.description(
      "Minus the sharpness of a box of voxels; only these are computed. Choose a region with fine detail and little "
      "else, so that artefacts elsewhere hardly affect the score. For a rotation axis it needs a full turn (half a "
      "turn of a parallel beam has nearly the same sharpness about every axis) and views on finer columns.");
  n.cite(
      "F. C. A. Groen, I. T. Young, G. Ligthart, A comparison of different focus functions for use in autofocus "
      "algorithms, Cytometry 6 (1985) 81");
  n.synonyms({"objective", "loss", "autofocus", "region of interest", "ROI", "Tenengrad", "Laplacian"});
  n.input<Volume>("volume", "Any volume.");
  describe_loss(n, "Minus the sharpness; smaller is better.");
  n.param("measure", "Measure", &Params::measure,
          {{ops::SharpnessMeasure::gradient, "gradient", "Differences"},
           {ops::SharpnessMeasure::laplacian, "laplacian", "Second differences"},
           {ops::SharpnessMeasure::variance, "variance", "Contrast"}})
      .help(
          "Squared differences of neighbours over the variance, the same with second differences (finer detail, more "
          "noise), or the variance over the squared mean.");
  const auto axis = [&n](const char* name, int64_t Params::*first, Maybe Params::*last) {
    const std::string letter(name);
    n.param("first_" + letter, "First " + letter, first)
        .at_least(0)
        .help("First voxel of the region along " + letter + ".");
    n.param("last_" + letter, "Last " + letter, last)
        .at_least(0)
        .automatic("the last one of the volume")
        .help("Last voxel of the region along " + letter + ", included.");
  };
  axis("x", &Params::first_x, &Params::last_x);
  axis("y", &Params::first_y, &Params::last_y);
  axis("z", &Params::first_z, &Params::last_z);
  n.check(check).needs(needs).run(run);
}

}  // namespace tl::objective_sharpness_node

TL_NODE(objective_sharpness)
