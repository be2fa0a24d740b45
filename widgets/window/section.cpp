// Section: shows a widget of a dock below a heading.
#include "widgets/window/section.h"

#include <QLabel>
#include <QVBoxLayout>

#include "widgets/theme/theme.h"

namespace tl::ui {

Section::Section(const QString& title, QWidget* content, QWidget* parent) : QWidget(parent) {
  setProperty("role", "dock");
  setAttribute(Qt::WA_StyledBackground);
  auto* label = new QLabel(title, this);
  label->setFont(Theme::heading_font());
  label->setProperty("role", "heading");
  auto* head = new QHBoxLayout;
  head->setContentsMargins(Theme::space(3), Theme::space(3), Theme::space(2), Theme::space(1));
  head->addWidget(label, 1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(head);
  column->addWidget(content, 1);
}

}  // namespace tl::ui
