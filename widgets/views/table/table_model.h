// TableModel: a table output of a node as rows and columns with units, filtered and sorted.
#pragma once

#include <QAbstractTableModel>

#include "core/live/notification.h"
#include "core/live/table_rows.h"

namespace tl::ui {

// GUI thread only. Rows are those that match the filter, in the order shown; a hundred thousand are sorted within some
// hundredths of a second, since numbers are compared, not items.
class TableModel final : public QAbstractTableModel {
  Q_OBJECT
 public:
  using QAbstractTableModel::QAbstractTableModel;
  void set_columns(std::vector<live::PlainColumn> columns);
  // Syntax as for live::parse_row_filter(); after an error all rows are shown. The filter is kept for later columns.
  Result<void> set_filter(const QString& text);
  [[nodiscard]] const std::vector<live::PlainColumn>& all() const { return columns_; }
  [[nodiscard]] int count_of_all() const;                               // number of rows without the filter
  [[nodiscard]] int find(std::string_view name) const;                  // column; -1: none
  [[nodiscard]] double value(int row, int column) const;                // NaN where there is none
  [[nodiscard]] int row_with(int column, double value) const;           // -1: none that is shown
  [[nodiscard]] static QString name(const live::PlainColumn& column);   // "x"
  [[nodiscard]] static QString title(const live::PlainColumn& column);  // "x [mm]"

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

 private:
  Result<void> read_filter();
  void find_rows();
  std::vector<live::PlainColumn> columns_;
  std::vector<int> rows_;  // row indices of the columns, in the order shown
  QString filter_text_;
  live::RowFilter filter_;
  int sorted_by_ = -1;
  live::RowOrder order_ = live::RowOrder::ascending;
};

}  // namespace tl::ui
