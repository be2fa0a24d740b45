// DataTree: tree of scans and volumes and their metadata.
#pragma once

#include <QHash>
#include <QTreeView>

#include "widgets/session/selection.h"
#include "widgets/window/files/scan_model.h"

namespace tl::ui {

// A click selects the node that reads the data. For listed data: Enter or a double click opens them, Del removes them
// from the list. Q adds scans to the queue; they may also be dragged there.
class DataTree final : public QTreeView {
  Q_OBJECT
 public:
  DataTree(ScanModel& model, Selection& selection, QWidget* parent = nullptr);
  [[nodiscard]] QStringList selected_paths() const;  // from top to bottom

 Q_SIGNALS:
  void open_wanted(const QString& path);
  void queue_wanted(const QStringList& paths);
  void remove_wanted(const QStringList& paths);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void show_all();
  void fit_columns();
  void open_at(const QModelIndex& index);
  [[nodiscard]] QString key_of(const QModelIndex& top) const;
  ScanModel& model_;
  QHash<QString, bool> opened_;  // whether the user expanded it, by key_of()
  QStringList remembered_;       // selected before the model was replaced
};

}  // namespace tl::ui
