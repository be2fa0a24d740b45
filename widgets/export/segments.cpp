// Segments: tool buttons of an exclusive group, which moves the focus by arrow keys itself.
#include "widgets/export/segments.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QToolButton>

#include "widgets/theme/chip_button.h"
#include "widgets/theme/theme.h"

namespace tl::ui {

Segments::Segments(const QString& name, QWidget* parent)
    : QWidget(parent), group_(new QButtonGroup(this)), row_(new QHBoxLayout(this)) {
  setAccessibleName(name);
  row_->setContentsMargins(0, 0, 0, 0);
  row_->setSpacing(Theme::space(1));
  row_->addStretch(1);
  connect(group_, &QButtonGroup::idClicked, this, &Segments::chosen);
}

void Segments::set_texts(const QStringList& texts) {
  if (texts == texts_) return;
  texts_ = texts;
  for (QAbstractButton* button : group_->buttons()) {
    group_->removeButton(button);
    row_->removeWidget(button);
    button->hide();
    button->deleteLater();  // this function may have been called by a click on that button
  }
  for (int i = 0; i < texts.size(); ++i) {
    QToolButton* button = chip_button(texts[i], {});
    button->setAccessibleName(accessibleName() + QStringLiteral(": ") + texts[i]);
    button->setCheckable(true);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setMinimumHeight(Theme::space(7));
    group_->addButton(button, i);
    row_->insertWidget(i, button);
  }
}

void Segments::choose(int index) {
  if (QAbstractButton* button = group_->button(index)) button->setChecked(true);
}

int Segments::chosen_index() const { return group_->checkedId(); }

}  // namespace tl::ui
