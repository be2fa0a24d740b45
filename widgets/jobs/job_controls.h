// JobControls: buttons to start, pause, end with the best result and stop a job, and its present step or obstacle.
#pragma once

#include <QWidget>

#include "widgets/jobs/job_spec.h"
#include "widgets/session/job_session.h"

class QLabel;
class QProgressBar;
class QPushButton;

namespace tl::ui {

class JobControls final : public QWidget {
  Q_OBJECT
 public:
  JobControls(JobSession& job, const JobSpec& spec, QWidget* parent);
  void refresh();
  [[nodiscard]] QString status_text() const;

 private:
  void refresh_buttons(const QString& waiting);
  JobSession& job_;
  const JobSpec& spec_;
  QPushButton *start_, *pause_, *best_, *stop_;
  std::vector<QPushButton*> more_;  // of spec_.buttons
  QLabel *status_, *scores_;
  QProgressBar* bar_;
};

// "training · epoch 12 of 100 · at most 3 min left": for the status line; empty while it is not busy.
QString job_activity(const JobSession& job, const JobSpec& spec);

}  // namespace tl::ui
