// core/nodes/objective/epipolar.cpp: objective: what pairs of views must have in common, on any orbit.
#include "gpu/alignment/epipolar/epipolar.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/grid_box.h"
#include "core/nodes/filtered_views.h"
#include "core/nodes/objective/objective_node.h"
#include "gpu/operator/reduce.h"

namespace tl::objective_epipolar_node {

constexpr int64_t bands = 6;
constexpr int64_t fewest_rows = 24;  // of which lines that leave at top or bottom do not count

constexpr int64_t enough_rows = 160;  // of a detector, else its pixels are averaged: time grows with their square

struct Params {
  double width = 0.8;
  int64_t pairs = 8192;
  std::optional<int64_t> bin;
};

ops::EpipolarParams params_of(const Params& p, const ScanGeometry& g, double wider = 1) {
  ops::EpipolarParams all{g.beam(), g.detector(), wider * p.width};
  all.bin = p.bin.value_or((g.detector().rows + enough_rows - 1) / enough_rows);
  all.max_values = p.pairs * all.binned().rows;
  return all;
}

Result<void> check(const Params& p, const Infos& in) {
  const auto& scan = scan_of(in);
  TL_TRY(require_line_integrals(scan));
  if (scan.geometry.views() < 2)
    return invalid("one view has nothing to be compared with", "projections", "Use more of the scan");
  if (const int64_t rows = params_of(p, scan.geometry).binned().rows; rows < fewest_rows)
    return invalid(
        "lines across both views need at least " + std::to_string(fewest_rows) + " rows, not " + std::to_string(rows),
        "projections", "Use more rows of the detector, or average fewer pixels");
  return ok();
}

// A row per pair of views, as many as there may be, and a column per plane.
VolumeGrid grid_of_residual(const Params& p, const ScanGeometry& g) {
  return VolumeGrid::cubic(1, std::min(p.pairs, g.views() * (g.views() - 1) / 2), params_of(p, g).binned().rows, 1);
}

Result<Infos> infos(const Params& p, const Infos& in, const Findings*) {
  return Infos{{residual, VolumeInfo{grid_of_residual(p, scan_of(in).geometry), Unit::none}}};
}

Result<Regions> needs(const Params&, const Infos& in, const Region&) {
  return Regions{{"projections", full_region(in.at("projections"))}};
}

int64_t workspace(const Params& p, const Infos& in, const Region&, int64_t element_size) {
  const auto& g = scan_of(in).geometry;
  const DetectorShape d = params_of(p, g).binned();
  const int64_t rows = d.rows, cols = d.cols, views = g.views();
  const int64_t pairs = std::min(p.pairs, views * (views - 1) / 2);
  constexpr int64_t of_views = 8, of_planes = 20;  // tensors of a number per pixel; per pair and plane
  return of_views * views * rows * cols * element_size + of_planes * pairs * rows * 8;
}

// Shares of the loss in bands of the pairs in some order.
std::vector<double> shares(const at::Tensor& by_pair, const std::vector<double>& order) {
  const at::Tensor sorted = at::tensor(order, at::kDouble).argsort();
  const at::Tensor squares = by_pair.index_select(0, sorted);
  std::vector<double> out;
  const int64_t pairs = squares.size(0);
  for (int64_t b = 0; b < bands; ++b) {
    const int64_t first = b * pairs / bands, last = (b + 1) * pairs / bands;
    out.push_back(last > first ? total(squares.slice(0, first, last).contiguous()) : 0);
  }
  return out;
}

void put_bands(NodeRun& r, const ops::EpipolarDifferences& d) {
  const at::Tensor by_pair =
      (d.residual.detach().square().sum(1) / static_cast<double>(d.residual.numel())).contiguous();
  const std::vector<double> by_view(d.first.begin(), d.first.end());
  r.out(error_by_band, Table{{{"angle between views", Unit::none, shares(by_pair, d.apart)},
                              {"views", Unit::none, shares(by_pair, by_view)}}});
}

Result<void> run(const Params& p, NodeRun& r) {
  const auto& in = r.in<Projections>("projections");
  const at::Tensor vectors = view_vectors_of(in), data = in.data.contiguous();
  const auto mean_square = [](const at::Tensor& x) {
    return differentiable_sum_of_squares(x.contiguous()) / static_cast<double>(x.numel());
  };
  if (r.wants(wider_loss)) {
    const auto wider = ops::epipolar_differences(data, vectors, params_of(p, in.geometry, 2));
    r.out(wider_loss, Scalar{mean_square(wider.residual).to(at::kDouble), Unit::none});
    if (!r.wants("loss")) return ok();
  }
  const auto differences = ops::epipolar_differences(data, vectors, params_of(p, in.geometry));
  if (r.wants(error_by_band)) put_bands(r, differences);
  if (r.wants(residual)) {
    // Pairs without common planes are 0, and the others as much larger: the loss is the mean square.
    const VolumeGrid grid = grid_of_residual(p, in.geometry);
    const int64_t pairs = differences.residual.size(0);
    const double share = std::sqrt(static_cast<double>(grid.ny) / static_cast<double>(pairs));
    const at::Tensor none = at::zeros({grid.ny - pairs, grid.nx}, at::kDouble);
    const at::Tensor all = at::cat({share * differences.residual, none}).unsqueeze(0);
    const auto* part = std::get_if<VolumeGrid>(&r.region);
    const auto box = part == nullptr ? std::nullopt : box_in(grid, *part);
    if (part != nullptr && !box)
      return invalid("differences of pairs are shown on whole pairs and planes", residual, "Choose a slice XY");
    r.out(residual,
          box ? Volume{all.narrow(1, box->y.begin, box->y.size()).narrow(2, box->x.begin, box->x.size()).contiguous(),
                       *part, Unit::none}
              : Volume{all, grid, Unit::none});
  }
  return put_loss(r, mean_square(differences.residual));
}

void describe(NodeBuilder<Params>& n) {
  n.id("objective.epipolar", 1).title("Epipolar consistency").partition(Partition::whole);
  n.summary("Scores the geometry of a cone beam by what pairs of views must have in common.");
  n.description(
      "A plane through the sources of two views cuts both detectors in a line; the derivative of absorption over "
      "distance across that line is the same in both, times a known factor. The score is how much pairs of views "
      "deviate from that, so it needs no reconstruction and no circular orbit. It finds the axis, the tilt, the yaw of "
      "the detector and the distance from source to detector. It does not depend on the scale of the object: where "
      "the axis lies between source and detector is not known from it, nor the first angle. The object may leave the "
      "field of view at top and bottom, but not at the ends of the rows. In a parallel beam integrals along the line "
      "are compared, which says something where the rotation axis leans along the beam (laminography).");
  n.cite(
      "P. Grangeat, Mathematical framework of cone beam 3D reconstruction via the first derivative of the Radon "
      "transform, Lecture Notes in Mathematics 1497 (1991) 66");
  n.cite("A. Aichert et al., Epipolar consistency in transmission imaging, IEEE Trans. Med. Imaging 34 (2015) 2205");
  n.synonyms({"objective", "loss", "data consistency", "Grangeat", "cone beam calibration", "source distance",
              "detector yaw", "alignment", "laminography"});
  n.input<Projections>("projections", "Absorption, of any orbit.");
  describe_loss(n, "Mean square of the differences; smaller is better.");
  n.output<Volume>(residual, "The differences: a row per pair of views, a column per plane.");
  n.output<Table>(error_by_band, "Shares of the loss of bands of the angle between views, and of views.");
  n.output<Scalar>(wider_loss, "The same with a derivative of twice the width; learning adds what that changes.");
  n.advanced_param("width", "Width of the derivative", &Params::width)
      .range(0.6, 10, Unit::px)
      .help(
          "Standard deviation of the Gaussian that smooths across lines. Wider ones have less noise but bias the "
          "result more.");
  n.advanced_param("pairs", "Pairs of views", &Params::pairs)
      .range(16, 1000000)
      .help("Largest number of pairs, evenly spread over the scan.");
  n.advanced_param("bin", "Pixels averaged", &Params::bin)
      .range(1, 64)
      .automatic("so many that at most 160 rows are left")
      .help("Squares of so many by so many pixels count as one; rows and planes are counted in these.");
  n.check(check).infos(infos).needs(needs).workspace(workspace).run(run);
}

}  // namespace tl::objective_epipolar_node

TL_NODE(objective_epipolar)
