// Taking keys before the shortcut map sees them.
#include "widgets/canvas/shortcut_claim.h"

#include <QKeyEvent>

namespace tl::ui {
namespace {

// The keypad's Enter, plus and so on count as the keys that they are named after.
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
