// Converts linear maps between a matrix and shift, rotation and stretch.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "core/itk/linear_registration.h"

namespace tl::insight {
namespace {

using Rows = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

}  // namespace

Matrix3 matrix_of(const LinearMap& map) {
  const Eigen::Vector3d rotation_vector(map[3], map[4], map[5]);
  const double angle = rotation_vector.norm();
  const Eigen::Matrix3d rotation = angle > 0 ? Eigen::AngleAxisd(angle, rotation_vector / angle).toRotationMatrix()
                                             : Eigen::Matrix3d(Eigen::Matrix3d::Identity());
  Eigen::Matrix3d stretch;
  stretch << map[6], map[11], map[10], map[11], map[7], map[9], map[10], map[9], map[8];
  Matrix3 m;
  Eigen::Map<Rows>(m.m.data()) = rotation * stretch;
  return m;
}

LinearMap map_of(const Matrix3& matrix, const std::array<double, 3>& shift) {
  const Eigen::Matrix3d a = Eigen::Map<const Rows>(matrix.m.data());
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(a, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Eigen::Matrix3d rotation = svd.matrixU() * svd.matrixV().transpose();
  Eigen::Vector3d singular = svd.singularValues();
  if (rotation.determinant() < 0) {
    Eigen::Matrix3d u = svd.matrixU();
    u.col(2) *= -1;
    singular[2] *= -1;
    rotation = u * svd.matrixV().transpose();
  }
  const Eigen::Matrix3d stretch = svd.matrixV() * singular.asDiagonal() * svd.matrixV().transpose();
  const Eigen::AngleAxisd angle_axis(rotation);
  const Eigen::Vector3d rotation_vector = angle_axis.angle() * angle_axis.axis();
  return {shift[0],      shift[1],      shift[2],      rotation_vector[0], rotation_vector[1], rotation_vector[2],
          stretch(0, 0), stretch(1, 1), stretch(2, 2), stretch(1, 2),      stretch(0, 2),      stretch(0, 1)};
}

}  // namespace tl::insight
