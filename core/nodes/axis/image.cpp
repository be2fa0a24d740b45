// core/nodes/axis/image.cpp: rotation axis by the quality of reconstructed slices.
#include "gpu/axis/image.h"

#include "core/nodes/axis/axis_node.h"

namespace tl::axis_image_node {

struct Params : AxisNodeParams {
  Params() { rows = 1; }
  ops::ImageScore score = ops::ImageScore::entropy;
  int64_t upsampling = 2;
};

Result<Findings> measure(const Params& p, NodeRun& r) {
  ops::ImageScoreParams s{.search = axis_search(p, r), .score = p.score, .upsampling = p.upsampling};
  return measure_axis(p, r, [&](const at::Tensor& rows) { return ops::axis_image(rows, gantry_angles(r), s); });
}

void describe(NodeBuilder<Params>& n) {
  n.id("axis.image", 1).title("Axis by image quality");
  n.remedy("axis");
  n.summary(
      "Finds the rotation axis (centre of rotation) whose slice has the least entropy or the fewest negative values.");
  n.description(
      "Reconstructs slices about candidate axes and scores the image: a wrong axis opens edges into crescents. Slower "
      "than the other methods, but independent of their assumptions: it needs no empty margin and tolerates noise. A "
      "full turn counts as two half turns. The uncertainty comes from two halves of the views.");
  n.cite("T. Donath, F. Beckmann, A. Schreyer, J. Opt. Soc. Am. A 23 (2006) 1048");
  n.synonyms({"centre of rotation", "COR", "find center", "alignment", "entropy", "negativity", "sharpness",
              "center of rotation"});
  describe_axis_node(n, "entropy or share of negative values, relative");
  n.param("score", "Score", &Params::score,
          {{ops::ImageScore::entropy, "entropy", "Entropy"},
           {ops::ImageScore::negativity, "negativity", "Negative values"}})
      .help("Entropy of the grey values, or the share of negative values, which attenuation cannot have.");
  n.advanced_param("upsampling", "Upsampling", &Params::upsampling)
      .range(1, 8)
      .help("Upsampling factor of the detector columns, so that interpolation favours no position.");
  declare_finder(n, measure);
}

}  // namespace tl::axis_image_node

TL_NODE(axis_image)
