// VolumePicture: renders a VolumeScene into an image with VTK.
#pragma once

#include <QImage>
#include <functional>
#include <memory>

#include "core/picture/object_values.h"
#include "widgets/views/scene/volume_scene.h"

class QOffscreenSurface;

namespace tl::ui {

// All calls, including construction, on one thread; the surface must come from the GUI thread.
class VolumePicture {
 public:
  explicit VolumePicture(QOffscreenSurface& surface);
  ~VolumePicture();
  VolumePicture(const VolumePicture&) = delete;
  VolumePicture& operator=(const VolumePicture&) = delete;

  // Volumes beyond the GPU's texture limit are binned; see binning().
  void set_voxels(const VolumeVoxels& voxels);
  [[nodiscard]] int binning() const;
  [[nodiscard]] const picture::ObjectValues& values() const;
  // The part of the box, 0 to 1 along each axis, that contains values of the object; the whole box if there are none.
  [[nodiscard]] std::array<double, 6> object() const;
  // Null if there is no OpenGL (see problem()), no volume, or if `superseded`, which is called about every tenth of a
  // second, returned true.
  using Superseded = std::function<bool()>;
  QImage paint(const VolumeScene& scene, const Superseded& superseded = {});
  [[nodiscard]] QString problem() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tl::ui
