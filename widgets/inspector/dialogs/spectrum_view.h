// SpectrumView: plot of weights over energies, whose points are dragged, added and removed by mouse or keys.
#pragma once

#include <QWidget>
#include <vector>

namespace tl::ui {

// One energy [keV] and its weight.
struct SpectrumPoint {
  double energy = 0, weight = 0;
  friend bool operator==(const SpectrumPoint&, const SpectrumPoint&) = default;
};

// GUI thread only.
class SpectrumView final : public QWidget {
  Q_OBJECT
 public:
  explicit SpectrumView(QWidget* parent = nullptr);
  void set_points(std::vector<SpectrumPoint> points);    // in ascending order of energy; emits no signal
  void set_filtered(std::vector<SpectrumPoint> points);  // the spectrum after the filter, drawn below; empty: none
  void set_limits(double low, double high);              // allowed energies [keV]
  [[nodiscard]] const std::vector<SpectrumPoint>& points() const { return points_; }
  [[nodiscard]] int current() const { return current_; }  // -1 = none
  [[nodiscard]] QPointF to_widget(const SpectrumPoint& point) const;
  [[nodiscard]] QSize sizeHint() const override { return {640, 320}; }

 Q_SIGNALS:
  void changed(const std::vector<tl::ui::SpectrumPoint>& points);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  [[nodiscard]] QRectF plot_area() const;
  [[nodiscard]] SpectrumPoint to_point(QPointF widget) const;
  [[nodiscard]] int point_at(QPointF widget) const;
  void fit_axes();
  void move_current(SpectrumPoint to);  // limited by the neighbours' energies
  void add(SpectrumPoint point);
  void remove_current();
  void emit_changed();
  std::vector<SpectrumPoint> points_, filtered_;
  int current_ = -1;
  bool dragging_ = false;
  double least_ = 0, most_ = 1e3;            // [keV]
  double low_ = 0, high_ = 1, highest_ = 1;  // limits of the axes
};

}  // namespace tl::ui
