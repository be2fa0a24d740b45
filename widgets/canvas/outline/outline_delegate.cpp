// OutlineDelegate: paints the rows of the outline: state, title, state in words.
#include "widgets/canvas/outline/outline_delegate.h"

#include <QPainter>

#include "widgets/canvas/outline/outline_model.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {
constexpr int outline_line_height = 24, input_height = 20;
}  // namespace

void OutlineDelegate::paint(QPainter* p, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const Theme& theme = Theme::instance();
  p->save();
  const bool chosen = (option.state & QStyle::State_Selected) != 0;
  if (chosen) p->fillRect(option.rect, theme.color(Token::selection));
  if (chosen && index.column() == 0 && (option.state & QStyle::State_HasFocus) != 0)
    p->fillRect(QRect(option.rect.left(), option.rect.top(), 2, option.rect.height()), theme.color(Token::accent));
  const QVariant state = index.data(OutlineModel::state_role);
  QRectF area = QRectF(option.rect).adjusted(4, 0, -8, 0);
  QFont small = Theme::text_font();
  small.setPixelSize(11);
  if (!state.isValid()) {
    p->setFont(small);
    p->setPen(theme.color(Token::text_second));
    area.adjust(18, 0, 0, 0);
  } else if (index.column() == 0) {
    p->setFont(Theme::text_font());
    p->setPen(theme.state_color(static_cast<live::State>(state.toInt())));
    p->drawText(QRectF(area.left(), area.top(), 14, area.height()), Qt::AlignCenter,
                Theme::state_glyph(static_cast<live::State>(state.toInt())));
    p->setPen(theme.color(Token::text));
    area.adjust(20, 0, 0, 0);
  } else {
    p->setFont(small);
    p->setPen(theme.color(Token::text_second));
  }
  const Qt::Alignment align = index.column() == 0 ? Qt::AlignLeft : Qt::AlignRight;
  p->drawText(area, static_cast<int>(align | Qt::AlignVCenter) | Qt::TextSingleLine,
              QFontMetricsF(p->font()).elidedText(index.data().toString(), Qt::ElideRight, area.width()));
  p->restore();
}

// While a title is edited, its editor handles every key.
bool OutlineDelegate::eventFilter(QObject* editor, QEvent* event) {
  if (event->type() != QEvent::ShortcutOverride) return QStyledItemDelegate::eventFilter(editor, event);
  event->accept();
  return true;
}

QSize OutlineDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  return {option.rect.width(), index.parent().isValid() ? input_height : outline_line_height};
}

}  // namespace tl::ui
