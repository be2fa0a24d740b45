// BFGS for metrics of registration, whose values are rough where points leave the volume.
#pragma once

#include <Eigen/Dense>
#include <cstdint>
#include <functional>

namespace tl::insight {

struct MetricPoint {
  Eigen::VectorXd at;  // offset from the start [voxels of motion]
  double value = 0;
  Eigen::VectorXd gradient;  // of the value, per voxel of motion
  int64_t valid = 0;         // points compared; 0: the volumes do not overlap there
};

struct Descent {
  MetricPoint end;         // of valid 0 if the start was
  bool converged = false;  // not: the steps were used up
};

// Quasi-Newton steps (Nocedal and Wright, Numerical Optimization, chapter 6) that shrink until the metric improves,
// until they are below 0.002 `voxel` [voxels of motion]. ITK's own optimisers take a fixed number of small steps, or
// print where the interpolated metric is not smooth enough for their line search. `progress` gets shares from 0 to 1.
Descent minimise(const std::function<MetricPoint(const Eigen::VectorXd&)>& evaluate, Eigen::Index parameters,
                 double voxel, int64_t most_steps, const std::function<void(double)>& progress);

}  // namespace tl::insight
