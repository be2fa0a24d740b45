// ScrollingPage: the column, and the wheel.
#include "widgets/training/scrolling_page.h"

#include <QAbstractSpinBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QEvent>
#include <QVBoxLayout>

#include "widgets/theme/theme.h"

namespace tl::ui {

ScrollingPage::ScrollingPage(const QString& name, QWidget* parent) : QScrollArea(parent) {
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setAccessibleName(name);
  auto* whole = new QWidget(this);
  column_ = new QVBoxLayout(whole);
  column_->setContentsMargins(Theme::space(3), Theme::space(2), Theme::space(3), Theme::space(3));
  column_->setSpacing(Theme::space(3));
  setWidget(whole);
}

void ScrollingPage::scroll_over_fields() {
  for (QComboBox* list : widget()->findChildren<QComboBox*>()) list->installEventFilter(this);
  for (QAbstractSpinBox* box : widget()->findChildren<QAbstractSpinBox*>()) box->installEventFilter(this);
}

void ScrollingPage::show_soon(QWidget* part) {
  const auto scroll = [this, part] {
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    ensureWidgetVisible(part);
  };
  QMetaObject::invokeMethod(this, scroll, Qt::QueuedConnection);
}

bool ScrollingPage::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::Wheel) return QScrollArea::eventFilter(watched, event);
  event->ignore();
  return true;
}

}  // namespace tl::ui
