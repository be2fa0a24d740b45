// Geodesic active contours by ITK: speed from the gradient, distances from the start, then a sparse-field level set.
#include <itkBoundedReciprocalImageFilter.h>
#include <itkGeodesicActiveContourLevelSetImageFilter.h>
#include <itkGradientMagnitudeRecursiveGaussianImageFilter.h>
#include <itkShiftScaleImageFilter.h>
#include <itkSignedMaurerDistanceMapImageFilter.h>

#include <algorithm>

#include "core/itk/bridge.h"
#include "core/itk/filters.h"

namespace tl::insight {

Result<void> geodesic_level_set(const VolumeView& volume, const GeodesicLevelSet& spec, float* out, const Call& call) {
  return run_itk(call, "level set", [&] {
    const Image::Pointer image = image_in_voxels_of(volume.grid, volume);
    auto gradient = itk::GradientMagnitudeRecursiveGaussianImageFilter<Image, Image>::New();
    gradient->SetInput(image);
    gradient->SetSigma(spec.sigma);
    watch(*gradient, call, 0, 0.1);
    auto scale = itk::ShiftScaleImageFilter<Image, Image>::New();
    scale->SetInput(gradient->GetOutput());
    scale->SetScale(1 / spec.edge);
    auto speed = itk::BoundedReciprocalImageFilter<Image, Image>::New();
    speed->SetInput(scale->GetOutput());
    speed->Update();

    using Bytes = itk::Image<unsigned char, 3>;
    Bytes::Pointer start = Bytes::New();
    start->CopyInformation(image);
    start->SetRegions(image->GetBufferedRegion());
    start->Allocate();
    std::copy_n(spec.start, volume.grid.count(), start->GetBufferPointer());
    auto distance = itk::SignedMaurerDistanceMapImageFilter<Bytes, Image>::New();
    distance->SetInput(start);
    distance->SetBackgroundValue(0);
    distance->SetInsideIsPositive(false);
    distance->SetSquaredDistance(false);
    distance->SetUseImageSpacing(true);
    watch(*distance, call, 0.1, 0.2);
    distance->Update();

    auto contour = itk::GeodesicActiveContourLevelSetImageFilter<Image, Image>::New();
    contour->SetInput(distance->GetOutput());
    contour->SetFeatureImage(speed->GetOutput());
    contour->SetPropagationScaling(spec.propagation);
    contour->SetCurvatureScaling(spec.curvature);
    contour->SetAdvectionScaling(spec.advection);
    contour->SetMaximumRMSError(spec.settled);
    contour->SetNumberOfIterations(static_cast<unsigned>(spec.steps));
    contour->SetIsoSurfaceValue(0);
    watch(*contour, call, 0.2, 1);
    contour->Update();
    std::copy_n(contour->GetOutput()->GetBufferPointer(), volume.grid.count(), out);
  });
}

}  // namespace tl::insight
