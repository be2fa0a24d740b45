// InlineEditor: edits a value, title or comment in place on the canvas: opens, checks and closes the line editor.
#include "widgets/canvas/inline_editor.h"

#include <QKeyEvent>

#include "widgets/theme/theme.h"

namespace tl::ui {

InlineEditor::InlineEditor(QWidget* parent) : QLineEdit(parent) { hide(); }

void InlineEditor::edit(const QRect& area, const QString& text, const QString& name,
                        std::function<QString(const QString&)> take) {
  take_ = std::move(take);
  setAccessibleName(name);
  setFont(Theme::text_font());
  QPalette colors = palette();
  colors.setColor(QPalette::Text, Theme::instance().color(Token::text));
  colors.setColor(QPalette::Base, Theme::instance().color(Token::background));
  setPalette(colors);
  setText(text);
  setToolTip({});
  setGeometry(area.adjusted(0, 0, 0, std::max(0, 26 - area.height())));
  show();
  raise();
  setFocus(Qt::OtherFocusReason);
  selectAll();
}

void InlineEditor::finish(Leave leave) {
  if (!take_) return;
  const auto take = take_;
  const QString why = take(text());
  if (why.isEmpty() || leave == Leave::go) {
    close_editor();
    return;
  }
  QPalette colors = palette();
  colors.setColor(QPalette::Text, Theme::instance().color(Token::error));
  setPalette(colors);
  setToolTip(why);
  Q_EMIT complaint(why);
}

void InlineEditor::close_editor() {
  take_ = nullptr;
  hide();
  Q_EMIT closed();
}

// While open, the editor handles every key: Return must not trigger actions of the canvas.
bool InlineEditor::event(QEvent* event) {
  if (event->type() != QEvent::ShortcutOverride) return QLineEdit::event(event);
  event->accept();
  return true;
}

void InlineEditor::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) return close_editor();
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return finish(Leave::stay_on_error);
  QLineEdit::keyPressEvent(event);
}

void InlineEditor::focusOutEvent(QFocusEvent* event) {
  QLineEdit::focusOutEvent(event);
  if (event->reason() != Qt::PopupFocusReason && event->reason() != Qt::ActiveWindowFocusReason) finish(Leave::go);
}

}  // namespace tl::ui
