// CUDA half of the back-projector: one thread per voxel runs the functor of back_projector_math.h.
#include <cuda_runtime.h>

#include "gpu/cuda_module.h"
#include "gpu/ops/back_projector_math.h"
#include "gpu/ops/launch.cuh"

namespace tl::cuda {

int back_project_f32(int device, const BackProjectTask* task, const float* projections, float* volume, void* stream) {
  const BackProjectVoxel<float> voxel{*task, projections, volume};
  return launch(device, voxel, task->nz * task->ny * task->nx, stream);
}

}  // namespace tl::cuda
