// VolumeThread: thread that renders 3D images; a newer scene replaces one that is not yet started.
#pragma once

#include <QImage>
#include <QObject>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "core/picture/object_values.h"
#include "widgets/views/scene/volume_scene.h"

class QOffscreenSurface;

namespace tl::ui {

struct VolumeFrame {
  QImage image;
  VolumeDetail detail = VolumeDetail::still;
  double seconds = 0;
  int binning = 1;                              // binning of volumes beyond the GPU's texture limit, else 1
  picture::ObjectValues values;                 // of the voxels shown
  std::optional<std::array<double, 6>> object;  // the part of the box that the object fills, if the scene requested it
};

// A surface for offscreen OpenGL; created and destroyed on the GUI thread, as Qt requires.
std::unique_ptr<QOffscreenSurface> make_volume_surface(QObject* parent);

// Owned by and called from the GUI thread; its signals are emitted there.
class VolumeThread final : public QObject {
  Q_OBJECT
 public:
  explicit VolumeThread(QObject* parent = nullptr);  // starts the thread, which renders whatever paint() is given last
  ~VolumeThread() override;                          // waits for the image in progress
  void set_voxels(const VolumeVoxels& voxels);
  void paint(const VolumeScene& scene);
  // GUI thread, before the window is shown: loads the OpenGL drivers, which takes about 0.1 s once.
  static void load_drivers();

 Q_SIGNALS:
  void painted(const tl::ui::VolumeFrame& frame);
  void failed(const QString& why);

 private:
  void loop();
  [[nodiscard]] bool is_superseded();
  std::unique_ptr<QOffscreenSurface> surface_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::optional<VolumeVoxels> voxels_;
  std::optional<VolumeScene> scene_;
  bool quit_ = false;
  std::thread thread_;
};

}  // namespace tl::ui
