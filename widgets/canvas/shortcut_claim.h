// ShortcutClaim: keys of a widget's own actions work while it has the focus, whatever the window uses the same keys
// for.
#pragma once

#include <QAction>
#include <QObject>
#include <QWidget>

namespace tl::ui {

// Watches a widget: a key that belongs to one of the actions triggers it, before the window's shortcuts are asked. So
// no shortcut is ambiguous, and the actions can be the same objects in several widgets.
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
