// TableModel: a table output of a node as rows and columns with units.
#pragma once

#include <QAbstractTableModel>

#include "core/live/notification.h"

namespace tl::ui {

// GUI thread only. Qt::EditRole gives numbers, by which a proxy sorts.
class TableModel final : public QAbstractTableModel {
  Q_OBJECT
 public:
  using QAbstractTableModel::QAbstractTableModel;
  void set_columns(std::vector<live::PlainColumn> columns);
  [[nodiscard]] const std::vector<live::PlainColumn>& all() const { return columns_; }
  [[nodiscard]] int find(std::string_view name) const;                  // column; -1: none
  [[nodiscard]] double value(int row, int column) const;                // NaN where there is none
  [[nodiscard]] int row_with(int column, double value) const;           // -1: none
  [[nodiscard]] static QString title(const live::PlainColumn& column);  // "x [mm]"

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::vector<live::PlainColumn> columns_;
  std::size_t rows_ = 0;
};

}  // namespace tl::ui
