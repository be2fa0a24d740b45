// ShortcutClaim: gives the shortcuts of a focused widget precedence, by handling keys before Qt's shortcut map does.
#include "widgets/canvas/shortcut_claim.h"

#include <QKeyEvent>

namespace tl::ui {
namespace {

// Enter, plus and other keys of the keypad count as the keys with the same name.
QKeySequence sequence(const QKeyEvent& event) {
  return QKeySequence(QKeyCombination(event.modifiers() & ~Qt::KeypadModifier, static_cast<Qt::Key>(event.key())));
}

}  // namespace

ShortcutClaim::ShortcutClaim(QWidget& widget, QList<QAction*> actions)
    : QObject(&widget), actions_(std::move(actions)) {
  widget.installEventFilter(this);
}

bool ShortcutClaim::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::ShortcutOverride && event->type() != QEvent::KeyPress)
    return QObject::eventFilter(watched, event);
  const QKeySequence keys = sequence(*static_cast<QKeyEvent*>(event));
  for (QAction* action : actions_) {
    if (!action->shortcuts().contains(keys)) continue;
    event->accept();
    if (event->type() == QEvent::KeyPress && action->isEnabled()) action->trigger();
    return true;
  }
  return QObject::eventFilter(watched, event);
}

}  // namespace tl::ui
