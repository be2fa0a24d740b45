// Registration of one volume to another by a linear map: translation, rigid, similarity, affine.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "core/base/error.h"
#include "core/itk/call.h"

namespace tl::insight {

enum class Motion { translation, rigid, similarity, affine };
// What is compared: values themselves; values up to factor and offset; any relation of the two values.
enum class Agreement { mean_squares, correlation, mutual_information };

// Where a point of the fixed volume lies in the moving one: c + shift + R U (x - c) [mm], c the centre of the fixed
// grid, along the axes of the scan. Twelve numbers: shift x, y, z [mm]; the rotation R as a vector x, y, z, whose
// length is the angle [rad]; the symmetric stretch U as xx, yy, zz, yz, xz, xy.
using LinearMap = std::array<double, 12>;
inline constexpr LinearMap no_motion = {0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0};
struct Matrix3 {
  std::array<double, 9> m{};  // rows
};
Matrix3 matrix_of(const LinearMap& map);                                      // R U
LinearMap map_of(const Matrix3& matrix, const std::array<double, 3>& shift);  // the other way, by polar decomposition

struct LinearRegistrationSpec {
  VolumeView fixed, moving;       // finite values
  const uint8_t* mask = nullptr;  // of the fixed voxels, 0: left out; null: all count
  Motion motion = Motion::rigid;
  Agreement agreement = Agreement::mean_squares;
  int64_t coarsest = 8, finest = 1;  // levels: voxels are binned by powers of 2
  double smoothing = 0.7;            // Gaussian, before anything is compared [voxels of the level, one sigma]
  LinearMap start = no_motion;
  int64_t most_steps = 100;  // of the optimiser at a level
};

struct LinearRegistration {
  LinearMap map = no_motion;
  LinearMap sigma{};            // of each number, from disjoint parts of the volume; 0 of those that are fixed
  std::array<bool, 12> flat{};  // numbers that the volumes leave open, such as the angle of a cylinder
  bool converged = false;       // not: the steps were used up
  double agreement = 0;         // the metric at the end, of values in standard deviations of the fixed volume
  double overlap = 0;           // share of the fixed voxels (within the mask) that lie in the moving volume
  int64_t evaluations = 0;
};

// By ITK's metrics, in units of voxels, (B. B. Avants et al., Frontiers in Neuroinformatics 8, 44, 2014).
// The same bits for any number of threads: a metric, also mutual information (Mattes et al. 2003), takes one. Errors:
// invalid for volumes that do not overlap, a mask without voxels, constant or non-finite values; throws
// Failure{cancelled}.
Result<LinearRegistration> register_linear(const LinearRegistrationSpec& spec, const Call& call);

// Memory in addition to the volumes [bytes].
int64_t bytes_of_registration(const VolumeGrid& fixed, const VolumeGrid& moving);

}  // namespace tl::insight
