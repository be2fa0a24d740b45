// Scans with a known rotation axis, noise and failure messages, for verification and the tests of the axis finders.
#pragma once

#include <ATen/ATen.h>

#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/base/units.h"
#include "gpu/axis/axis_result.h"
#include "gpu/simulate/phantom_library.h"
#include "gpu/simulate/poisson.h"

namespace tl::ops {

inline std::vector<double> half_turn(int64_t views) { return equidistant_angles(views, pi); }

inline at::Tensor project(const Phantom& phantom, const std::vector<double>& angles, int64_t cols, double axis,
                          int64_t rows = 1) {
  return phantom_projections(phantom, ScanGeometry::parallel(angles, {rows, cols, 1, 1}, axis).or_throw());
}

// Absorption as measured with this number of photons per pixel.
inline at::Tensor with_photon_noise(const at::Tensor& absorption, double photons, uint64_t seed) {
  const NoiseFrame frame{seed,
                         NoiseSeries::projections,
                         {{0, absorption.size(0)}, {0, absorption.size(1)}, {0, absorption.size(2)}},
                         absorption.size(1),
                         absorption.size(2)};
  return -at::log(poisson_counts(photons * at::exp(-absorption), frame).clamp_min(0.5) / photons);
}

inline std::string axis_result_text(const std::string& name, double truth, const AxisResult& r) {
  return name + ": " + std::to_string(r.axis) + " +- " + std::to_string(r.uncertainty) + " for " +
         std::to_string(truth) + ", verdict " + std::to_string(static_cast<int>(r.verdict)) + ". " + r.explanation;
}

}  // namespace tl::ops
