// ActionSearch: popup that finds an action of the window, or a node to add, by words or letters of its name.
#pragma once

#include <QFrame>
#include <QList>

#include "widgets/canvas/palette/palette_entry.h"

class QAction;
class QLineEdit;
class QTreeWidget;

namespace tl::ui {

class ActionSearch final : public QFrame {
  Q_OBJECT
 public:
  ActionSearch(const Registry& registry, QWidget* window);
  void open();  // shows the popup below the header, with the present actions of the window

 Q_SIGNALS:
  void node_wanted(const QString& type);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void filter(const QString& text);
  void list_action(QAction* action);
  void list_node(const PaletteEntry& node);
  void say_nothing_found(const QString& text);
  void trigger_current();
  QWidget* window_;
  QLineEdit* line_;
  QTreeWidget* list_;
  QList<QAction*> actions_;
  std::vector<PaletteEntry> nodes_;
};

}  // namespace tl::ui
