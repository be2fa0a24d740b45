// L-BFGS for displacement fields: steps are limited in voxels and shortened until the loss falls.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>

namespace tl::ops {

struct DescentPoint {
  double loss = 0;
  double overlap = 0;   // share of the voxels that can be compared; 0: none, and loss and gradient are meaningless
  at::Tensor gradient;  // gradient of the loss, in the shape of the displacements
};

struct DescentSpec {
  double voxel = 1;  // voxel size of the level, in the unit of the displacements
  int64_t most_steps = 60;
  std::function<void(double share)> progress;  // may be empty
};

struct DescentEnd {
  at::Tensor at;
  double first_loss = 0, loss = 0, overlap = 0;
  bool converged = false;  // false: the limit of steps was reached
};

// J. Nocedal, Math. Comput. 35, 773 (1980), with eight pairs of steps and gradient changes. `start`: float64 of any
// shape. Ends if steps are shorter than 0.005 voxels, there is no improvement along them, or the loss decreases by less
// than 2e-6 of its value.
DescentEnd descend(const std::function<DescentPoint(const at::Tensor&)>& evaluate, const at::Tensor& start,
                   const DescentSpec& spec);

}  // namespace tl::ops
