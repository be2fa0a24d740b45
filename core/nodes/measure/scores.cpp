// core/nodes/measure/scores.cpp: how well labels agree with a ground truth.
#include <ATen/ATen.h>

#include <cmath>

#include "core/nodes/segment/segment_node.h"
#include "core/values/index_bounds.h"
#include "gpu/segmentation/label_scores.h"

namespace tl::measure_scores_node {

enum class LeftOut { not_labelled, zero, nothing };
enum class Alignment { same, position, index };

struct Params {
  LeftOut left_out = LeftOut::not_labelled;
  Alignment alignment = Alignment::same;
};

std::string size_text(const VolumeGrid& g) {
  return std::to_string(g.nx) + " x " + std::to_string(g.ny) + " x " + std::to_string(g.nz);
}

bool same_size(const VolumeGrid& a, const VolumeGrid& b) { return a.nz == b.nz && a.ny == b.ny && a.nx == b.nx; }

// The same voxels at the same positions, up to the rounding of file formats: a hundredth of a voxel.
bool same_voxels(const VolumeGrid& a, const VolumeGrid& b) {
  constexpr double rounding = 0.01;
  if (!same_size(a, b)) return false;
  const auto here = corners_in(a, a), there = corners_in(a, b);
  for (std::size_t i = 0; i < here.size(); ++i)
    if (std::abs(here[i].k - there[i].k) > rounding || std::abs(here[i].j - there[i].j) > rounding ||
        std::abs(here[i].i - there[i].i) > rounding)
      return false;
  return true;
}

enum class Cover { none, some, all };
// Which part of `truth` the labels on `other` cover, estimated from the bounding box along their axes.
Cover cover_of(const VolumeGrid& truth, const VolumeGrid& other) {
  const IndexBounds bounds = bounds_in(other, truth);
  Cover cover = Cover::all;
  const auto along = [&](double low, double high, int64_t count) {
    const double first = -0.5, last = static_cast<double>(count) - 0.5;
    if (high < first || low > last) cover = Cover::none;
    if (cover == Cover::all && (low < first || high > last)) cover = Cover::some;
  };
  along(bounds.low.k, bounds.high.k, other.nz);
  along(bounds.low.j, bounds.high.j, other.ny);
  along(bounds.low.i, bounds.high.i, other.nx);
  return cover;
}

Result<void> check(const Params& p, const Infos& in) {
  const VolumeGrid &truth = labels_of(in, "truth").grid, &other = labels_of(in, "labels").grid;
  if (p.alignment == Alignment::position && cover_of(truth, other) == Cover::none)
    return invalid("the labels do not overlap the truth: no voxel is in both", "alignment",
                   "Compare by index if both have the same voxels, or correct the position of one of them");
  if (p.alignment == Alignment::index && !same_size(truth, other))
    return invalid("truth and labels have " + size_text(truth) + " and " + size_text(other) + " voxels", "alignment",
                   "Compare by position, or crop one of them");
  if (p.alignment == Alignment::same && !same_voxels(truth, other))
    return invalid(same_size(truth, other)
                       ? std::string("truth and labels have voxels of other sizes or at other positions")
                       : "truth and labels have " + size_text(truth) + " and " + size_text(other) + " voxels",
                   "alignment",
                   same_size(truth, other) ? "Compare by position, or by index if the voxels are the same"
                                           : "Compare by position, or crop one of them");
  return ok();
}

// Some slices of the truth, and the labels at the same voxels.
Result<Regions> needs(const Params& p, const Infos& in, const Region& block) {
  if (p.alignment == Alignment::position) return Regions{{"truth", block}, {"labels", block}};
  const auto box = box_in(labels_of(in, "truth").grid, std::get<VolumeGrid>(block));
  TL_CHECK(box.has_value(), "labels are scored in boxes of voxels");
  return Regions{{"truth", block}, {"labels", labels_of(in, "labels").grid.sub(box->z, box->y, box->x)}};
}

std::optional<int64_t> number_left_out(const Params& p, const LabelTable& table) {
  if (p.left_out == LeftOut::zero) return 0;
  return p.left_out == LeftOut::not_labelled ? table.not_labelled : std::nullopt;
}

Result<std::shared_ptr<ops::LabelOverlaps>> begin(const Params& p, NodeRun& r) {
  const LabelsInfo &truth = r.info<LabelsInfo>("truth"), &other = r.info<LabelsInfo>("labels");
  if (p.alignment == Alignment::position && !same_voxels(truth.grid, other.grid)) {
    r.message(LogLevel::info,
              "the labels are on another grid: for each voxel of the truth, their nearest voxel is used");
    if (cover_of(truth.grid, other.grid) == Cover::some)
      r.message(LogLevel::warning, "the truth reaches beyond the labels, which count as 0 there");
  }
  return std::make_shared<ops::LabelOverlaps>(number_left_out(p, truth.table));
}

Result<void> accumulate(const Params&, ops::LabelOverlaps& overlaps, NodeRun& r) {
  return overlaps.add(r.in<Labels>("truth").data, r.in<Labels>("labels").data, r.cancel());
}

Result<Findings> finish(const Params&, ops::LabelOverlaps& overlaps, NodeRun&) {
  TL_TRY(const ops::LabelScores s, overlaps.scores());
  Table t;
  const auto add = [&](const char* name, auto value) {
    Table::Column c{name, Unit::none, {}};
    for (const ops::ClassScore& of : s.classes) c.values.push_back(static_cast<double>(value(of)));
    t.columns.push_back(std::move(c));
  };
  add("number", [](const ops::ClassScore& c) { return c.number; });
  add("in_truth", [](const ops::ClassScore& c) { return c.in_truth; });
  add("in_labels", [](const ops::ClassScore& c) { return c.in_other; });
  add("in_both", [](const ops::ClassScore& c) { return c.in_both; });
  add("f1", [](const ops::ClassScore& c) { return c.f1; });
  add("iou", [](const ops::ClassScore& c) { return c.iou; });
  add("precision", [](const ops::ClassScore& c) { return c.precision; });
  add("recall", [](const ops::ClassScore& c) { return c.recall; });
  const auto number = [](double value) { return Scalar{at::scalar_tensor(value, at::kDouble)}; };
  Findings f;
  f.values["classes"] = std::move(t);
  f.values["macro_f1"] = number(s.macro_f1);
  f.values["mean_iou"] = number(s.mean_iou);
  f.values["accuracy"] = number(s.accuracy);
  f.values["adapted_rand_error"] = number(s.adapted_rand_error);
  f.values["voxels"] = number(static_cast<double>(s.voxels));
  return f;
}

void describe(NodeBuilder<Params>& n) {
  n.id("measure.scores", 1).title("Scores of labels").category("Measure");
  n.not_differentiable("labels are integers");
  n.summary("Scores labels against a ground truth: F1 and overlap of each class, accuracy, adapted Rand error.");
  n.description(
      "F1 (Dice) is 2 TP / (2 TP + FP + FN), the overlap (Jaccard, IoU) TP / (TP + FP + FN), for the voxels of a "
      "class; the means weight all classes equally that occur in the labels or in the truth. The accuracy is the share "
      "of voxels whose label equals that of the truth. The adapted Rand error compares objects, whatever their "
      "numbers: it is 0 if any two voxels are in the same object of the labels exactly if they are in the same object "
      "of the truth; split or joined objects raise it. Unlabelled voxels of the truth are ignored. Both are read once, "
      "block by block.");
  n.cite(
      "I. Arganda-Carreras et al., Crowdsourcing the creation of image segmentation algorithms for connectomics, "
      "Front. Neuroanat. 9, 142 (2015)");
  n.synonyms({"F1", "Dice", "Jaccard", "IoU", "accuracy", "Rand index", "ground truth", "validation", "evaluation"});
  n.input<Labels>("truth", "The ground truth; scores are computed on its voxels.");
  n.input<Labels>("labels", "What is judged.");
  n.output<Table>("classes", "One row per class: voxels in the truth, in the labels, in both, and the scores.");
  n.output<Scalar>("macro_f1", "Mean F1 of the classes.");
  n.output<Scalar>("mean_iou", "Mean overlap of the classes.");
  n.output<Scalar>("accuracy", "Share of the voxels whose label equals that of the truth.");
  n.output<Scalar>("adapted_rand_error", "0: the same objects, 1: nothing in common.");
  n.output<Scalar>("voxels", "Voxels that counted.");
  n.param("left_out", "Left out of the truth", &Params::left_out,
          {{LeftOut::not_labelled, "not_labelled", "Not labelled according to its table"},
           {LeftOut::zero, "zero", "The number 0"},
           {LeftOut::nothing, "nothing", "Nothing"}})
      .help("Voxels with this number in the truth are left out of all scores.");
  n.param("alignment", "Alignment", &Params::alignment,
          {{Alignment::same, "same", "Only the same voxels"},
           {Alignment::position, "position", "By position"},
           {Alignment::index, "index", "By index"}})
      .help(
          "How labels on other voxels are laid over the truth: not at all, by their position in mm (the nearest voxel "
          "counts, and 0 outside), or voxel by voxel from the first one.");
  n.check(check).needs(needs).reduce<ops::LabelOverlaps>(begin, accumulate, finish);
}

}  // namespace tl::measure_scores_node

TL_NODE(measure_scores)
