// core/nodes/objective/segmentation.cpp: objective: how far the probabilities of classes are from labels.
#include <ATen/ATen.h>

#include "core/nodes/objective/objective_node.h"
#include "core/values/class_indices.h"
#include "gpu/objective/segmentation_loss.h"

namespace tl::objective_segmentation_node {

enum class ClassWeights { equal, balanced };

struct Params {
  ops::SegmentationLoss loss = ops::SegmentationLoss::cross_entropy;
  ClassWeights weights = ClassWeights::equal;
};

const MapsInfo& maps_of(const Infos& in) { return std::get<MapsInfo>(in.at("probabilities")); }

Result<void> check(const Params&, const Infos& in) {
  if (!(std::get<LabelsInfo>(in.at("labels")).grid == maps_of(in).grid))
    return invalid("the labels are on another grid than the probabilities", "labels",
                   "Bring both onto one grid: reconstruct onto the grid of the labels");
  return ok();
}

Result<void> run(const Params& p, NodeRun& r) {
  const auto& maps = r.in<Maps>("probabilities").data;
  const LabelTable table{r.info<MapsInfo>("probabilities").channels, r.info<LabelsInfo>("labels").table.not_labelled};
  TL_TRY(const at::Tensor indices, class_indices(r.in<Labels>("labels").data, table, "labels"));
  const at::Tensor labelled = indices.flatten().ge(0).nonzero().flatten();
  if (labelled.numel() == 0)
    return invalid("no voxel is labelled", "labels", "Paint at least two classes, or load labels of them");
  const at::Tensor truth = indices.flatten().index_select(0, labelled).to(at::kLong);
  // A probability of 0 would be an error without bounds.
  constexpr double least = 1e-12;
  const at::Tensor logs = maps.flatten(1).index_select(1, labelled).to(at::kDouble).clamp_min(least).log();
  at::Tensor weights;
  if (p.weights == ClassWeights::balanced) {
    const at::Tensor counts = at::bincount(truth, {}, logs.size(0));
    weights =
        ops::balanced_weights({counts.const_data_ptr<int64_t>(), counts.const_data_ptr<int64_t>() + counts.numel()});
  }
  if (r.wants(error_by_band)) {
    at::Tensor shares = at::zeros(indices.sizes(), at::kDouble);
    shares.flatten().index_copy_(0, labelled, ops::segmentation_loss_by_pixel(p.loss, logs, truth, weights));
    put_error_by_band(r, shares);
  }
  return put_loss(r, ops::segmentation_loss(p.loss, logs, truth, weights));
}

void describe(NodeBuilder<Params>& n) {
  n.id("objective.segmentation", 1).title("Error of segmentation").partition(Partition::whole);
  n.summary("How far the probabilities of classes, for example of a network, are from labels.");
  n.description(
      "Only labelled voxels count, so that a few strokes do. Gradients pass through a trained Network: what comes "
      "before it, such as the rotation axis or a filter's strength, is learned so that the network segments best. The "
      "labels are constants: paint or load them.");
  n.cite("C. M. Bishop, Pattern Recognition and Machine Learning, Springer (2006), section 4.3");
  n.cite(
      "F. Milletari, N. Navab, S. Ahmadi, V-Net: fully convolutional neural networks for volumetric medical image "
      "segmentation, 3DV (2016) 565");
  n.synonyms({"objective", "loss", "cross-entropy", "Dice", "classes", "labels", "strokes"});
  n.input<Maps>("probabilities", "The probability of each class.");
  n.input<Labels>("labels", "The true classes on the same grid, painted or loaded.");
  describe_loss(n, "Cross-entropy in nats, 1 - Dice coefficient, or their sum; smaller is better.");
  describe_bands_of_volume(n);
  n.param("loss", "Loss", &Params::loss,
          {{ops::SegmentationLoss::cross_entropy, "cross_entropy", "Cross-entropy"},
           {ops::SegmentationLoss::dice, "dice", "Dice"},
           {ops::SegmentationLoss::sum, "sum", "Sum of both"}})
      .help(
          "Cross-entropy: the mean of -log of the probability of the true class. Dice: 1 less the mean over the "
          "classes of the overlap 2 |p t| / (|p| + |t|), for which small classes count as much as large ones.");
  n.param("weights", "Weights", &Params::weights,
          {{ClassWeights::equal, "equal", "Every voxel equally"},
           {ClassWeights::balanced, "balanced", "Every class equally"}})
      .help("Of the cross-entropy: with every class weighted equally, voxels of rare classes weigh more.");
  n.check(check).run(run);
}

}  // namespace tl::objective_segmentation_node

TL_NODE(objective_segmentation)
