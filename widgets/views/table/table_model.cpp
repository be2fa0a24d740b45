// TableModel: numbers of a table as text.
#include "widgets/views/table/table_model.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "widgets/text/quantity_text.h"

namespace tl::ui {

void TableModel::set_columns(std::vector<live::PlainColumn> columns) {
  beginResetModel();
  columns_ = std::move(columns);
  rows_ = 0;
  for (const live::PlainColumn& c : columns_) rows_ = std::max(rows_, c.values.size());
  endResetModel();
}

int TableModel::find(std::string_view name) const {
  const auto found =
      std::find_if(columns_.begin(), columns_.end(), [name](const live::PlainColumn& c) { return c.name == name; });
  return found == columns_.end() ? -1 : static_cast<int>(found - columns_.begin());
}

double TableModel::value(int row, int column) const {
  if (row < 0 || column < 0 || static_cast<std::size_t>(column) >= columns_.size())
    return std::numeric_limits<double>::quiet_NaN();
  const std::vector<double>& values = columns_[static_cast<std::size_t>(column)].values;
  return static_cast<std::size_t>(row) < values.size() ? values[static_cast<std::size_t>(row)]
                                                       : std::numeric_limits<double>::quiet_NaN();
}

int TableModel::row_with(int column, double wanted) const {
  if (column < 0 || static_cast<std::size_t>(column) >= columns_.size()) return -1;
  const std::vector<double>& values = columns_[static_cast<std::size_t>(column)].values;
  const auto found = std::find(values.begin(), values.end(), wanted);
  return found == values.end() ? -1 : static_cast<int>(found - values.begin());
}

QString TableModel::title(const live::PlainColumn& column) {
  const QString name = QString::fromStdString(column.name).replace(QLatin1Char('_'), QLatin1Char(' '));
  return column.unit.empty() ? name : QStringLiteral("%1 [%2]").arg(name, QString::fromStdString(column.unit));
}

int TableModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(rows_); }
int TableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(columns_.size());
}

QVariant TableModel::data(const QModelIndex& index, int role) const {
  const double number = value(index.row(), index.column());
  if (role == Qt::EditRole) return number;
  if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  return std::isnan(number) ? QString() : brief_number(number);
}

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole || orientation != Qt::Horizontal) return {};
  return title(columns_.at(static_cast<std::size_t>(section)));
}

}  // namespace tl::ui
