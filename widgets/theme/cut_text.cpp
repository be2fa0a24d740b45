// Cut texts: compares a text with the part of the field that the style leaves for it.
#include "widgets/theme/cut_text.h"

#include <QComboBox>
#include <QLineEdit>
#include <QStyleOptionComboBox>
#include <QStyleOptionFrame>
#include <QToolButton>

namespace tl::ui {
namespace {

constexpr int line_margin = 2;  // px at each side, of QLineEdit

QString choice_of(const QComboBox& box) { return box.currentIndex() < 0 ? box.placeholderText() : box.currentText(); }

int room_of(const QComboBox& box) {
  QStyleOptionComboBox option;
  option.initFrom(&box);
  option.editable = box.isEditable();
  option.frame = box.hasFrame();
  constexpr int icon_gap = 4;  // px, of the style
  const bool has_icon = !box.itemIcon(box.currentIndex()).isNull();
  return box.style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, &box).width() -
         (has_icon ? box.iconSize().width() + icon_gap : 0);
}

int room_of(const QLineEdit& line) {
  QStyleOptionFrame option;
  option.initFrom(&line);
  option.lineWidth = line.style()->pixelMetric(QStyle::PM_DefaultFrameWidth, &option, &line);
  const QMargins around = line.textMargins();
  int room = line.style()->subElementRect(QStyle::SE_LineEditContents, &option, &line).width() - 2 * line_margin -
             around.left() - around.right();
  for (const QToolButton* button : line.findChildren<QToolButton*>())
    if (button->isVisible()) room -= button->width();
  return room;
}

}  // namespace

QString cut_text(const QWidget& widget) {
  const auto cut = [&widget](const QString& text, int room) {
    return widget.fontMetrics().horizontalAdvance(text) > room ? text : QString();
  };
  if (const auto* box = qobject_cast<const QComboBox*>(&widget)) return cut(choice_of(*box), room_of(*box));
  const auto* line = qobject_cast<const QLineEdit*>(&widget);
  return line != nullptr && line->text().isEmpty() ? cut(line->placeholderText(), room_of(*line)) : QString();
}

QString tip_with_cut_text(const QWidget& widget) {
  const QString text = cut_text(widget);
  if (text.isEmpty()) return {};
  QString tip;
  for (const QWidget* w = &widget; w != nullptr && tip.isEmpty() && !w->isWindow(); w = w->parentWidget())
    tip = w->toolTip();
  if (tip.isEmpty()) return text;
  return Qt::mightBeRichText(tip) ? QStringLiteral("<p>%1</p>").arg(text.toHtmlEscaped()) + tip
                                  : text + QLatin1Char('\n') + tip;
}

}  // namespace tl::ui
