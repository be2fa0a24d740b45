// QueueModel: the rows of the queue as a table.
#pragma once

#include <QAbstractTableModel>

#include "widgets/queue/queue_text.h"

namespace tl::ui {

class QueueModel final : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column {
    number_column,
    scan_column,
    pipeline_column,
    changed_column,
    state_column,
    time_column,
    axis_column,
    notes_column,
    column_count
  };
  // Of every cell, in addition to DisplayRole for its first line. progress: of the state; below 0 = none.
  enum Role { second_role = Qt::UserRole, first_color_role, second_color_role, progress_role };

  explicit QueueModel(QueueSession& queue, QObject* parent = nullptr);
  [[nodiscard]] const tl::ScanRow& row(int index) const { return rows_.at(static_cast<std::size_t>(index)); }
  [[nodiscard]] int index_of(const std::string& name) const;  // -1: there is none
  [[nodiscard]] std::vector<std::string> names(const QModelIndexList& indexes) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
  // Rows of the queue are moved within it; files and folders are added.
  [[nodiscard]] Qt::DropActions supportedDropActions() const override { return Qt::MoveAction | Qt::CopyAction; }
  [[nodiscard]] QStringList mimeTypes() const override;
  [[nodiscard]] QMimeData* mimeData(const QModelIndexList& indexes) const override;
  bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                    const QModelIndex& parent) override;

 Q_SIGNALS:
  void rows_replaced();

 private:
  [[nodiscard]] RowText text(const QModelIndex& index) const;
  void take();
  void refresh();
  QueueSession& queue_;
  std::vector<tl::ScanRow> rows_;
};

}  // namespace tl::ui
