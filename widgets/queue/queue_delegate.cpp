// QueueDelegate: paints a cell.
#include "widgets/queue/queue_delegate.h"

#include <QImage>
#include <QPainter>

#include "widgets/queue/queue_model.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr int number_width = 24;  // px

QColor color_of(const QModelIndex& index, int role) {
  return Theme::instance().color(static_cast<Token>(index.data(role).toInt()));
}

void paint_thumbnail(QPainter& painter, const QRect& place, const QImage& image) {
  Theme& theme = Theme::instance();
  painter.fillRect(place, theme.picture_color(Token::background));
  if (!image.isNull()) {
    const QSize size = image.size().scaled(place.size(), Qt::KeepAspectRatio);
    QRect inner(QPoint(), size);
    inner.moveCenter(place.center());
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.drawImage(inner, image);
  }
  painter.setPen(theme.color(Token::line));
  painter.drawRect(place.adjusted(0, 0, -1, -1));
}

}  // namespace

void QueueDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  Theme& theme = Theme::instance();
  painter->save();
  if (option.state.testFlag(QStyle::State_Selected)) painter->fillRect(option.rect, theme.color(Token::selection));
  painter->setPen(theme.color(Token::line));
  painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
  QRect room = option.rect.adjusted(Theme::space(2), 4, -Theme::space(1), -4);
  painter->setFont(option.font);
  const auto line = [&](const QRect& where, const QString& text, const QColor& color, Qt::Alignment side) {
    painter->setPen(color);
    painter->drawText(where, static_cast<int>(side | Qt::AlignVCenter),
                      painter->fontMetrics().elidedText(text, Qt::ElideRight, where.width()));
  };
  if (index.column() == QueueModel::number_column) {
    const QRect number(room.left(), room.top(), number_width, room.height());
    line(number, index.data().toString(), color_of(index, QueueModel::first_color_role), Qt::AlignRight);
    constexpr int size = thumbnail_size;
    const QRect place(number.right() + Theme::space(2), room.center().y() - size / 2, size, size);
    paint_thumbnail(*painter, place, index.data(Qt::DecorationRole).value<QImage>());
    painter->restore();
    return;
  }
  const QString second = index.data(QueueModel::second_role).toString();
  const double progress = index.data(QueueModel::progress_role).toDouble();
  const bool two = !second.isEmpty() || progress >= 0;
  const QRect upper(room.left(), room.top(), room.width(), two ? room.height() / 2 : room.height());
  line(upper, index.data().toString(), color_of(index, QueueModel::first_color_role), Qt::AlignLeft);
  const QRect lower(room.left(), room.center().y() + 1, room.width(), room.height() / 2);
  QFont small = option.font;
  small.setPixelSize(11);
  painter->setFont(small);
  if (progress >= 0) {
    const QRect bar(lower.left(), lower.bottom() - 3, lower.width(), 3);
    painter->fillRect(bar, theme.color(Token::line));
    painter->fillRect(QRect(bar.topLeft(), QSize(static_cast<int>(progress * bar.width()), 3)),
                      theme.color(Token::busy));
    line(lower.adjusted(0, -2, 0, -4), second, color_of(index, QueueModel::second_color_role), Qt::AlignLeft);
  } else if (two) {
    line(lower, second, color_of(index, QueueModel::second_color_role), Qt::AlignLeft);
  }
  painter->restore();
}

QSize QueueDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  return {QStyledItemDelegate::sizeHint(option, index).width(), row_height};
}

}  // namespace tl::ui
