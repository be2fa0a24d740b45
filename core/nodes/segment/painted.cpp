// core/nodes/segment/painted.cpp: labels that were painted by hand, stroke by stroke.
#include <ATen/ATen.h>

#include <algorithm>

#include "core/base/grid_box.h"
#include "core/node/shared_memo.h"
#include "core/nodes/segment/segment_node.h"
#include "core/strokes/painted_labels.h"
#include "core/values/label_table_text.h"
#include "gpu/device/parallel_for.h"

namespace tl::segment_painted_node {

struct Params {
  std::string file;
  int64_t stroke = 0;
  std::string classes;
};

Result<Regions> needs(const Params&, const Infos&, const Region&) { return Regions{}; }

// Null where nothing is painted.
Result<std::shared_ptr<strokes::PaintedLabels>> open(const Params& p) {
  if (p.stroke == 0) return std::shared_ptr<strokes::PaintedLabels>();
  if (p.file.empty())
    return invalid("stroke " + std::to_string(p.stroke) + " is wanted, but no file of strokes is named", "file",
                   "Choose the file next to the pipeline, or set \"stroke\" to 0");
  return strokes::PaintedLabels::open(p.file);
}

Result<void> check(const Params& p, const Infos&) {
  if (const Result<LabelTable> table = label_table_from_text(p.classes); !table.ok()) return table.error();
  return ok();
}

// From the first to the last slice with painted voxels; bricks are sorted by z.
Range slices_of(const strokes::Bricks& labels, int64_t slices) {
  if (labels.bricks().empty()) return Range{0, 0};
  const int64_t in_layer = labels.layout().brick_of({strokes::brick_edge, 0, 0});
  const int64_t first = labels.bricks().begin()->first / in_layer, last = labels.bricks().rbegin()->first / in_layer;
  return Range{first * strokes::brick_edge, std::min((last + 1) * strokes::brick_edge, slices)};
}

Result<Infos> infos(const Params& p, const Infos& in, const Findings*) {
  LabelsInfo info{volume_of(in).grid};
  TL_TRY(info.table, label_table_from_text(p.classes));
  const auto painted = open(p);
  if (painted.ok() && painted.value() == nullptr) info.labelled = Range{0, 0};
  if (painted.ok() && painted.value() != nullptr && painted.value()->grid() == info.grid)
    if (const auto labels = painted.value()->at(p.stroke); labels.ok())
      info.labelled = slices_of(*labels.value(), info.grid.nz);
  return Infos{{"labels", std::move(info)}};
}

// Labels painted on another grid are placed by their position in mm, not by voxel index.
void report_other_grid(NodeRun& r, const VolumeGrid& painted) {
  const VolumeGrid& grid = r.info<VolumeInfo>("volume").grid;
  if (box_in(painted, grid) && painted.count() == grid.count()) return;
  r.message(LogLevel::info,
            "the labels were painted on other voxels than those of this volume: they are placed by their positions in "
            "mm, and the nearest voxel is used. To change single voxels, paint on the original volume");
}

Result<void> run(const Params& p, NodeRun& r) {
  const auto& wanted = std::get<VolumeGrid>(r.region);
  at::Tensor numbers = at::zeros({wanted.nz, wanted.ny, wanted.nx}, at::kInt);
  TL_TRY(std::shared_ptr<strokes::PaintedLabels> painted, open(p));
  if (painted != nullptr) {
    TL_TRY(const std::shared_ptr<const strokes::Bricks> labels, painted->at(p.stroke));
    // Reported once for this file and volume; the file stays open between the images of a session.
    TL_TRY(const std::string root, painted->lineage(0));
    const VolumeGrid& grid = r.info<VolumeInfo>("volume").grid;
    const Hash place = Hasher().add("strokes").add(p.file).add(root).add(Region(grid)).digest();
    (void)shared_memo<strokes::PaintedLabels>(r, place, 4096, [&] {
      report_other_grid(r, painted->grid());
      return painted;
    });
    auto* const to = numbers.mutable_data_ptr<int32_t>();
    constexpr int64_t rows_at_once = 16;
    ops::parallel_for(0, wanted.nz * wanted.ny, rows_at_once, [&](int64_t first, int64_t last) {
      for (int64_t row = first; row < last; row += rows_at_once) {
        r.cancel().check();
        strokes::read_labels(*labels, painted->grid(), wanted, {row, std::min(row + rows_at_once, last)},
                             to + row * wanted.nx);
      }
    });
  }
  r.cancel().check();
  return r.done("labels", Labels{numbers, wanted});
}

int64_t workspace(const Params&, const Infos&, const Region&, int64_t) { return 0; }

// Fingerprint of the strokes themselves: independent of the file's path, and of strokes painted later.
Result<std::string> fingerprint(const Params& p) {
  TL_TRY(const std::shared_ptr<strokes::PaintedLabels> painted, open(p));
  if (painted == nullptr) return std::string("nothing painted");
  return painted->lineage(p.stroke);
}

Result<ScanFiles> files(const Params& p) {
  if (p.file.empty()) return ScanFiles{};
  return ScanFiles{p.file, {p.file}};
}

void describe(NodeBuilder<Params>& n) {
  n.id("segment.painted", 1).title("Paint labels").category("Segmentation").partition(Partition::custom);
  n.role(NodeRole::painted_labels);
  n.summary("Labels painted by hand on any slice of a volume: brush, ball, lasso, fill.");
  n.description(
      "Paint in the views: the bar of a slice has the tools. Every stroke is appended to a file next to the pipeline, "
      "and 'Stroke' is the number of the last stroke in use, so that undo and redo change only this number, no stroke "
      "is ever lost, and a saved pipeline reproduces its labels. Unpainted voxels are 0, not labelled. Labels are "
      "placed by their positions in mm: on a volume with other voxels, the nearest voxel is used.");
  n.synonyms({"annotation", "brush", "manual", "draw", "lasso", "mask", "ground truth", "training data", "scribble",
              "interpolate"});
  n.input<Volume>("volume", "The volume that is painted on; the labels lie on its voxels.");
  n.output<Labels>("labels", "The numbers painted, else 0.");
  n.param("file", "File", &Params::file).input_file().help("The file of strokes; created by the first stroke.");
  n.param("stroke", "Stroke", &Params::stroke)
      .range(0, 1e9)
      .help("Number of the last stroke in use; later strokes are ignored; 0 = nothing painted.");
  n.param("classes", "Classes", &Params::classes)
      .help("Numbers, names and colours, such as: 1 enamel #e69f00; 2 dentine #56b4e9.");
  n.check(check).infos(infos).needs(needs).workspace(workspace).run(run).fingerprint(fingerprint).files(files);
}

}  // namespace tl::segment_painted_node

TL_NODE(segment_painted)
