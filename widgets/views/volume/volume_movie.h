// VolumeMovie: renders a turntable or a flight through the slices on its own thread and writes it with a MovieWriter.
#pragma once

#include <QImage>
#include <QObject>
#include <atomic>
#include <memory>
#include <thread>

#include "widgets/views/scene/volume_scene.h"
#include "widgets/views/volume/movie_writer.h"

class QOffscreenSurface;

namespace tl::ui {

// slices_x: the volume is opened along x, with the slice at the cut.
enum class MoviePath { turntable, slices_x, slices_y, slices_z };

struct MoviePlan {
  MoviePath path = MoviePath::turntable;
  MovieShape shape;
};

// The scene of a frame. A turntable ends one step before its start position, so that it can be played in a loop. Slices
// move through the kept box from the side that faces the camera.
VolumeScene movie_scene(const VolumeScene& first, const MoviePlan& plan, int frame);

// GUI thread only; its signals are emitted there.
class VolumeMovie final : public QObject {
  Q_OBJECT
 public:
  struct Source {
    VolumeVoxels voxels;
    VolumeScene scene;
    QImage overlay;  // painted over every frame
  };
  VolumeMovie(Source source, const MoviePlan& plan, const QString& path, const io::OutputRules& rules,
              QObject* parent = nullptr);
  ~VolumeMovie() override;  // cancels, and waits for the frame in progress
  void cancel();

 Q_SIGNALS:
  void progressed(int done, int of);
  void ended(const tl::Result<void>& result);  // once; cancelled: nothing was written

 private:
  [[nodiscard]] Result<void> work();
  Source source_;
  MoviePlan plan_;
  QString path_;
  io::OutputRules rules_;
  std::unique_ptr<QOffscreenSurface> surface_;
  std::atomic<bool> cancelled_ = false;
  std::thread thread_;
};

}  // namespace tl::ui
