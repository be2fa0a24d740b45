// How far numbers that were fitted to a volume can be trusted, from the gradients of its disjoint parts.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace tl::insight {

struct NumbersOfParts {
  std::vector<double> sigma;
  std::vector<bool> flat;  // moves along a direction that the data leave open
};

// Of numbers with the derivatives `slopes` [number, parameter] by parameters in voxels of motion. `curvature`: of what
// was minimised, `scatter`: the covariance of its gradient, both [parameter, parameter]. sigma^2 = H^-1 S H^-1.
// Directions with hardly any curvature, or known to no better than a voxel, are flat and left out of sigma.
NumbersOfParts numbers_of_parts(const Eigen::MatrixXd& curvature, const Eigen::MatrixXd& scatter,
                                const Eigen::MatrixXd& slopes);

// H^-1 along the directions with more than hardly any curvature, 0 along others.
Eigen::MatrixXd inverse_of_known(const Eigen::MatrixXd& curvature);

}  // namespace tl::insight
