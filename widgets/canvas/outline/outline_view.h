// OutlineView: the dock "Outline": all actions of the canvas on a list, for keyboard and screen readers.
#pragma once

#include <QTimer>
#include <QTreeView>

#include "widgets/canvas/canvas.h"
#include "widgets/canvas/outline/outline_model.h"

namespace tl::ui {

class OutlineView final : public QTreeView {
  Q_OBJECT
 public:
  // Shares editor, actions and selection with the canvas; works also while the canvas is hidden.
  OutlineView(Canvas& canvas, LiveSession& session, QWidget* parent = nullptr);

  void add_after();   // palette of nodes to insert after the current one; fitting nodes come first
  void connect_to();  // on a node: choose the target of its output; on an input row: choose its source
  [[nodiscard]] OutlineModel& outline() { return model_; }
  [[nodiscard]] Palette& palette_popup() { return palette_; }

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
  QTimer fit_columns_timer_;  // combines many state changes into one resize
  bool taking_ = false;       // the selection is being synchronised
};

}  // namespace tl::ui
