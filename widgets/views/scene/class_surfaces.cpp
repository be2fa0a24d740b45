// ClassSurfaces: all shown parts are one set of polygons with a colour at each vertex, so that thousands of objects are
// rendered as fast as one.
#include "widgets/views/scene/class_surfaces.h"

#include <vtkCellArray.h>
#include <vtkFloatArray.h>
#include <vtkMatrix4x4.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkPolyDataNormals.h>
#include <vtkProperty.h>
#include <vtkRenderer.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>

namespace tl::ui {

ClassSurfaces::ClassSurfaces() {
  mapper_->SetColorModeToDirectScalars();
  actor_->SetMapper(mapper_);
  actor_->GetProperty()->SetInterpolationToPhong();
  actor_->GetProperty()->SetSpecular(0.2);
  actor_->GetProperty()->SetSpecularPower(25);
}

void ClassSurfaces::build(const VolumeScene& scene) {
  mesh_ = scene.class_mesh;
  colors_ = scene.class_colors;
  vtkNew<vtkFloatArray> coordinates;
  coordinates->SetNumberOfComponents(3);
  vtkNew<vtkUnsignedCharArray> colors;
  colors->SetNumberOfComponents(3);
  vtkNew<vtkCellArray> triangles;
  vtkIdType first = 0;
  for (const mesh::LabelSurface& part : *mesh_) {
    const auto color =
        std::find_if(colors_.begin(), colors_.end(), [&](const ClassColor& c) { return c.number == part.number; });
    if (color == colors_.end()) continue;
    for (const auto& v : part.vertices) {
      coordinates->InsertNextTuple3(v[0], v[1], v[2]);
      colors->InsertNextTuple3(qRed(color->color), qGreen(color->color), qBlue(color->color));
    }
    for (const mesh::Triangle& t : part.triangles) {
      triangles->InsertNextCell({first + t[0], first + t[1], first + t[2]});
    }
    first += static_cast<vtkIdType>(part.vertices.size());
  }
  vtkNew<vtkPoints> points;
  points->SetData(coordinates);
  vtkNew<vtkPolyData> surface;
  surface->SetPoints(points);
  surface->SetPolys(triangles);
  surface->GetPointData()->SetScalars(colors);
  vtkNew<vtkPolyDataNormals> normals;
  normals->SetInputData(surface);
  normals->SplittingOff();
  normals->ConsistencyOff();
  normals->Update();
  mapper_->SetInputData(normals->GetOutput());
}

void ClassSurfaces::apply(const VolumeScene& scene, const VolumeData& data, vtkRenderer& renderer) {
  renderer.RemoveViewProp(actor_);
  if (!scene.class_mesh) {
    mesh_.reset();
    mapper_->SetInputData(static_cast<vtkPolyData*>(nullptr));
    return;
  }
  if (scene.class_mesh != mesh_ || !(scene.class_colors == colors_)) build(scene);
  // Transforms the frame of the scan to that of the image: origin at the centre of the box, axes along its edges.
  const VolumeGrid& g = data.grid();
  vtkNew<vtkMatrix4x4> placed;
  const std::array<Vec3, 3> steps{g.step_x, g.step_y, g.step_z};
  for (int row = 0; row < 3; ++row) {
    const Vec3 axis = (1 / norm(steps.at(static_cast<std::size_t>(row)))) * steps.at(static_cast<std::size_t>(row));
    placed->SetElement(row, 0, axis.x);
    placed->SetElement(row, 1, axis.y);
    placed->SetElement(row, 2, axis.z);
    placed->SetElement(row, 3, -dot(axis, g.centre));
  }
  actor_->SetUserMatrix(placed);
  renderer.AddViewProp(actor_);
}

}  // namespace tl::ui
