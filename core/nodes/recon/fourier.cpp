// core/nodes/recon/fourier.cpp: Fourier reconstruction of parallel-beam views from any directions.
#include <ATen/ATen.h>

#include "core/base/grid_box.h"
#include "core/nodes/filtered_views.h"
#include "core/nodes/unusable_report.h"
#include "core/values/interpolated.h"
#include "gpu/filtering/fourier_volume/fourier_volume.h"
#include "gpu/filtering/fourier_volume/symmetry.h"

namespace tl::recon_fourier_node {

struct Params : GridParams {
  std::string symmetry = "C1";
  double padding = 2, cutoff = 1;
  std::optional<int64_t> height;
};

Result<VolumeGrid> grid_of(const Params& p, const ScanGeometry& geometry) {
  TL_TRY(VolumeGrid grid, wanted_grid(geometry, p));
  if (p.height) grid.nz = *p.height;
  TL_TRY(grid.validate());
  return grid;
}

Result<ops::FourierSampling> sampling_of(const Params& p, const ScanGeometry& geometry) {
  TL_TRY(const VolumeGrid grid, grid_of(p, geometry));
  ops::FourierSampling s;
  s.geometry = geometry;
  s.grid = grid;
  s.padding = p.padding;
  s.cutoff = p.cutoff;
  return s;
}

Result<void> check(const Params& p, const Infos& in) {
  const ProjectionsInfo& scan = scan_of(in);
  if (!scan.geometry.is_parallel())
    return invalid("Fourier reconstruction needs a parallel beam", "projections",
                   "Use FDK or an iterative reconstruction for a cone beam");
  constexpr int64_t fewest = 4;
  if (scan.geometry.detector().rows < fewest)
    return invalid(
        "the scan has " + std::to_string(scan.geometry.detector().rows) + " rows, too few for a transform along them",
        "projections", "Use FBP, which makes each slice by itself");
  TL_TRY(ops::symmetry_group(p.symmetry));
  TL_TRY(const ops::FourierSampling sampling, sampling_of(p, scan.geometry));
  TL_TRY(ops::fourier_sizes(sampling));
  return require_line_integrals(scan);
}

Result<Infos> infos(const Params& p, const Infos& in, const Findings*) {
  const ProjectionsInfo& scan = scan_of(in);
  TL_TRY(const VolumeGrid grid, grid_of(p, scan.geometry));
  const Unit unit = scan.kind == PixelKind::thickness ? Unit::none : Unit::per_mm;
  return Infos{{"volume", VolumeInfo{grid, unit, scan.pending, voxel_size_of(scan)}}};
}

// Every voxel depends on every pixel.
Result<Regions> needs(const Params&, const Infos& in, const Region&) {
  return Regions{{"projections", scan_of(in).geometry.full()}};
}

int64_t workspace(const Params& p, const Infos& in, const Region&, int64_t element_size) {
  const auto sampling = sampling_of(p, scan_of(in).geometry);
  if (!sampling.ok()) return 0;
  const auto sizes = ops::fourier_sizes(sampling.value());
  if (!sizes.ok()) return 0;
  return ops::fourier_volume_bytes(sampling.value(), sizes.value(), element_size) +
         sampling.value().grid.count() * element_size;
}

Result<void> run(const Params& p, NodeRun& r) {
  const auto& in = r.in<Projections>("projections");
  TL_TRY(ops::FourierSampling sampling, sampling_of(p, in.geometry));
  const VolumeGrid whole = sampling.grid;
  const auto compute = [&] {
    sampling.cancel = r.cancel();
    const at::Tensor views = usable_line_integrals(in.data, in.geometry, r).or_throw().to(r.dtype).contiguous();
    return std::make_shared<at::Tensor>(ops::fourier_volume(views, {sampling, p.symmetry}).or_throw());
  };
  const int64_t bytes = whole.count() * static_cast<int64_t>(at::elementSize(r.dtype));
  const at::Tensor all = *r.memo<at::Tensor>("whole", bytes, compute);
  const auto& wanted = std::get<VolumeGrid>(r.region);
  const auto box = box_in(whole, wanted);
  const at::Tensor part = box ? all.narrow(0, box->z.begin, box->z.size())
                                    .narrow(1, box->y.begin, box->y.size())
                                    .narrow(2, box->x.begin, box->x.size())
                                    .clone(at::MemoryFormat::Contiguous)
                              : interpolated(all, whole, wanted);
  const Unit unit = in.kind == PixelKind::thickness ? Unit::none : Unit::per_mm;
  return r.done("volume", Volume{part, wanted, unit});
}

void describe(NodeBuilder<Params>& n) {
  n.id("recon.fourier", 1).title("Fourier reconstruction").category("Reconstruction");
  n.summary("Direct Fourier reconstruction in three dimensions: parallel-beam views from any directions.");
  n.description(
      "Inserts the Fourier transform of each view into that of the volume, as a plane through its origin, with a "
      "Kaiser-Bessel blob; each cell becomes the weighted mean of what lies around it, so that no filter has to know "
      "how the directions are distributed. Laminography, tilt series, random directions of particles and jittered "
      "scans need no special case. Directions that were not measured leave their part of Fourier space at 0 (missing "
      "wedge, missing cone). Values are attenuation per mm. Views of an object with rotational symmetry count once for "
      "each of its rotations. Rows go on beyond the detector as the outermost ones; columns end in air. The whole "
      "volume is made at once, in memory for about 16 times its voxels.");
  n.cite(
      "V. Abrishami et al., A fast iterative convolution weighting approach for gridding-based direct Fourier "
      "three-dimensional reconstruction with correction for the contrast transfer function, Ultramicroscopy 157, 79 "
      "(2015)");
  n.cite(
      "D. Strelak et al., A GPU acceleration of 3-D Fourier reconstruction in cryo-EM, Int. J. High Perform. Comput. "
      "Appl. 33, 948 (2019)");
  n.synonyms({"direct Fourier", "gridding", "single particle", "cryo-EM", "laminography", "tilt series", "Xmipp",
              "Fourier slice theorem", "random directions"});
  n.not_differentiable("FBP and the iterative reconstructions are differentiable");
  n.input<Projections>("projections", "Absorption (line integrals) of parallel beams of any directions.");
  n.output<Volume>("volume", "Attenuation.");
  n.param("symmetry", "Symmetry", &Params::symmetry)
      .help(
          "Rotations that map the object onto itself: C1 (none), Cn or Dn with n from 1 to 360, T, O or I. The n-fold "
          "axis is z, a twofold axis of Dn is x; T, O and I have axes along x, y and z, through the volume's centre.");
  declare_grid(n, "the pixel size");
  n.advanced_param("height", "Height", &Params::height)
      .range(1, 1 << 20)
      .automatic("the voxels that cover the detector's height")
      .help("The volume has this many slices.");
  n.advanced_param("cutoff", "Cutoff", &Params::cutoff)
      .range(0.01, 1, Unit::nyquist)
      .help("Frequencies of the views above this fraction of the Nyquist frequency are left out.");
  n.advanced_param("padding", "Padding", &Params::padding)
      .range(1, 4)
      .help(
          "Views and volume are padded with zeros to this multiple of their size: more follows the transform more "
          "closely, in memory that grows with its third power.");
  n.check(check).infos(infos).needs(needs).workspace(workspace).run(run);
}

}  // namespace tl::recon_fourier_node

TL_NODE(recon_fourier)
