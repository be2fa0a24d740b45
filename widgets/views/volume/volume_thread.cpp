// VolumeThread: renders 3D images on a thread: always the newest scene.
#include "widgets/views/volume/volume_thread.h"

#include <QElapsedTimer>
#include <QOffscreenSurface>

#include "core/base/priority.h"
#include "widgets/views/scene/volume_picture.h"

namespace tl::ui {

std::unique_ptr<QOffscreenSurface> make_volume_surface(QObject* parent) {
  QSurfaceFormat format;
  format.setRenderableType(QSurfaceFormat::OpenGL);
  format.setVersion(3, 2);
  format.setProfile(QSurfaceFormat::CoreProfile);
  format.setDepthBufferSize(24);
  format.setAlphaBufferSize(8);
  auto surface = std::make_unique<QOffscreenSurface>(nullptr, parent);
  surface->setFormat(format);
  surface->create();
  return surface;
}

void VolumeThread::load_drivers() { make_volume_surface(nullptr); }

VolumeThread::VolumeThread(QObject* parent) : QObject(parent), surface_(make_volume_surface(this)) {
  thread_ = std::thread([this] { loop(); });
}

VolumeThread::~VolumeThread() {
  {
    const std::lock_guard lock(mutex_);
    quit_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void VolumeThread::set_voxels(const VolumeVoxels& voxels) {
  const std::lock_guard lock(mutex_);
  voxels_ = voxels;
  wake_.notify_all();
}
void VolumeThread::paint(const VolumeScene& scene) {
  const std::lock_guard lock(mutex_);
  scene_ = scene;
  wake_.notify_all();
}

bool VolumeThread::is_superseded() {
  const std::lock_guard lock(mutex_);
  return quit_ || voxels_ || scene_;
}

void VolumeThread::loop() {
  lower_thread_priority();
  auto picture = std::make_unique<VolumePicture>(*surface_);
  std::optional<VolumeVoxels> shown;
  bool has_painted = false;
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return quit_ || voxels_ || scene_; });
    if (quit_) return;
    const auto voxels = std::exchange(voxels_, std::nullopt);
    auto scene = std::exchange(scene_, std::nullopt);
    lock.unlock();
    QElapsedTimer timer;
    timer.start();
    if (voxels) {
      shown = voxels;
      picture->set_voxels(*voxels);
    }
    std::optional<std::array<double, 6>> object;
    const auto paint = [&] {
      if (!scene) return QImage();
      if (scene->finds_subject) object = scene->subject = picture->object();
      return picture->paint(*scene, [this] { return is_superseded(); });
    };
    QImage image = paint();
    // The driver lost the context, for example while it was replaced: makes another one with the same voxels.
    if (has_painted && scene && !picture->problem().isEmpty()) {
      picture = std::make_unique<VolumePicture>(*surface_);
      if (shown) picture->set_voxels(*shown);
      image = paint();
    }
    has_painted = has_painted || !image.isNull();
    QString why = picture->problem();
    if (has_painted && !why.isEmpty())
      why = tr("The graphics driver has stopped. Volumes are shown again once it answers: move the view.");
    const double seconds = static_cast<double>(timer.nsecsElapsed()) * 1e-9;
    // Qt drops queued calls to an object that is being destroyed.
    if (!image.isNull())
      QMetaObject::invokeMethod(
          this,
          [this, frame = VolumeFrame{image, scene->detail, seconds, picture->binning(), picture->values(), object}] {
            Q_EMIT painted(frame);
          },
          Qt::QueuedConnection);
    else if (!why.isEmpty())
      QMetaObject::invokeMethod(
          this, [this, why] { Q_EMIT failed(why); }, Qt::QueuedConnection);
    lock.lock();
  }
}

}  // namespace tl::ui
