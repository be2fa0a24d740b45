// Verifies C1 and C2: discs with projections in closed form, through filtered back-projection.
#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/base/units.h"
#include "gpu/projection/projector/projector.h"
#include "gpu/verify/cases.h"
#include "gpu/verify/filtered.h"
#include "gpu/verify/larger_deviation.h"
#include "gpu/verify/verify.h"

namespace tl {
namespace {

using verify::distances_from_axis;
using verify::filtered_back_projection;
using verify::type_name;

// Integral of 2 sqrt(r^2 - s^2) from 0 to s.
double half_disc(double s, double r) {
  const double c = std::clamp(s, -r, r);
  return c * std::sqrt(std::max(0.0, r * r - c * c)) + r * r * std::asin(c / r);
}

enum class PixelValue { centre, average };

// [views, 1, cols] of a disc of value 1 around the axis; pixel size 1 mm.
at::Tensor disc_projections(int64_t views, int64_t cols, double radius, PixelValue kind) {
  at::Tensor line = at::zeros({1, 1, cols}, at::kDouble);
  double* p = line.mutable_data_ptr<double>();
  for (int64_t c = 0; c < cols; ++c) {
    const double s = static_cast<double>(c) - 0.5 * static_cast<double>(cols - 1);
    p[c] = kind == PixelValue::centre ? 2 * std::sqrt(std::max(0.0, radius * radius - s * s))
                                      : half_disc(s + 0.5, radius) - half_disc(s - 0.5, radius);
  }
  return line.expand({views, 1, cols}).contiguous();
}

// C1: a disc of radius 200 px in 800 columns, 1200 views of point samples.
void large_disc(VerifySize size, at::ScalarType type, CheckTable& table) {
  const auto geometry = ScanGeometry::parallel(equidistant_angles(1200, pi), {1, 800, 1, 1}).or_throw();
  const VolumeGrid lines{1, 5, 401, {0, 10, 0}, {1, 0, 0}, {0, 35, 0}, {0, 0, 1}};
  const VolumeGrid grid = size == VerifySize::small ? lines : VolumeGrid::cubic(1, 401, 401, 1);
  const at::Tensor image =
      filtered_back_projection(geometry, grid, disc_projections(1200, 800, 200, PixelValue::centre).to(type))
          .to(at::kDouble);
  const at::Tensor inside = image.masked_select(distances_from_axis(grid) <= 0.95 * 200);
  const double worst = (inside - 1).abs().max().item<double>();
  table.push_back(
      {"C1 worst pixel", "FBP", "disc r=200 in 800, 1200 views", type_name(type), worst, 0.005, worst <= 0.005});
}

// C2: a disc of radius 32 px in 128 columns, 128 views of pixel averages.
void small_disc(at::ScalarType type, CheckTable& table) {
  const auto geometry = ScanGeometry::parallel(equidistant_angles(128, pi), {1, 128, 1, 1}).or_throw();
  const VolumeGrid grid = VolumeGrid::cubic(1, 128, 128, 1);
  const at::Tensor image =
      filtered_back_projection(geometry, grid, disc_projections(128, 128, 32, PixelValue::average).to(type))
          .to(at::kDouble);
  const at::Tensor error = image.masked_select(distances_from_axis(grid) < 0.9 * 32) - 1;
  const double bias = std::abs(error.mean().item<double>()), spread = error.abs().mean().item<double>();
  const std::string name = "disc r=32 in 128, 128 views";
  table.push_back({"C2 mean", "FBP", name, type_name(type), bias, 1e-4, bias < 1e-4});
  table.push_back({"C2 mean absolute", "FBP", name, type_name(type), spread, 3e-4, spread < 3e-4});
}

// Chords of a uniform box: the projector against the exact length. A ray that enters and leaves through opposite faces
// across its main axis crosses every slice completely, so that only rounding errors remain.
void box_chords(at::ScalarType type, CheckTable& table) {
  const VolumeGrid grid{12, 20, 16, {0.3, -0.2, 0.1}, {0.5, 0, 0}, {0, 0.25, 0}, {0, 0, 0.4}};
  const std::vector<double> angles = {0.05, -0.12, 0.2};
  const auto geometry = ScanGeometry::cone(angles, {3, 5, 0.3, 0.3}, 60, 20).or_throw();
  const at::Tensor found =
      make_projector({geometry, grid}).or_throw()->apply(at::ones({12, 20, 16}, type)).to(at::kDouble);
  const auto value = found.accessor<double, 3>();
  double worst = 0;
  for (int64_t view = 0; view < geometry.views(); ++view)
    for (int64_t row = 0; row < 3; ++row)
      for (int64_t col = 0; col < 5; ++col) {
        const View& w = geometry.view(view);
        const Vec3 ray =
            w.detector + (static_cast<double>(col) - 2) * w.u - (static_cast<double>(row) - 1) * w.v - w.beam;
        const double chord = norm(ray) / std::abs(ray.y) * 20 * 0.25;
        worst = verify::larger_deviation(worst, std::abs(value[view][row][col] - chord) / chord);
      }
  const double bound = type == at::kFloat ? 1e-6 : 1e-12;
  table.push_back({"box chords", "projector", "cone, box voxels", type_name(type), worst, bound, worst <= bound});
}

}  // namespace

CheckTable verify_analytic(VerifySize size) {
  CheckTable table;
  for (const at::ScalarType type : {at::kFloat, at::kDouble}) {
    large_disc(size, type, table);
    small_disc(type, table);
    box_chords(type, table);
  }
  return table;
}

}  // namespace tl
