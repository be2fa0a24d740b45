// core/nodes/measure/thickness.cpp: how thick a class is around each of its voxels, and how thick on average.
#include <ATen/ATen.h>

#include <cmath>

#include "core/io/volumes/label_table.h"
#include "core/nodes/segment/segment_node.h"
#include "gpu/image/histogram.h"
#include "gpu/segmentation/local_thickness.h"

namespace tl::measure_thickness_node {

struct Params {
  std::optional<int64_t> number;
  int64_t bins = 50;
};

ops::VoxelSize voxel_of(const VolumeGrid& g) { return {norm(g.step_z), norm(g.step_y), norm(g.step_x)}; }

// The mask of the class, filled slab by slab.
struct Mask {
  at::Tensor inside;  // bool, of the whole
  int64_t slices = 0;
};

Result<Regions> measured(const Params&, const Infos& in) { return Regions{{"labels", full_region(in.at("labels"))}}; }

Result<std::shared_ptr<Mask>> begin(const Params&, NodeRun& r) {
  const VolumeGrid& whole = r.info<LabelsInfo>("labels").grid;
  return std::make_shared<Mask>(Mask{at::zeros({whole.nz, whole.ny, whole.nx}, at::kBool), 0});
}

Result<void> accumulate(const Params& p, Mask& mask, NodeRun& r) {
  const at::Tensor& labels = r.in<Labels>("labels").data;
  mask.inside.narrow(0, mask.slices, labels.size(0)).copy_(p.number ? labels.eq(*p.number) : labels.ne(0));
  mask.slices += labels.size(0);
  return ok();
}

struct Moments {
  double count = 0, mean = 0, deviation = 0, most = 0;
};
// Moments over the voxels of the class, which are those above 0. Summed by slices, so that they do not depend on the
// number of threads.
Moments moments_of(const at::Tensor& thickness) {
  const auto* const t = thickness.const_data_ptr<float>();
  const int64_t slices = thickness.size(0), voxels = thickness.numel() / slices;
  Moments m;
  double sum = 0, squares = 0;
  for (int64_t z = 0; z < slices; ++z) {
    double of_slice = 0;
    for (int64_t i = z * voxels; i < (z + 1) * voxels; ++i) {
      m.count += t[i] > 0 ? 1 : 0;
      of_slice += t[i];
      m.most = std::max(m.most, static_cast<double>(t[i]));
    }
    sum += of_slice;
  }
  if (m.count == 0) return m;
  m.mean = sum / m.count;
  for (int64_t z = 0; z < slices; ++z) {
    double of_slice = 0;
    for (int64_t i = z * voxels; i < (z + 1) * voxels; ++i)
      if (t[i] > 0) of_slice += (t[i] - m.mean) * (t[i] - m.mean);
    squares += of_slice;
  }
  m.deviation = std::sqrt(squares / m.count);
  return m;
}

// Bins of equal width from 0 to the largest thickness, without the background.
Table histogram_of(const at::Tensor& thickness, const Moments& m, int64_t bins) {
  Table t{{{"thickness", Unit::mm, {}}, {"voxels", Unit::none, {}}, {"share", Unit::none, {}}}};
  if (m.count == 0) return t;
  std::vector<int64_t> counts = ops::count_in_bins(thickness, 0, m.most, bins);
  counts.front() -= thickness.numel() - static_cast<int64_t>(m.count);
  const double width = m.most / static_cast<double>(bins);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    t.columns[0].values.push_back((static_cast<double>(i) + 0.5) * width);
    t.columns[1].values.push_back(static_cast<double>(counts[i]));
    t.columns[2].values.push_back(static_cast<double>(counts[i]) / m.count);
  }
  return t;
}

Result<Findings> finish(const Params& p, Mask& mask, NodeRun& r) {
  const std::string what = p.number ? "has the number " + std::to_string(*p.number) : "is labelled";
  if (mask.inside.all().item<bool>())
    return invalid("every voxel " + what + ": there is no border where its thickness would end", "labels",
                   "Label the objects only, for example by a threshold, or choose a number");
  TL_TRY(const at::Tensor thickness,
         ops::local_thickness(mask.inside, {voxel_of(r.info<LabelsInfo>("labels").grid), r.cancel()}));
  mask.inside = at::Tensor();
  const Moments m = moments_of(thickness);
  if (m.count == 0) r.message(LogLevel::warning, "no voxel " + what + ": the thickness is 0 everywhere");
  const auto number = [&](double value) {
    return Scalar{at::scalar_tensor(value, at::kDouble), Unit::mm, 0, m.count == 0 ? Verdict::flat : Verdict::none};
  };
  Findings f;
  f.values["mean"] = number(m.mean);
  f.values["deviation"] = number(m.deviation);
  f.values["largest"] = number(m.most);
  f.values["histogram"] = histogram_of(thickness, m, p.bins);
  f.kept = std::make_shared<const at::Tensor>(thickness);
  f.kept_bytes = static_cast<int64_t>(thickness.nbytes());
  return f;
}

Result<Infos> infos(const Params&, const Infos& in, const Findings*) {
  VolumeInfo info;
  info.grid = labels_of(in).grid;
  info.unit = Unit::mm;
  return Infos{{"volume", info}};
}

// run() needs only the earlier findings, not the voxels.
Result<Regions> needs(const Params&, const Infos&, const Region&) { return Regions{}; }

Result<void> run(const Params&, NodeRun& r) {
  const auto& thickness = *static_cast<const at::Tensor*>(r.findings->kept.get());
  const auto& wanted = std::get<VolumeGrid>(r.region);
  return r.done("volume",
                Volume{values_at(thickness, r.info<LabelsInfo>("labels").grid, wanted).to(r.dtype), wanted, Unit::mm});
}

int64_t workspace(const Params&, const Infos& in, const Region&, int64_t) {
  const VolumeGrid& g = labels_of(in).grid;
  return ops::bytes_of_local_thickness({g.nz, g.ny, g.nx}, voxel_of(g)) + g.count();
}

void describe(NodeBuilder<Params>& n) {
  n.id("measure.thickness", 1).title("Local thickness").category("Measure");
  n.not_differentiable("labels are integers");
  n.summary("Local thickness: the diameter of the largest ball within a class that holds each of its voxels.");
  n.description(
      "Of the class of one number, or of all numbers but 0. Balls are exact on a lattice twice as fine: a plate of n "
      "voxels is n voxels thick, also where voxels are not cubes. Round and oblique surfaces are steps of whole "
      "voxels: there the thickness is up to two voxels less than that of the smooth body, and less still in the "
      "outermost voxels. What lies beyond the borders of the volume is not background, so that bodies cut by them seem "
      "thicker; in a volume of one slice balls are circles. Mean and deviation are those of the voxels of the class. "
      "Needs up to some 75 bytes a voxel of the whole volume (110 where voxels are not cubes), and the time grows with "
      "the surface of the balls: keep large bodies of air out of the class.");
  n.cite(
      "T. Hildebrand, P. Rueegsegger, A new method for the model-independent assessment of thickness in "
      "three-dimensional images, J. Microsc. 185, 67 (1997)");
  n.synonyms({"trabecular thickness", "pore size", "separation", "wall thickness", "sphere fitting", "BoneJ"});
  n.input<Labels>("labels", "Labels, in which one number, or all but 0, are the class.");
  n.output<Volume>("volume", "The thickness at each voxel of the class [mm], 0 elsewhere.");
  n.output<Scalar>("mean", "Mean thickness.");
  n.output<Scalar>("deviation", "Standard deviation of the thickness.");
  n.output<Scalar>("largest", "Largest thickness.");
  n.output<Table>("histogram", "Middle of each bin, the number of voxels in it, and their share of the class.");
  n.param("number", "Number", &Params::number)
      .range(0, io::max_label_numbers - 1)
      .automatic("all numbers but 0")
      .help("The number of the class; 0 is the background, whose thickness is that of the spaces between objects.");
  n.advanced_param("bins", "Bins", &Params::bins)
      .range(1, 100000)
      .help("Number of bins of the histogram, from 0 to the largest thickness.");
  n.infos(infos).needs(needs).workspace(workspace).run(run);
  n.measure_in_blocks<Mask>(measured, begin, accumulate, finish);
}

}  // namespace tl::measure_thickness_node

TL_NODE(measure_thickness)
