// Section: shows a widget of a dock below a heading.
#include "widgets/window/section.h"

#include <QLabel>
#include <QVBoxLayout>

#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"

namespace tl::ui {

Section::Section(const QString& title, QWidget* content, QWidget* parent) : QWidget(parent) {
  setProperty("role", "dock");
  setAttribute(Qt::WA_StyledBackground);
  auto* label = as_heading(new QLabel(title, this));
  auto* head = framed(new QHBoxLayout, {3, 3, 2, 1});
  head->addWidget(label, 1);
  auto* column = spaced(new QVBoxLayout(this), 0);
  column->addLayout(head);
  column->addWidget(content, 1);
}

}  // namespace tl::ui
