// VolumeThread: the thread on which 3D pictures are made; the newest scene wins.
#pragma once

#include <QImage>
#include <QObject>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "widgets/views/volume/volume_scene.h"

class QOffscreenSurface;

namespace tl::ui {

// Belongs to the GUI thread; its answers come there.
class VolumeThread final : public QObject {
  Q_OBJECT
 public:
  explicit VolumeThread(QObject* parent = nullptr);
  ~VolumeThread() override;  // waits for the picture under way
  void set_voxels(const VolumeVoxels& voxels);
  void paint(const VolumeScene& scene);
  // GUI thread, before a window is there: the drivers take a tenth of a second to load, once.
  static void load_drivers();

 Q_SIGNALS:
  // `binning`: how much a volume beyond the card's limit was averaged, else 1.
  void painted(const QImage& image, tl::ui::VolumeDetail detail, double seconds, int binning);
  void failed(const QString& why);

 private:
  void loop();
  std::unique_ptr<QOffscreenSurface> surface_;  // made and destroyed on the GUI thread, as Qt asks
  std::mutex mutex_;
  std::condition_variable wake_;
  std::optional<VolumeVoxels> voxels_;
  std::optional<VolumeScene> scene_;
  bool quit_ = false;
  std::thread thread_;
};

}  // namespace tl::ui
