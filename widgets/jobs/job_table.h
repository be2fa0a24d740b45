// JobTable: the steps of a job as rows.
#pragma once

#include <QTableView>

#include "widgets/jobs/job_spec.h"
#include "widgets/session/job_session.h"

namespace tl::ui {

// Hidden while there are no rows. Ctrl+C copies all, with tabs between the columns.
class JobTable final : public QTableView {
  Q_OBJECT
 public:
  JobTable(JobSession& job, const JobTableSpec& spec, QWidget* parent);

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void refresh();
  const JobTableSpec& spec_;
};

}  // namespace tl::ui
