// RangeSlider: a slider with two handles that limit the kept part.
#pragma once

#include <QWidget>
#include <array>

class QSlider;

namespace tl::ui {

// The handles are sliders: Tab reaches each, arrow keys, Page Up and Down, Home and End move it. The bar between them
// can be dragged. GUI thread only.
class RangeSlider final : public QWidget {
  Q_OBJECT
 public:
  static constexpr int steps = 200;
  RangeSlider(const QString& low_name, const QString& high_name, QWidget* parent = nullptr);
  [[nodiscard]] double low() const;  // 0 to 1, at least a step below high()
  [[nodiscard]] double high() const;
  void set(double low, double high);  // without a signal
  [[nodiscard]] QSize sizeHint() const override;

 Q_SIGNALS:
  void moved();

 protected:
  void paintEvent(QPaintEvent*) override;
  void resizeEvent(QResizeEvent*) override;
  void mousePressEvent(QMouseEvent*) override;
  void mouseMoveEvent(QMouseEvent*) override;

 private:
  friend class RangeHandle;
  [[nodiscard]] int value_at(int x) const;
  [[nodiscard]] int x_of(int value) const;
  void handle_moved(std::size_t which);
  void place_handles();
  std::array<QSlider*, 2> handles_{};
  int pressed_at_ = 0;
  std::array<int, 2> pressed_values_{};
};

}  // namespace tl::ui
