// HistoryCard: paints an entry of the history as a card: thumbnail, name, kind and time, pipeline, outcome, size.
#pragma once

#include <QStyledItemDelegate>

namespace tl::ui {

class HistoryCard final : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  // Size of a card in a page of this width: as many cards as fit, of equal widths.
  [[nodiscard]] static QSize size_in(int width);
};

}  // namespace tl::ui
