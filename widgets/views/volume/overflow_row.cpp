// OverflowRow: places its controls itself, from the left, each with its preferred width.
#include "widgets/views/volume/overflow_row.h"

#include <QEvent>
#include <QMenu>
#include <QToolButton>
#include <algorithm>

#include "widgets/theme/glyphs.h"
#include "widgets/theme/theme.h"

namespace tl::ui {

OverflowRow::OverflowRow(const QString& name, QWidget* parent) : QWidget(parent), more_(new QToolButton(this)) {
  more_->setIcon(glyph_icon(Glyph::menu));
  more_->setToolTip(name);
  more_->setAccessibleName(name);
  more_->setProperty("role", "flat");
  more_->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(more_);
  more_->setMenu(menu);
  connect(menu, &QMenu::aboutToShow, this, &OverflowRow::fill_menu);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void OverflowRow::add(QWidget& control, std::function<void(QMenu&)> fill) {
  control.setParent(this);
  entries_.push_back({&control, std::move(fill)});
  updateGeometry();
}

QSize OverflowRow::sizeHint() const {
  QSize all(-Theme::space(1), 0);
  for (const Entry& one : entries_) {
    const QSize size = one.control->sizeHint();
    all = {all.width() + size.width() + Theme::space(1), std::max(all.height(), size.height())};
  }
  return all.expandedTo(minimumSizeHint());
}
QSize OverflowRow::minimumSizeHint() const { return more_->sizeHint(); }

void OverflowRow::update_layout() {
  const bool is_whole = sizeHint().width() <= width();
  const int room = is_whole ? width() : width() - more_->sizeHint().width();
  bool fits = true;
  int left = 0;
  for (const Entry& one : entries_) {
    const QSize size = one.control->sizeHint();
    fits = fits && left + size.width() <= room;
    one.control->setVisible(fits);
    if (!fits) continue;
    one.control->setGeometry(left, (height() - size.height()) / 2, size.width(), size.height());
    left += size.width() + Theme::space(1);
  }
  const QSize more = more_->sizeHint();
  more_->setGeometry(width() - more.width(), (height() - more.height()) / 2, more.width(), more.height());
  more_->setVisible(!is_whole);
}

void OverflowRow::fill_menu() {
  more_->menu()->clear();
  for (const Entry& one : entries_)
    if (one.control->isHidden()) one.fill(*more_->menu());
}

void OverflowRow::resizeEvent(QResizeEvent*) { update_layout(); }

// Posted when a control's preferred size changes, as with another theme.
bool OverflowRow::event(QEvent* event) {
  if (event->type() == QEvent::LayoutRequest) {
    updateGeometry();
    update_layout();
  }
  return QWidget::event(event);
}

}  // namespace tl::ui
