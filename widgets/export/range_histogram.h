// RangeHistogram: histogram of the exported values as bars, clipped values in the warning colour, with a handle at each
// end of the range.
#pragma once

#include <QWidget>

#include "core/exports/sorted_values.h"

namespace tl::ui {

// GUI thread only. A click or a drag moves the nearer handle, arrow keys the one moved last, Shift by ten steps; Up and
// Down switch to the other handle.
class RangeHistogram final : public QWidget {
  Q_OBJECT
 public:
  explicit RangeHistogram(QWidget* parent = nullptr);
  // Null: no values are known. `values` must live until the next call.
  void show_values(const exports::SortedValues* values, picture::Levels range);
  [[nodiscard]] double x_of(double value) const;
  [[nodiscard]] double value_at(double x) const;
  [[nodiscard]] QSize sizeHint() const override { return {420, 88}; }

 Q_SIGNALS:
  void range_moved(double low, double high);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  enum class Handle { low, high };
  [[nodiscard]] QRectF area() const;
  [[nodiscard]] int bins() const;
  void count();
  void move(double value);
  const exports::SortedValues* values_ = nullptr;
  picture::Levels range_;
  picture::Histogram bars_;
  Handle handle_ = Handle::low;
};

}  // namespace tl::ui
