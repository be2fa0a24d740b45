// Objectness from the eigenvalues of second derivatives, by ITK.
#include <itkHessianRecursiveGaussianImageFilter.h>
#include <itkHessianToObjectnessMeasureImageFilter.h>

#include <algorithm>

#include "core/itk/bridge.h"
#include "core/itk/filters.h"

namespace tl::insight {

Result<void> objectness(const VolumeView& volume, const Objectness& spec, float* out, const Call& call) {
  return run_itk(call, "objectness", [&] {
    auto hessian = itk::HessianRecursiveGaussianImageFilter<Image>::New();
    hessian->SetInput(image_in_voxels_of(volume.grid, volume));
    hessian->SetSigma(spec.sigma);
    hessian->SetNormalizeAcrossScale(true);
    watch(*hessian, call, 0, 0.7);
    auto measure =
        itk::HessianToObjectnessMeasureImageFilter<itk::HessianRecursiveGaussianImageFilter<Image>::OutputImageType,
                                                   Image>::New();
    measure->SetInput(hessian->GetOutput());
    measure->SetObjectDimension(static_cast<unsigned>(spec.dimension));
    measure->SetBrightObject(spec.is_bright);
    measure->SetAlpha(spec.alpha);
    measure->SetBeta(spec.beta);
    measure->SetGamma(spec.gamma);
    measure->SetScaleObjectnessMeasure(false);
    watch(*measure, call, 0.7, 1);
    measure->Update();
    std::copy_n(measure->GetOutput()->GetBufferPointer(), volume.grid.count(), out);
  });
}

}  // namespace tl::insight
