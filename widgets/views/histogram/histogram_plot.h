// HistogramPlot: histogram of a picture (logarithmic counts), with the two handles of the window and the opacity points
// of the 3D view.
#pragma once

#include <QWidget>
#include <optional>

#include "core/picture/levels.h"
#include "widgets/views/view_state.h"

namespace tl::ui {

// GUI thread only.
class HistogramPlot final : public QWidget {
  Q_OBJECT
 public:
  explicit HistogramPlot(ViewState& state, QWidget* parent = nullptr);
  // `image` null: shows no histogram.
  void set_picture(const std::shared_ptr<const live::Image>& image, const Output& output);
  enum class Curve { window, opacity };
  void set_curve(Curve curve);  // which handles can be dragged
  [[nodiscard]] Curve curve() const { return curve_; }
  [[nodiscard]] const picture::Histogram& counts() const { return histogram_; }
  [[nodiscard]] double x_of(double value) const;
  [[nodiscard]] double value_at(double x) const;
  [[nodiscard]] QPointF place_of(const OpacityPoint& point) const;
  [[nodiscard]] QSize sizeHint() const override { return {300, 130}; }

 protected:
  void paintEvent(QPaintEvent*) override;
  void mousePressEvent(QMouseEvent*) override;
  void mouseMoveEvent(QMouseEvent*) override;
  void mouseReleaseEvent(QMouseEvent*) override;
  void mouseDoubleClickEvent(QMouseEvent*) override;
  void keyPressEvent(QKeyEvent*) override;

 private:
  enum class Grip { none, low, high, both, point };
  [[nodiscard]] QRectF plot_area() const;
  [[nodiscard]] picture::Levels levels() const;
  void set_levels(picture::Levels levels);
  [[nodiscard]] std::optional<std::size_t> point_at(QPointF at) const;
  void drag_point(QPointF at);
  void paint_opacity(QPainter& painter) const;
  void paint_handles(QPainter& painter) const;

  ViewState& state_;
  Output output_;
  picture::Histogram histogram_;
  Curve curve_ = Curve::window;
  Grip grip_ = Grip::none;
  std::size_t point_ = 0;
  double press_value_ = 0;
  picture::Levels press_levels_;
};

}  // namespace tl::ui
