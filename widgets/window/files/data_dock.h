// DataDock: scans and volumes: those of the pipeline, those listed by the user, and those of a watched folder. From
// here they can be added to the queue.
#pragma once

#include <QWidget>

#include "widgets/queue/queue_session.h"
#include "widgets/window/files/data_tree.h"
#include "widgets/window/files/scan_watcher.h"

class QLabel;
class QPushButton;

namespace tl::ui {

class Settings;
class WatchPanel;

// Files and folders can be dropped here or chosen. The list is stored in the settings.
class DataDock final : public QWidget {
  Q_OBJECT
 public:
  struct Parts {
    ScanModel& model;
    ScanWatcher& watcher;
    Selection& selection;
    QueueSession& queue;
    Settings& settings;
  };
  explicit DataDock(const Parts& parts, QWidget* parent = nullptr);
  // Lists files themselves, and the scans in folders and tables. Returns how many are new in the list.
  int list(const QStringList& paths);
  [[nodiscard]] DataTree& tree() { return *tree_; }
  void queue_selected();

 Q_SIGNALS:
  void open_wanted(const QString& path);

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void choose_files();
  void choose_folder();
  void keep(const QStringList& paths);
  void remove(const QStringList& paths);
  void show_states();
  void show_counts();
  void say(const QString& text);  // empty: nothing
  Parts parts_;
  DataTree* tree_;
  WatchPanel* watch_;
  QLabel *counts_, *note_;
  QPushButton* queue_button_;
  QStringList listed_;
};

}  // namespace tl::ui
