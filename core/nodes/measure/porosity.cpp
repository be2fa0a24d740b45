// core/nodes/measure/porosity.cpp: share of pores, open and closed, and along z.
#include <ATen/ATen.h>

#include "core/io/volumes/label_table.h"
#include "core/nodes/segment/component_slabs.h"
#include "gpu/image/circular_mask.h"

namespace tl::measure_porosity_node {

struct Params {
  int64_t number = 1;
  std::optional<double> cylinder;
};

// Pores of a number, connected by faces, within the cylinder.
class Pores {
 public:
  Pores(const VolumeGrid& whole, const CancelToken& cancel)
      : slabs_(whole, {ops::Connectivity::faces, cancel}, ComponentSlabs::Keep::sums) {}

  Result<void> add(const Params& p, const Labels& labels, const VolumeGrid& whole) {
    at::Tensor pore = labels.data == p.number, edge;
    const VolumeGrid& part = labels.grid;
    if (p.cylinder) {
      TL_TRY(const at::Tensor weights, ops::circular_weights(part.slab({0, 1}), {whole, *p.cylinder, 0}, at::kFloat));
      const at::Tensor inside = (weights > 0).to(at::kFloat);
      // Pixels of the circle with a neighbour outside it: where pores are open to the side.
      const at::Tensor inner = 1 - at::max_pool2d(at::constant_pad_nd(1 - inside, {1, 1, 1, 1}, 1.0), 3, 1);
      edge = inside.gt(0).logical_and(inner.eq(0));
      pore = pore.logical_and(inside.gt(0));
      for (int64_t z = 0; z < pore.size(0); ++z) sizes_.push_back(inside.sum().item<double>());
    } else {
      edge = at::zeros({1, pore.size(1), pore.size(2)}, at::kBool);
      for (int64_t z = 0; z < pore.size(0); ++z) sizes_.push_back(static_cast<double>(pore.size(1) * pore.size(2)));
    }
    const at::Tensor counts = pore.sum({1, 2}).to(at::kDouble).contiguous();
    for (int64_t z = 0; z < pore.size(0); ++z) pores_.push_back(counts.const_data_ptr<double>()[z]);
    return slabs_.add(pore, pore.logical_and(edge));
  }

  Result<Findings> findings(const VolumeGrid& whole) {
    TL_TRY(slabs_.finish());
    const ops::SlabComponents& c = slabs_.components();
    double all = 0, pore = 0, closed = 0;
    for (const double n : sizes_) all += n;
    for (const double n : pores_) pore += n;
    for (std::size_t i = 0; i < c.voxels().size(); ++i)
      if (!c.at_border()[i] && !c.marked()[i]) closed += static_cast<double>(c.voxels()[i]);
    if (all == 0) return invalid("no voxel lies within the cylinder", "cylinder", "Give a larger share");
    Table profile{{{"z", Unit::mm, {}}, {"porosity", Unit::none, {}}}};
    for (std::size_t z = 0; z < sizes_.size(); ++z) {
      const Vec3 middle = whole.position(static_cast<double>(z), 0.5 * static_cast<double>(whole.ny - 1),
                                         0.5 * static_cast<double>(whole.nx - 1));
      profile.columns[0].values.push_back(middle.z);
      profile.columns[1].values.push_back(sizes_[z] > 0 ? pores_[z] / sizes_[z] : 0);
    }
    const auto share = [&](double voxels) { return Scalar{at::scalar_tensor(voxels / all, at::kDouble)}; };
    Findings f;
    f.values["porosity"] = share(pore);
    f.values["open"] = share(pore - closed);
    f.values["closed"] = share(closed);
    f.values["profile"] = std::move(profile);
    return f;
  }

 private:
  ComponentSlabs slabs_;
  std::vector<double> sizes_, pores_;  // number of voxels in each slice: all, and those of pores
};

Result<std::shared_ptr<Pores>> begin(const Params&, NodeRun& r) {
  return std::make_shared<Pores>(r.info<LabelsInfo>("labels").grid, r.cancel());
}
Result<void> accumulate(const Params& p, Pores& pores, NodeRun& r) {
  return pores.add(p, r.in<Labels>("labels"), r.info<LabelsInfo>("labels").grid);
}
Result<Findings> finish(const Params&, Pores& pores, NodeRun& r) {
  return pores.findings(r.info<LabelsInfo>("labels").grid);
}

void describe(NodeBuilder<Params>& n) {
  n.id("measure.porosity", 1).title("Porosity").category("Measure");
  n.not_differentiable("labels are integers");
  n.summary("Porosity: the share of pores in a volume, open and closed, and slice by slice.");
  n.description(
      "Pores are the voxels of one number. A pore is closed if its voxels, connected by faces, reach neither the "
      "border of the volume nor the side of the cylinder; in a volume of several slices the lowest and the highest "
      "one are borders too. Shares are of all voxels, or of those within the cylinder: in a round sample, leave out "
      "the air around it. The labels are read once, block by block.");
  n.synonyms({"pores", "void fraction", "open porosity", "closed porosity", "volume fraction"});
  n.input<Labels>("labels", "Labels, in which one number is the pores.");
  n.output<Scalar>("porosity", "Share of pores, 0 to 1.");
  n.output<Scalar>("open", "Share of pores that reach the border.");
  n.output<Scalar>("closed", "Share of pores that do not.");
  n.output<Table>("profile", "The share in each slice, by its position along z.");
  n.param("number", "Number", &Params::number)
      .range(0, io::max_label_numbers - 1)
      .help("The number of the pores; 0 is the background.");
  n.param("cylinder", "Cylinder", &Params::cylinder)
      .range(0.01, 2)
      .automatic("all voxels")
      .help("Radius of the cylinder, as a share of the circle inscribed in a slice; voxels outside are left out.");
  n.workspace([](const Params&, const Infos& in, const Region& block, int64_t) {
    return bytes_of_search(labels_of(in).grid, std::get<VolumeGrid>(block));
  });
  n.reduce<Pores>(begin, accumulate, finish);
}

}  // namespace tl::measure_porosity_node

TL_NODE(measure_porosity)
