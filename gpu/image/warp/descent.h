// L-BFGS for displacement fields: steps are limited in voxels and shortened until the loss falls.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>

namespace tl::ops {

struct DescentPoint {
  double loss = 0;
  double overlap = 0;   // share of what is to be compared; 0: nothing is, and loss and gradient mean nothing
  at::Tensor gradient;  // of the loss, as the displacements
};

struct DescentSpec {
  double voxel = 1;  // of the level, in the unit of the displacements
  int64_t most_steps = 60;
  std::function<void(double share)> progress;  // may be empty
};

struct DescentEnd {
  at::Tensor at;
  double first_loss = 0, loss = 0, overlap = 0;
  bool converged = false;  // not: the steps were used up
};

// J. Nocedal, Math. Comput. 35, 773 (1980), with eight pairs of steps and changes of the gradient. `start`: float64 of
// any shape. It ends where steps are below 0.005 voxels, nothing better is found along them, or the loss falls by less
// than 2e-6 of itself.
DescentEnd descend(const std::function<DescentPoint(const at::Tensor&)>& evaluate, const at::Tensor& start,
                   const DescentSpec& spec);

}  // namespace tl::ops
