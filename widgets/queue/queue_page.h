// QueuePage: the queue of scans with its buttons, counts and time left.
#pragma once

#include <QWidget>

#include "widgets/queue/queue_table.h"

class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QStackedWidget;

namespace tl::ui {

class QueuePage final : public QWidget {
  Q_OBJECT
 public:
  explicit QueuePage(QueueSession& queue, QWidget* parent = nullptr);
  [[nodiscard]] QueueTable& table() { return *table_; }
  // "Start queue", "Pause queue", "Go on": the action of F5.
  [[nodiscard]] QString toggle_text() const;
  void start_or_pause();  // the action of F5; asks the user first about rows for Slurm

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  QPushButton* button(const QString& text, const QString& help, const std::function<void()>& press);
  void add_scans();
  void read_table();
  void write_table();
  void choose_folder();
  void toggle_watch();
  void show_all();
  void show_target();
  QueueSession& queue_;
  QComboBox* target_;
  QPushButton *toggle_, *stop_, *retry_, *table_out_, *watch_;
  QProgressBar* bar_;
  QLabel *counts_, *left_, *note_, *empty_;
  QStackedWidget* rows_;
  QueueTable* table_;
};

}  // namespace tl::ui
