// EntryLine: edits a text that is committed on Enter and loss of focus, and restored on Escape.
#include "widgets/text/entry_line.h"

#include <QKeyEvent>
#include <QLabel>

#include "widgets/theme/style_property.h"
#include "widgets/theme/theme.h"

namespace tl::ui {

EntryLine::EntryLine(QWidget* parent) : QLineEdit(parent), suffix_(new QLabel(this)) {
  setFont(Theme::number_font());
  setAcceptDrops(false);                    // files are dropped on the window, or on the path field around the line
  setContextMenuPolicy(Qt::NoContextMenu);  // the field around it has its own menu
  suffix_->setProperty("role", "second");
  suffix_->setAttribute(Qt::WA_TransparentForMouseEvents);
}

void EntryLine::set_suffix(const QString& text) {
  suffix_->setText(text);
  suffix_->adjustSize();
  setTextMargins(0, 0, text.isEmpty() ? 0 : suffix_->sizeHint().width() + Theme::space(1), 0);
  place_suffix();
}
void EntryLine::place_suffix() {
  const QSize size = suffix_->sizeHint();
  suffix_->setGeometry(width() - size.width() - Theme::space(2), (height() - size.height()) / 2, size.width(),
                       size.height());
}
void EntryLine::resizeEvent(QResizeEvent* event) {
  QLineEdit::resizeEvent(event);
  place_suffix();
}

void EntryLine::show_validity(Validity validity) {
  set_style_property(*this, "invalid", validity == Validity::invalid);
}
void EntryLine::show_learned(bool learned) { set_style_property(*this, "tone", learned ? "learnable" : ""); }

void EntryLine::show_text(const QString& full, const QString& brief) {
  full_ = full;
  brief_ = brief.isEmpty() ? full : brief;
  show_form();
}
void EntryLine::show_form() {
  shown_ = hasFocus() ? full_ : brief_;
  if (text() != shown_) setText(shown_);
  if (!hasFocus()) setCursorPosition(0);
}

void EntryLine::commit() {
  if (text() == shown_) return;
  full_ = brief_ = shown_ = text();
  Q_EMIT committed(shown_);
}

void EntryLine::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
      commit();
      selectAll();
      return;
    case Qt::Key_Escape: Q_EMIT editing_cancelled(); return;
    case Qt::Key_Up:
    case Qt::Key_Down:
      commit();
      Q_EMIT stepped((event->key() == Qt::Key_Up ? 1 : -1) * (event->modifiers().testFlag(Qt::ShiftModifier) ? 10 : 1));
      return;
    default: QLineEdit::keyPressEvent(event);
  }
}
void EntryLine::focusInEvent(QFocusEvent* event) {
  QLineEdit::focusInEvent(event);
  if (text() == shown_) show_form();
  if (event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason) selectAll();
}
void EntryLine::focusOutEvent(QFocusEvent* event) {
  QLineEdit::focusOutEvent(event);
  // A context menu takes the focus only temporarily.
  if (event->reason() == Qt::PopupFocusReason) return;
  commit();
  if (text() == shown_) show_form();
}

}  // namespace tl::ui
