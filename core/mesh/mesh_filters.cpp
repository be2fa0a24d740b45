// Smoothing: conversion to VTK's polygons and back.
#include "core/mesh/mesh_filters.h"

#include <vtkCallbackCommand.h>
#include <vtkCellArray.h>
#include <vtkFloatArray.h>
#include <vtkIdTypeArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkPolyDataAlgorithm.h>
#include <vtkWindowedSincPolyDataFilter.h>

#include <algorithm>

namespace tl::mesh {
namespace {

// Pass band of vtkWindowedSincPolyDataFilter, on its scale of 0 to 2 (2: no smoothing). At 0.1 the steps of voxels
// vanish and a ball of ten voxels keeps its shape.
constexpr double pass_band = 0.1;

// Refers to the vertices without copying: they must outlive it and are not changed.
void set_polygons(vtkPolyData& out, const std::vector<std::array<float, 3>>& vertices,
                  std::span<const Triangle> triangles) {
  vtkNew<vtkFloatArray> coordinates;
  coordinates->SetNumberOfComponents(3);
  constexpr int keep = 1;  // VTK does not free it
  coordinates->SetArray(const_cast<float*>(vertices.front().data()), static_cast<vtkIdType>(3 * vertices.size()), keep);
  vtkNew<vtkPoints> points;
  points->SetData(coordinates);
  vtkNew<vtkCellArray> cells;
  cells->AllocateExact(static_cast<vtkIdType>(triangles.size()), static_cast<vtkIdType>(3 * triangles.size()));
  for (const Triangle& t : triangles) cells->InsertNextCell({t[0], t[1], t[2]});
  out.SetPoints(points);
  out.SetPolys(cells);
}

void update(vtkPolyDataAlgorithm& filter, const CancelToken& cancel) {
  vtkNew<vtkCallbackCommand> observer;
  observer->SetClientData(const_cast<CancelToken*>(&cancel));
  observer->SetCallback([](vtkObject* caller, unsigned long, void* token, void*) {
    if (static_cast<const CancelToken*>(token)->cancelled()) static_cast<vtkAlgorithm*>(caller)->AbortExecuteOn();
  });
  filter.AddObserver(vtkCommand::ProgressEvent, observer);
  filter.Update();
  cancel.check();
}

std::array<float, 3> point_of(vtkPolyData& polygons, vtkIdType index) {
  std::array<double, 3> p{};
  polygons.GetPoint(index, p.data());
  return {static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2])};
}

}  // namespace

void smooth(std::vector<std::array<float, 3>>& vertices, std::span<const Triangle> triangles, int64_t steps,
            const CancelToken& cancel) {
  if (steps <= 0 || triangles.empty()) return;
  vtkNew<vtkPolyData> surface;
  set_polygons(*surface, vertices, triangles);
  vtkNew<vtkWindowedSincPolyDataFilter> filter;
  filter->SetInputData(surface);
  filter->SetNumberOfIterations(static_cast<int>(std::min(steps, max_smoothing)));
  filter->SetPassBand(pass_band);
  filter->FeatureEdgeSmoothingOff();
  filter->NonManifoldSmoothingOn();
  filter->NormalizeCoordinatesOn();
  update(*filter, cancel);
  vtkPolyData& smoothed = *filter->GetOutput();
  for (std::size_t i = 0; i < vertices.size(); ++i) vertices[i] = point_of(smoothed, static_cast<vtkIdType>(i));
}

}  // namespace tl::mesh
