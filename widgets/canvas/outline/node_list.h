// NodeList: the dock "Nodes": a search line, and node types by category, which can be dragged onto the canvas.
#pragma once

#include <QLineEdit>
#include <QTreeView>
#include <QWidget>

#include "widgets/canvas/outline/node_list_model.h"

namespace tl::ui {

class NodeList final : public QWidget {
  Q_OBJECT
 public:
  explicit NodeList(const Registry& registry, QWidget* parent = nullptr);

 Q_SIGNALS:
  void add_wanted(const QString& type);  // Enter or double click; to be connected to Canvas::add_here

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void typed(const QString& text);
  void take(const QModelIndex& index);
  NodeListModel model_;
  QLineEdit* line_;
  QTreeView* tree_;
};

}  // namespace tl::ui
