// core/nodes/input/examples.cpp: a volume and its labels as an example from which networks are trained.
#include "core/base/grid_box.h"
#include "core/io/volumes/label_table.h"
#include "core/node/node_builder.h"

namespace tl::input_examples_node {

struct Params {
  std::optional<int64_t> unlabelled;
};

// The points in `to` with the same voxel indices as the points of `wanted` in `from`.
VolumeGrid with_same_indices(const VolumeGrid& from, const VolumeGrid& to, const VolumeGrid& wanted) {
  const auto moved = [&](const Vec3& step) {
    const auto along = [&](const Vec3& own) { return dot(step, own) / dot(own, own); };
    return along(from.step_x) * to.step_x + along(from.step_y) * to.step_y + along(from.step_z) * to.step_z;
  };
  const GridPoint middle = fractional_index(from, wanted.centre);
  VolumeGrid there = wanted;
  there.centre = to.position(middle.k, middle.j, middle.i);
  there.step_x = moved(wanted.step_x);
  there.step_y = moved(wanted.step_y);
  there.step_z = moved(wanted.step_z);
  return there;
}

const VolumeGrid& labels_grid(const Infos& in) { return std::get<LabelsInfo>(in.at("labels")).grid; }

Result<void> check(const Params&, const Infos& in) {
  const VolumeGrid &volume = volume_of(in).grid, &labels = labels_grid(in);
  const auto size = [](const VolumeGrid& g) {
    return std::to_string(g.nx) + " x " + std::to_string(g.ny) + " x " + std::to_string(g.nz);
  };
  if (volume.nz == labels.nz && volume.ny == labels.ny && volume.nx == labels.nx) return ok();
  return invalid("the labels have " + size(labels) + " voxels, the volume has " + size(volume), "labels",
                 "Link labels on the voxels of the volume, or crop and bin both in the same way");
}

Result<Infos> infos(const Params& p, const Infos& in, const Findings*) {
  LabelsInfo labels = std::get<LabelsInfo>(in.at("labels"));
  labels.grid = volume_of(in).grid;
  if (p.unlabelled) labels.table.not_labelled = p.unlabelled;
  return Infos{{"labels", std::move(labels)}};
}

// Nothing of the volume is needed: training reads it separately.
Result<Regions> needs(const Params&, const Infos& in, const Region& wanted) {
  return Regions{{"labels", with_same_indices(volume_of(in).grid, labels_grid(in), std::get<VolumeGrid>(wanted))}};
}

Result<void> run(const Params&, NodeRun& r) {
  return r.done("labels", Labels{r.in<Labels>("labels").data, std::get<VolumeGrid>(r.region)});
}

void describe(NodeBuilder<Params>& n) {
  n.id("input.examples", 1).title("Examples").category("Input").partition(Partition::custom);
  n.not_differentiable("it passes labels on");
  n.role(NodeRole::examples);
  n.summary("Makes a volume and its labels an example from which networks are trained.");
  n.description(
      "Training (Learning, tab Network; tomoloom train) learns from every active node of this kind and from all "
      "painted labels of the pipeline, so that files of any format, reconstructions and strokes can be examples "
      "together. Labels belong to the voxels of the same indices, wherever their file places them. Several examples "
      "are split by volume for validation, a single one into two blocks with a gap between them.");
  n.synonyms({"training data", "ground truth", "annotations", "pairs", "train", "supervised", "dataset"});
  n.input<Volume>("volume", "Input of the network.");
  n.input<Labels>("labels", "The true class of each voxel; it has as many voxels as the volume.");
  n.output<Labels>("labels", "The labels, at the position of the volume.");
  n.param("unlabelled", "Not labelled", &Params::unlabelled)
      .range(0, io::max_label_numbers - 1)
      .automatic("as in the table of the labels")
      .help("The label of unlabelled voxels, which are ignored.");
  n.check(check).infos(infos).needs(needs).run(run);
}

}  // namespace tl::input_examples_node

TL_NODE(input_examples)
