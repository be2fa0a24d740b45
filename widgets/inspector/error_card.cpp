// ErrorCard: shows a node's error: what, where and hint in a box with the error colour.
#include "widgets/inspector/error_card.h"

#include <QLabel>
#include <QVBoxLayout>

#include "widgets/text/error_text.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"

namespace tl::ui {

ErrorCard::ErrorCard(QWidget* parent)
    : QFrame(parent), what_(new QLabel(this)), where_(new QLabel(this)), hint_(new QLabel(this)) {
  setProperty("role", "error");
  setAccessibleName(tr("Error of this node"));
  setToolTip(tr("Click to go to the parameter"));
  setCursor(Qt::PointingHandCursor);
  auto* column = spaced(new QVBoxLayout(this), 1, {3, 2, 3, 2});
  what_->setProperty("tone", "error");
  where_->setProperty("role", "second");
  for (QLabel* label : {what_, where_, hint_}) {
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    column->addWidget(label);
  }
}

void ErrorCard::mouseReleaseEvent(QMouseEvent* /*event*/) { Q_EMIT pressed(); }

void ErrorCard::show_error(const Error& error) {
  what_->setText(window_text(error.what));
  where_->setText(window_text(error.where));
  hint_->setText(window_text(error.hint));
  where_->setVisible(!error.where.empty());
  hint_->setVisible(!error.hint.empty());
}

}  // namespace tl::ui
