// ScanModel: the pipeline's scans and their metadata as a tree; the source of each value is the file, a guess of the
// reader, or the user.
#pragma once

#include <QAbstractItemModel>
#include <QString>
#include <optional>
#include <vector>

#include "core/values/infos.h"

namespace tl::ui {

struct ScanRow {
  QString name, value, source;
  std::optional<Origin> origin;
  bool is_unit_guessed = false;  // the number is that of the file
  bool is_doubt = false;         // what is probably wrong with the scan
};
struct ScanEntry {
  QString node, title, format;
  QString problem;  // why the scan could not be read
  std::vector<ScanRow> rows;
  friend bool operator==(const ScanEntry& a, const ScanEntry& b) { return a.node == b.node && a.title == b.title; }
};

class ScanModel final : public QAbstractItemModel {
  Q_OBJECT
 public:
  enum Column { name_column, value_column, origin_column, column_count };
  static constexpr int origin_role = Qt::UserRole;  // Origin as int; -1 for rows without an origin
  using QAbstractItemModel::QAbstractItemModel;
  void set_scans(std::vector<ScanEntry> scans);
  [[nodiscard]] const std::vector<ScanEntry>& scans() const { return scans_; }
  [[nodiscard]] QString node_of(const QModelIndex& index) const;

  [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

 private:
  [[nodiscard]] const ScanEntry* entry(const QModelIndex& index) const;
  [[nodiscard]] const ScanRow* row(const QModelIndex& index) const;  // nullptr for a scan itself
  std::vector<ScanEntry> scans_;
};

}  // namespace tl::ui
