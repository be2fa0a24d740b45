// Estimates how smoothing and finite pixels displace values, from the optimum of a smoother loss; and lists parameters
// that pairs of views cannot determine.
#include <algorithm>
#include <cmath>

#include "core/learn/verdict/geometry_check.h"
#include "core/learn/verdict/judge.h"

namespace tl::learn {
namespace {

// Displacements are proportional to the variance of the smoothing kernel: of a pixel and of the derivative (1/12 +
// 0.8^2), compared with kernels of twice the width: 0.72 over 2.64 - 0.72.
constexpr double share_of_difference = 0.4;
// Natural steps within which the smoother loss is taken for a parabola.
constexpr double still_parabola = 3;

}  // namespace

Result<void> Judge::finite_pixels(const Vector& z, Spread& out) {
  const std::size_t n = problem_.size();
  if (n > max_exact) return ok();
  TL_TRY(const std::optional<double> here, problem_.wider_loss(z));
  if (!here) return ok();
  const double h = out.step;
  const auto at = [&](std::size_t i, double a, std::size_t j, double b) -> Result<double> {
    TL_TRY(keep_going_());
    Vector there = z;
    there[i] += a;
    there[j] += b;
    TL_TRY(const std::optional<double> loss, problem_.wider_loss(there));
    return loss.value_or(*here);
  };
  Vector up(n), down(n), slope(n);
  Matrix curvature(n);
  for (std::size_t i = 0; i < n; ++i) {
    TL_TRY(up[i], at(i, h, i, 0));
    TL_TRY(down[i], at(i, -h, i, 0));
    slope[i] = (up[i] - down[i]) / (2 * h);
    curvature(i, i) = (up[i] + down[i] - 2 * *here) / (h * h);
    for (std::size_t j = 0; j < i; ++j) {
      TL_TRY(const double both, at(i, h, j, h));
      curvature(i, j) = curvature(j, i) = (both - up[i] - up[j] + *here) / (h * h);
    }
  }
  out.finite_pixels.assign(n, 0.0);
  const EigenSystem axes = eigen_system(curvature);
  for (std::size_t k = 0; k < n; ++k) {
    double along = 0;
    for (std::size_t i = 0; i < n; ++i) along -= axes.vectors(i, k) * slope[i];
    // Where the smoother loss is not convex, its optimum is meaningless: only the sigma of the curvature counts.
    const double moved = axes.values[k] > 0 ? along / axes.values[k] : 0;
    for (std::size_t i = 0; i < n; ++i)
      out.finite_pixels[i] +=
          share_of_difference * std::clamp(moved, -still_parabola, still_parabola) * axes.vectors(i, k);
  }
  for (double& x : out.finite_pixels) x = std::abs(x);
  return ok();
}

Result<void> Judge::limits_of_pairs_of_views(Spread& out) {
  if (!problem_.compares_pairs_of_views() || out.objection.empty()) return ok();
  TL_TRY(const std::vector<Value>* data, problem_.data());
  bool leaves = false;
  for (const Value& value : *data)
    if (const auto* scan = std::get_if<Projections>(&value)) leaves = leaves || object_leaves_rows(*scan);
  for (const ParameterBlock& b : problem_.parameter_blocks()) {
    std::string& objection = out.objection[b.offset];
    objection.clear();  // of reconstructions
    if (b.target.name == "source_to_axis" || b.target.name == "axis_to_detector")
      objection =
          "views do not determine the scale of the object: only source_to_axis + axis_to_detector is known, the "
          "distance from source to detector; learn source_to_detector, or give one known length";
    if (leaves)
      objection =
          "the object leaves the rows: lines across the views must end in air, else they have nothing in common";
  }
  return ok();
}

}  // namespace tl::learn
