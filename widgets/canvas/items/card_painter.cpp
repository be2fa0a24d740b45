// CardPainter: paints a node's card, directly with QPainter, since effects and style sheets are too slow for hundreds
// of cards.
#include "widgets/canvas/items/card_painter.h"

#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "widgets/canvas/items/port_shape.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr double min_text = 9;                        // px on the screen: smaller text is enlarged
constexpr int nominal_text = 13, nominal_small = 11;  // px at zoom 1
constexpr int largest_row = 18, largest_title = 22, largest_two_lines = 18;  // px at zoom 1, limited by the space
// If enlarged text would still be too small, it is left out: below the first zoom all text, below the second rows, foot
// and second line of the title.
constexpr double text_zoom = min_text / largest_title, detail_zoom = min_text / largest_row;
static_assert(largest_row == largest_two_lines);
constexpr double stripe = card_size::stripe, pad = card_size::pad, glyph_width = card_size::glyph;
constexpr double between = 8;  // px between name and value

int enlarged(int nominal, int largest, double zoom) {
  return std::clamp(static_cast<int>(std::ceil(min_text / zoom)), nominal, largest);
}
double text_width(const QFont& font, const QString& words) { return QFontMetricsF(font).horizontalAdvance(words); }

QPainterPath rounded(const QRectF& rect, double radius) {
  QPainterPath path;
  path.addRoundedRect(rect, radius, radius);
  return path;
}

QColor with_alpha(QColor color, double alpha) {
  color.setAlphaF(static_cast<float>(alpha));
  return color;
}

void text(QPainter& p, const QRectF& area, Qt::Alignment align, const QString& words) {
  const QString fitting = QFontMetricsF(p.font()).elidedText(words, Qt::ElideRight, area.width());
  p.drawText(area, static_cast<int>(align | Qt::AlignVCenter) | Qt::TextSingleLine, fitting);
}

QColor color(Token token) { return Theme::instance().color(token); }

// Leaves out the last parts that do not fit: half of a shape could be mistaken for another shape.
QString fitting_parts(const QFont& font, const QString& words, double width) {
  const auto dot = QStringLiteral(" · ");
  QStringList parts = words.split(dot);
  while (parts.size() > 1 && text_width(font, parts.join(dot)) > width) parts.removeLast();
  return parts.join(dot);
}

}  // namespace

CardPainter::CardPainter(QPainter& painter, const Card& card, double zoom)
    : painter_(painter), card_(card), zoom_(zoom > 0 ? zoom : 1) {
  painter_.setRenderHint(QPainter::Antialiasing);
  painter_.setRenderHint(QPainter::SmoothPixmapTransform);
}

// A title that is too long when enlarged is truncated: the tool tip has all of it.
QStringList CardPainter::title_lines() const {
  return zoom_ < detail_zoom ? QStringList{card_.title} : card_.title_lines;
}
QFont CardPainter::title_font() const {
  QFont font = card_title_font();
  const int largest = title_lines().size() > 1 ? largest_two_lines : largest_title;
  font.setPixelSize(enlarged(nominal_text, largest, zoom_));
  return font;
}
QFont CardPainter::small_font() const {
  QFont font = Theme::text_font();
  font.setPixelSize(enlarged(nominal_small, largest_row, zoom_));
  return font;
}
QFont CardPainter::row_font(int nominal, const QFont& base) const {
  QFont font = base;
  font.setPixelSize(enlarged(nominal, largest_row, zoom_));
  return font;
}

void CardPainter::body(Edge how) const {
  shadow();
  const QRectF rect(QPointF(0, 0), card_.size);
  painter_.save();
  if (card_.is_unused()) painter_.setOpacity(painter_.opacity() * 0.6);
  painter_.setClipPath(rounded(rect, Theme::card_radius));
  painter_.fillRect(rect, color(Token::raised));
  painter_.fillRect(card_.title_area(), color(Token::bar));
  const QColor category = Theme::instance().category_color(card_.category);
  painter_.fillRect(QRectF(0, 0, stripe, card_.title_height), category);
  if (zoom_ >= text_zoom) title();
  picture();
  if (zoom_ >= detail_zoom && !card_.collapsed) {
    rows();
    foot();
  }
  progress();
  painter_.restore();
  edge(how);
}

void CardPainter::shadow() const {
  painter_.setPen(Qt::NoPen);
  for (int i = 1; i <= 4; ++i) {
    painter_.setBrush(with_alpha(Qt::black, 0.075));
    painter_.drawRoundedRect(QRectF(QPointF(0, 0), card_.size).adjusted(-i, -i + 3, i, i + 3), Theme::card_radius + i,
                             Theme::card_radius + i);
  }
}

void CardPainter::title() const {
  const QRectF area = card_.title_area().adjusted(stripe + pad - 2, 0, -pad, 0);
  double state_width = 0;
  if (zoom_ >= detail_zoom) {
    state_width = word_in_title() ? state_text_width() : glyph_width;
    state(QRectF(area.right() - state_width, area.top(), state_width, area.height()));
  }
  painter_.setFont(title_font());
  painter_.setPen(color(card_.is_unused() ? Token::text_second : Token::text));
  const QStringList all = title_lines();
  const auto lines = static_cast<double>(all.size());
  const double line_height = lines > 1 ? QFontMetricsF(painter_.font()).height() : area.height();
  double top = area.center().y() - lines * line_height / 2;
  for (const QString& line : all) {
    text(painter_, QRectF(area.left(), top, area.width() - state_width - 4, line_height), Qt::AlignLeft, line);
    top += line_height;
  }
}

void CardPainter::state(const QRectF& area) const {
  painter_.setPen(Theme::instance().state_color(card_.state));
  painter_.setFont(small_font());
  const QString glyph = Theme::state_glyph(card_.state);
  text(painter_, area, Qt::AlignRight, word_in_title() ? glyph + QStringLiteral(" ") + card_.state_text : glyph);
}

double CardPainter::state_text_width() const { return text_width(small_font(), card_.state_text) + glyph_width; }

// A title is never cut to make room for the state: next to a long title only the glyph is shown, and the word goes to
// the foot.
bool CardPainter::word_in_title() const {
  if (card_.collapsed) return card_.title_lines.size() == 1;
  if (card_.title_lines.size() > 1) return false;
  const double room = card_.title_area().width() - stripe - 2 * pad - 2;
  return text_width(title_font(), card_.title) + state_text_width() <= room;
}

void CardPainter::picture() const {
  const QRectF area = card_.picture_area();
  if (area.isEmpty()) return;
  painter_.fillRect(area, color(Token::background));
  if (card_.picture.isNull()) {
    // No image yet: a placeholder with the port's shape.
    for (const CardPort& port : card_.ports) {
      if (port.side != Side::output) continue;
      painter_.setPen(QPen(with_alpha(Theme::instance().port_color(port.type), 0.35), 1.5));
      painter_.setBrush(Qt::NoBrush);
      painter_.drawPath(port_path(port.type, area.center(), 13));
      return;
    }
    return;
  }
  const QSizeF size = QSizeF(card_.picture.size()).scaled(area.size(), Qt::KeepAspectRatioByExpanding);
  QRectF target(QPointF(), size);
  target.moveCenter(area.center());
  painter_.save();
  painter_.setClipRect(area, Qt::IntersectClip);
  painter_.drawImage(target, card_.picture);
  painter_.restore();
  const bool old = card_.state == live::State::stale || card_.state == live::State::failed;
  if (old) painter_.fillRect(area, with_alpha(color(Token::background), 0.5));
}

void CardPainter::rows() const {
  for (std::size_t i = 0; i < card_.rows.size(); ++i) row(card_.rows[i], card_.row_area(i).adjusted(pad, 0, -pad, 0));
}

void CardPainter::row(const CardRow& row, const QRectF& area) const {
  QFont bold = Theme::number_font();
  bold.setWeight(QFont::DemiBold);
  QFont name_font = row_font(nominal_text, Theme::text_font()), font = row_font(nominal_text, bold);
  // If name and value do not fit on one line: first a smaller font, then a shortened name (the form shows it in full),
  // and no name if the value alone fills the row.
  if (text_width(name_font, row.label) + text_width(font, row.value) + between > area.width()) {
    name_font = row_font(nominal_small, name_font);
    font = row_font(nominal_small, font);
  }
  double min_name = std::min(text_width(name_font, row.label), area.width() * 0.34);
  if (text_width(font, row.value) + min_name + between > area.width()) min_name = -between;
  const double value_width = std::min(text_width(font, row.value) + 2, area.width() - min_name - between);
  painter_.setFont(name_font);
  painter_.setPen(color(Token::text_second));
  if (min_name > 0) text(painter_, area.adjusted(0, 0, -value_width - between, 0), Qt::AlignLeft, row.label);
  painter_.setFont(font);
  painter_.setPen(color(row.to_choose                ? Token::accent
                        : row.learnable && row.found ? Token::learnable
                        : row.driven                 ? Token::busy
                                                     : Token::text));
  text(painter_, QRectF(area.right() - value_width, area.top(), value_width, area.height()), Qt::AlignRight, row.value);
}

void CardPainter::foot() const {
  painter_.setFont(small_font());
  const QRectF area = card_.foot_area().adjusted(pad, -2, -pad, -2);
  const QString words = card_.error.isEmpty() ? card_.foot : card_.error;
  double left = 0;
  // The state already tells what a waiting node waits for.
  const bool is_said = card_.state == live::State::waiting && words != card_.category;
  if (!word_in_title() && !is_said) {
    painter_.setPen(Theme::instance().state_color(card_.state));
    const QString dot = QStringLiteral(" · ");
    const double state_width = text_width(small_font(), card_.state_text + dot);
    const bool has_room =
        !words.isEmpty() && state_width + text_width(small_font(), words.section(dot, 0, 0)) <= area.width();
    text(painter_, area, Qt::AlignLeft, has_room ? card_.state_text + dot : card_.state_text);
    if (!has_room && card_.error.isEmpty()) return;
    left = state_width;
  }
  painter_.setPen(card_.error.isEmpty() ? color(Token::text_second) : color(Token::error));
  text(painter_, area.adjusted(left, 0, 0, 0), Qt::AlignLeft, fitting_parts(small_font(), words, area.width() - left));
}

void CardPainter::progress() const {
  if (card_.state != live::State::running) return;
  const double part = card_.fraction < 0 ? 1 : std::clamp(card_.fraction, 0.0, 1.0);
  const double width = card_.size.width() * part;
  painter_.fillRect(QRectF(0, card_.size.height() - 3, width, 3), color(Token::busy));
}

void CardPainter::edge(Edge how) const {
  const bool failed = !card_.error.isEmpty() && card_.state == live::State::failed;
  QPen pen(failed ? color(Token::error) : color(Token::border), 1);
  if (how != Edge::plain) pen = QPen(color(Token::accent), how == Edge::current ? 2.5 : 1.5);
  if (card_.use != NodeUse::active) pen.setStyle(Qt::DashLine);
  painter_.setPen(pen);
  painter_.setBrush(Qt::NoBrush);
  const double inset = pen.widthF() / 2;
  painter_.drawRoundedRect(QRectF(QPointF(0, 0), card_.size).adjusted(inset, inset, -inset, -inset),
                           Theme::card_radius - inset, Theme::card_radius - inset);
}

void CardPainter::ports(const QSet<QString>& lit, Side side) const {
  for (const CardPort& port : card_.ports) {
    const bool bright = port.side == side && lit.contains(port.name);
    if (bright) {
      painter_.setPen(Qt::NoPen);
      painter_.setBrush(with_alpha(Theme::instance().port_color(port.type), 0.35));
      painter_.drawEllipse(port.at, 2 * card_size::port_radius, 2 * card_size::port_radius);
    }
    paint_port(painter_, port.type, port.at, port.drives ? 4.5 : card_size::port_radius, color(Token::background));
  }
}

}  // namespace tl::ui
