// CheckModel: lists pairs of numbers that should be equal, with their difference and whether they agree.
#include "widgets/learning/check_model.h"

#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {
enum Column { what_column, left_column, right_column, deviation_column, columns };
}  // namespace

void CheckModel::set_rows(std::vector<CheckRow> rows, const QString& left, const QString& right) {
  beginResetModel();
  rows_ = std::move(rows);
  left_ = left;
  right_ = right;
  endResetModel();
}

int CheckModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}
int CheckModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columns; }

QVariant CheckModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const CheckRow& row = rows_[static_cast<std::size_t>(index.row())];
  const bool good = row.limit <= 0 || row.deviation <= row.limit;
  if (role == Qt::ForegroundRole && index.column() == deviation_column && row.limit > 0)
    return Theme::instance().color(good ? Token::good : Token::error);
  if (role == Qt::TextAlignmentRole)
    return QVariant::fromValue(Qt::Alignment(index.column() == what_column ? Qt::AlignLeft | Qt::AlignVCenter
                                                                           : Qt::AlignRight | Qt::AlignVCenter));
  if (role == Qt::FontRole && index.column() != what_column) return Theme::number_font();
  if (role == Qt::ToolTipRole && index.column() == deviation_column && row.limit > 0)
    return good ? tr("Within the limit of %1").arg(row.limit, 0, 'g', 2)
                : tr("Above the limit of %1").arg(row.limit, 0, 'g', 2);
  if (role != Qt::DisplayRole) return {};
  switch (index.column()) {
    case what_column: return row.what;
    case left_column: return QString::number(row.left, 'g', 6);
    case right_column: return QString::number(row.right, 'g', 6);
    case deviation_column:
      return QString::number(row.deviation, 'e', 1) +
             (row.limit > 0 ? (good ? QStringLiteral(" ✓") : QStringLiteral(" ✕")) : QString());
    default: return {};
  }
}

QVariant CheckModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  switch (section) {
    case what_column: return tr("Quantity");
    case left_column: return left_;
    case right_column: return right_;
    case deviation_column: return tr("Deviation");
    default: return {};
  }
}

}  // namespace tl::ui
