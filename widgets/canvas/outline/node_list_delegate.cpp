// NodeListDelegate: paints the rows of the node list.
#include "widgets/canvas/outline/node_list_delegate.h"

#include <QPainter>

#include "widgets/canvas/outline/node_list_model.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {
constexpr int list_line_height = 24;
}  // namespace

void NodeListDelegate::paint(QPainter* p, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const Theme& theme = Theme::instance();
  p->save();
  p->setRenderHint(QPainter::Antialiasing);
  if ((option.state & QStyle::State_Selected) != 0) p->fillRect(option.rect, theme.color(Token::raised));
  if ((option.state & QStyle::State_Selected) != 0 && (option.state & QStyle::State_HasFocus) != 0)
    p->fillRect(QRect(option.rect.topLeft(), QSize(2, option.rect.height())), theme.color(Token::accent));
  const QVariant count = index.data(NodeListModel::count_role);
  const QColor color = theme.category_color(index.data(NodeListModel::category_role).toString());
  QRectF area = QRectF(option.rect).adjusted(4, 0, -10, 0);
  if (count.isValid()) {
    p->setPen(Qt::NoPen);
    p->setBrush(color);
    p->drawRoundedRect(QRectF(area.left(), area.center().y() - 4.5, 9, 9), 2, 2);
    p->setPen(theme.color(Token::text_second));
    p->setFont(Theme::number_font());
    p->drawText(area, Qt::AlignRight | Qt::AlignVCenter, count.toString());
    area.adjust(18, 0, -30, 0);
  } else {
    p->setPen(QPen(color, 1.5));
    p->drawLine(QPointF(area.left() + 4, area.top()), QPointF(area.left() + 4, area.bottom()));
    area.adjust(18, 0, 0, 0);
  }
  p->setFont(Theme::text_font());
  p->setPen(theme.color(Token::text));
  p->drawText(area, Qt::AlignLeft | Qt::AlignVCenter,
              QFontMetricsF(p->font()).elidedText(index.data().toString(), Qt::ElideRight, area.width()));
  p->restore();
}

QSize NodeListDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& /*index*/) const {
  return {option.rect.width(), list_line_height};
}

}  // namespace tl::ui
