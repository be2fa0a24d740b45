// ScanModel: the data of the window and their metadata as a tree: scans and volumes that the pipeline reads, then those
// listed by the user; the source of each value is the file, a guess of the reader, or the user.
#pragma once

#include <QAbstractItemModel>
#include <QHash>
#include <QString>
#include <optional>
#include <vector>

#include "core/values/infos.h"
#include "widgets/theme/tokens.h"

namespace tl::ui {

struct ScanRow {
  QString name, value, source;
  std::optional<Origin> origin;
  bool is_unit_guessed = false;  // the number comes from the file, only its unit is guessed
  bool is_doubt = false;         // a probable error of the scan
  QString key = {};              // for a metadata value of the reader: its name in English
};
struct ScanEntry {
  QString node;  // node that reads it; empty: it is only listed
  QString title, format;
  QString problem;  // why it could not be read
  std::vector<ScanRow> rows;
  QString path = {};   // absolute; empty: no file is read
  QString brief = {};  // "nxtomo · 180×64×64", "volume · 6×20×30 float32"
  bool is_volume = false;
  friend bool operator==(const ScanEntry& a, const ScanEntry& b) {
    return a.node == b.node && a.title == b.title && a.path == b.path && a.brief == b.brief;
  }
};

// State of a scan in the queue: "✓ done".
struct EntryState {
  QString text;
  Token color = Token::text_second;
  friend bool operator==(const EntryState&, const EntryState&) = default;
};

class ScanModel final : public QAbstractItemModel {
  Q_OBJECT
 public:
  enum Column { name_column, value_column, origin_column, column_count };
  // For values: Origin as int; -1 for rows without an origin. For scans and volumes: the second line, the state and its
  // colour.
  static constexpr int origin_role = Qt::UserRole, brief_role = Qt::UserRole + 1, state_role = Qt::UserRole + 2,
                       state_color_role = Qt::UserRole + 3;
  using QAbstractItemModel::QAbstractItemModel;
  void set_scans(std::vector<ScanEntry> scans);
  [[nodiscard]] const std::vector<ScanEntry>& scans() const { return scans_; }
  void set_states(const QHash<QString, EntryState>& states);  // by path
  [[nodiscard]] QString node_of(const QModelIndex& index) const;
  [[nodiscard]] QString path_of(const QModelIndex& index) const;

  [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  // Dragging a scan drags its file.
  [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
  [[nodiscard]] Qt::DropActions supportedDragActions() const override { return Qt::CopyAction; }
  [[nodiscard]] QStringList mimeTypes() const override;
  [[nodiscard]] QMimeData* mimeData(const QModelIndexList& indexes) const override;

 private:
  [[nodiscard]] const ScanEntry* entry(const QModelIndex& index) const;
  [[nodiscard]] const ScanRow* row(const QModelIndex& index) const;  // nullptr for a scan itself
  [[nodiscard]] QVariant data_of(const ScanEntry& scan, Column column, int role) const;
  std::vector<ScanEntry> scans_;
  QHash<QString, EntryState> states_;
};

}  // namespace tl::ui
