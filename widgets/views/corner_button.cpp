// CornerButton: shows the kind of a pane and opens its menu, painted as text and a small arrow on the background of
// captions.
#include "widgets/views/corner_button.h"

#include <QPainter>

#include "widgets/theme/theme.h"
#include "widgets/views/panes/pane_painter.h"

namespace tl::ui {
namespace {
constexpr int arrow = 7;  // px
}

CornerButton::CornerButton(QWidget* parent) : QAbstractButton(parent) {
  setFocusPolicy(Qt::TabFocus);
  setCursor(Qt::PointingHandCursor);
  setFont(Theme::number_font());
  connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

QSize CornerButton::sizeHint() const {
  const QFontMetrics metrics(Theme::number_font());
  return {metrics.horizontalAdvance(text()) + arrow + 14, metrics.height() + 6};
}

void CornerButton::paintEvent(QPaintEvent*) {
  const Theme& theme = Theme::instance();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(Theme::number_font());
  painter.setPen(hasFocus() ? QPen(theme.picture_color(Token::accent)) : QPen(Qt::NoPen));
  painter.setBrush(underMouse() || isDown() ? theme.picture_color(Token::raised) : caption_ground());
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
  painter.setPen(theme.picture_color(Token::text));
  painter.drawText(rect().adjusted(4, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, text());
  const double right = width() - 5.0, middle = 0.5 * height() + 1;
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme.picture_color(Token::text_second));
  painter.drawPolygon(
      QPolygonF{{right - arrow, middle - 2.5}, {right, middle - 2.5}, {right - 0.5 * arrow, middle + 2}});
}

}  // namespace tl::ui
