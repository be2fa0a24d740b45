// VolumeMovie: renders one frame after the other, each at full detail.
#include "widgets/views/volume/volume_movie.h"

#include <QOffscreenSurface>
#include <QPainter>
#include <algorithm>

#include "core/base/priority.h"
#include "core/base/units.h"
#include "widgets/views/scene/volume_camera.h"
#include "widgets/views/scene/volume_picture.h"
#include "widgets/views/volume/volume_thread.h"

namespace tl::ui {
namespace {

constexpr double thinnest = 0.01;  // fraction of the box's edge that remains at the end

}  // namespace

VolumeScene movie_scene(const VolumeScene& first, const MoviePlan& plan, int frame) {
  VolumeScene scene = first;
  scene.detail = VolumeDetail::still;
  scene.size = plan.shape.size;
  const double count = std::max(1, plan.shape.frames);
  if (plan.path == MoviePath::turntable) {
    scene.turn += 2 * pi * frame / count;
    return scene;
  }
  const auto axis = static_cast<std::size_t>(plan.path) - static_cast<std::size_t>(MoviePath::slices_x);
  const double low = first.clip.at(2 * axis), high = first.clip.at(2 * axis + 1);
  const Vec3 eye = VolumeCamera::of(first, {1, 1, 1}).eye;
  const std::array<double, 3> from{eye.x, eye.y, eye.z};
  const double done = (1 - thinnest) * (high - low) * frame / std::max(1.0, count - 1);
  const bool opens_from_above = from.at(axis) >= 0;
  const double at = opens_from_above ? high - done : low + done;
  scene.clip.at(2 * axis + (opens_from_above ? 1 : 0)) = at;
  scene.slices = VolumeSlices::pixels;
  scene.slice_shown = {axis == 0, axis == 1, axis == 2};
  scene.slice_at.at(axis) = at;
  return scene;
}

VolumeMovie::VolumeMovie(Source source, const MoviePlan& plan, const QString& path, const io::OutputRules& rules,
                         QObject* parent)
    : QObject(parent),
      source_(std::move(source)),
      plan_(plan),
      path_(path),
      rules_(rules),
      surface_(make_volume_surface(this)) {
  thread_ = std::thread([this] {
    lower_thread_priority();
    Result<void> result = work();
    QMetaObject::invokeMethod(
        this, [this, result = std::move(result)] { Q_EMIT ended(result); }, Qt::QueuedConnection);
  });
}

VolumeMovie::~VolumeMovie() {
  cancel();
  thread_.join();
}
void VolumeMovie::cancel() { cancelled_ = true; }

Result<void> VolumeMovie::work() {
  TL_TRY(const std::unique_ptr<MovieWriter> writer, MovieWriter::create(plan_.shape, path_, rules_));
  VolumePicture picture(*surface_);
  picture.set_voxels(source_.voxels);
  for (int i = 0; i < plan_.shape.frames; ++i) {
    QImage frame = picture.paint(movie_scene(source_.scene, plan_, i), [this] { return cancelled_.load(); });
    if (cancelled_) return cancelled();
    if (frame.isNull()) return unavailable(picture.problem().toStdString(), {}, "Use a display with OpenGL");
    QPainter(&frame).drawImage(0, 0, source_.overlay);
    TL_TRY(writer->add(frame));
    QMetaObject::invokeMethod(
        this, [this, done = i + 1] { Q_EMIT progressed(done, plan_.shape.frames); }, Qt::QueuedConnection);
  }
  if (cancelled_) return cancelled();
  return writer->finish();
}

}  // namespace tl::ui
