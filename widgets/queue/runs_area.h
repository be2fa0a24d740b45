// RunsArea: the workspace Runs: the queue over the history, and next to them the selected run and the forecast.
#pragma once

#include <QSplitter>

#include "widgets/queue/queue_page.h"

namespace tl::ui {

class QueueSide;

class RunsArea final : public QSplitter {
  Q_OBJECT
 public:
  explicit RunsArea(QueueSession& queue, QWidget* parent = nullptr);
  [[nodiscard]] QueuePage& queue() { return *queue_; }
  void set_history(QWidget* page);  // below the queue

 Q_SIGNALS:
  void open_wanted(const QString& file);  // a result

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QSplitter* centre_;
  QueuePage* queue_;
  QueueSide* side_;
};

}  // namespace tl::ui
