// SliceActors: opaque geometry, at which the rays through the volume end.
#include "widgets/views/scene/volume_slices.h"

#include <vtkProperty.h>
#include <vtkRenderer.h>

#include <algorithm>

namespace tl::ui {
namespace {
constexpr float frame_width = 1.5F;  // px
// A slice is placed this far in front of its voxels: a ray tests for opaque geometry only between two samples, so that
// the volume behind the slice would be visible through it.
constexpr double before_cloud = 0.75;  // voxels
}  // namespace

CutOctant CutOctant::of(const VolumeScene& scene, const VolumeBounds& bounds, Vec3 eye) {
  CutOctant out;
  const std::array<double, 3> from{eye.x, eye.y, eye.z};
  for (std::size_t a = 0; a < 3; ++a) {
    out.at[a] = bounds[2 * a] + scene.slice_at.at(a) * (bounds[2 * a + 1] - bounds[2 * a]);
    out.side[a] = from[a] >= 0.5 * (bounds[2 * a] + bounds[2 * a + 1]) ? 1 : 0;
  }
  return out;
}
VolumeBounds CutOctant::box(VolumeBounds within) const {
  for (std::size_t a = 0; a < 3; ++a) {
    const double cut = std::clamp(at[a], within[2 * a], within[2 * a + 1]);
    within[2 * a + (side[a] == 1 ? 0 : 1)] = cut;
  }
  return within;
}

SliceActors::SliceActors() {
  for (One& one : all_) {
    one.texture->InterpolateOn();
    one.pixels_mapper->SetInputConnection(one.plane->GetOutputPort());
    one.pixels->SetMapper(one.pixels_mapper);
    one.pixels->SetTexture(one.texture);
    one.pixels->GetProperty()->LightingOff();
    one.frame_mapper->SetInputConnection(one.outline->GetOutputPort());
    one.frame->SetMapper(one.frame_mapper);
    one.frame->GetProperty()->LightingOff();
    one.frame->GetProperty()->SetLineWidth(frame_width);
  }
}

void SliceActors::apply(const VolumeScene& scene, const VolumeData& data, const VolumeBounds& kept, Vec3 eye,
                        vtkRenderer& renderer) {
  const CutOctant cut = CutOctant::of(scene, data.bounds(), eye);
  const std::array<double, 3> from{eye.x, eye.y, eye.z};
  const bool has_pixels = scene.slices == VolumeSlices::pixels || scene.slices == VolumeSlices::cut;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    One& one = all_.at(axis);
    renderer.RemoveViewProp(one.pixels);
    renderer.RemoveViewProp(one.frame);
    const bool inside = cut.at[axis] >= kept[2 * axis] && cut.at[axis] <= kept[2 * axis + 1];
    if (scene.slices == VolumeSlices::hidden || !scene.slice_shown.at(axis) || !inside) continue;
    VolumeBounds part = scene.slices == VolumeSlices::cut ? cut.box(kept) : kept;
    const double stand = cut.at[axis] + (from.at(axis) >= cut.at[axis] ? 1 : -1) * before_cloud * data.voxel();
    part[2 * axis] = part[2 * axis + 1] = stand;
    one.outline->SetBounds(part.data());
    const QColor& color = scene.slice_frame.at(axis);
    one.frame->GetProperty()->SetColor(color.redF(), color.greenF(), color.blueF());
    renderer.AddViewProp(one.frame);
    if (!has_pixels) continue;
    const std::size_t u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;
    std::array<double, 3> corner{part[0], part[2], part[4]}, along_u = corner, along_v = corner;
    along_u[u] = part[2 * u + 1];
    along_v[v] = part[2 * v + 1];
    one.plane->SetOrigin(corner.data());
    one.plane->SetPoint1(along_u.data());
    one.plane->SetPoint2(along_v.data());
    one.texture->SetInputData(data.slice_colors({axis, cut.at[axis], part}, scene));
    renderer.AddViewProp(one.pixels);
  }
}

}  // namespace tl::ui
