// ImagePane: one live picture: asks for what it shows, paints it with captions and scale bar, zooms, pans, sets the
// window and measures. What it shows is told by the classes made from it.
#pragma once

#include <QWidget>
#include <optional>

#include "widgets/theme/theme.h"
#include "widgets/views/measurements.h"
#include "widgets/views/view_state.h"

namespace tl::ui {

class ProfilePanel;

enum class Annotation { clean, annotated };
enum class Fit { keep_aspect, stretch };

// A part of a caption, in its own colour.
struct CaptionPart {
  QString text;
  Token color = Token::text;
};

// A window after a drag of the right button over a pane: to the right wider, downwards darker.
picture::Levels dragged_levels(picture::Levels from, QPointF move, QSize pane);

// GUI thread only. Pane coordinates: to the right and downwards, in the unit of the thing shown (mm, px).
class ImagePane : public QWidget {
  Q_OBJECT
 public:
  // `view` names it towards the source: one name per pane.
  ImagePane(PictureSource& source, ViewState& state, const QString& view, QWidget* parent = nullptr);
  ~ImagePane() override;

  [[nodiscard]] const QString& view() const { return view_; }
  [[nodiscard]] const std::optional<live::Picture>& picture() const { return shown_; }
  [[nodiscard]] virtual Output output() const = 0;
  // Whose window is used: panes that are compared share one.
  [[nodiscard]] virtual Output levels_output() const { return output(); }
  // "slice 1 of 2", of the picture that is wanted.
  [[nodiscard]] virtual QString position_text() const = 0;
  [[nodiscard]] virtual QString kind_text() const = 0;  // "XY"
  virtual void step(int64_t count) = 0;
  virtual void step_to_end(int direction) = 0;  // below 0: the first
  // Where a number of the scale bar comes from: mm in one unit of the pane's coordinates; 0 = the unit is pixels.
  [[nodiscard]] virtual double mm_per_unit() const = 0;

  [[nodiscard]] QPointF to_pane(QPointF widget) const;
  [[nodiscard]] QPointF to_widget(QPointF pane) const;
  [[nodiscard]] QSizeF scale() const;  // widget px per unit, to the right and downwards
  // Row and column of the shown picture at a point of the pane, (0, 0) = centre of the top left pixel.
  [[nodiscard]] picture::PixelPoint to_pixel(QPointF pane) const;
  [[nodiscard]] QPointF from_pixel(picture::PixelPoint pixel) const;
  [[nodiscard]] virtual QString unit_text() const;  // of the values
  // The value under a point of the widget, as text with its unit; empty outside.
  [[nodiscard]] QString value_text(QPointF widget) const;
  // Length [px] and words of the scale bar.
  struct ScaleBar {
    double length = 0, value = 0;
    QString text;
  };
  [[nodiscard]] ScaleBar scale_bar() const;
  [[nodiscard]] virtual std::vector<CaptionPart> state_caption() const;

  [[nodiscard]] Measurements& measurements() { return measurements_; }
  void set_tool(std::optional<MeasureKind> tool);
  [[nodiscard]] std::optional<MeasureKind> tool() const { return tool_; }

  [[nodiscard]] MeasureContext measure_context() const;
  // A picture for a file: clean = every pixel once, null while the picture is coarse; annotated = as on the screen,
  // where the caption says that it is coarse.
  [[nodiscard]] QImage exported(Annotation annotation) const;
  // The live picture, also while another one stands in.
  [[nodiscard]] const std::optional<live::Picture>& live_picture() const { return behind_ ? behind_ : shown_; }
  // Every pixel of what is shown was computed, from all views.
  [[nodiscard]] bool is_sharp() const;
  // The sharp picture of what is wanted now is there.
  [[nodiscard]] bool is_current() const;
  // Shows a picture that did not come from the source (before and after, differences).
  void show_picture(const live::Picture& picture);
  // Stands in for the live picture until it is taken away; the live one goes on being kept up to date.
  void set_stand_in(const std::optional<live::Picture>& picture);
  [[nodiscard]] bool has_stand_in() const { return behind_.has_value(); }
  [[nodiscard]] bool profile_visible() const;
  void set_caption_indent(int pixels);  // room for the button of the pane's menu

  void refresh();  // asks for what is to be shown now
  void automatic_levels();
  void fit();
  void zoom_by(double factor);

 Q_SIGNALS:
  void picture_shown();
  void live_picture_changed();
  void fill_requested();  // double click: the whole workspace and back
  void levels_by_hand();
  void tool_changed();
  void measurements_changed();
  void hovered(const QString& value);

 protected:
  [[nodiscard]] virtual std::optional<live::PictureRequest> wanted() const = 0;
  // Hidden panes cost nothing, unless another one shows their picture.
  [[nodiscard]] virtual bool is_needed() const { return isVisible(); }
  // The pixels of the picture as they are painted now.
  [[nodiscard]] const QImage& painted_picture() const { return rendered(); }
  // What is shown without asking for it (a picture from before) stays when nothing is wanted.
  [[nodiscard]] virtual bool keeps_picture() const { return false; }
  [[nodiscard]] virtual QRectF extent() const = 0;
  [[nodiscard]] virtual QRectF placement(const live::Picture& picture) const = 0;
  [[nodiscard]] virtual QString camera_slot() const = 0;
  [[nodiscard]] virtual Fit fit_mode() const { return Fit::keep_aspect; }
  [[nodiscard]] virtual QString nothing_text() const = 0;  // why there is no picture
  // Directly over the picture, below all marks.
  virtual void paint_over_picture(QPainter&) const {}
  virtual void paint_marks(QPainter&) const {}
  // Left button on nothing else: true while the mark follows the mouse.
  virtual bool mark_pressed(QPointF, Qt::KeyboardModifiers) { return false; }
  virtual void mark_moved(QPointF, Qt::KeyboardModifiers) {}
  virtual void mark_released() {}
  virtual bool key_pressed(QKeyEvent&) { return false; }
  [[nodiscard]] virtual QString extra_caption() const { return {}; }  // top right, while no value is shown
  // A place of the picture in words, for the value under the cursor.
  [[nodiscard]] virtual QString place_text(picture::PixelPoint at) const;
  [[nodiscard]] virtual ColorMap color_map() const { return state_.color_map(); }

  [[nodiscard]] const std::optional<live::PictureRequest>& asked() const { return asked_; }
  void forget_picture();  // what is shown belongs to something else now
  [[nodiscard]] PictureSource& source() const { return source_; }
  [[nodiscard]] ViewState& state() const { return state_; }
  [[nodiscard]] virtual std::optional<picture::Levels> shown_levels() const;

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
  friend class PanePainter;
  enum class Drag { none, pan, window, mark, measure_new, measure_handle };
  void take(const QString& view, const live::Picture& picture);
  void adopt(const live::Picture& picture);
  void look_at_status(const QString& node);
  void zoom_about(QPointF widget, double factor);
  void drag_window(QPointF from, QPointF to);
  bool press_measurement(QPointF widget);
  void end_measurement();
  void measurements_moved();
  void place_profile();
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
  uint64_t ticket_ = 0;
  std::optional<live::PictureRequest> asked_;
  std::optional<live::Picture> shown_;   // with an image
  std::optional<live::Picture> behind_;  // the live picture while another one stands in
  std::optional<Error> error_;
  bool stale_ = false;

  mutable QImage rendered_;
  mutable int fewer_ = 1;  // pixels of the picture along the edge of one of `rendered_`
  mutable bool dirty_ = true;

  Drag drag_ = Drag::none;
  QPointF press_, last_;
  Camera press_camera_;
  picture::Levels press_levels_;
  std::optional<QPointF> hover_;
  int wheel_rest_ = 0;
  int caption_indent_ = 0;

  Measurements measurements_;
  std::optional<MeasureKind> tool_;
  ProfilePanel* profile_ = nullptr;
};

}  // namespace tl::ui
