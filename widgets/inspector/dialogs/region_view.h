// RegionView: a box on an image, changed with the mouse or the arrow keys by its edges and corners or as a whole.
#pragma once

#include <QImage>
#include <QWidget>

#include "core/base/region.h"

namespace tl::ui {

// Rows and columns to keep, half open, in pixels of the image.
struct PictureBox {
  Range rows, cols;
  friend bool operator==(const PictureBox&, const PictureBox&) = default;
};

// GUI thread only.
class RegionView final : public QWidget {
  Q_OBJECT
 public:
  explicit RegionView(QWidget* parent = nullptr);
  void show_picture(const QImage& picture);  // null: no image yet
  [[nodiscard]] bool has_picture() const { return !picture_.isNull(); }
  void set_size(int64_t rows, int64_t cols);  // of the full-size image; the one shown may have fewer pixels
  void set_box(const PictureBox& box);        // emits no signal
  void set_message(const QString& text);      // shown while there is no image
  [[nodiscard]] const PictureBox& box() const { return box_; }
  [[nodiscard]] QPointF to_widget(double row, double col) const;  // `row`, `col`: edges between pixels
  [[nodiscard]] QSize sizeHint() const override { return {640, 420}; }

 Q_SIGNALS:
  void box_dragged(const tl::ui::PictureBox& box);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  // The edges that a drag moves; all four: moves the box; draws: starts a new box.
  struct Grip {
    bool top = false, bottom = false, left = false, right = false, draws = false;
    [[nodiscard]] bool any() const { return top || bottom || left || right || draws; }
  };
  [[nodiscard]] QRectF picture_area() const;
  [[nodiscard]] QPointF to_pixels(QPointF widget) const;  // x = column, y = row, of pixel edges
  [[nodiscard]] Grip grip_at(QPointF widget) const;
  void change(const PictureBox& box);
  QImage picture_;
  QString message_;
  int64_t rows_ = 1, cols_ = 1;
  PictureBox box_, pressed_box_;
  QPointF pressed_;
  Grip grip_;
};

}  // namespace tl::ui
