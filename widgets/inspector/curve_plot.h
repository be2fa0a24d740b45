// CurvePlot: plots one curve, with axes and a mark at a found value, for EvidencePanel.
#pragma once

#include <QString>
#include <QWidget>
#include <optional>
#include <vector>

namespace tl::ui {

class CurvePlot final : public QWidget {
  Q_OBJECT
 public:
  struct Curve {
    QString x_title, y_title;
    std::vector<double> x, y;  // of equal length; x in ascending order
    std::optional<double> mark;
    double mark_width = 0;  // standard deviation, drawn to both sides; 0 = not known
  };
  explicit CurvePlot(QWidget* parent);
  void show_curve(Curve curve);
  [[nodiscard]] const Curve& curve() const { return curve_; }
  [[nodiscard]] QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;  // shows the value under the mouse as a tool tip

 private:
  [[nodiscard]] QRectF plot_area() const;
  [[nodiscard]] QPointF pixel_at(double x, double y) const;
  Curve curve_;
  double low_x_ = 0, high_x_ = 1, low_y_ = 0, high_y_ = 1;
};

}  // namespace tl::ui
