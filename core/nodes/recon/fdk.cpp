// core/nodes/recon/fdk.cpp: filtered back-projection of a circular cone-beam scan onto any grid.
#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include "core/node/node_builder.h"
#include "core/nodes/filtered_views.h"
#include "core/nodes/window_sums.h"
#include "gpu/projection/back_projector/back_projector.h"

namespace tl::recon_fdk_node {

enum class Outside { keep, zero };

struct Params : FilterParams, GridParams {
  Outside outside = Outside::keep;
};

Result<void> check(const Params& params, const Infos& in) {
  const auto& p = scan_of(in);
  if (p.geometry.is_parallel())
    return invalid("FDK needs a cone beam", "projections",
                   "Use the FBP node, or give the distances in the set-geometry node");
  TL_TRY(check_fdk_orbit(p.geometry));
  TL_TRY(check_ray_weights(params, p.geometry));
  return require_line_integrals(p);
}

Result<Infos> infos(const Params& p, const Infos& in, const Findings*) {
  const auto& scan = scan_of(in);
  TL_TRY(const VolumeGrid grid, wanted_grid(scan.geometry, p, p));
  const Unit unit = scan.kind == PixelKind::thickness ? Unit::none : Unit::per_mm;
  return Infos{{"volume", VolumeInfo{grid, unit, scan.pending}}};
}

Result<Regions> needs(const Params&, const Infos& in, const Region& wanted) {
  return Regions{{"projections", needed_views(in, wanted)}};
}

int64_t workspace(const Params& p, const Infos& in, const Region& wanted, int64_t element_size) {
  return filtered_bytes(p, in, wanted, element_size) +
         (p.outside == Outside::zero ? region_bytes(wanted, element_size) : 0);
}

// 1 where a voxel lands on the detector in every view of the scan, 0 elsewhere.
Result<at::Tensor> seen_everywhere(const ScanGeometry& geometry, const VolumeGrid& grid, NodeRun& r) {
  TL_TRY(OperatorPtr count, make_back_projector({geometry, grid, DistanceWeight::none, r.cancel()}));
  const c10::AutoGradMode constant(false);
  const DetectorShape& d = geometry.detector();
  const at::Tensor hits =
      count->apply(at::ones({geometry.views(), d.rows, d.cols}, at::TensorOptions(r.dtype).device(r.device)));
  // Interpolation weights sum to 1 but for rounding.
  return hits.gt(static_cast<double>(geometry.views()) - 1e-2).to(r.dtype);
}

Result<void> run(const Params& p, NodeRun& r) {
  const auto& in = r.in<Projections>("projections");
  const auto& grid = std::get<VolumeGrid>(r.region);
  const FilterTask task{static_cast<const FilterParams&>(p),
                        in.geometry.detector().pitch_u / in.geometry.magnification(), ConeWeights::fdk,
                        row_margin(in.geometry, grid)};
  TL_TRY(at::Tensor volume, filtered_back_projection(task, in, grid, DistanceWeight::fdk, r));
  if (p.outside == Outside::zero) {
    // This region may have fewer rows than the detector: whether all views cover a voxel depends on the whole scan.
    TL_TRY(ScanGeometry whole, filtered_geometry(p, r.info<ProjectionsInfo>("projections").geometry));
    whole = with_row_margin(whole, row_margin(whole, grid));
    TL_TRY(at::Tensor mask, seen_everywhere(whole, grid, r));
    volume = volume * mask;
  }
  return r.done("volume", Volume{volume, grid, in.kind == PixelKind::thickness ? Unit::none : Unit::per_mm});
}

void describe(NodeBuilder<Params>& n) {
  n.id("recon.fdk", 1).title("FDK").category("Reconstruction");
  n.summary("FDK (Feldkamp, Davis, Kress): filtered back-projection of a circular cone-beam scan.");
  n.description(
      "Weights, ramp-filters and back-projects the views. Values are attenuation per mm: exact in the plane of the "
      "source, approximate above and below it. Source and detector offsets and an in-plane tilt are taken from the "
      "geometry, and so are magnifications of views, the detector's pitch up to 5 degrees, and rolls of views up to 1 "
      "degree from their mean: rows are filtered along themselves, and back-projected along their rays. Short scans "
      "and displaced detectors are recognised and get ray weights. Reconstructs the whole "
      "volume, one slice or an oblique plane, and reads only the detector rows that this needs.");
  n.cite("L. A. Feldkamp, L. C. Davis, J. W. Kress, Practical cone-beam algorithm, J. Opt. Soc. Am. A 1, 612 (1984)");
  n.cite(
      "G. T. Gullberg, C. R. Crawford, B. M. W. Tsui, Reconstruction algorithm for fan beam with a displaced "
      "center-of-rotation, IEEE Trans. Med. Imaging 5, 23 (1986)");
  n.cite("D. L. Parker, Optimal short scan convolution reconstruction for fan beam CT, Med. Phys. 9, 254 (1982)");
  n.cite("G. Wang, X-ray micro-CT with a displaced detector array, Med. Phys. 29, 1634 (2002)");
  n.synonyms({"short scan", "half fan", "offset detector", "cone beam", "Feldkamp", "filtered back-projection", "CBCT",
              "FDK", "Parker weights", "half acquisition"});
  n.input<Projections>("projections", "Absorption (line integrals) of a circular cone-beam scan.");
  n.output<Volume>("volume", "Attenuation, slices along the rotation axis.");
  declare_filter(n, "a weighted back-projection");
  n.advanced_param("outside", "Outside the field of view", &Params::outside,
                   {{Outside::keep, "keep", "Keep"}, {Outside::zero, "zero", "Set to 0"}})
      .help("What to do with voxels that some views do not cover.");
  declare_grid(n, "the pixel size at the axis");
  n.on_gpu();
  n.check(check).infos(infos).needs(needs).workspace(workspace).run(run);
}

}  // namespace tl::recon_fdk_node

TL_NODE(recon_fdk)
