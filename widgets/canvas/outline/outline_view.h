// OutlineView: the dock "Outline": everything that the canvas can do, as a list for keyboard and screen readers.
#pragma once

#include <QTimer>
#include <QTreeView>

#include "widgets/canvas/canvas.h"
#include "widgets/canvas/outline/outline_model.h"

namespace tl::ui {

class OutlineView final : public QTreeView {
  Q_OBJECT
 public:
  // Shares editor, actions and selection with the canvas, but needs no sight of it.
  OutlineView(Canvas& canvas, LiveSession& session, QWidget* parent = nullptr);

  void add_after();   // a palette of what fits behind the current node (of all nodes when there is none)
  void connect_to();  // from a node: where its output goes; on an input line: what feeds it
  [[nodiscard]] OutlineModel& outline() { return model_; }
  [[nodiscard]] Palette& palette_popup() { return palette_; }
  [[nodiscard]] QAction& add_after_action() { return *add_after_; }
  [[nodiscard]] QAction& connect_action() { return *connect_; }

 protected:
  void selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void take_selection();
  void span_inputs();
  void fit_columns();
  [[nodiscard]] QPoint below_current() const;
  Canvas& canvas_;
  GraphEditor& editor_;
  OutlineModel model_;
  Palette palette_;
  QAction *add_after_, *connect_;
  QTimer fit_soon_;      // states change by the dozen
  bool taking_ = false;  // the selection comes from outside
};

}  // namespace tl::ui
