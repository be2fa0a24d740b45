// Makes chip buttons.
#include "widgets/theme/chip_button.h"

#include <QToolButton>

namespace tl::ui {

QToolButton* chip_button(const QString& text, const QString& tip) {
  auto* button = new QToolButton;
  button->setText(text);
  button->setToolTip(tip);
  button->setAccessibleName(tip);
  button->setProperty("role", "chip");
  return button;
}

}  // namespace tl::ui
