// Scans of two discs for tests of solvers, and the reports of a solver's iterations.
#pragma once

#include <ATen/ATen.h>

#include <cmath>
#include <vector>

#include "core/base/units.h"
#include "gpu/projection/projector/projector.h"
#include "gpu/simulate/phantom_library.h"
#include "gpu/solve/solve.h"

namespace tl::test::solvers {

using namespace tl::solve;

// A parallel scan of an off-centre disc and a smaller one, with the discrete phantom's own projections.
struct Scan {
  OperatorPtr op;
  at::Tensor truth, data;
};
inline Scan scan(int64_t size, int64_t views, at::ScalarType type, double pitch = 1, double voxel = 1) {
  const auto cols = static_cast<int64_t>(std::ceil(static_cast<double>(size) * voxel / pitch));
  const auto g = ScanGeometry::parallel(equidistant_angles(views, pi), {1, cols, pitch, pitch}).or_throw();
  const VolumeGrid grid = VolumeGrid::cubic(1, size, size, voxel);
  const double r = 0.5 * static_cast<double>(size) * voxel;
  ops::Phantom phantom = ops::disc(0.5 * r, 1, 0.2 * r, 0.1 * r);
  phantom.parts.push_back(ops::disc(0.2 * r, 1, -0.5 * r, -0.3 * r).parts[0]);
  ops::PhantomSampling sampling;
  sampling.dtype = type;
  Scan s{make_projector({g, grid}).or_throw(), ops::phantom_volume(phantom, grid, sampling), {}};
  s.data = s.op->apply(s.truth);
  return s;
}

inline double error_of(const at::Tensor& x, const Scan& s) {
  return ((x - s.truth).norm() / s.truth.norm()).item<double>();
}

// The same views in subsets.
inline std::vector<Equations> subsets(int64_t size, int64_t views, int64_t count, const Scan& s) {
  const auto g = ScanGeometry::parallel(equidistant_angles(views, pi), {1, size, 1, 1}).or_throw();
  std::vector<Equations> all;
  for (const auto& chosen : ordered_subsets(g, count))
    all.push_back({make_projector({g.select(chosen), VolumeGrid::cubic(1, size, size, 1)}).or_throw(),
                   s.data.index_select(0, at::tensor(at::ArrayRef<int64_t>(chosen), at::kLong)).contiguous()});
  return all;
}

template <class Solver>
std::vector<IterationReport> steps(const Solver& solver, int64_t iterations) {
  std::vector<IterationReport> all;
  auto state = solver.start();
  solver.run(state, {iterations, {}, [&](const IterationReport& s) { all.push_back(s); }});
  return all;
}

// Tolerates the rounding of a sum of squares in float64.
inline bool never_grows(const std::vector<IterationReport>& all) {
  for (std::size_t i = 1; i < all.size(); ++i)
    if (!(all[i].objective <= all[i - 1].objective * (1 + 1e-12) + 1e-15)) return false;
  return true;
}

}  // namespace tl::test::solvers
