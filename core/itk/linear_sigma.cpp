// Implements the covariance of fitted numbers by the eigenvectors of the curvature.
#include "core/itk/linear_sigma.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace tl::insight {
namespace {

constexpr double least_curvature = 3e-3;  // of the largest

}  // namespace

NumbersOfParts numbers_of_parts(const Eigen::MatrixXd& curvature, const Eigen::MatrixXd& scatter,
                                const Eigen::MatrixXd& slopes) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(curvature);
  const Eigen::VectorXd& bend = solver.eigenvalues();  // ascending
  const Eigen::MatrixXd& directions = solver.eigenvectors();
  const Eigen::Index n = bend.size();
  constexpr double largest_sigma = 1.0;  // voxels
  Eigen::MatrixXd inverse = Eigen::MatrixXd::Zero(n, n);
  std::vector<Eigen::Index> flat;
  for (Eigen::Index i = 0; i < n; ++i) {
    const double spread = std::sqrt(std::max(0.0, directions.col(i).dot(scatter * directions.col(i))));
    if (bend[i] > least_curvature * bend[n - 1] && spread < largest_sigma * bend[i])
      inverse += directions.col(i) * directions.col(i).transpose() / bend[i];
    else
      flat.push_back(i);
  }
  const Eigen::MatrixXd covariance = inverse * scatter * inverse;
  NumbersOfParts out;
  for (Eigen::Index q = 0; q < slopes.rows(); ++q) {
    const Eigen::RowVectorXd own = slopes.row(q);
    out.sigma.push_back(std::sqrt(std::max(0.0, (own * covariance).dot(own))));
    constexpr double share = 0.3;  // of the direction in which a number changes fastest
    constexpr double rounding = 1e-9;
    const bool open = std::any_of(flat.begin(), flat.end(), [&](Eigen::Index i) {
      return std::abs(own.dot(directions.col(i))) > share * own.norm();
    });
    out.flat.push_back(own.norm() > rounding && open);
  }
  return out;
}

Eigen::MatrixXd inverse_of_known(const Eigen::MatrixXd& curvature) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(curvature);
  const Eigen::VectorXd& bend = solver.eigenvalues();
  const Eigen::Index n = bend.size();
  Eigen::MatrixXd inverse = Eigen::MatrixXd::Zero(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    if (bend[i] > 0 && bend[i] > least_curvature * bend[n - 1])
      inverse += solver.eigenvectors().col(i) * solver.eigenvectors().col(i).transpose() / bend[i];
  return inverse;
}

}  // namespace tl::insight
