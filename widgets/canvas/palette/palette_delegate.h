// PaletteDelegate: paints a row of a palette: category stripe, title, ports, category.
#pragma once

#include <QStyledItemDelegate>

namespace tl::ui {

class PaletteDelegate final : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace tl::ui
