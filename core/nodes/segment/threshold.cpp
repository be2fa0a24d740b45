// core/nodes/segment/threshold.cpp: classes of voxels by one threshold or several, given or found from the histogram.
#include "gpu/segmentation/thresholds/thresholds.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "core/nodes/segment/segment_node.h"
#include "gpu/image/circular_mask.h"

namespace tl::segment_threshold_node {

enum class Method { otsu, li, yen, isodata, triangle, multi_otsu, manual };
enum class Keep { bright, dark };

struct Params {
  Method method = Method::otsu;
  Keep keep = Keep::bright;
  double value = 0;
  std::vector<double> values;
  int64_t classes = 3;
  std::optional<double> cylinder;
  std::string class_names;
};

struct State {
  ops::GreyHistogram histogram;
};

Result<Regions> measured(const Params& p, const Infos& in) {
  if (p.method == Method::manual) return Regions{};
  return Regions{{"volume", full_region(in.at("volume"))}};
}

Result<std::shared_ptr<State>> begin(const Params&, NodeRun&) { return std::make_shared<State>(); }

Result<void> accumulate(const Params& p, State& s, NodeRun& r) {
  const auto& in = r.in<Volume>("volume");
  at::Tensor inside;
  if (p.cylinder) {
    const ops::CircularMaskSpec circle{r.info<VolumeInfo>("volume").grid, *p.cylinder, 0};
    TL_TRY(const at::Tensor weights, ops::circular_weights(in.grid.slab({0, 1}), circle, in.data.scalar_type()));
    inside = (weights > 0).expand_as(in.data);
  }
  s.histogram.add(in.data.detach().contiguous(), inside);
  return ok();
}

ops::ThresholdMethod method_of(const Params& p) {
  switch (p.method) {
    case Method::li: return ops::ThresholdMethod::li;
    case Method::yen: return ops::ThresholdMethod::yen;
    case Method::isodata: return ops::ThresholdMethod::isodata;
    case Method::triangle: return ops::ThresholdMethod::triangle;
    default: return ops::ThresholdMethod::otsu;
  }
}

// In ascending order.
std::vector<double> given(const Params& p) {
  if (p.values.empty()) return {p.value};
  std::vector<double> all = p.values;
  std::sort(all.begin(), all.end());
  return all;
}

Result<std::vector<double>> thresholds_of(const Params& p, const State& s) {
  if (p.method == Method::manual) return given(p);
  if (s.histogram.count() == 0)
    return invalid(p.cylinder ? "no value inside the cylinder is finite" : "no value is finite", "volume",
                   "Check the result of the node before this one");
  if (p.method == Method::multi_otsu) return ops::multi_otsu_thresholds(s.histogram, p.classes);
  TL_TRY(const double found, ops::threshold(s.histogram, method_of(p)));
  return std::vector<double>{found};
}

Table histogram_of(const State& s, Unit unit) {
  const ops::GreyLevels levels = s.histogram.levels();
  return Table{{{"value", unit, levels.value}, {"count", Unit::none, {levels.count.begin(), levels.count.end()}}}};
}

Result<Findings> finish(const Params& p, State& s, NodeRun& r) {
  TL_TRY(std::vector<double> thresholds, thresholds_of(p, s));
  const Unit unit = r.info<VolumeInfo>("volume").unit;
  const bool uniform = p.method != Method::manual && s.histogram.minimum() == s.histogram.maximum();
  if (uniform) r.message(LogLevel::warning, "all values are equal: no threshold separates them");
  const Verdict verdict = uniform ? Verdict::flat : Verdict::none;
  Findings f;
  f.values["threshold"] = Scalar{at::scalar_tensor(thresholds.front(), at::kDouble), unit, 0, verdict};
  f.values["histogram"] = histogram_of(s, unit);
  f.values["thresholds"] = Table{{{"threshold", unit, std::move(thresholds)}}};
  return f;
}

const std::vector<double>& thresholds_in(const Findings& found) {
  return std::get<Table>(found.values.at("thresholds")).columns[0].values;
}

void keep_found(Params& p, const Infos&, const Findings& found) {
  p.method = Method::manual;
  p.values = thresholds_in(found);
}

// NaN is in no class but 0.
Result<void> run(const Params& p, NodeRun& r) {
  const auto& in = r.in<Volume>("volume");
  const std::vector<double>& thresholds = thresholds_in(*r.findings);
  at::Tensor numbers;
  if (p.keep == Keep::dark && thresholds.size() == 1) {
    numbers = (in.data <= thresholds.front()).to(at::kInt);
  } else {
    numbers = at::zeros(in.data.sizes(), at::kInt);
    for (const double t : thresholds) numbers.add_(in.data > t);
  }
  return r.done("labels", Labels{numbers, std::get<VolumeGrid>(r.region)});
}

Result<Infos> infos(const Params& p, const Infos& in, const Findings*) {
  return info_of_classes(volume_of(in).grid, p.class_names);
}

// Masks, and the values within the cylinder with their indices.
int64_t workspace(const Params& p, const Infos&, const Region& wanted, int64_t element_size) {
  return region_bytes(wanted, 2) + (p.cylinder ? region_bytes(wanted, element_size + 8) : 0);
}

void describe(NodeBuilder<Params>& n) {
  n.id("segment.threshold", 1).title("Threshold").category("Segmentation").partition(Partition::pointwise);
  n.not_differentiable("classes are integers");
  n.role(NodeRole::threshold);
  n.summary("Threshold: labels voxels by their values, with thresholds that are given or found from the histogram.");
  n.description(
      "Otsu's threshold separates two classes of voxels with the least variance within them; it suits most "
      "reconstructions of two materials. Li's suits weak signals on a wide background, Yen's small bright objects, the "
      "triangle method a histogram with one peak and a long flank, isodata two classes of similar size. Otsu with "
      "several classes numbers them from 0, the darkest; so do several given values. The histogram is that of all "
      "voxels, read block by block, with the results of scikit-image. Values that are not finite are left out of it; "
      "NaN gets the number 0. In a reconstruction, exclude voxels outside the field of view by a cylinder.");
  n.cite(
      "N. Otsu, A threshold selection method from gray-level histograms, IEEE Trans. Syst. Man Cybern. 9, 62 (1979)");
  n.cite(
      "C. H. Li, P. K. S. Tam, An iterative algorithm for minimum cross entropy thresholding, Pattern Recognit. "
      "Lett. 18, 771 (1998)");
  n.cite(
      "J.-C. Yen, F.-J. Chang, S. Chang, A new criterion for automatic multilevel thresholding, IEEE Trans. Image "
      "Process. 4, 370 (1995)");
  n.synonyms(
      {"Otsu", "binarize", "binarise", "segmentation", "multi-Otsu", "Li", "Yen", "isodata", "triangle", "mask"});
  n.input<Volume>("volume", "Any volume.");
  n.output<Labels>("labels", "The class of each voxel: 0 and 1, or 0 to the number of classes less 1.");
  n.output<Scalar>("threshold", "The threshold; if there are several, the lowest one.");
  n.output<Table>("histogram", "The histogram that the threshold was found from: values and numbers of voxels.");
  n.output<Table>("thresholds", "All thresholds.");
  n.param("method", "Method", &Params::method,
          {{Method::otsu, "otsu", "Otsu"},
           {Method::li, "li", "Li"},
           {Method::yen, "yen", "Yen"},
           {Method::isodata, "isodata", "Isodata"},
           {Method::triangle, "triangle", "Triangle"},
           {Method::multi_otsu, "multi_otsu", "Otsu, several classes"},
           {Method::manual, "manual", "Given value"}})
      .help("Method that finds the threshold.");
  n.param("keep", "Label", &Params::keep,
          {{Keep::bright, "bright", "Above the threshold"}, {Keep::dark, "dark", "Up to the threshold"}})
      .help("Which of two classes gets the number 1; the other one gets 0.");
  n.param("value", "Value", &Params::value)
      .range(-1e30, 1e30)
      .help("The threshold of the method 'given value', in the unit of the volume.");
  n.advanced_param("values", "Several values", &Params::values)
      .range(-1e30, 1e30)
      .help(
          "Thresholds of the method 'given value' instead of the single one, if there are any: 0.1, 0.3 makes three "
          "classes.");
  n.param("classes", "Classes", &Params::classes)
      .range(2, static_cast<double>(ops::max_threshold_classes))
      .help("Number of classes of the method 'Otsu, several classes'.");
  n.advanced_param("cylinder", "Cylinder", &Params::cylinder)
      .range(0.01, 2)
      .automatic("all voxels")
      .help("Only voxels within this share of the circle inscribed in a slice are in the histogram.");
  declare_classes(n, &Params::class_names, "class_names");
  n.infos(infos).workspace(workspace).measure_in_blocks<State>(measured, begin, accumulate, finish).run(run);
  n.keep_found(keep_found);
}

}  // namespace tl::segment_threshold_node

TL_NODE(segment_threshold)
