// VolumeBar: controls below the 3D view: cloud or surface, value of the surface, and the clipping box.
#pragma once

#include <QWidget>
#include <array>

class QSlider;

namespace tl::ui {

class VolumePane;

// GUI thread only. The pane must outlive it.
class VolumeBar final : public QWidget {
  Q_OBJECT
 public:
  explicit VolumeBar(VolumePane& pane, QWidget* parent = nullptr);

 private:
  QWidget* make_clip_row();
  void clip_moved(std::size_t which);
  VolumePane& pane_;
  std::array<QSlider*, 6> clip_{};
};

}  // namespace tl::ui
