// QueueTable: the rows of the queue, with mouse and keyboard.
#pragma once

#include <QTableView>

#include "widgets/queue/queue_model.h"

namespace tl::ui {

// Alt+Up and Alt+Down change the order, Space pauses and resumes rows, R tries again, F2 changes parameters, Del
// removes rows, Enter opens the result. Rows are dragged; scans, folders and tables are dropped.
class QueueTable final : public QTableView {
  Q_OBJECT
 public:
  explicit QueueTable(QueueSession& queue, QWidget* parent = nullptr);
  [[nodiscard]] QueueModel& queue_model() const { return *model_; }
  [[nodiscard]] std::vector<std::string> selected() const;  // names, in the order of the rows
  void select(const std::vector<std::string>& names);
  [[nodiscard]] const tl::ScanRow* current_row() const;  // nullptr: none

 Q_SIGNALS:
  void open_wanted(const QString& file);
  void selection_changed();

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  enum class MoveDirection { up, down };
  void move_selected(MoveDirection direction);
  void remove_selected();
  void open_current();
  void edit_current();
  void fit_columns();
  QueueSession& queue_;
  QueueModel* model_;
  std::vector<std::string> remembered_;  // the selection before the rows were replaced
};

}  // namespace tl::ui
