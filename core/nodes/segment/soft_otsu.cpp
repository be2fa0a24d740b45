// core/nodes/segment/soft_otsu.cpp: soft classes by Otsu's thresholds, which gradients can pass.
#include "gpu/segmentation/thresholds/soft_otsu.h"

#include <ATen/ATen.h>

#include "core/base/grid_box.h"
#include "core/nodes/segment/segment_node.h"
#include "core/values/interpolated.h"

namespace tl::segment_soft_otsu_node {

struct Params {
  int64_t classes = 2;
  double sharpness = 20;
  std::optional<int64_t> share_of;
};

Result<void> check(const Params& p, const Infos&) {
  if (p.share_of && *p.share_of >= p.classes)
    return invalid("there is no class " + std::to_string(*p.share_of), "share_of",
                   "Classes are numbered from 0, the darkest, to " + std::to_string(p.classes - 1));
  return ok();
}

Result<Infos> infos(const Params&, const Infos& in, const Findings*) {
  VolumeInfo out = volume_of(in);
  out.unit = Unit::none;
  return Infos{{"volume", out}};
}

// Thresholds are determined from the whole volume.
Result<Regions> needs(const Params&, const Infos& in, const Region&) {
  return Regions{{"volume", full_region(in.at("volume"))}};
}

// The levels of the histogram; the soft steps and their derivatives with respect to the thresholds.
int64_t workspace(const Params& p, const Infos& in, const Region&, int64_t element_size) {
  return (6 + 4 * (p.classes - 1)) * volume_of(in).grid.count() * element_size + (int64_t{8} << 20);
}

at::Tensor values_on(const at::Tensor& whole, const VolumeGrid& grid, const VolumeGrid& wanted) {
  if (const auto box = box_in(grid, wanted))
    return whole.narrow(0, box->z.begin, box->z.size())
        .narrow(1, box->y.begin, box->y.size())
        .narrow(2, box->x.begin, box->x.size());
  return interpolated(whole, grid, wanted);
}

Result<void> run(const Params& p, NodeRun& r) {
  const auto& in = r.in<Volume>("volume");
  ops::SoftOtsuSpec spec{.classes = p.classes, .sharpness = p.sharpness, .cancel = r.cancel()};
  TL_TRY(const ops::SoftOtsu found, ops::soft_otsu(in.data, spec));
  const auto& wanted = std::get<VolumeGrid>(r.region);
  const at::Tensor values = values_on(in.data, in.grid, wanted).contiguous();
  if (!(found.maximum > found.minimum)) {
    r.message(LogLevel::warning, "all values are equal: no threshold separates them");
    return r.done("volume", Volume{at::zeros_like(values), wanted, Unit::none});
  }
  const at::Tensor least = in.data.amin();
  const auto above = [&](int64_t threshold) {
    return ops::soft_step(values, least, found.thresholds[threshold], p.sharpness);
  };
  at::Tensor out;
  if (!p.share_of) {
    out = above(0);
    for (int64_t k = 1; k + 1 < p.classes; ++k) out = out + above(k);
  } else {
    const int64_t c = *p.share_of;
    out = c == 0 ? 1 - above(0) : c + 1 == p.classes ? above(c - 1) : above(c - 1) - above(c);
  }
  for (int64_t k = 0; k + 1 < p.classes; ++k) r.metric("threshold", k, found.thresholds[k].detach().item<double>());
  return r.done("volume", Volume{out.contiguous(), wanted, Unit::none});
}

void describe(NodeBuilder<Params>& n) {
  n.id("segment.soft_otsu", 1).title("Soft Otsu").category("Segmentation").partition(Partition::custom).on_gpu();
  n.summary("Soft masks by Otsu's thresholds, found in the volume of each run, with gradients that pass through both.");
  n.description(
      "Computes a step 0.5 (1 + tanh(sharpness (v / t - 1))) for each threshold t, with values v and t counted from "
      "the smallest value; two classes give a mask from 0 to 1, more classes the sum of the steps: the number of the "
      "class, counted from 0, the darkest. Otsu's thresholds lie midway between the means of the adjacent classes, 2 t "
      "= m0(t) + m1(t); that equation is solved on the whole volume whenever it changes, and its derivative by the "
      "values is part of the gradient. So an objective after it can learn parameters that change the image: for "
      "example, the projection of a mask is a thickness.");
  n.cite(
      "N. Otsu, A threshold selection method from gray-level histograms, IEEE Trans. Syst. Man Cybern. 9, 62 (1979)");
  n.cite("R. Schoonhoven, On the optimization of imaging pipelines, thesis, Leiden University (2024), eq. 3.5");
  n.synonyms({"Otsu", "soft threshold", "tanh", "mask", "segmentation", "differentiable", "multi-Otsu", "binarise"});
  n.input<Volume>("volume", "Any volume; all of it is needed, and all its values must be finite.");
  n.output<Volume>("volume", "The mask, or the number of the class, with soft steps between; no unit.");
  n.param("classes", "Classes", &Params::classes)
      .range(2, static_cast<double>(ops::max_soft_classes))
      .help("Number of classes; one more than there are thresholds.");
  n.param("sharpness", "Sharpness", &Params::sharpness)
      .range(0.1, 1e6)
      .help(
          "Steepness of the steps: three quarters of a step lie within (threshold - least value) / steepness. "
          "The steeper, the closer to a mask, and the fewer voxels have a gradient.");
  n.advanced_param("share_of", "Share of class", &Params::share_of)
      .range(0, static_cast<double>(ops::max_soft_classes - 1))
      .automatic("the sum of the steps")
      .help("Gives the soft mask of this class alone; the masks of all classes add up to 1.");
  n.check(check).infos(infos).needs(needs).workspace(workspace).run(run);
}

}  // namespace tl::segment_soft_otsu_node

TL_NODE(segment_soft_otsu)
