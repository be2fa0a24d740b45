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
namespace {

// The same icon in a selected row, because Qt would mix the selection colour into it.
QIcon swatch(const QColor& color) {
  QPixmap square(16, 16);
  square.fill(color);
  QIcon icon(square);
  icon.addPixmap(square, QIcon::Selected);
  return icon;
}

}  // namespace

void ClassTableModel::set(const LabelTable& table, const LabelView& view, const std::optional<ClassCounts>& counts,
                          Naming naming) {
  std::set<int64_t> all;
  for (const LabelClass& c : table.classes)
    if (is_labelled(table, c.number)) all.insert(c.number);
  if (counts)
    for (const auto& [number, voxels] : counts->voxels)
      if (is_labelled(table, number)) all.insert(number);
  std::vector<int64_t> numbers(all.begin(), all.end());
  const bool cut = numbers.size() > max_rows;
  if (cut) numbers.resize(max_rows);
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
  if (column == number_column) return QString::number(number);
  if (column == name_column) {
    const LabelClass* c = class_of(table_, number);
    return c == nullptr || c->name.empty() ? QString() : QString::fromStdString(c->name);
  }
  if (column != voxels_column && column != volume_column) return {};
  if (!counts_) return QStringLiteral("–");
  const auto found = counts_->voxels.find(number);
  const double counted = found == counts_->voxels.end() ? 0 : static_cast<double>(found->second);
  const QString about = counts_->voxels_per_counted > 1 ? QStringLiteral("≈ ") : QString();
  const double all = counted * counts_->voxels_per_counted;
  if (column == volume_column) return about + brief_number(all * counts_->voxel_volume);
  return about + QString::number(all, 'f', 0);
}

QVariant ClassTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const int64_t n = number_of(index.row());
  const int column = index.column();
  const QString shown_name = label_name(table_, n);
  switch (role) {
    case Qt::DisplayRole: return text(n, column);
    case Qt::EditRole: return text(n, column);
    case Qt::DecorationRole:
      return column == number_column ? QVariant(swatch(QColor::fromRgb(label_rgb(table_, n)))) : QVariant();
    case Qt::CheckStateRole:
      if (column == shown_column) return view_.hidden.contains(n) ? Qt::Unchecked : Qt::Checked;
      if (column == locked_column) return view_.locked.contains(n) ? Qt::Checked : Qt::Unchecked;
      return {};
    case Qt::TextAlignmentRole:
      return column >= voxels_column ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    case Qt::ToolTipRole:
      if (column == number_column) return tr("%1: a click chooses its colour").arg(shown_name);
      if (column == shown_column) return tr("Show %1 over the slices and in 3D").arg(shown_name);
      if (column == locked_column) return tr("Lock %1: painting does not change its voxels").arg(shown_name);
      if (column == name_column) return naming_ == Naming::editable ? tr("Double click or F2 to name it") : QVariant();
      return counts_
                 ? (counts_->voxels_per_counted > 1 ? tr("Estimated from a coarser copy of the labels") : QVariant())
                 : tr("Not counted yet: press Count");
    case Qt::AccessibleTextRole:
      if (column == number_column) return tr("%1, number %2").arg(shown_name).arg(n);
      if (column == shown_column) return tr("%1 visible").arg(shown_name);
      if (column == locked_column) return tr("%1 locked").arg(shown_name);
      return {};
    default: return {};
  }
}

QVariant ClassTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  switch (section) {
    case number_column: return tr("No.");
    case shown_column: return tr("Show");
    case locked_column: return tr("Lock");
    case name_column: return tr("Name");
    case voxels_column: return tr("Voxels");
    case volume_column: return tr("mm³");
    default: return {};
  }
}

Qt::ItemFlags ClassTableModel::flags(const QModelIndex& index) const {
  Qt::ItemFlags all = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
  if (index.column() == shown_column || index.column() == locked_column) all |= Qt::ItemIsUserCheckable;
  if (index.column() == name_column && naming_ == Naming::editable) all |= Qt::ItemIsEditable;
  return all;
}

bool ClassTableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!index.isValid()) return false;
  const int64_t n = number_of(index.row());
  if (role == Qt::CheckStateRole && index.column() == shown_column) {
    Q_EMIT visible_toggled(n);
    return true;
  }
  if (role == Qt::CheckStateRole && index.column() == locked_column) {
    Q_EMIT locked_toggled(n);
    return true;
  }
  if (role != Qt::EditRole || index.column() != name_column) return false;
  Q_EMIT name_entered(n, value.toString().simplified());
  return true;
}

}  // namespace tl::ui
