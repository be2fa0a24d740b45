// QueueDelegate: paints the cells of the queue: two lines, thumbnail, progress.
#pragma once

#include <QStyledItemDelegate>

namespace tl::ui {

class QueueDelegate final : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  static constexpr int row_height = 44, thumbnail_size = 36;  // px
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace tl::ui
