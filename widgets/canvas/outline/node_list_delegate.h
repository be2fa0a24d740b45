// NodeListDelegate: paints rows of the node list: categories with colour and count, node types below them.
#pragma once

#include <QStyledItemDelegate>

namespace tl::ui {

class NodeListDelegate final : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace tl::ui
