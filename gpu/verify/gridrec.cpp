// Verifies gridrec: a disc with known projections, and comparison with filtered back-projection with the same filter.
#include "gpu/filtering/gridrec.h"

#include <ATen/ATen.h>

#include "core/base/units.h"
#include "gpu/simulate/phantom_library.h"
#include "gpu/verify/cases.h"
#include "gpu/verify/filtered.h"
#include "gpu/verify/verify.h"

namespace tl {
namespace {

using ops::RampWindow;
using verify::add_check;

at::Tensor gridrec(const ScanGeometry& g, const at::Tensor& projections, int64_t width, RampWindow window) {
  ops::GridrecSpec spec;
  spec.geometry = g;
  spec.width = width;
  spec.window = window;
  return ops::gridrec(projections, spec).or_throw().to(at::kDouble);
}

// C1 for gridrec: a disc of radius 200 px in 800 columns, 1200 views of point samples.
void large_disc(CheckTable& table) {
  const auto g = ScanGeometry::parallel(equidistant_angles(1200, pi), {1, 800, 1, 1}).or_throw();
  const at::Tensor p = ops::phantom_projections(ops::disc(200), g);
  const at::Tensor inside = verify::distances_from_axis(VolumeGrid::cubic(1, 400, 400, 1)) <= 0.95 * 200;
  const auto error = [&](RampWindow window) { return (gridrec(g, p, 400, window).masked_select(inside) - 1).abs(); };
  const std::string scan = "disc r=200 in 800, 1200 views";
  add_check(table, {"C1 worst pixel", "gridrec, cosine window", scan, "float32",
                    error(RampWindow::cosine).max().item<double>(), 0.005, false,
                    "The window removes the ringing of a disc that is sampled at points."});
  // Without a window the point samples alias and ring, but the mean value is not affected, and gridrec keeps it.
  add_check(table,
            {"C1 mean absolute", "gridrec", scan, "float32", error(RampWindow::ram_lak).mean().item<double>(), 0.005});
}

// Root mean square of the difference in the middle half of the image, relative to the range there; the mean is not
// removed.
double central_rms(const at::Tensor& image, const at::Tensor& reference) {
  const int64_t n = image.size(1), from = n / 4, size = n / 2;
  const at::Tensor a = image.narrow(1, from, size).narrow(2, from, size);
  const at::Tensor b = reference.narrow(1, from, size).narrow(2, from, size);
  return ((a - b).square().mean().sqrt() / (b.max() - b.min())).item<double>();
}

void against_fbp(CheckTable& table) {
  const auto g = ScanGeometry::parallel(equidistant_angles(320, pi, 0.1), {1, 256, 0.01, 0.01}, 2.3).or_throw();
  const VolumeGrid grid = VolumeGrid::cubic(1, 256, 256, 0.01);
  const at::Tensor p = ops::phantom_projections(ops::shepp_logan_2d(1.1), g);
  for (const auto& [window, name] : {std::pair{RampWindow::ram_lak, "Ram-Lak"},
                                     {RampWindow::shepp_logan, "Shepp-Logan"},
                                     {RampWindow::hann, "Hann"}}) {
    const at::Tensor reference = verify::filtered_back_projection(g, grid, p, window).to(at::kDouble);
    add_check(table, {"gridrec against FBP", std::string(name) + " filter", "Shepp-Logan 256^2, 320 views", "float32",
                      central_rms(gridrec(g, p, 256, window), reference), 0.02});
  }
}

}  // namespace

CheckTable verify_gridrec() {
  CheckTable table;
  large_disc(table);
  against_fbp(table);
  return table;
}

}  // namespace tl
