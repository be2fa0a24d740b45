// VolumePane: the volume in 3D: rotates, zooms and clips an image that VolumeThread renders.
#pragma once

#include <QElapsedTimer>
#include <QImage>
#include <QTimer>
#include <QWidget>
#include <functional>
#include <optional>

#include "core/live/notification.h"
#include "widgets/views/panes/image_pane.h"
#include "widgets/views/scene/volume_camera.h"
#include "widgets/views/volume/orientation_cube.h"
#include "widgets/views/volume/surface_maker.h"
#include "widgets/views/volume/volume_thread.h"

namespace tl::ui {

enum class ClassesIn3D { hidden, shown };

// GUI thread only.
class VolumePane final : public QWidget {
  Q_OBJECT
 public:
  VolumePane(PictureSource& source, ViewState& state, const QString& view, QWidget* parent = nullptr);
  ~VolumePane() override;

  [[nodiscard]] QString kind_text() const { return tr("3D"); }
  [[nodiscard]] std::vector<CaptionPart> caption() const;
  [[nodiscard]] const QImage& image() const { return image_; }
  [[nodiscard]] const VolumeScene& scene() const { return scene_; }
  // Whether no more images will follow: the final image of the current scene is shown, or there is nothing to show.
  [[nodiscard]] bool is_settled() const { return (settled_ && !surfaces_.is_busy()) || (grid() != nullptr && !asked_); }
  // An image for export: as on screen, with or without captions.
  [[nodiscard]] QImage exported(Annotation annotation);
  void set_caption_indent(int pixels);
  void forget_picture();  // another pipeline follows

  void set_style(VolumeStyle style);
  // The value of the surface, in the unit of the voxels; nullopt before the first image. Initially the lowest value of
  // the object.
  [[nodiscard]] std::optional<double> surface_value() const;
  void set_surface_value(double value);
  void set_surface_at(double position);  // 0 to 1 in the window
  // Smallest and largest value of the voxels shown; nullopt before the first image.
  [[nodiscard]] std::optional<picture::Levels> value_range() const;
  [[nodiscard]] QString unit_text() const;
  // True if the pixel size of the scan is guessed: lengths are then shown in pixels.
  [[nodiscard]] bool has_pixel_lengths() const;
  void set_preset(const QString& id);
  [[nodiscard]] const QString& preset() const { return state_.volume_preset(); }
  void set_class_surfaces(ClassesIn3D shown);  // surfaces of the labels on screen; selected rows do not need this
  // The user's choice; otherwise true if computing them costs nothing more: they are available, or there are few
  // voxels.
  [[nodiscard]] bool shows_class_surfaces() const;
  [[nodiscard]] bool has_labels() const { return !state_.labels().empty(); }
  void set_clip(const std::array<double, 6>& parts);  // kept fraction along x, y, z, 0 to 1
  void set_slices(VolumeSlices slices);               // those of the crosshair
  void look_at_face(std::size_t face);                // of the orientation cube
  [[nodiscard]] OrientationCube cube() const;
  // Length [px], value and label; length 0 without volume. True at the depth of the volume's centre.
  [[nodiscard]] ImagePane::ScaleBar scale_bar() const;
  // Inputs of a movie: the voxels shown, and the scene at that size; nullopt before the first image.
  struct MovieParts {
    VolumeVoxels voxels;
    VolumeScene scene;
    QImage overlay;  // scale bar, transparent elsewhere
  };
  [[nodiscard]] std::optional<MovieParts> movie_parts(QSize size) const;
  [[nodiscard]] io::OutputRules export_rules() const { return source_.export_rules(); }
  // Draggable handles on the faces of the clipping box.
  enum class Handles { hidden, shown };
  void set_handles(Handles handles);
  [[nodiscard]] std::optional<ClipHandles> handles() const;  // nullopt if hidden or without volume
  void rotate_by(double turn, double rise);                  // rad
  void zoom_by(double factor);
  void reset_camera();

 Q_SIGNALS:
  void fill_requested();
  void movie_wanted();
  void painted();
  void scene_changed();

 protected:
  void paintEvent(QPaintEvent*) override;
  void resizeEvent(QResizeEvent*) override;
  void showEvent(QShowEvent*) override;
  void hideEvent(QHideEvent*) override;
  void mousePressEvent(QMouseEvent*) override;
  void mouseMoveEvent(QMouseEvent*) override;
  void mouseReleaseEvent(QMouseEvent*) override;
  void mouseDoubleClickEvent(QMouseEvent*) override;
  void wheelEvent(QWheelEvent*) override;
  void keyPressEvent(QKeyEvent*) override;
  bool event(QEvent* event) override;
  void leaveEvent(QEvent*) override;
  void focusInEvent(QFocusEvent*) override { update(); }
  void focusOutEvent(QFocusEvent*) override { update(); }

 private:
  void refresh();
  void take(const QString& view, const live::Picture& picture);
  void refresh_surfaces();
  [[nodiscard]] bool shows_surfaces() const;
  [[nodiscard]] const LabelsInfo* labels_info() const;  // of the labels with class or row surfaces
  void start_thread();
  void take_frame(const VolumeFrame& frame);
  void fill_scene(VolumeScene& scene) const;
  void adopt_view();
  void change_view(const std::function<void(VolumeView&)>& change);
  [[nodiscard]] std::array<double, 3> slice_positions() const;
  void next_preset();
  void hover(std::optional<std::size_t> face);
  void paint_overlay(QPainter& painter);
  void changed();  // renders a fast image now, and a fine one when nothing has changed for a while
  void send(VolumeDetail detail);
  [[nodiscard]] const VolumeGrid* grid() const;
  [[nodiscard]] std::optional<Vec3> edges() const;  // [mm] edges of the box of voxels shown
  [[nodiscard]] std::optional<VolumeGrid> wanted() const;
  [[nodiscard]] QString no_picture_text() const;

  PictureSource& source_;
  ViewState& state_;
  QString view_;
  SurfaceMaker surfaces_;
  std::unique_ptr<VolumeThread> thread_;  // created when first shown
  std::optional<VolumeGrid> asked_;
  uint64_t ticket_ = 0;                   // of the newest request
  std::optional<uint64_t> first_ticket_;  // ticket of the first request for this volume; earlier answers are dropped
  std::optional<live::Picture> shown_;
  std::optional<Error> error_;
  bool stale_ = false, settled_ = false;
  QString problem_;
  VolumeScene scene_;
  std::optional<VolumeVoxels> voxels_;
  std::optional<picture::ObjectValues> values_;
  // The part of the box in which the object was first seen: the camera rests while the values change.
  std::optional<std::array<double, 6>> object_;
  QImage image_;
  int binning_ = 1;
  QTimer settle_;
  int settles_after_;  // [ms]
  QElapsedTimer since_last_picture_;
  QPointF last_;
  picture::Levels press_levels_;
  QPointF press_;
  int caption_indent_ = 0;
  Handles handles_ = Handles::hidden;
  std::optional<std::size_t> hovered_;  // face of the orientation cube
  std::optional<std::size_t> gripped_;  // the face whose handle is being dragged
};

}  // namespace tl::ui
