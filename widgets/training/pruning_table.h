// PruningTable: the steps of a pruning as rows: filters, their share, parameters, operations, accuracy.
#pragma once

#include <QAbstractTableModel>
#include <QTableView>

#include "widgets/session/pruning_session.h"

namespace tl::ui {

// GUI thread only. One row for the network before pruning, and one for each step that has ended.
class PruningTableModel final : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { step, filters, share, parameters, operations, cut, trained, columns };
  explicit PruningTableModel(PruningSession& pruning, QObject* parent = nullptr);
  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  void take();
  PruningSession& pruning_;
  std::vector<train::PrunedState> states_;
};

// Hidden while there are no rows. Ctrl+C copies all, with tabs between the columns.
class PruningTable final : public QTableView {
  Q_OBJECT
 public:
  explicit PruningTable(PruningSession& pruning, QWidget* parent = nullptr);

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void refresh();
  PruningSession& pruning_;
  PruningTableModel* model_;
};

}  // namespace tl::ui
