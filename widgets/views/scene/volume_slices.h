// SliceActors: the slices through the crosshair as frames and textured rectangles in a VTK renderer.
#pragma once

#include <vtkActor.h>
#include <vtkNew.h>
#include <vtkOutlineSource.h>
#include <vtkPlaneSource.h>
#include <vtkPolyDataMapper.h>
#include <vtkTexture.h>

#include "widgets/views/scene/volume_data.h"

class vtkRenderer;

namespace tl::ui {

// The octant around the crosshair's corner nearest to the camera, and the crosshair itself.
struct CutOctant {
  std::array<double, 3> at{};
  std::array<std::size_t, 3> side{};  // 0: the part below `at` is cut out, 1: above
  static CutOctant of(const VolumeScene& scene, const VolumeBounds& bounds, Vec3 eye);
  [[nodiscard]] VolumeBounds box(VolumeBounds within) const;
};

class SliceActors {
 public:
  SliceActors();
  // Adds the slices of the scene to the renderer, and removes the rest.
  void apply(const VolumeScene& scene, const VolumeData& data, const VolumeBounds& kept, Vec3 eye,
             vtkRenderer& renderer);

 private:
  struct One {
    vtkNew<vtkPlaneSource> plane;
    vtkNew<vtkTexture> texture;
    vtkNew<vtkPolyDataMapper> pixels_mapper, frame_mapper;
    vtkNew<vtkActor> pixels, frame;
    vtkNew<vtkOutlineSource> outline;
  };
  std::array<One, 3> all_;
};

}  // namespace tl::ui
