// Points that a metric compares: those of a mask, and those that stay within the moving image.
#include <itkImageMaskSpatialObject.h>
#include <itkImportImageContainer.h>

#include <algorithm>
#include <array>

#include "core/itk/bridge.h"

namespace tl::insight {
namespace {

using Map = itk::Transform<double, 3, 3>;

class PointsWithin : public Points {
 public:
  using Self = PointsWithin;
  using Superclass = Points;
  using Pointer = itk::SmartPointer<Self>;
  itkFactorylessNewMacro(Self);

  void set(const Points::Pointer& points, const Image::Pointer& moving, const Map& map, double margin) {
    points_ = points;
    moving_ = moving;
    map_ = map.Clone();
    constexpr double most = 1.0 / 8;  // of the image
    for (unsigned a = 0; a < 3; ++a) {
      const auto last = static_cast<double>(moving->GetBufferedRegion().GetSize(a) - 1);
      low_[a] = std::min(margin / moving->GetSpacing()[a], most * last);
      high_[a] = last - low_[a];
    }
  }

  using Superclass::IsInsideInObjectSpace;
  bool IsInsideInObjectSpace(const PointType& point) const override {
    if (points_ && !points_->IsInsideInWorldSpace(point)) return false;
    itk::ContinuousIndex<double, 3> at;
    (void)moving_->TransformPhysicalPointToContinuousIndex(map_->TransformPoint(point), at);
    for (unsigned a = 0; a < 3; ++a)
      if (!(at[a] >= low_[a] && at[a] <= high_[a])) return false;
    return true;
  }

 private:
  Points::Pointer points_;
  Image::Pointer moving_;
  Map::Pointer map_;
  std::array<double, 3> low_{}, high_{};  // continuous indices
};

}  // namespace

Points::Pointer points_of_mask(const Image::Pointer& image, const uint8_t* voxels) {
  using Bytes = itk::Image<unsigned char, 3>;
  auto container = itk::ImportImageContainer<itk::SizeValueType, unsigned char>::New();
  container->SetImportPointer(const_cast<unsigned char*>(voxels), image->GetPixelContainer()->Size(), false);
  Bytes::Pointer bytes = Bytes::New();
  bytes->CopyInformation(image);
  bytes->SetRegions(image->GetBufferedRegion());
  bytes->SetPixelContainer(container);
  auto mask = itk::ImageMaskSpatialObject<3>::New();
  mask->SetImage(bytes);
  mask->Update();
  return mask.GetPointer();
}

Points::Pointer points_within(const Points::Pointer& points, const Image::Pointer& moving, const Map& map,
                              double margin) {
  auto within = PointsWithin::New();
  within->set(points, moving, map, margin);
  return within.GetPointer();
}

}  // namespace tl::insight
