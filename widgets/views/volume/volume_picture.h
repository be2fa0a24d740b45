// VolumePicture: paints a VolumeScene with VTK into an image. The one place that knows VTK.
#pragma once

#include <QImage>
#include <functional>
#include <memory>

#include "widgets/views/volume/volume_scene.h"

class QOffscreenSurface;

namespace tl::ui {

// Lives on one thread, which must be the one that made it; only the surface comes from the GUI thread.
class VolumePicture {
 public:
  explicit VolumePicture(QOffscreenSurface& surface);
  ~VolumePicture();
  VolumePicture(const VolumePicture&) = delete;
  VolumePicture& operator=(const VolumePicture&) = delete;

  // Larger volumes than the card takes are averaged; binning() tells how much.
  void set_voxels(const VolumeVoxels& voxels);
  [[nodiscard]] int binning() const;
  // Null when there is no OpenGL or no volume; problem() says why.
  QImage paint(const VolumeScene& scene);
  [[nodiscard]] QString problem() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tl::ui
