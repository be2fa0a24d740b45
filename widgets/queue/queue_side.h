// QueueSide: the selected row with its values and results, and the forecast of the whole queue.
#pragma once

#include <QScrollArea>

#include "widgets/queue/queue_table.h"

class QLabel;
class QProgressBar;
class QPushButton;
class QVBoxLayout;

namespace tl::ui {

class ValueRows;

class QueueSide final : public QScrollArea {
  Q_OBJECT
 public:
  QueueSide(QueueSession& queue, QueueTable& table, QWidget* parent = nullptr);

 Q_SIGNALS:
  void open_wanted(const QString& file);

 private:
  // "Memory": a bar with its text.
  struct Gauge {
    QLabel* value;
    QProgressBar* bar;
    QLabel* note;
  };
  Gauge add_gauge(QVBoxLayout& column, const QString& title);
  static void show_gauge(const Gauge& gauge, qint64 part, qint64 whole, const QString& note);
  void show_row();
  void show_forecast();
  QueueSession& queue_;
  QueueTable& table_;
  QWidget* row_;
  QLabel *name_, *state_, *picture_;
  QVBoxLayout* values_place_;
  ValueRows* values_ = nullptr;
  QPushButton *open_, *folder_, *retry_;
  Gauge memory_{}, disk_{};
  QLabel* time_;
};

}  // namespace tl::ui
