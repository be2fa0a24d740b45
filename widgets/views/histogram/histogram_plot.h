// HistogramPlot: histogram of an image (logarithmic counts), with the two handles of the window and the opacity points
// of the 3D view.
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "core/picture/levels.h"
#include "widgets/views/state/view_state.h"

namespace tl::ui {

// GUI thread only.
class HistogramPlot final : public QWidget {
  Q_OBJECT
 public:
  explicit HistogramPlot(ViewState& state, QWidget* parent = nullptr);
  // `image` null: shows no histogram.
  void set_picture(const std::shared_ptr<const live::Image>& image, const Output& output);
  // Thresholds, in ascending order, as lines that can be dragged (line_moved), unless `fixed` gives a reason why not.
  void set_lines(std::vector<double> values, const QString& fixed);
  [[nodiscard]] const std::vector<double>& lines() const { return lines_; }
  enum class Curve { window, opacity };
  void set_curve(Curve curve);  // which handles can be dragged
  [[nodiscard]] Curve curve() const { return curve_; }
  [[nodiscard]] const picture::Histogram& counts() const { return histogram_; }
  [[nodiscard]] double x_of(double value) const;
  [[nodiscard]] double value_at(double x) const;
  [[nodiscard]] QPointF pixel_of(const OpacityPoint& point) const;
  [[nodiscard]] QSize sizeHint() const override { return {300, 130}; }

 Q_SIGNALS:
  void line_moved(std::size_t line, double value);

 protected:
  void paintEvent(QPaintEvent*) override;
  void mousePressEvent(QMouseEvent*) override;
  void mouseMoveEvent(QMouseEvent*) override;
  void mouseReleaseEvent(QMouseEvent*) override;
  void mouseDoubleClickEvent(QMouseEvent*) override;
  void keyPressEvent(QKeyEvent*) override;

 private:
  enum class Grip { none, low, high, both, point, line };
  [[nodiscard]] QRectF plot_area() const;
  [[nodiscard]] picture::Levels levels() const;
  void set_levels(picture::Levels levels);
  [[nodiscard]] std::optional<std::size_t> point_at(QPointF at) const;
  void drag_point(QPointF at);
  void paint_opacity(QPainter& painter) const;
  void paint_handles(QPainter& painter) const;
  void paint_lines(QPainter& painter) const;
  [[nodiscard]] std::optional<std::size_t> line_at(double x) const;
  void move_line(double value);
  bool take_line_key(int key);

  ViewState& state_;
  Output output_;
  picture::Histogram histogram_;
  Curve curve_ = Curve::window;
  Grip grip_ = Grip::none;
  std::size_t point_ = 0;
  std::vector<double> lines_;
  QString fixed_;                    // why lines cannot be moved
  std::optional<std::size_t> line_;  // the line that arrow keys move
  double press_value_ = 0;
  picture::Levels press_levels_;
};

}  // namespace tl::ui
