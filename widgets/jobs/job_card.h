// JobCard: the result of a job, and buttons to accept or reject it.
#pragma once

#include <QFrame>

#include "widgets/jobs/job_spec.h"
#include "widgets/session/job_session.h"

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace tl::ui {

class FlowLayout;

class JobCard final : public QFrame {
  Q_OBJECT
 public:
  JobCard(JobSession& job, const JobSpec& spec, QWidget* parent);

 private:
  void refresh();
  void refresh_buttons();
  void press(std::size_t button);
  JobSession& job_;
  const JobSpec& spec_;
  ValueRows* values_ = nullptr;
  QVBoxLayout* column_;
  FlowLayout* row_;
  QLabel* failure_;
  std::vector<QPushButton*> buttons_;
};

}  // namespace tl::ui
