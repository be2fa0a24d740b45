// TableModel: numbers of a table as text.
#include "widgets/views/table/table_model.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "widgets/language/translated.h"
#include "widgets/text/quantity_text.h"

namespace tl::ui {

void TableModel::set_columns(std::vector<live::PlainColumn> columns) {
  beginResetModel();
  columns_ = std::move(columns);
  if (!read_filter().ok()) filter_ = {};  // of other columns
  find_rows();
  endResetModel();
}

Result<void> TableModel::set_filter(const QString& text) {
  beginResetModel();
  filter_text_ = text;
  const Result<void> read = read_filter();
  if (!read.ok()) filter_ = {};
  find_rows();
  endResetModel();
  return read;
}

Result<void> TableModel::read_filter() {
  TL_TRY(filter_, live::parse_row_filter(filter_text_.toStdString(), columns_));
  return ok();
}

void TableModel::find_rows() { rows_ = live::rows_that_fit(columns_, filter_, sorted_by_, order_); }

void TableModel::sort(int column, Qt::SortOrder order) {
  Q_EMIT layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
  const std::vector<int> before = rows_;
  sorted_by_ = column;
  order_ = order == Qt::AscendingOrder ? live::RowOrder::ascending : live::RowOrder::descending;
  find_rows();
  std::vector<int> now(static_cast<std::size_t>(count_of_all()));
  for (std::size_t row = 0; row < rows_.size(); ++row)
    now[static_cast<std::size_t>(rows_[row])] = static_cast<int>(row);
  const QModelIndexList old = persistentIndexList();
  QModelIndexList moved;
  for (const QModelIndex& at : old)
    moved << index(now[static_cast<std::size_t>(before[static_cast<std::size_t>(at.row())])], at.column());
  changePersistentIndexList(old, moved);
  Q_EMIT layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

int TableModel::count_of_all() const {
  std::size_t count = 0;
  for (const live::PlainColumn& c : columns_) count = std::max(count, c.values.size());
  return static_cast<int>(count);
}

int TableModel::find(std::string_view name) const {
  const auto found =
      std::find_if(columns_.begin(), columns_.end(), [name](const live::PlainColumn& c) { return c.name == name; });
  return found == columns_.end() ? -1 : static_cast<int>(found - columns_.begin());
}

double TableModel::value(int row, int column) const {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  if (row < 0 || column < 0 || static_cast<std::size_t>(column) >= columns_.size() ||
      static_cast<std::size_t>(row) >= rows_.size())
    return none;
  const std::vector<double>& values = columns_[static_cast<std::size_t>(column)].values;
  const auto at = static_cast<std::size_t>(rows_[static_cast<std::size_t>(row)]);
  return at < values.size() ? values[at] : none;
}

int TableModel::row_with(int column, double wanted) const {
  for (int row = 0; row < rowCount(); ++row)
    if (value(row, column) == wanted) return row;
  return -1;
}

QString TableModel::name(const live::PlainColumn& column) {
  std::string words = column.name;
  std::replace(words.begin(), words.end(), '_', ' ');
  return translated(words);
}

QString TableModel::title(const live::PlainColumn& column) {
  return column.unit.empty() ? name(column)
                             : QStringLiteral("%1 [%2]").arg(name(column), QString::fromStdString(column.unit));
}

int TableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}
int TableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(columns_.size());
}

QVariant TableModel::data(const QModelIndex& index, int role) const {
  const double number = value(index.row(), index.column());
  if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  return std::isnan(number) ? QString() : brief_number(number);
}

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole || orientation != Qt::Horizontal) return {};
  return title(columns_.at(static_cast<std::size_t>(section)));
}

}  // namespace tl::ui
