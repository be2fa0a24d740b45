// ActionSearch: finds any action of the window by a few letters of its name, shows its shortcut, and does it.
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
  void open();  // below the header, with every action that the window has now

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

// How well `text` names an action: 0 = not at all; words in any order, else letters in order.
int match_score(const QString& name, const QString& text);

}  // namespace tl::ui
