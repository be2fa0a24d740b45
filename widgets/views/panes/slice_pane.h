// SlicePane: shows a slice of a volume, axis-parallel or oblique, with the linked crosshair.
#pragma once

#include "core/live/notification.h"
#include "widgets/views/panes/image_pane.h"
#include "widgets/views/panes/label_overlay.h"

namespace tl::ui {

class PanePainting;

class SlicePane : public ImagePane {
  Q_OBJECT
 public:
  SlicePane(PictureSource& source, ViewState& state, const QString& view, Orientation orientation,
            QWidget* parent = nullptr);
  ~SlicePane() override;

  [[nodiscard]] Orientation orientation() const { return orientation_; }
  void set_orientation(Orientation orientation);
  // The plane to show; nullopt while no volume is known.
  [[nodiscard]] std::optional<PlaneView> plane() const;
  [[nodiscard]] virtual const VolumeGrid* grid() const;  // nullptr while no volume is known

  [[nodiscard]] Output output() const override { return state().volume(); }
  // The labels over the image; empty: none.
  [[nodiscard]] virtual Output labels_output() const { return state().labels(); }
  // Strokes over the labels, if the labels are computed from strokes; else empty.
  [[nodiscard]] Output strokes_output() const;
  // The name with which the source is asked for the labels.
  [[nodiscard]] QString labels_view() const { return view() + QStringLiteral(".labels"); }
  // Whether strokes may be painted here when a tool is active: the pane shows a volume in its present state.
  [[nodiscard]] virtual bool may_be_painted() const;
  [[nodiscard]] bool paints() const override;
  [[nodiscard]] QString camera_slot() const override;
  [[nodiscard]] QString position_text() const override;
  [[nodiscard]] QString kind_text() const override { return orientation_name(orientation_); }
  [[nodiscard]] double mm_per_unit() const override;
  [[nodiscard]] QString unit_text() const override;
  [[nodiscard]] std::vector<CaptionPart> state_caption() const override;  // also the painted label, while painting
  void step(int64_t count) override;
  void step_to_end(int direction) override;

 Q_SIGNALS:
  void orientation_changed();

 protected:
  // Shows these labels instead of those of labels_output(), in a pane that requests nothing.
  void show_labels(const std::optional<live::Picture>& labels, const LabelTable& table) {
    overlay_.show(labels, table);
  }
  // Paints this pane's labels into `pane`, which shows the same region.
  void paint_labels(QPainter& painter, const SlicePane& pane) const;
  void requested(const std::optional<live::PictureRequest>& request) override;
  void paint_over_picture(QPainter& painter) const override { paint_labels(painter, *this); }
  [[nodiscard]] QString note_at(QPointF pane) const override;
  [[nodiscard]] std::optional<live::PictureRequest> wanted() const override;
  [[nodiscard]] QRectF extent() const override;
  [[nodiscard]] QRectF placement(const live::Picture& picture) const override;
  [[nodiscard]] QString no_picture_text() const override;
  [[nodiscard]] QString pixel_position_text(picture::PixelPoint at) const override;
  void paint_marks(QPainter& painter) const override;
  [[nodiscard]] QString extra_caption() const override;  // keys available while painting
  bool mark_pressed(QPointF point, Qt::KeyboardModifiers modifiers) override;
  void mark_moved(QPointF point, Qt::KeyboardModifiers modifiers) override;
  void mark_released() override;
  bool key_pressed(QKeyEvent& event) override;
  void wheelEvent(QWheelEvent* event) override;
  void showEvent(QShowEvent*) override;
  void hideEvent(QHideEvent*) override;

 private:
  friend class PanePainting;
  friend class PaintBar;
  enum class Mark { none, crosshair, ball, turn_line, stroke };
  void crosshair_moved();
  // True if the pixel size of the scan is guessed to be 1 mm. Lengths are then shown in pixels instead of in unmeasured
  // millimetres; a pixel size of 1 mm given by file or user is used.
  [[nodiscard]] bool has_pixel_lengths() const;
  void paint_oblique_line(QPainter& painter, const PlaneView& plane) const;
  // Direction of the oblique plane's line in this pane [pane coordinates, unit length]; nullopt if there is none.
  [[nodiscard]] std::optional<QPointF> oblique_line(const PlaneView& plane) const;
  void rotate_oblique_plane(QPointF from, QPointF to);
  void nudge(int right, int up, Qt::KeyboardModifiers modifiers);
  void update_oblique_count();

  void painting_changed();
  // The label of an overlay at a point of the pane; nullopt if there is none.
  [[nodiscard]] std::optional<int64_t> label_at(const LabelOverlay& overlay, QPointF pane) const;
  // The overlay that shows strokes: over the labels computed from them, or as the labels themselves.
  [[nodiscard]] const LabelOverlay& painted() const { return strokes_output().empty() ? overlay_ : strokes_; }
  [[nodiscard]] LabelOverlay& painted() { return strokes_output().empty() ? overlay_ : strokes_; }
  LabelOverlay overlay_, strokes_;
  PanePainting* painting_;
  Orientation orientation_;
  Mark mark_ = Mark::none;
  QPointF grabbed_;       // pane coordinates
  QPointF ball_at_;       // widget coordinates
  bool counted_ = false;  // whether ViewState counts this visible oblique pane
};

}  // namespace tl::ui
