// Levels of an image: smoothed, normalised, shrunk; blocks of it.
#include <itkRecursiveGaussianImageFilter.h>
#include <itkShiftScaleImageFilter.h>
#include <itkShrinkImageFilter.h>

#include <algorithm>
#include <array>

#include "core/itk/bridge.h"

namespace tl::insight {

Image::Pointer level_image(const Image::Pointer& image, const Moments& moments, double smoothing, unsigned level) {
  auto scale = itk::ShiftScaleImageFilter<Image, Image>::New();
  scale->SetInput(image);
  scale->SetShift(-moments.mean);
  scale->SetScale(1 / moments.deviation);
  scale->Update();
  Image::Pointer out = scale->GetOutput();
  out->DisconnectPipeline();
  const double sigma = smoothing * level;
  if (sigma > 0) {
    for (unsigned a = 0; a < 3; ++a) {
      if (image->GetBufferedRegion().GetSize(a) < 4) continue;  // the recursive filter starts from four voxels
      auto smooth = itk::RecursiveGaussianImageFilter<Image, Image>::New();
      smooth->SetInput(out);
      smooth->SetDirection(a);
      smooth->SetSigma(sigma * image->GetSpacing()[a]);
      smooth->Update();
      out = smooth->GetOutput();
      out->DisconnectPipeline();
    }
  }
  if (level > 1) {
    auto shrink = itk::ShrinkImageFilter<Image, Image>::New();
    shrink->SetInput(out);
    shrink->SetShrinkFactors(level);
    shrink->Update();
    out = shrink->GetOutput();
    out->DisconnectPipeline();
  }
  return out;
}

std::vector<Image::RegionType> blocks_of(const Image& image) {
  const Image::RegionType all = image.GetBufferedRegion();
  std::array<itk::SizeValueType, 3> blocks{};
  for (unsigned a = 0; a < 3; ++a) blocks[a] = std::clamp<itk::SizeValueType>(all.GetSize(a) / 8, 1, 4);
  std::vector<Image::RegionType> parts;
  for (itk::SizeValueType k = 0; k < blocks[2]; ++k)
    for (itk::SizeValueType j = 0; j < blocks[1]; ++j)
      for (itk::SizeValueType i = 0; i < blocks[0]; ++i) {
        Image::RegionType part;
        const std::array<itk::SizeValueType, 3> at = {i, j, k};
        for (unsigned a = 0; a < 3; ++a) {
          const itk::SizeValueType begin = at[a] * all.GetSize(a) / blocks[a];
          part.SetIndex(a, all.GetIndex(a) + static_cast<itk::IndexValueType>(begin));
          part.SetSize(a, (at[a] + 1) * all.GetSize(a) / blocks[a] - begin);
        }
        parts.push_back(part);
      }
  return parts;
}

}  // namespace tl::insight
