// OutlineDelegate: paints rows of the outline: the state's glyph in its colour, the title, the state in words.
#pragma once

#include <QStyledItemDelegate>

namespace tl::ui {

class OutlineDelegate final : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 protected:
  bool eventFilter(QObject* editor, QEvent* event) override;
};

}  // namespace tl::ui
