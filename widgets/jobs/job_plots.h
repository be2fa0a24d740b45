// JobPlots: the curves of a job, during and after it.
#pragma once

#include <QWidget>

#include "widgets/jobs/job_spec.h"
#include "widgets/session/job_session.h"

class QBoxLayout;
class QVBoxLayout;

namespace tl::ui {

class PlotPanel;

class JobPlots : public QWidget {
  Q_OBJECT
 public:
  JobPlots(JobSession& job, const JobSpec& spec, QWidget* parent);
  virtual void set_direction(Qt::Orientation direction);  // plots below each other, or side by side
  [[nodiscard]] PlotPanel& plot(std::size_t index) { return *plots_.at(index); }

 protected:
  static constexpr int height_in_dock = 150;            // px
  explicit JobPlots(JobSession& job, QWidget* parent);  // for plots of its own
  PlotPanel* make_plot(const QString& name);
  [[nodiscard]] QBoxLayout& box() { return *box_; }  // the plots
  [[nodiscard]] QVBoxLayout& column() { return *column_; }

 private:
  JobSession& job_;
  std::vector<PlotPanel*> plots_;
  QVBoxLayout* column_;
  QBoxLayout* box_;
  std::size_t points_ = 0;  // that are plotted
};

}  // namespace tl::ui
