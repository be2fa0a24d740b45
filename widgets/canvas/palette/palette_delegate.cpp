// PaletteDelegate: paints the rows of a palette.
#include "widgets/canvas/palette/palette_delegate.h"

#include <QPainter>
#include <ranges>

#include "widgets/canvas/items/port_shape.h"
#include "widgets/canvas/palette/palette_model.h"
#include "widgets/language/translated.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr int palette_line_height = 30;

// Paints the port shapes of one side from the right edge leftwards; returns the remaining area.
QRectF paint_ports(QPainter& p, QRectF area, const PaletteEntry& entry, PalettePort::Side side, const QColor& ground) {
  for (const PalettePort& port : std::views::reverse(entry.ports)) {
    if (port.side != side) continue;
    paint_port(p, port.type, {area.right() - 6, area.center().y()}, 4.5, ground);
    area.setRight(area.right() - 13);
  }
  return area;
}

}  // namespace

void PaletteDelegate::paint(QPainter* p, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const auto* model = qobject_cast<const PaletteModel*>(index.model());
  const PaletteEntry* entry = model == nullptr ? nullptr : model->entry(index);
  if (entry == nullptr) return;
  const Theme& theme = Theme::instance();
  const bool chosen = (option.state & QStyle::State_Selected) != 0;
  QColor ground = theme.color(chosen ? Token::raised : Token::dock);
  p->save();
  p->setRenderHint(QPainter::Antialiasing);
  p->fillRect(option.rect, ground);
  const QRectF line = QRectF(option.rect);
  p->fillRect(QRectF(line.left(), line.top() + 4, 4, line.height() - 8), theme.category_color(entry->category));
  if (chosen) {
    p->setPen(QPen(theme.color(Token::accent), 1));
    p->setBrush(Qt::NoBrush);
    p->drawRoundedRect(line.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
  }
  QRectF area = line.adjusted(14, 0, -8, 0);
  area = paint_ports(*p, area, *entry, PalettePort::Side::output, ground);
  const bool arrow = !entry->ports.empty();
  if (arrow) {
    p->setPen(theme.color(Token::text_second));
    p->setFont(Theme::text_font());
    p->drawText(QRectF(area.right() - 14, area.top(), 14, area.height()), Qt::AlignCenter, QStringLiteral("→"));
    area.setRight(area.right() - 16);
  }
  area = paint_ports(*p, area, *entry, PalettePort::Side::input, ground);
  p->setFont(Theme::text_font());
  p->setPen(theme.color(Token::text));
  const QFontMetricsF metrics(p->font());
  const double width = std::min(metrics.horizontalAdvance(entry->title) + 4, area.width());
  p->drawText(QRectF(area.left(), area.top(), width, area.height()), Qt::AlignLeft | Qt::AlignVCenter,
              metrics.elidedText(entry->title, Qt::ElideRight, width));
  QFont small = Theme::text_font();
  small.setPixelSize(11);
  p->setFont(small);
  p->setPen(theme.color(Token::text_second));
  const QRectF rest = area.adjusted(width + 8, 0, -8, 0);
  const QString category = translated(entry->category.toStdString());
  const QString note = entry->offer == Offer::not_linked      ? tr("%1 · not linked").arg(category)
                       : model->is_recent(index)              ? tr("%1 · recent").arg(category)
                       : entry->offer == Offer::learned_first ? tr("%1 · to be learned").arg(category)
                                                              : category;
  p->drawText(rest, Qt::AlignLeft | Qt::AlignVCenter,
              QFontMetricsF(small).elidedText(note, Qt::ElideRight, rest.width()));
  p->restore();
}

QSize PaletteDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& /*index*/) const {
  return {option.rect.width(), palette_line_height};
}

}  // namespace tl::ui
