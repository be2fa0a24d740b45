// ClassTableModel: rows from the table of classes and from counts.
#include "widgets/labels/class_table_model.h"

#include <QColor>
#include <QIcon>
#include <QPainter>
#include <QPixmap>
#include <algorithm>
#include <set>

#include "core/values/label_colours.h"
#include "widgets/labels/label_colors.h"
#include "widgets/text/quantity_text.h"

namespace tl::ui {

void ClassTableModel::set(const LabelTable& table, const LabelView& view, const std::optional<ClassCounts>& counts,
                          Naming naming) {
  std::set<int64_t> all;
  for (const LabelClass& c : table.classes)
    if (is_labelled(table, c.number)) all.insert(c.number);
  if (counts)
    for (const auto& [number, voxels] : counts->voxels)
      if (is_labelled(table, number)) all.insert(number);
  std::vector<int64_t> numbers(all.begin(), all.end());
  const bool cut = numbers.size() > most_rows;
  if (cut) numbers.resize(most_rows);
  const bool same_rows = numbers == numbers_;
  if (!same_rows) beginResetModel();
  numbers_ = std::move(numbers);
  table_ = table;
  view_ = view;
  counts_ = counts;
  naming_ = naming;
  cut_off_ = cut;
  if (!same_rows)
    endResetModel();
  else if (!numbers_.empty())
    Q_EMIT dataChanged(index(0, 0), index(static_cast<int>(numbers_.size()) - 1, columns - 1));
}

int ClassTableModel::row_of(int64_t number) const {
  const auto found = std::lower_bound(numbers_.begin(), numbers_.end(), number);
  return found == numbers_.end() || *found != number ? -1 : static_cast<int>(found - numbers_.begin());
}

int ClassTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(numbers_.size());
}
int ClassTableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columns; }

QVariant ClassTableModel::text(int64_t number, int column) const {
  if (column == Column::number) return QString::number(number);
  if (column == name) {
    const LabelClass* c = class_of(table_, number);
    return c == nullptr || c->name.empty() ? QString() : QString::fromStdString(c->name);
  }
  if (column != voxels && column != volume) return {};
  if (!counts_) return QStringLiteral("–");
  const auto found = counts_->voxels.find(number);
  const double counted = found == counts_->voxels.end() ? 0 : static_cast<double>(found->second);
  const QString about = counts_->voxels_per_counted > 1 ? QStringLiteral("≈ ") : QString();
  const double all = counted * counts_->voxels_per_counted;
  if (column == volume) return about + brief_number(all * counts_->voxel_volume);
  return about + QString::number(all, 'f', 0);
}

QVariant ClassTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const int64_t n = number_of(index.row());
  const int column = index.column();
  const QString shown_name = label_name(table_, n);
  switch (role) {
    case Qt::DisplayRole:
      return text(n, column);
    case Qt::EditRole:
      return text(n, column);
    case Qt::DecorationRole:
      return column == Column::number ? QVariant(QColor::fromRgb(label_rgb(table_, n))) : QVariant();
    case Qt::CheckStateRole:
      if (column == visible) return view_.hidden.contains(n) ? Qt::Unchecked : Qt::Checked;
      if (column == locked) return view_.locked.contains(n) ? Qt::Checked : Qt::Unchecked;
      return {};
    case Qt::TextAlignmentRole:
      return column >= voxels ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    case Qt::ToolTipRole:
      if (column == Column::number) return tr("%1: a click chooses its colour").arg(shown_name);
      if (column == visible) return tr("Show %1 over the slices and in 3D").arg(shown_name);
      if (column == locked) return tr("Lock %1: painting leaves its voxels as they are").arg(shown_name);
      if (column == name) return naming_ == Naming::editable ? tr("Double click or F2 to name it") : QVariant();
      return counts_
                 ? (counts_->voxels_per_counted > 1 ? tr("Estimated from a coarser copy of the labels") : QVariant())
                 : tr("Not counted yet: press Count");
    case Qt::AccessibleTextRole:
      if (column == Column::number) return tr("%1, number %2").arg(shown_name).arg(n);
      if (column == visible) return tr("%1 visible").arg(shown_name);
      if (column == locked) return tr("%1 locked").arg(shown_name);
      return {};
    default:
      return {};
  }
}

QVariant ClassTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  switch (section) {
    case Column::number:
      return tr("No.");
    case visible:
      return tr("Show");
    case locked:
      return tr("Lock");
    case name:
      return tr("Name");
    case voxels:
      return tr("Voxels");
    case volume:
      return tr("mm³");
    default:
      return {};
  }
}

Qt::ItemFlags ClassTableModel::flags(const QModelIndex& index) const {
  Qt::ItemFlags all = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
  if (index.column() == visible || index.column() == locked) all |= Qt::ItemIsUserCheckable;
  if (index.column() == name && naming_ == Naming::editable) all |= Qt::ItemIsEditable;
  return all;
}

bool ClassTableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!index.isValid()) return false;
  const int64_t n = number_of(index.row());
  if (role == Qt::CheckStateRole && index.column() == visible) {
    Q_EMIT visible_toggled(n);
    return true;
  }
  if (role == Qt::CheckStateRole && index.column() == locked) {
    Q_EMIT locked_toggled(n);
    return true;
  }
  if (role != Qt::EditRole || index.column() != name) return false;
  Q_EMIT name_entered(n, value.toString().simplified());
  return true;
}

}  // namespace tl::ui
