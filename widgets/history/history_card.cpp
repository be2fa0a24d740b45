// HistoryCard: one card in the colours of the theme; selection and focus are a border, not a colour alone.
#include "widgets/history/history_card.h"

#include <QPainter>
#include <algorithm>

#include "widgets/history/history_model.h"
#include "widgets/language/translated.h"
#include "widgets/theme/glyphs.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr int narrowest = 240, height = 116, gap = 8, inset = 8, lines = 5, mark_size = 14;  // [px]

struct MarkLook {
  Glyph glyph;
  Token token;
};

MarkLook look_of(EntryMark mark) {
  switch (mark) {
    case EntryMark::done: return {Glyph::tick, Token::good};
    case EntryMark::unsure: return {Glyph::warning, Token::warning};
    case EntryMark::running: return {Glyph::run, Token::busy};
    case EntryMark::failed: return {Glyph::error, Token::error};
    case EntryMark::cancelled: return {Glyph::stop, Token::text_second};
    case EntryMark::interrupted: return {Glyph::warning, Token::warning};
    case EntryMark::moved: return {Glyph::warning, Token::warning};
  }
  return {Glyph::info, Token::text_second};
}

void paint_thumbnail(QPainter& painter, const QRect& square, const QImage& image, const MarkLook& look) {
  const Theme& theme = Theme::instance();
  painter.fillRect(square, theme.picture_color(Token::background));
  if (image.isNull()) {
    const QRectF middle(0, 0, 24, 24);
    paint_glyph(painter, look.glyph, middle.translated(QRectF(square).center() - middle.center()),
                theme.picture_color(look.token));
    return;
  }
  const QSize size = image.size().scaled(square.size(), Qt::KeepAspectRatio);
  QRect place(QPoint(), size);
  place.moveCenter(square.center());
  painter.setRenderHint(QPainter::SmoothPixmapTransform);
  painter.drawImage(place, image);
}

}  // namespace

QSize HistoryCard::size_in(int width) {
  const int columns = std::max(1, width / (narrowest + gap));
  return {std::max(narrowest / 2, width / columns), height + gap};
}

QSize HistoryCard::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const { return {narrowest, height}; }

void HistoryCard::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const auto* const model = qobject_cast<const HistoryModel*>(index.model());
  if (model == nullptr) return;
  const ListedEntry& listed = model->at(index.row());
  const Theme& theme = Theme::instance();
  const MarkLook look = look_of(HistoryModel::mark(listed));
  const bool selected = option.state.testFlag(QStyle::State_Selected),
             focus = option.state.testFlag(QStyle::State_HasFocus),
             hovered = option.state.testFlag(QStyle::State_MouseOver);
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  const QRect card = option.rect.adjusted(gap / 2, gap / 2, -gap / 2, -gap / 2);
  const Token border = selected ? Token::accent : focus ? Token::text : Token::border;
  painter->setPen(QPen(theme.color(border), selected || focus ? 2 : 1));
  painter->setBrush(theme.color(selected ? Token::selection : hovered ? Token::hover : Token::raised));
  painter->drawRoundedRect(QRectF(card).adjusted(1, 1, -1, -1), Theme::card_radius, Theme::card_radius);

  const int edge = card.height() - 2 * inset;
  const QRect square(card.left() + inset, card.top() + inset, std::min(edge, card.width() / 3), edge);
  paint_thumbnail(*painter, square, model->thumbnail(index.row()), look);
  const int left = square.right() + inset + 2, line = edge / lines;
  const auto text = [&](int row, int indent, const QString& words, Token token, const QFont& font) {
    const QRect place(left + indent, card.top() + inset + row * line, card.right() - inset - left - indent, line);
    painter->setFont(font);
    painter->setPen(theme.color(token));
    painter->drawText(place, Qt::AlignLeft | Qt::AlignVCenter,
                      QFontMetrics(font).elidedText(words, Qt::ElideRight, place.width()));
  };
  const QFont normal = Theme::text_font();
  QFont name = normal;
  name.setWeight(QFont::DemiBold);
  text(0, 0, HistoryModel::name(listed.entry), Token::text, name);
  text(1, 0, HistoryModel::kind_and_time(listed.entry), Token::text_second, normal);
  text(2, 0, translated(listed.entry.title), Token::text, normal);
  const QRectF mark(left, card.top() + inset + 3 * line + (line - mark_size) / 2.0, mark_size, mark_size);
  paint_glyph(*painter, look.glyph, mark, theme.color(look.token));
  text(3, mark_size + 4, HistoryModel::outcome(listed), look.token, normal);
  text(4, 0, HistoryModel::size(listed.entry), Token::text_second, normal);
  painter->restore();
}

}  // namespace tl::ui
