// VolumeBar: controls below the 3D view: cloud or surface, preset, slices, clipping box, movie; value of the surface.
#pragma once

#include <QWidget>
#include <array>

class QComboBox;
class QMenu;
class QSlider;
class QToolButton;

namespace tl::ui {

class EntryLine;
class OverflowRow;
class RangeSlider;
class VolumePane;

// GUI thread only. The pane must outlive it.
class VolumeBar final : public QWidget {
  Q_OBJECT
 public:
  explicit VolumeBar(VolumePane& pane, QWidget* parent = nullptr);

 private:
  [[nodiscard]] QWidget* make_main_row();
  void make_preset();
  [[nodiscard]] QWidget* make_surface_row();
  [[nodiscard]] QWidget* make_clip_row();
  [[nodiscard]] QToolButton* make_slices_button();
  void add_presets(QMenu& menu);
  void add_slices(QMenu& menu);
  void take_value(const QString& text);
  void show_scene();
  VolumePane& pane_;
  QToolButton* classes_ = nullptr;
  QToolButton *cloud_ = nullptr, *surface_ = nullptr, *slices_ = nullptr, *clip_ = nullptr;
  QComboBox* preset_ = nullptr;
  QWidget *surface_row_ = nullptr, *clip_row_ = nullptr;
  QSlider* level_ = nullptr;
  EntryLine* value_ = nullptr;
  std::array<RangeSlider*, 3> ranges_{};
};

}  // namespace tl::ui
