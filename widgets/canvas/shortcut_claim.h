// ShortcutClaim: gives the shortcuts of a focused widget's own actions precedence over equal shortcuts of the window.
#pragma once

#include <QAction>
#include <QObject>
#include <QWidget>

namespace tl::ui {

// Filters the widget's events: a key of one of the actions triggers that action before the window's shortcuts are
// matched. Hence no shortcut is ambiguous, and several widgets can share the same actions.
class ShortcutClaim final : public QObject {
  Q_OBJECT
 public:
  ShortcutClaim(QWidget& widget, QList<QAction*> actions);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QList<QAction*> actions_;
};

}  // namespace tl::ui
