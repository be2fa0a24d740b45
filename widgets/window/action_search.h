// ActionSearch: popup that finds a window's action by letters of its name, shows its shortcut and triggers it.
#pragma once

#include <QFrame>
#include <QList>

class QAction;
class QLineEdit;
class QTreeWidget;

namespace tl::ui {

class ActionSearch final : public QFrame {
  Q_OBJECT
 public:
  explicit ActionSearch(QWidget* window);
  void open();  // shows the popup below the header, listing the actions that the window has now

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void filter(const QString& text);
  void trigger_current();
  QWidget* window_;
  QLineEdit* line_;
  QTreeWidget* list_;
  QList<QAction*> actions_;
};

// How well `text` matches an action's name: 0 = no match; words in any order score higher than letters in order.
int match_score(const QString& name, const QString& text);

}  // namespace tl::ui
