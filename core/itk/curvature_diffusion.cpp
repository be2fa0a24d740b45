// Curvature anisotropic diffusion by ITK.
#include <itkCurvatureAnisotropicDiffusionImageFilter.h>

#include <algorithm>

#include "core/itk/bridge.h"
#include "core/itk/filters.h"

namespace tl::insight {

Result<void> curvature_diffusion(const VolumeView& volume, const CurvatureDiffusion& spec, float* out,
                                 const Call& call) {
  return run_itk(call, "curvature diffusion", [&] {
    auto filter = itk::CurvatureAnisotropicDiffusionImageFilter<Image, Image>::New();
    filter->SetInput(image_in_voxels_of(volume.grid, volume));
    filter->SetNumberOfIterations(static_cast<unsigned>(spec.steps));
    filter->SetTimeStep(spec.time_step);
    filter->SetConductanceParameter(spec.conductance);
    watch(*filter, call, 0, 1);
    filter->Update();
    std::copy_n(filter->GetOutput()->GetBufferPointer(), volume.grid.count(), out);
  });
}

}  // namespace tl::insight
