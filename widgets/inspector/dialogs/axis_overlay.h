// AxisOverlay: shows a view and the opposite one, mirrored about the rotation axis, on top of each other: at the right
// axis they are equal. Dragging sideways moves the axis by fractions of a pixel.
#pragma once

#include <QImage>
#include <QWidget>
#include <optional>
#include <vector>

#include "widgets/session/live_session.h"
#include "widgets/views/pictures/picture_source.h"

namespace tl::ui {

// Two views half a turn apart.
struct OppositeViews {
  int64_t first = 0, second = 0;
  double first_angle = 0, second_angle = 0;  // [rad]
};
// Up to four pairs spread over the scan, each with the best opposite of its first view; empty if no two views are
// opposite within 5 degrees.
std::vector<OppositeViews> opposite_views(const ScanGeometry& geometry);

// GUI thread only. Positions of the axis are in pixels from the detector centre towards larger columns.
class AxisOverlay final : public QWidget {
  Q_OBJECT
 public:
  enum class Blend { colours, difference };
  explicit AxisOverlay(LiveSession& session, QWidget* parent = nullptr);
  ~AxisOverlay() override;

  // Sets the scan whose views are shown, and the pair of views.
  void show_scan(const Output& scan);
  void show_pair(const OppositeViews& pair);
  void set_axis(double axis);  // emits no signal
  void set_blend(Blend blend);
  [[nodiscard]] double axis() const { return axis_; }
  [[nodiscard]] bool has_pictures() const { return !first_.isNull() && !second_.isNull(); }
  [[nodiscard]] QSize sizeHint() const override { return {720, 420}; }
  // Screen pixels per detector column.
  [[nodiscard]] double zoom() const { return fit() * zoom_; }

 Q_SIGNALS:
  void axis_dragged(double axis);  // at every mouse move
  void pictures_changed();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void ask();
  void forget();
  void take(const QString& view, const live::Picture& picture);
  void move_axis(double by);
  [[nodiscard]] double fit() const;
  [[nodiscard]] QImage tinted(const QImage& grey, const QColor& tint) const;
  void tint();
  void paint_picture(QPainter& painter) const;
  LiveSession& session_;
  QString view_;  // prefix of the views' names in requests
  Output scan_;
  std::optional<OppositeViews> pair_;
  double axis_ = 0, zoom_ = 1;
  QPointF shift_;  // [px of the detector] offset of the image's centre
  Blend blend_ = Blend::colours;
  QImage first_, second_;            // grey
  QImage first_tint_, second_tint_;  // tinted as they are blended
  std::optional<Error> error_;
  QPointF last_;
  enum class Drag { none, axis, pan } drag_ = Drag::none;
};

}  // namespace tl::ui
