// core/nodes/filter/volume_change.cpp: a volume plus an image that is learned.
#include <ATen/ATen.h>

#include "core/base/grid_box.h"
#include "core/node/node_builder.h"
#include "core/values/interpolated.h"

namespace tl::filter_volume_change_node {

struct Params {
  Learnable<std::optional<NumberArray>> change;  // [z, y, x]
};

std::vector<int64_t> shape_of(const Infos& in) {
  const VolumeGrid& g = volume_of(in).grid;
  return {g.nz, g.ny, g.nx};
}

Result<void> check(const Params& p, const Infos& in) {
  if (p.change.value && p.change.value->shape() != shape_of(in))
    return invalid(
        "the change is " + shape_text(p.change.value->shape()) + ", the volume is " + shape_text(shape_of(in)),
        "change", "Learn it again, or set it to auto");
  return ok();
}

Result<void> run(const Params& p, NodeRun& r) {
  Volume out = r.in<Volume>("volume");
  const at::Tensor given = tensor_of(p.change, {});
  if (given.defined()) {
    const auto shape = shape_of(r.infos);
    if (given.sizes() != at::IntArrayRef(shape))
      return invalid("the change does not have the volume's " + shape_text(shape) + " voxels", "change");
    const VolumeGrid& whole = r.info<VolumeInfo>("volume").grid;
    const auto& wanted = std::get<VolumeGrid>(r.region);
    const at::Tensor change = given.to(out.data.device(), out.data.scalar_type());
    const auto part = box_in(whole, wanted);
    out.data = out.data + (part ? change.narrow(0, part->z.begin, part->z.size())
                                      .narrow(1, part->y.begin, part->y.size())
                                      .narrow(2, part->x.begin, part->x.size())
                                : interpolated(change, whole, wanted));
  }
  return r.done("volume", std::move(out));
}

void describe(NodeBuilder<Params>& n) {
  n.id("filter.volume_change", 1).title("Learned change").category("Filter").partition(Partition::pointwise);
  n.summary("Adds a learned image to a volume: variational reconstruction with any objective.");
  n.description(
      "Every voxel is a parameter. Project the changed volume, compare the views with the measured ones, add a share "
      "of the total variation, and learn: the result is the reconstruction that minimises this objective. The axis and "
      "other parameters may be learned together with it. Planes that do not lie on the voxels are interpolated.");
  n.synonyms({"variational reconstruction", "refine", "image parameter", "unknown volume", "residual",
              "model-based reconstruction", "joint reconstruction"});
  n.input<Volume>("volume", "Any volume, for example from filtered back-projection.");
  n.output<Volume>("volume", "The sum, on the same grid.");
  n.param("change", "Change", &Params::change)
      .automatic("no change")
      .learnable()
      .help("Value that is added to each voxel, in the unit of the volume.");
  n.array_of_auto("change", [](const Params&, const Infos& in) { return NumberArray::filled(shape_of(in), 0); });
  n.check(check).run(run);
}

}  // namespace tl::filter_volume_change_node

TL_NODE(filter_volume_change)
