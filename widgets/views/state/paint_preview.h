// PaintPreview: the labels of a slice while a stroke is painted on them, until the computed ones arrive.
#pragma once

#include <QImage>
#include <memory>

#include "core/live/notification.h"
#include "core/values/label_table.h"
#include "widgets/labels/label_view.h"

namespace tl::ui {

// Its cost is proportional to the painted pixels, not to the slice. GUI thread only.
class PaintPreview {
 public:
  // On the labels of an image.
  explicit PaintPreview(const live::Picture& labels);
  // On a slice of `region` without labels.
  PaintPreview(const Region& region, int64_t rows, int64_t cols);

  [[nodiscard]] const live::Picture& picture() const { return picture_; }
  [[nodiscard]] int64_t rows() const { return image_->rows; }
  [[nodiscard]] int64_t cols() const { return image_->cols; }
  [[nodiscard]] float number(int64_t row, int64_t col) const {  // NaN outside the labels' grid
    return image_->pixels[static_cast<std::size_t>(row * image_->cols + col)];
  }
  void set(int64_t row, int64_t col, float number);
  // As render_labels() gives it.
  const QImage& painted(const LabelTable& table, const LabelView& view);

 private:
  void render(QRect part, const LabelTable& table, const LabelView& view);
  live::Picture picture_;
  std::shared_ptr<picture::Image> image_;  // also in picture_
  QImage painted_;
  LabelTable table_;
  LabelView view_;
  QRect dirty_;
};

}  // namespace tl::ui
