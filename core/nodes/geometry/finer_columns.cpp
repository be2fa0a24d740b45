// core/nodes/geometry/finer_columns.cpp: detector columns upsampled by Fourier interpolation.
#include <ATen/ATen.h>

#include <vector>

#include "core/node/node_builder.h"
#include "core/values/crop.h"
#include "gpu/correction/fourier_shift.h"

namespace tl::geometry_finer_columns_node {

struct Params {
  int64_t factor = 4;
};

// The same detector with `factor` times as many columns.
Result<ScanGeometry> finer(const ScanGeometry& geometry, int64_t factor) {
  DetectorShape d = geometry.detector();
  d.cols *= factor;
  d.pitch_u /= static_cast<double>(factor);
  std::vector<View> views;
  for (int64_t i = 0; i < geometry.views(); ++i) {
    View v = geometry.view(i);
    v.u = (1 / static_cast<double>(factor)) * v.u;
    views.push_back(v);
  }
  return ScanGeometry::from_views(geometry.beam(), d, std::move(views));
}

Result<Infos> infos(const Params& p, const Infos& in, const Findings*) {
  ProjectionsInfo scan = scan_of(in);
  TL_TRY(scan.geometry, finer(scan.geometry, p.factor));
  return Infos{{"projections", scan}};
}

Result<void> check(const Params&, const Infos& in) {
  if (scan_of(in).kind == PixelKind::counts)
    return invalid("counts cannot be upsampled, since their flats and darks are not", "projections",
                   "Put this node after the flat-field node");
  return ok();
}

Result<Regions> needs(const Params&, const Infos& in, const Region& wanted) {
  ScanRegion region = std::get<ScanRegion>(wanted);
  region.cols = scan_of(in).geometry.full().cols;
  return Regions{{"projections", region}};
}

int64_t workspace(const Params& p, const Infos& in, const Region& wanted, int64_t element_size) {
  const ScanRegion region = std::get<ScanRegion>(wanted);
  return 2 * p.factor * region.views.size() * region.rows.size() * scan_of(in).geometry.detector().cols * element_size;
}

Result<void> run(const Params& p, NodeRun& r) {
  const auto& in = r.in<Projections>("projections");
  const auto& region = std::get<ScanRegion>(r.region);
  const auto f = static_cast<double>(p.factor);
  Projections out;
  out.kind = in.kind;
  TL_TRY(out.geometry, finer(in.geometry, p.factor));
  std::vector<at::Tensor> parts;
  for (int64_t q = 0; q < p.factor; ++q) {
    r.cancel().check();
    // Column q of a pixel lies (q + 1/2) / factor - 1/2 from its centre: the image is moved in the opposite direction.
    const double place = (static_cast<double>(q) + 0.5) / f - 0.5;
    TL_TRY(at::Tensor moved, ops::fourier_shift(in.data, at::full({1}, -place, at::kDouble), {}));
    parts.push_back(moved);
  }
  out.data = at::stack(parts, 3).reshape({in.data.size(0), in.data.size(1), in.data.size(2) * p.factor});
  if (in.vectors.defined()) {
    const at::Tensor v = in.vectors;
    out.vectors = at::cat({v.narrow(1, 0, 6), v.narrow(1, 6, 3) / f, v.narrow(1, 9, 3)}, 1);
  }
  const ScanRegion all = out.geometry.full();
  if (region.cols.size() < all.cols.size()) out = crop(out, {all.views, all.rows, region.cols});
  return r.done("projections", std::move(out));
}

void describe(NodeBuilder<Params>& n) {
  n.id("geometry.finer_columns", 1).title("Finer columns").category("Alignment").partition(Partition::custom);
  n.summary("Upsamples the detector columns by Fourier interpolation.");
  n.description(
      "Interpolates the rows of each view by a Fourier shift, without loss of detail. Use it before an objective on "
      "images that finds the rotation axis: back-projection interpolates linearly between columns, which blurs most "
      "half-way between two pixels and so favours an axis at whole pixels. Four times finer columns almost remove "
      "this. Give the reconstruction a voxel size and a width of its own (1.04 times the pixel rather than 1, so that "
      "the voxels of a row do not all fall at the same fraction of a column), and a smooth filter (Hann) with a cutoff "
      "of 1 over the factor: the Nyquist frequency of the measured pixels.");
  n.synonyms({"upsampling", "resampling", "Fourier interpolation", "super-resolution", "zero padding"});
  n.input<Projections>("projections", "Any scan after the flat-field node.");
  n.output<Projections>("projections", "The same detector with more columns.");
  n.param("factor", "Factor", &Params::factor).range(2, 16).help("Number of finer columns per detector column.");
  n.on_gpu();
  n.check(check).infos(infos).needs(needs).workspace(workspace).run(run);
}

}  // namespace tl::geometry_finer_columns_node

TL_NODE(geometry_finer_columns)
