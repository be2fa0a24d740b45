// core/nodes/objective/reprojection.cpp: objective: how well a volume predicts views that it was not made of.
#include <ATen/ATen.h>

#include "core/nodes/filtered_views.h"
#include "core/nodes/objective/objective_node.h"
#include "gpu/objective/compare.h"
#include "gpu/operator/reduce.h"
#include "gpu/projection/projector/projector.h"

namespace tl::objective_reprojection_node {

struct Params {
  ops::ErrorScale scale = ops::ErrorScale::relative;
};

Result<void> check(const Params&, const Infos& in) { return require_line_integrals(scan_of(in)); }

Result<Regions> needs(const Params&, const Infos& in, const Region&) {
  return Regions{{"projections", full_region(in.at("projections"))}, {"volume", full_region(in.at("volume"))}};
}

int64_t workspace(const Params&, const Infos& in, const Region&, int64_t element_size) {
  return 3 * region_bytes(full_region(in.at("projections")), element_size);  // views, residual, its square
}

// By how much views would have to be moved, each pixel by itself, to differ from the predicted ones by as much as they
// do: a mean square [px^2]. A reconstruction that is not exact (few views, wide cones, parts outside) makes an error
// of about that size.
double displacement(const at::Tensor& predicted, const at::Tensor& measured) {
  const auto steps = [&](int64_t axis) {
    const at::Tensor x = predicted.detach();
    return x.size(axis) < 2 ? 0.0 : total_of_squares(x.diff(1, axis).contiguous()) / static_cast<double>(x.numel());
  };
  const double steepness = 0.5 * (steps(1) + steps(2));
  const at::Tensor off = (predicted - measured).detach();
  const double error = total_of_squares(off.contiguous()) / static_cast<double>(off.numel());
  return steepness > 0 ? error / steepness : 0;
}

Result<void> run(const Params& p, NodeRun& r) {
  const auto& views = r.in<Projections>("projections");
  const auto& volume = r.in<Volume>("volume");
  TL_TRY(OperatorPtr project, make_projector({views.geometry, volume.grid, r.cancel()}));
  const at::Tensor predicted = tl::apply(project, volume.data.contiguous(), views.vectors);
  if (r.wants(doubt_across) || r.wants(doubt_along)) {
    const double square = displacement(predicted, views.data);
    put_doubt(r, square, square);
  }
  return put_loss(r, ops::mean_squared_error(predicted, views.data, p.scale));
}

void describe(NodeBuilder<Params>& n) {
  n.id("objective.reprojection", 1).title("Reprojection error").partition(Partition::whole).on_gpu();
  n.summary("Scores a geometry and a reconstruction by the difference of projected and measured views.");
  n.description(
      "Projects a volume into views and compares them with the measured ones, in any geometry. Give it views that the "
      "volume was not made of ('Part of the views' splits a scan): then only the right geometry predicts them, and no "
      "reference is needed. Distances, offsets, tilts and shifts of every view can be learned with it. The volume must "
      "enclose the object.");
  n.cite(
      "D. Gursoy et al., Rapid alignment of nanotomography data using joint iterative reconstruction and reprojection, "
      "Scientific Reports 7 (2017) 11818");
  n.cite(
      "A. A. Hendriksen, D. M. Pelt, K. J. Batenburg, Noise2Inverse: self-supervised deep convolutional denoising for "
      "tomography, IEEE Trans. Comput. Imaging 6 (2020) 1320");
  n.synonyms(
      {"objective", "loss", "self-supervised", "held-out views", "calibration", "alignment", "jitter", "reprojection"});
  n.input<Projections>("projections", "Absorption, measured: views that the volume was not made of.");
  n.input<Volume>("volume", "Attenuation, reconstructed from the other views.");
  describe_loss(n, "Mean squared error of the views; smaller is better.");
  describe_doubt(n);
  describe_error_scale(n);
  n.check(check).needs(needs).workspace(workspace).run(run);
}

}  // namespace tl::objective_reprojection_node

TL_NODE(objective_reprojection)
