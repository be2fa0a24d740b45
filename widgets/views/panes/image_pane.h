// ImagePane: base class of panes with one live image. Requests the image, paints it with captions and scale bar,
// zooms, pans, sets the window and measures; derived classes define what is shown.
#pragma once

#include <QWidget>
#include <optional>

#include "core/live/notification.h"
#include "widgets/theme/theme.h"
#include "widgets/views/measure/measurements.h"
#include "widgets/views/state/view_state.h"

namespace tl::ui {

class ProfilePanel;

enum class Annotation { clean, annotated };
enum class Fit { keep_aspect, stretch };
enum class Linking { linked, alone };

// A part of a caption with its own colour.
struct CaptionPart {
  QString text;
  Token color = Token::text;
};

// The window after a drag with the right button: to the right wider, downwards darker.
picture::Levels dragged_levels(picture::Levels from, QPointF move, QSize pane);

// GUI thread only. Pane coordinates: to the right and downwards, in the unit of what is shown (mm, px).
class ImagePane : public QWidget {
  Q_OBJECT
 public:
  // `view` names the pane for the source; one name per pane.
  ImagePane(PictureSource& source, ViewState& state, const QString& view, QWidget* parent = nullptr);
  ~ImagePane() override;

  [[nodiscard]] const QString& view() const { return view_; }
  [[nodiscard]] const std::optional<live::Picture>& picture() const { return shown_; }
  [[nodiscard]] virtual Output output() const = 0;
  // The output whose window is used: compared panes use the same one.
  [[nodiscard]] virtual Output levels_output() const { return output(); }
  // The window of the image shown: that of levels_output(), or a separate one (for a difference) that cannot be set.
  [[nodiscard]] virtual std::optional<picture::Levels> shown_levels() const;
  // Position of the requested image: "slice 1 of 2".
  [[nodiscard]] virtual QString position_text() const = 0;
  [[nodiscard]] virtual QString kind_text() const = 0;  // "XY"
  virtual void step(int64_t count) = 0;
  virtual void step_to_end(int direction) = 0;  // negative: to the first position, else to the last
  // mm per unit of pane coordinates; 0 if the unit is pixels.
  [[nodiscard]] virtual double mm_per_unit() const = 0;
  // [mm] per unit along the scale bar, if the vertical unit differs.
  [[nodiscard]] virtual double mm_to_the_right() const { return mm_per_unit(); }

  [[nodiscard]] QPointF to_pane(QPointF widget) const;
  [[nodiscard]] QPointF to_widget(QPointF pane) const;
  [[nodiscard]] QSizeF scale() const;  // widget px per unit, to the right and downwards
  // Row and column of the shown image at a point of the pane; (0, 0) is the centre of the top left pixel.
  [[nodiscard]] picture::PixelPoint to_pixel(QPointF pane) const;
  [[nodiscard]] QPointF from_pixel(picture::PixelPoint pixel) const;
  [[nodiscard]] virtual QString unit_text() const;  // unit of the values
  // The value at a point of the widget, with its unit; empty outside the image.
  [[nodiscard]] QString value_text(QPointF widget) const;
  // Length [px], value and label of the scale bar.
  struct ScaleBar {
    double length = 0, value = 0;
    QString text;
  };
  [[nodiscard]] ScaleBar scale_bar() const;
  [[nodiscard]] virtual std::vector<CaptionPart> state_caption() const;
  [[nodiscard]] QString timing_text() const;  // computing time of the image; the tool tip of the caption

  // Measurements of all panes of this kind.
  [[nodiscard]] Measurements& measurements() const { return state_.measurements(camera_slot()); }
  [[nodiscard]] virtual QString camera_slot() const = 0;  // "xy": names the kind of pane
  // Linked panes of one kind zoom and pan together.
  void set_linking(Linking linking);
  [[nodiscard]] Linking linking() const { return linking_; }
  void choose_colors();  // opens a menu of colour maps
  void set_tool(std::optional<MeasureKind> tool);
  [[nodiscard]] std::optional<MeasureKind> tool() const { return tool_; }
  // Whether the left button paints: measurements and double clicks then do not use it.
  [[nodiscard]] virtual bool paints() const { return false; }

  [[nodiscard]] MeasureContext measure_context() const;
  // Where labels of measurements may be placed: between the captions, and above the plot of a profile.
  [[nodiscard]] QRectF label_area() const;
  // An image for export: clean = one pixel per pixel, null while the image is coarse; annotated = as on screen, with a
  // note in the caption if it is coarse.
  [[nodiscard]] QImage exported(Annotation annotation) const;
  // The live image, even while a stand-in is shown instead.
  [[nodiscard]] const std::optional<live::Picture>& live_picture() const {
    return live_behind_stand_in_ ? live_behind_stand_in_ : shown_;
  }
  // Whether every pixel shown was computed at full resolution from all views.
  [[nodiscard]] bool is_sharp() const;
  // Whether the shown image is the sharp one of the latest request.
  [[nodiscard]] bool is_current() const;
  // Shows an image that did not come from the source (before/after, differences).
  void show_picture(const live::Picture& picture);
  // Shows `picture` instead of the live image until called with nullopt; meanwhile the live image is still updated.
  void set_stand_in(const std::optional<live::Picture>& picture);
  [[nodiscard]] bool has_stand_in() const { return live_behind_stand_in_.has_value(); }
  [[nodiscard]] bool profile_visible() const;
  void set_caption_indent(int pixels);  // space for the button of the pane's menu

  void refresh();  // requests the image to be shown now
  void automatic_levels();
  void fit();
  void zoom_by(double factor);

 Q_SIGNALS:
  void picture_shown();
  void live_picture_changed();
  void fill_requested();  // double click: maximise the pane, or restore the views
  void levels_by_hand();
  void tool_changed();
  void linking_changed();
  void measurements_changed();
  void hovered(const QString& value);

 protected:
  [[nodiscard]] virtual std::optional<live::PictureRequest> wanted() const = 0;
  // Hidden panes request nothing, unless another pane shows their image.
  [[nodiscard]] virtual bool is_needed() const { return isVisible(); }
  // The image's pixels as painted now.
  [[nodiscard]] const QImage& painted_picture() const { return rendered(); }
  // Whether a new image may set the grey levels.
  [[nodiscard]] virtual bool sets_levels() const { return true; }
  // Whether the shown image is kept when wanted() is empty, as in panes that request nothing themselves.
  [[nodiscard]] virtual bool stays_without_request() const { return false; }
  [[nodiscard]] virtual QRectF extent() const = 0;
  [[nodiscard]] virtual QRectF placement(const live::Picture& picture) const = 0;
  [[nodiscard]] virtual Fit fit_mode() const { return Fit::keep_aspect; }
  [[nodiscard]] virtual QString no_picture_text() const = 0;  // why there is no image
  // Paints directly over the image, below all marks.
  virtual void paint_over_picture(QPainter&) const {}
  virtual void paint_marks(QPainter&) const {}
  // Press of the left button that no tool or measurement handles; true if a mark follows the mouse from now on.
  virtual bool mark_pressed(QPointF, Qt::KeyboardModifiers) { return false; }
  virtual void mark_moved(QPointF, Qt::KeyboardModifiers) {}
  virtual void mark_released() {}
  virtual bool key_pressed(QKeyEvent&) { return false; }
  // top right, while no value under the cursor is shown
  [[nodiscard]] virtual QString extra_caption() const { return {}; }
  // Called after every request to the source; nullopt when the pane stops requesting.
  virtual void requested(const std::optional<live::PictureRequest>&) {}
  // Additional text about a point of the pane, shown after its value.
  [[nodiscard]] virtual QString note_at(QPointF /*pane*/) const { return {}; }
  // Text of a pixel's position, for the value under the cursor.
  [[nodiscard]] virtual QString pixel_position_text(picture::PixelPoint at) const;
  [[nodiscard]] virtual ColorMap color_map() const { return state_.color_map(); }

  [[nodiscard]] const std::optional<QPointF>& hover() const { return hover_; }  // the mouse, in the widget
  [[nodiscard]] const std::optional<live::PictureRequest>& asked() const { return asked_; }
  void forget_picture();  // the shown image no longer belongs to the pane's output
  [[nodiscard]] PictureSource& source() const { return source_; }
  [[nodiscard]] ViewState& state() const { return state_; }

  bool event(QEvent*) override;
  void paintEvent(QPaintEvent*) override;
  void wheelEvent(QWheelEvent*) override;
  void mousePressEvent(QMouseEvent*) override;
  void mouseMoveEvent(QMouseEvent*) override;
  void mouseReleaseEvent(QMouseEvent*) override;
  void mouseDoubleClickEvent(QMouseEvent*) override;
  void keyPressEvent(QKeyEvent*) override;
  void leaveEvent(QEvent*) override;
  void resizeEvent(QResizeEvent*) override;
  void showEvent(QShowEvent*) override;
  void hideEvent(QHideEvent*) override;
  void focusInEvent(QFocusEvent*) override;
  void focusOutEvent(QFocusEvent*) override;

 private:
  void add_window_caption(std::vector<CaptionPart>& parts) const;
  friend class PanePainter;
  enum class Drag { none, pan, window, mark, measure_new, measure_handle };
  void take(const QString& view, const live::Picture& picture);
  void adopt(const live::Picture& picture);
  void look_at_status(const QString& node);
  void zoom_about(QPointF widget, double factor);
  void drag_window(QPointF from, QPointF to);
  bool press_measurement(QPointF widget);
  void end_measurement();
  void remove_measurement();
  void measurements_moved();
  void show_measurements();
  void place_profile();
  [[nodiscard]] Camera camera() const { return state_.camera(camera_key()); }
  void set_camera(const Camera& camera) { state_.set_camera(camera_key(), camera); }
  // Key of the pane's own camera, or of the camera of its kind.
  [[nodiscard]] QString camera_key() const;
  bool view_key(int key);
  bool tool_key(int key);
  bool step_key(const QKeyEvent& event);
  bool measure_key(const QKeyEvent& event);
  void show_hover();
  const QImage& rendered() const;
  [[nodiscard]] QImage rendered_by(int fewer) const;

  PictureSource& source_;
  ViewState& state_;
  QString view_;
  uint64_t ticket_ = 0;                   // of the newest request
  std::optional<uint64_t> first_ticket_;  // ticket of the first request for this output; earlier answers are dropped
  std::optional<live::PictureRequest> asked_;
  std::optional<live::Picture> shown_;                 // has an image
  std::optional<live::Picture> live_behind_stand_in_;  // the live image while a stand-in is shown
  std::optional<Error> error_;
  bool stale_ = false;

  mutable QImage rendered_;
  mutable int binning_of_rendered_ =
      1;  // `rendered_` has one pixel per binning_of_rendered_ x binning_of_rendered_ pixels of the image
  mutable bool dirty_ = true;

  Drag drag_ = Drag::none;
  QPointF press_, last_;
  Camera press_camera_;
  picture::Levels press_levels_;
  std::optional<QPointF> hover_;
  int wheel_rest_ = 0;
  int caption_indent_ = 0;

  Linking linking_ = Linking::linked;
  std::optional<MeasureKind> tool_;
  ProfilePanel* profile_ = nullptr;
};

}  // namespace tl::ui
