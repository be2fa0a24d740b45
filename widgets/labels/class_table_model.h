// ClassTableModel: one row per class or number of labels: visible, locked, colour, name, voxels, volume.
#pragma once

#include <QAbstractTableModel>
#include <map>
#include <optional>
#include <vector>

#include "core/values/label_table.h"
#include "widgets/labels/label_view.h"

namespace tl::ui {

// Voxels of each number. Of an image with fewer voxels than the labels they are estimates.
struct ClassCounts {
  std::map<int64_t, int64_t> voxels;
  double voxel_volume = 0;        // [mm^3]
  double voxels_per_counted = 1;  // above 1: only every n-th voxel was counted
};

// GUI thread only. Edits are signals; the rows follow when set() is called with the result.
class ClassTableModel final : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { number_column, shown_column, locked_column, name_column, voxels_column, volume_column, columns };
  static constexpr std::size_t max_rows = 1000;
  using QAbstractTableModel::QAbstractTableModel;

  enum class Naming { read_only, editable };
  // Rows are the classes of the table, the counted numbers, and `current`.
  void set(const LabelTable& table, const LabelView& view, const std::optional<ClassCounts>& counts, Naming naming);
  [[nodiscard]] int64_t number_of(int row) const { return numbers_.at(static_cast<std::size_t>(row)); }
  [[nodiscard]] int row_of(int64_t number) const;             // -1: none
  [[nodiscard]] bool is_cut_off() const { return cut_off_; }  // there are more numbers than rows

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

 Q_SIGNALS:
  void name_entered(qint64 number, const QString& name);
  void visible_toggled(qint64 number);
  void locked_toggled(qint64 number);

 private:
  [[nodiscard]] QVariant text(int64_t number, int column) const;
  std::vector<int64_t> numbers_;
  LabelTable table_;
  LabelView view_;
  std::optional<ClassCounts> counts_;
  Naming naming_ = Naming::read_only;
  bool cut_off_ = false;
};

}  // namespace tl::ui
