// HistoryPage: the history of runs as cards: search and filters, open, compare two, repeat, locate, delete.
#pragma once

#include <QThreadPool>
#include <QWidget>
#include <functional>
#include <optional>

#include "core/base/cancel.h"
#include "core/graph/graph.h"
#include "core/history/store.h"
#include "widgets/history/history_model.h"

class QFileSystemWatcher;
class QLabel;
class QListView;
class QPushButton;
class QTimer;

namespace tl::ui {

class CompareDialog;
class HistoryFilters;

// GUI thread only; the disk is read on another thread. Watches the file: entries by other programs appear too.
class HistoryPage final : public QWidget {
  Q_OBJECT
 public:
  explicit HistoryPage(history::Store store, QWidget* parent = nullptr);
  ~HistoryPage() override;

  void refresh();
  [[nodiscard]] HistoryFilters& filters() { return *filters_; }
  [[nodiscard]] const HistoryModel& model() const { return *model_; }
  [[nodiscard]] QListView& cards() { return *cards_; }
  [[nodiscard]] bool is_busy() const { return tasks_ > 0; }

 Q_SIGNALS:
  // Requests to show the file that was computed then and still exists, instead of computing it again.
  void open_wanted(const QString& file);
  // Requests the pipeline with its scan and parameters as it was run then.
  void repeat_wanted(const tl::Graph& pipeline);
  void report_written(const QString& file);
  void failed(const QString& message);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  // Calls `work` on the disk thread, then the function that it returns on the GUI thread.
  void in_background(std::function<std::function<void()>()> work);
  void take(Result<history::Listing> listing, uint64_t number, std::vector<ListedEntry> listed);
  void show_selection();
  void show_state();
  [[nodiscard]] std::vector<int> selected_rows() const;
  [[nodiscard]] std::vector<int64_t> selected_ids() const;
  [[nodiscard]] const ListedEntry* single() const;  // the selected entry; nullptr: none, or several, are selected
  void open_selected();
  void repeat_selected();
  void report_selected();
  void compare_selected();
  void locate_selected();
  void delete_selected();
  void ask_and_delete(const std::vector<int64_t>& ids, const history::DeletionPlan& plan);
  void show_error(const Error& error);
  void watch();

  history::Store store_;
  HistoryModel* model_;
  HistoryFilters* filters_;
  QListView* cards_;
  QLabel *count_, *note_, *selection_;
  QWidget *above_, *below_;  // space around the note that is shown if there are no cards
  QPushButton *clear_, *open_, *repeat_, *report_, *compare_, *locate_, *delete_;
  QFileSystemWatcher* watcher_;
  QTimer* later_;
  std::vector<ListedEntry> listed_;  // of all kinds
  std::optional<Error> error_;       // of the newest list
  uint64_t number_ = 0;              // of the newest list
  int64_t all_ = 0;
  int tasks_ = 0;
  CancelToken cancel_;
  QThreadPool disk_;
};

}  // namespace tl::ui
