// HistoryModel: entries of the history as a list, newest first, with everything that a card shows.
#pragma once

#include <QAbstractListModel>
#include <QImage>
#include <vector>

#include "core/history/kept_files.h"

namespace tl::ui {

// How an entry ended and whether its files still exist: glyph, word and colour of a card.
enum class EntryMark { done, unsure, running, failed, cancelled, interrupted, moved };

// An entry, and whether its files still exist on disk.
struct ListedEntry {
  history::Entry entry;
  history::Presence outputs = history::Presence::there;
};

class HistoryModel final : public QAbstractListModel {
  Q_OBJECT
 public:
  using QAbstractListModel::QAbstractListModel;
  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  // Qt::DisplayRole: the text of the whole card as one sentence, for screen readers.
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] const ListedEntry& at(int row) const { return entries_[static_cast<std::size_t>(row)]; }
  [[nodiscard]] const QImage& thumbnail(int row) const { return thumbnails_[static_cast<std::size_t>(row)]; }
  void set(std::vector<ListedEntry> entries);

  [[nodiscard]] static EntryMark mark(const ListedEntry& listed);
  // "6.31 ± 0.02 px", "no flat frames", "files missing": the text behind the mark of a card.
  [[nodiscard]] static QString outcome(const ListedEntry& listed);
  [[nodiscard]] static QString name(const history::Entry& entry);
  // "Run · today 14:24"
  [[nodiscard]] static QString kind_and_time(const history::Entry& entry);
  // "34 GB", or of work without files how long it took.
  [[nodiscard]] static QString size(const history::Entry& entry);

 private:
  std::vector<ListedEntry> entries_;
  std::vector<QImage> thumbnails_;
};

}  // namespace tl::ui
