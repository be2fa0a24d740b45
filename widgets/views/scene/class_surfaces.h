// ClassSurfaces: the surfaces of classes as lit geometry in a VTK renderer.
#pragma once

#include <vtkActor.h>
#include <vtkNew.h>
#include <vtkPolyDataMapper.h>

#include "widgets/views/scene/volume_data.h"

class vtkRenderer;

namespace tl::ui {

class ClassSurfaces {
 public:
  ClassSurfaces();
  // Adds the surfaces of the scene to the renderer, or removes them. The clipping box does not cut them: they remain
  // visible where it removes the volume.
  void apply(const VolumeScene& scene, const VolumeData& data, vtkRenderer& renderer);

 private:
  void build(const VolumeScene& scene);
  std::shared_ptr<const mesh::Mesh> mesh_;
  std::vector<ClassColor> colors_;
  vtkNew<vtkPolyDataMapper> mapper_;
  vtkNew<vtkActor> actor_;
};

}  // namespace tl::ui
