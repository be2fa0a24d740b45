// PaletteModel: entries ordered by how well they match the typed text; recent ones first while nothing is typed.
#pragma once

#include <QAbstractListModel>

#include "widgets/canvas/palette/palette_entry.h"

namespace tl::ui {

class PaletteModel final : public QAbstractListModel {
  Q_OBJECT
 public:
  using QAbstractListModel::QAbstractListModel;

  void set_entries(std::vector<PaletteEntry> entries, const QStringList& recent);
  void set_typed(const QString& typed);
  [[nodiscard]] const PaletteEntry* entry(const QModelIndex& index) const;
  [[nodiscard]] bool is_recent(const QModelIndex& index) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

 private:
  std::vector<PaletteEntry> entries_;
  QStringList recent_;
  QString typed_;
  std::vector<std::size_t> shown_;
};

}  // namespace tl::ui
