// VolumePicture: renders a VolumeScene into an image with VTK; the only file that uses VTK.
#pragma once

#include <QImage>
#include <functional>
#include <memory>

#include "widgets/views/volume/volume_scene.h"

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
  // Null if there is no OpenGL or no volume; problem() says why.
  QImage paint(const VolumeScene& scene);
  [[nodiscard]] QString problem() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tl::ui
