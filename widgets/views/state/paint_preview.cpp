// PaintPreview: changes a copy of the labels and renders what has changed.
#include "widgets/views/state/paint_preview.h"

#include <cstring>

#include "widgets/labels/label_picture.h"

namespace tl::ui {

PaintPreview::PaintPreview(const live::Picture& labels)
    : picture_(labels), image_(std::make_shared<picture::Image>(*labels.image)) {
  picture_.image = image_;
}

PaintPreview::PaintPreview(const Region& region, int64_t rows, int64_t cols)
    : image_(std::make_shared<picture::Image>()) {
  image_->rows = rows;
  image_->cols = cols;
  image_->pixels.assign(static_cast<std::size_t>(rows * cols), 0.0F);
  picture_.request.region = picture_.region = region;
  picture_.image = image_;
}

void PaintPreview::set(int64_t row, int64_t col, float number) {
  float& now = image_->pixels[static_cast<std::size_t>(row * image_->cols + col)];
  if (now == number) return;
  now = number;
  dirty_ |= QRect(static_cast<int>(col), static_cast<int>(row), 1, 1);
}

const QImage& PaintPreview::painted(const LabelTable& table, const LabelView& view) {
  const QRect all(0, 0, static_cast<int>(image_->cols), static_cast<int>(image_->rows));
  if (painted_.isNull() || !(table == table_) || !(view == view_)) {
    painted_ = QImage(all.size(), QImage::Format_ARGB32_Premultiplied);
    table_ = table;
    view_ = view;
    dirty_ = all;
  }
  // Outlines also change next to the painted pixels.
  if (!dirty_.isEmpty()) render(dirty_.adjusted(-1, -1, 1, 1) & all, table, view);
  dirty_ = {};
  return painted_;
}

void PaintPreview::render(QRect part, const LabelTable& table, const LabelView& view) {
  // Including neighbouring pixels, which are needed to find edges.
  const QRect all(0, 0, static_cast<int>(image_->cols), static_cast<int>(image_->rows));
  const QRect around = part.adjusted(-1, -1, 1, 1) & all;
  picture::Image some{around.height(), around.width(), {}};
  some.pixels.reserve(static_cast<std::size_t>(some.rows * some.cols));
  for (int row = around.top(); row <= around.bottom(); ++row) {
    const auto first = image_->pixels.begin() + row * image_->cols + around.left();
    some.pixels.insert(some.pixels.end(), first, first + around.width());
  }
  const QImage drawn = render_labels(some, table, view);
  for (int row = part.top(); row <= part.bottom(); ++row)
    std::memcpy(painted_.scanLine(row) + part.left() * 4L,
                drawn.constScanLine(row - around.top()) + (part.left() - around.left()) * 4L,
                static_cast<std::size_t>(part.width()) * 4);
}

}  // namespace tl::ui
