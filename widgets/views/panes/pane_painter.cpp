// PanePainter: paints the image of an ImagePane with marks and captions: nearest neighbour when enlarged, smooth when
// several pixels share one on the screen.
#include "widgets/views/panes/pane_painter.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/language/translated.h"
#include "widgets/views/pictures/window_text.h"

namespace tl::ui {
namespace {
constexpr int margin = 10;           // px between the pane's edge and captions
constexpr double longest_bar = 120;  // px
}  // namespace

void paint_bar_ground(QPainter& painter, const QRect& bar) {
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Theme::instance().picture_color(Token::border));
  painter.setBrush(caption_ground());
  painter.drawRoundedRect(QRectF(bar).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
}

QColor caption_ground() {
  QColor ground = Theme::instance().picture_color(Token::background);
  ground.setAlphaF(0.82F);
  return ground;
}

QRectF paint_caption(QPainter& painter, QPointF corner, Qt::Alignment where, const std::vector<CaptionPart>& parts) {
  const QFontMetricsF metrics(painter.font());
  double width = 0;
  for (const CaptionPart& part : parts) width += metrics.horizontalAdvance(part.text);
  if (width == 0) return {};
  QRectF box(0, 0, width + 8, metrics.height() + 2);
  if (where.testFlag(Qt::AlignRight))
    box.moveRight(corner.x());
  else
    box.moveLeft(corner.x());
  if (where.testFlag(Qt::AlignBottom))
    box.moveBottom(corner.y());
  else
    box.moveTop(corner.y());
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(caption_ground());
  painter.drawRoundedRect(box, 3, 3);
  double x = box.left() + 4;
  for (const CaptionPart& part : parts) {
    painter.setPen(Theme::instance().picture_color(part.color));
    painter.drawText(QPointF(x, box.top() + 1 + metrics.ascent()), part.text);
    x += metrics.horizontalAdvance(part.text);
  }
  return box;
}

void paint_pixels(QPainter& painter, const QImage& image, QRectF target, QRectF pane) {
  painter.setRenderHint(QPainter::SmoothPixmapTransform,
                        target.width() < image.width() || target.height() < image.height());
  // Draws only the visible part: at high zoom the whole image would be many thousands of pixels wide.
  const QRectF visible_part = target.intersected(pane);
  if (visible_part.isEmpty()) return;
  const double x = image.width() / target.width(), y = image.height() / target.height();
  painter.drawImage(visible_part, image,
                    {(visible_part.left() - target.left()) * x, (visible_part.top() - target.top()) * y,
                     visible_part.width() * x, visible_part.height() * y});
}

ImagePane::ScaleBar scale_bar_for(double px_per_unit, double mm_per_unit) {
  const double most = longest_bar / px_per_unit * (mm_per_unit > 0 ? mm_per_unit : 1);
  const double power = std::pow(10, std::floor(std::log10(most)));
  const double length = most >= 5 * power ? 5 * power : most >= 2 * power ? 2 * power : power;
  if (mm_per_unit > 0) return {length / mm_per_unit * px_per_unit, length, length_text(length)};
  return {length * px_per_unit, length, ImagePane::tr("%1 px").arg(number_text(length))};
}

void paint_scale_bar(QPainter& painter, QPointF corner, const ImagePane::ScaleBar& bar) {
  const double right = corner.x(), bottom = corner.y();
  const QFontMetricsF metrics(painter.font());
  const double wide = metrics.horizontalAdvance(bar.text);
  const double box_width = std::max(wide, bar.length) + 8;
  painter.setPen(Qt::NoPen);
  painter.setBrush(caption_ground());
  painter.drawRoundedRect(QRectF(right - box_width + 4, bottom - metrics.height() - 6, box_width, metrics.height() + 9),
                          3, 3);
  const QColor color = Theme::instance().picture_color(Token::text);
  painter.fillRect(QRectF(right - bar.length, bottom - 2, bar.length, 3), color);
  painter.setPen(color);
  // Above the middle of the bar, but not beyond its right end.
  const double start = std::min(right - 0.5 * (bar.length + wide), right - wide);
  painter.drawText(QPointF(start, bottom - 6 - metrics.descent()), bar.text);
}

PanePainter::PanePainter(const ImagePane& pane, QPainter& painter) : pane_(pane), painter_(painter) {}

void PanePainter::paint(Annotation annotation) {
  painter_.fillRect(pane_.rect(), Theme::instance().picture_color(Token::background));
  painter_.setFont(Theme::number_font());
  if (!pane_.shown_) {
    paint_nothing();
    if (annotation == Annotation::annotated) paint_captions();
    return;
  }
  paint_picture();
  painter_.save();
  pane_.paint_over_picture(painter_);
  painter_.restore();
  if (annotation == Annotation::clean) return;
  painter_.save();
  pane_.paint_marks(painter_);
  painter_.restore();
  painter_.save();
  pane_.measurements().paint(painter_, pane_.label_area(), pane_.measure_context());
  painter_.restore();
  paint_captions();
  paint_scale_bar();
}

void PanePainter::paint_picture() {
  const QRectF at = pane_.placement(*pane_.shown_);
  paint_pixels(painter_, pane_.rendered(), {pane_.to_widget(at.topLeft()), pane_.to_widget(at.bottomRight())},
               pane_.rect());
}

void PanePainter::paint_nothing() {
  const Theme& theme = Theme::instance();
  const QRectF middle = QRectF(pane_.rect()).adjusted(24, 40, -24, -40);
  painter_.setPen(theme.picture_color(pane_.error_ ? Token::error : Token::text_second));
  QString text = pane_.no_picture_text();
  if (pane_.error_) {
    text = translated(pane_.error_->what);
    if (!pane_.error_->hint.empty()) text += QLatin1Char('\n') + translated(pane_.error_->hint);
  }
  painter_.drawText(middle, Qt::AlignCenter | Qt::TextWordWrap, text);
}

void PanePainter::paint_captions() {
  const QRectF bounds(pane_.rect());
  const QFontMetricsF metrics(painter_.font());
  const double left = std::max(margin, pane_.caption_indent_) - 4;
  const QString kind = pane_.caption_indent_ == 0 ? pane_.kind_text() : QString();
  std::vector<CaptionPart> head;
  const QString position = pane_.position_text();
  if (!position.isEmpty()) head.push_back({position});
  for (CaptionPart& part : pane_.shown_ || pane_.asked_ ? pane_.state_caption() : std::vector<CaptionPart>{})
    head.push_back(std::move(part));
  double wide = metrics.horizontalAdvance(kind) + 8;
  for (const CaptionPart& part : head) wide += metrics.horizontalAdvance(part.text);
  QRectF taken(left, 8, 0, 0);
  if (!kind.isEmpty() && left + wide > bounds.right() - margin) {
    // Too long for one line: the kind of image gets its own.
    const double room = bounds.right() - margin - left - 8;
    taken = paint_caption(painter_, {left, 8}, Qt::AlignLeft, {{metrics.elidedText(kind, Qt::ElideRight, room)}});
    taken |= paint_caption(painter_, {left, taken.bottom() + 2}, Qt::AlignLeft, head);
  } else {
    if (!kind.isEmpty()) head.insert(head.begin(), {position.isEmpty() ? kind : kind + QStringLiteral(" · ")});
    taken = paint_caption(painter_, {left, 8}, Qt::AlignLeft, head);
  }

  // The last good image stays; the error of the newer one is shown below the caption.
  if (pane_.error_ && pane_.shown_) {
    const QString why = metrics.elidedText(translated(pane_.error_->what), Qt::ElideRight, bounds.width() - 2 * margin);
    paint_caption(painter_, {margin - 4.0, taken.bottom() + 4}, Qt::AlignLeft, {{why, Token::error}});
  }
  const QString value = pane_.hover_ ? pane_.value_text(*pane_.hover_) : QString();
  const QString right = value.isEmpty() ? pane_.extra_caption() : value;
  const double right_wide = metrics.horizontalAdvance(right) + 8;
  const double top = bounds.right() - margin - right_wide < taken.right() + 8 ? taken.bottom() + 2 : 8;
  if (!right.isEmpty()) paint_caption(painter_, {bounds.right() - margin + 4, top}, Qt::AlignRight, {{right}});
  if (!pane_.shown_ || pane_.profile_visible()) return;

  const auto levels = pane_.shown_levels();
  if (!levels) return;
  const QPointF corner(margin - 4, bounds.bottom() - 8);
  const auto [low, high] = window_texts(*levels);
  std::vector<CaptionPart> foot{{QObject::tr("window %1 … %2").arg(low, high)}};
  if (bounds.width() > 320) {
    if (const QString unit = pane_.unit_text(); !unit.isEmpty()) foot.push_back({QLatin1Char(' ') + unit});
    const bool automatic = pane_.state_.levels_mode(pane_.levels_output()) == LevelsMode::automatic;
    foot.push_back({QStringLiteral(" · "), Token::text_second});
    foot.push_back({automatic ? QObject::tr("auto") : QObject::tr("A = auto"), Token::text_second});
  }
  // There must be space for the whole caption next to the scale bar.
  const ImagePane::ScaleBar bar = pane_.scale_bar();
  const double room = bounds.width() - std::max(bar.length, metrics.horizontalAdvance(bar.text)) - 4 * margin;
  double foot_wide = 0;
  for (const CaptionPart& part : foot) foot_wide += metrics.horizontalAdvance(part.text);
  const auto dot = QStringLiteral(" · ");
  while (foot.size() > 1 && (foot_wide > room || foot.back().text == dot)) {
    foot_wide -= metrics.horizontalAdvance(foot.back().text);
    foot.pop_back();
  }
  paint_caption(painter_, corner, Qt::AlignLeft | Qt::AlignBottom, foot);
}

void PanePainter::paint_scale_bar() {
  const ImagePane::ScaleBar bar = pane_.scale_bar();
  if (bar.length <= 0 || pane_.profile_visible() || pane_.width() < 220) return;
  const QRectF bounds(pane_.rect());
  tl::ui::paint_scale_bar(painter_, {bounds.right() - margin, bounds.bottom() - margin}, bar);
}

}  // namespace tl::ui
