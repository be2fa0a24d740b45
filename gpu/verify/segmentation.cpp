// Verifies segmentation and its measurements: thresholds, watersheds and random walks with known results, and phantoms
// with known sizes.
#include <ATen/ATen.h>

#include <array>
#include <cmath>

#include "core/base/larger.h"
#include "core/base/units.h"
#include "gpu/segmentation/components.h"
#include "gpu/segmentation/distance.h"
#include "gpu/segmentation/local_thickness.h"
#include "gpu/segmentation/random_walker.h"
#include "gpu/segmentation/region_sums.h"
#include "gpu/segmentation/thresholds/thresholds.h"
#include "gpu/segmentation/watershed.h"
#include "gpu/simulate/labelled_phantom.h"
#include "gpu/verify/cases.h"
#include "gpu/verify/verify.h"

namespace tl {
namespace {

using verify::add_check;

void thresholds(CheckTable& table) {
  const at::Tensor image =
      at::tensor({0, 0, 1, 3, 5, 0, 1, 4, 3, 4, 1, 2, 5, 4, 1, 2, 4, 5, 2, 1, 4, 5, 1, 0, 0}, at::kInt);
  ops::GreyHistogram histogram;
  histogram.add(image);
  const auto row = [&](const char* name, ops::ThresholdMethod method, double wanted, double bound) {
    const double found = ops::threshold(histogram, method).or_throw();
    add_check(table, {"segmentation threshold", name, "5 x 5 pixels", "int32", std::abs(found - wanted), bound});
  };
  constexpr double li = 2.097724;           // the fix point
  constexpr double of_whole_numbers = 0.5;  // where the iteration ends
  row("Otsu", ops::ThresholdMethod::otsu, 2, 0);
  row("Yen", ops::ThresholdMethod::yen, 2, 0);
  row("isodata", ops::ThresholdMethod::isodata, 2, 0);
  row("Li", ops::ThresholdMethod::li, li, of_whole_numbers);

  at::Tensor discs = at::zeros({100, 100}, at::kInt);
  auto pixel = discs.accessor<int32_t, 2>();
  const std::array<std::pair<int64_t, int32_t>, 3> three{{{25, 64}, {50, 128}, {75, 192}}};
  for (const auto& [centre, grey] : three)
    for (int64_t y = 0; y < 100; ++y)
      for (int64_t x = 0; x < 100; ++x)
        if ((y - centre) * (y - centre) + (x - centre) * (x - centre) < 400) pixel[y][x] = grey;
  ops::GreyHistogram several;
  several.add(discs);
  const std::vector<double> found = ops::multi_otsu_thresholds(several, 4).or_throw();
  const std::array<double, 3> wanted{0, 64, 128};
  double worst = found.size() == wanted.size() ? 0 : 1e9;
  for (std::size_t i = 0; worst < 1e9 && i < wanted.size(); ++i)
    worst = larger_or_nan(worst, std::abs(found[i] - wanted[i]));
  add_check(table, {"segmentation threshold", "Otsu, four classes", "three discs", "int32", worst, 0});
}

// The sum of the differences from known areas, largest region first.
double wrong_area(const at::Tensor& labels, std::vector<int64_t> wanted) {
  const at::Tensor counts = labels.flatten().bincount();
  double wrong = 0;
  for (int64_t i = 0; i < std::max<int64_t>(counts.numel(), static_cast<int64_t>(wanted.size())); ++i) {
    const int64_t found = i < counts.numel() ? counts[i].item<int64_t>() : 0;
    const int64_t expected = i < static_cast<int64_t>(wanted.size()) ? wanted[static_cast<std::size_t>(i)] : 0;
    wrong += static_cast<double>(std::abs(found - expected));
  }
  return wrong;
}

void watersheds(CheckTable& table) {
  const at::Tensor line = at::tensor({0, 2, 1, 1, 1, 1, 1, 1, 2, 0}, at::kFloat).view({1, 10});
  at::Tensor seeds = at::zeros({1, 10}, at::kInt);
  seeds[0][0] = 1;
  seeds[0][9] = 2;
  const at::Tensor flooded = ops::watershed(line, seeds, {}, {}).or_throw();
  const at::Tensor wanted = at::tensor({1, 1, 1, 1, 1, 2, 2, 2, 2, 2}, at::kInt).view({1, 10});
  add_check(table, {"segmentation watershed", "wrong pixels", "a line of ten", "float32",
                    flooded.ne(wanted).sum().item<double>(), 0});

  at::Tensor discs = at::zeros({406, 270}, at::kBool);
  auto inside = discs.accessor<bool, 2>();
  const std::array<std::array<int64_t, 3>, 4> four{{{200, 208, 100}, {300, 120, 50}, {100, 100, 40}, {340, 208, 80}}};
  for (int64_t x = 0; x < 406; ++x)
    for (int64_t y = 0; y < 270; ++y)
      for (const auto& [cx, cy, r] : four)
        if ((x - cx) * (x - cx) + (y - cy) * (y - cy) < r * r) inside[x][y] = true;
  const at::Tensor steps = (ops::distance_to_background(discs, {}).or_throw() / 12).round();
  const auto row = [&](ops::Connectivity connectivity, const char* neighbours, std::vector<int64_t> areas) {
    ops::WatershedSpec spec;
    spec.connectivity = connectivity;
    spec.compactness = 0.01;
    const at::Tensor basins = ops::watershed(200 - steps * 12, {}, steps.gt(0), spec).or_throw();
    add_check(table, {"segmentation watershed", std::string("wrong area, neighbours by ") + neighbours,
                      "four touching discs", "float32", wrong_area(basins, std::move(areas)), 0});
  };
  row(ops::Connectivity::faces, "edges", {61824, 3653, 20467, 11097, 1301, 11278});
  row(ops::Connectivity::corners, "corners", {61824, 3653, 20466, 12386, 11291});
}

void random_walks(CheckTable& table) {
  constexpr int64_t steps = 40;
  at::Tensor seeds = at::zeros({1, steps + 1}, at::kInt);
  seeds[0][0] = 1;
  seeds[0][steps] = 2;
  ops::RandomWalkerSpec spec;
  spec.tolerance = 1e-10;
  spec.probabilities = ops::WalkerProbabilities::wanted;
  const ops::RandomWalk walk = ops::random_walker(at::ones({1, steps + 1}, at::kDouble), seeds, spec).or_throw();
  const at::Tensor wanted = at::arange(steps + 1, at::kDouble) / static_cast<double>(steps);
  const double worst = (walk.probabilities[1].view(-1).to(at::kDouble) - wanted).abs().max().item<double>();
  add_check(table, {"segmentation walk", "probability on a path", "41 pixels, seeds at both ends", "float64", worst,
                    1e-6, false, "The residual at which the solver ends."});
}

ops::LabelledPhantom foam(const VolumeGrid& grid) {
  ops::LabelledPhantomSpec spec;
  spec.whole = grid;
  return ops::LabelledPhantom::make(spec).or_throw();
}

void foams(CheckTable& table, VerifySize size, const CancelToken& cancel) {
  const int64_t n = size == VerifySize::full ? 256 : 96;
  const VolumeGrid grid = VolumeGrid::cubic(n, n, n, 0.01);
  const ops::LabelledPhantom phantom = foam(grid);
  const at::Tensor labels = phantom.labels(grid, cancel);
  const std::string where = "foam " + std::to_string(n) + "^3";
  const at::Tensor pores = labels.eq(2);
  const double share = pores.sum().item<double>() / labels.gt(0).sum().item<double>();
  add_check(table, {"segmentation foam", "porosity, relative error", where, "int32",
                    std::abs(share / phantom.share_of_bodies() - 1), size == VerifySize::full ? 0.005 : 0.02, false,
                    "Balls of some voxels are steps of voxels: 0.5 % at 256^3."});
  const auto bubbles = static_cast<double>(phantom.bodies().size());
  ops::ComponentsSpec spec;
  spec.cancel = cancel;
  const auto found = static_cast<double>(ops::components(pores, spec).or_throw().count());
  add_check(table,
            {"segmentation foam", "bubbles, relative error", where, "int32", std::abs(found / bubbles - 1), 0.02});
}

void balls_and_plates(CheckTable& table) {
  // A ball of radius 20 voxels of 0.1 mm.
  constexpr int64_t n = 47;
  constexpr double edge = 0.1, radius = 20, truth = 4.0 / 3 * pi * 8;
  const at::Tensor d = (at::arange(n, at::kDouble) - (n - 1) / 2.0).square();
  const at::Tensor ball = (d.view({n, 1, 1}) + d.view({1, n, 1}) + d.view({1, 1, n})).le(radius * radius);
  ops::RegionSums sums;
  sums.add(ball.to(at::kInt)).or_throw();
  const double volume = static_cast<double>(sums.regions().at(0).voxels) * edge * edge * edge;
  add_check(table, {"segmentation table", "volume of a ball, relative error", "radius 20 voxels of 0.1 mm", "int32",
                    std::abs(volume / truth - 1), 0.01});

  at::Tensor plate = at::zeros({20, 24, 24}, at::kBool);
  plate.narrow(0, 6, 7).fill_(true);
  const at::Tensor thickness = ops::local_thickness(plate, {}).or_throw();
  const double worst = (thickness.masked_select(plate) - 7).abs().max().item<double>();
  add_check(table, {"segmentation thickness", "a plate, error in voxels", "7 voxels thick", "float32", worst, 0});
}

}  // namespace

CheckTable verify_segmentation(VerifySize size, const CancelToken& cancel) {
  CheckTable table;
  thresholds(table);
  watersheds(table);
  random_walks(table);
  foams(table, size, cancel);
  balls_and_plates(table);
  return table;
}

}  // namespace tl
