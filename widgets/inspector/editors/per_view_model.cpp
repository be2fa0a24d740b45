// PerViewModel: holds one number per view as a table, and parses typed numbers as the command line does.
#include "widgets/inspector/editors/per_view_model.h"

#include "widgets/language/translated.h"
#include "widgets/text/quantity_text.h"

namespace tl::ui {

PerViewModel::PerViewModel(const ParamDecl& decl, NumberList list, QObject* parent)
    : QAbstractTableModel(parent), decl_(decl), list_(std::move(list)) {}

void PerViewModel::set_list(NumberList list) {
  beginResetModel();
  list_ = std::move(list);
  endResetModel();
}

int PerViewModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(list_.values.size()) + 1;
}
int PerViewModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : 1; }

QVariant PerViewModel::data(const QModelIndex& index, int role) const {
  if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  const auto row = static_cast<std::size_t>(index.row());
  if ((role != Qt::DisplayRole && role != Qt::EditRole) || row >= list_.values.size()) return {};
  return QString::fromStdString(format_quantity(list_.values[row], Unit::none));
}

QVariant PerViewModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole) return {};
  if (orientation == Qt::Vertical) return section;  // views are numbered from 0
  const QString unit = unit_text(list_.unit);
  const QString title = translated(decl_.title);
  return unit.isEmpty() ? title : title + QStringLiteral(" [%1]").arg(unit);
}

Qt::ItemFlags PerViewModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  return QAbstractTableModel::flags(index) | Qt::ItemIsEditable;
}

bool PerViewModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole) return false;
  const int row = index.row();
  const auto size = static_cast<int>(list_.values.size());
  const QString text = value.toString().trimmed();
  if (text.isEmpty()) {
    if (row >= size) return false;
    beginRemoveRows({}, row, row);
    list_.values.erase(list_.values.begin() + row);
    endRemoveRows();
    return true;
  }
  const Result<Number> read = read_number(text, list_.unit);
  if (!read.ok()) return false;
  const double number = convert(read.value().value, read.value().unit, list_.unit);
  if (row < size) {
    list_.values[static_cast<std::size_t>(row)] = number;
    Q_EMIT dataChanged(index, index);
    return true;
  }
  beginInsertRows({}, size, size);
  list_.values.push_back(number);
  endInsertRows();
  return true;
}

}  // namespace tl::ui
