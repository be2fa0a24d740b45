// core/nodes/segment/watershed.cpp: separates objects that touch each other.
#include "gpu/segmentation/watershed.h"

#include <ATen/ATen.h>

#include "core/nodes/segment/segment_node.h"
#include "gpu/segmentation/distance.h"
#include "gpu/segmentation/local_extrema.h"

namespace tl::segment_watershed_node {

enum class Lines { none, drawn };

struct Params {
  double separation = 5;
  double compactness = 0;
  Lines lines = Lines::none;
  ops::Connectivity neighbours = ops::Connectivity::faces;
};

Result<void> check(const Params& p, const Infos&) {
  if (p.lines == Lines::drawn && p.compactness > 0)
    return invalid("lines cannot be drawn between compact basins", "lines", "Set the compactness to 0, or no lines");
  return ok();
}

Result<Infos> infos(const Params&, const Infos& in, const Findings*) { return without_table(in); }

// All inputs, on the voxels of the labels.
Result<Regions> needs(const Params&, const Infos& in, const Region&) { return inputs_on(labels_of(in).grid, in); }

// Mask, distances, markers and result; the queue holds each voxel once, or, with lines or compactness, several times.
int64_t workspace(const Params& p, const Infos& in, const Region&, int64_t) {
  return bytes_of_whole(labels_of(in).grid, p.lines == Lines::drawn || p.compactness > 0 ? 96 : 40);
}

Result<at::Tensor> basins(const Params& p, NodeRun& r, const VolumeGrid& whole) {
  const at::Tensor mask = mask_of(r.in<Labels>("labels"));
  const ops::VoxelSize voxel = voxel_size_in(whole, whole);
  at::Tensor distances;
  if (!r.has_in("heights") || !r.has_in("markers")) {
    if (mask.all().item<bool>())
      return invalid("every voxel is labelled: there is no background that separates objects", "labels",
                     "Label the objects only, for example by a threshold");
    TL_TRY(distances, ops::distance_to_background(mask, {voxel, r.cancel()}));
  }
  at::Tensor markers;
  if (r.has_in("markers")) {
    markers = r.in<Labels>("markers").data.to(at::kInt).contiguous();
  } else {
    TL_TRY(markers, ops::markers_from_maxima(distances, {p.separation, voxel, ops::Connectivity::corners, r.cancel()}));
  }
  const at::Tensor heights = r.has_in("heights") ? r.in<Volume>("heights").data.contiguous() : -distances;
  ops::WatershedSpec spec{.connectivity = p.neighbours,
                          .compactness = p.compactness,
                          .lines = p.lines == Lines::drawn ? ops::WatershedLines::drawn : ops::WatershedLines::none,
                          .cancel = r.cancel()};
  if (!mask.any().item<bool>()) return at::zeros(mask.sizes(), at::kInt);
  return ops::watershed(heights, markers, mask, spec);
}

Result<void> run(const Params& p, NodeRun& r) {
  const VolumeGrid& whole = r.info<LabelsInfo>("labels").grid;
  return put_labels_of_whole(r, whole, [&] { return basins(p, r, whole); });
}

void describe(NodeBuilder<Params>& n) {
  n.id("segment.watershed", 1).title("Watershed").category("Segmentation").partition(Partition::custom);
  n.not_differentiable("labels are integers");
  n.summary("Watershed: separates objects that touch each other, at their necks or along given heights.");
  n.description(
      "Without further inputs the heights are the negated distances from the background: round objects that touch are "
      "cut at their necks. Markers are the points farthest from the background; if two are closer than the separation, "
      "the deeper one is used. Heights (a gradient, the grey values) and markers can be given instead: the basins then "
      "grow from the markers and meet on the ridges. Compactness makes basins rounder. The whole volume has to fit "
      "into memory, and one thread floods it.");
  n.cite("F. Meyer, Un algorithme optimal pour la ligne de partage des eaux, 8e congres RFIA, 847 (1991)");
  n.cite("P. Neubert, P. Protzel, Compact watershed and preemptive SLIC, ICPR, 996 (2014)");
  n.synonyms({"separate", "split", "touching", "particles", "grains", "basins", "segmentation", "compact watershed"});
  n.input<Labels>("labels", "The mask that is divided: all numbers but 0.");
  n.input<Volume>("heights", "Basins meet on its ridges; if not linked: the distances from the background.", false);
  n.input<Labels>("markers", "Where basins begin; if not linked: the points farthest from the background.", false);
  n.output<Labels>("labels", "The number of the basin of each voxel, 0 outside of the mask.");
  n.param("separation", "Separation", &Params::separation)
      .range(0, 100000, Unit::px)
      .help("Markers closer together than this, in voxels along x, are merged.");
  n.advanced_param("compactness", "Compactness", &Params::compactness)
      .range(0, 1e6)
      .help("Weight of the distance from the marker, added to the height of a voxel; 0 uses only the heights.");
  n.advanced_param("lines", "Lines", &Params::lines, {{Lines::none, "none", "None"}, {Lines::drawn, "drawn", "Drawn"}})
      .help("Whether voxels where basins meet become background, so that objects are apart.");
  n.advanced_param("neighbours", "Neighbours", &Params::neighbours, neighbour_choices())
      .help("Over which neighbours basins grow: those that share a face, at least an edge, or at least a corner.");
  n.check(check).infos(infos).needs(needs).workspace(workspace).run(run);
}

}  // namespace tl::segment_watershed_node

TL_NODE(segment_watershed)
