// Implements BFGS: the inverse Hessian starts from the first step's curvature and is restarted where it fails.
#include "core/itk/bfgs.h"

#include <algorithm>
#include <utility>

namespace tl::insight {

Descent minimise(const std::function<MetricPoint(const Eigen::VectorXd&)>& evaluate, Eigen::Index parameters,
                 double voxel, int64_t most_steps, const std::function<void(double)>& progress) {
  using Vector = Eigen::VectorXd;
  using Matrix = Eigen::MatrixXd;
  constexpr double longest = 2, settled = 2e-3, sufficient = 1e-4, least = 0.02;  // voxels of the level; shares
  const auto n = parameters;
  Descent descent;
  MetricPoint& now = descent.end;
  now = evaluate(Vector::Zero(n));
  if (now.valid == 0) return descent;
  const auto steepest = [&] {
    return Matrix(Matrix::Identity(n, n) * (0.5 * voxel / std::max(now.gradient.norm(), 1e-12)));
  };
  Matrix inverse = steepest();
  for (int64_t i = 0; i < most_steps; ++i) {
    progress(static_cast<double>(i) / static_cast<double>(most_steps));
    Vector step = -inverse * now.gradient;
    if (!(step.dot(now.gradient) < 0)) {
      inverse = steepest();
      step = -inverse * now.gradient;
    }
    if (step.norm() > longest * voxel) step *= longest * voxel / step.norm();
    if (step.norm() < settled * voxel || now.gradient.norm() == 0) {
      descent.converged = true;
      break;
    }
    const double slope = step.dot(now.gradient);
    double share = 1;
    MetricPoint next = evaluate(now.at + step);
    while (share > least && !(next.valid > 0 && next.value <= now.value + sufficient * share * slope)) {
      share *= 0.35;
      next = evaluate(now.at + share * step);
    }
    if (share <= least) {  // no better place: to within what the interpolation can resolve
      descent.converged = true;
      break;
    }
    const Vector moved = next.at - now.at, bent = next.gradient - now.gradient;
    const double along = moved.dot(bent);
    if (along > 1e-12 * moved.norm() * bent.norm()) {
      if (i == 0) inverse = Matrix::Identity(n, n) * (along / bent.squaredNorm());
      const Matrix left = Matrix::Identity(n, n) - moved * bent.transpose() / along;
      inverse = left * inverse * left.transpose() + moved * moved.transpose() / along;
    }
    now = std::move(next);
  }
  return descent;
}

}  // namespace tl::insight
