// JobPlots: plots the curves again when they have more points.
#include "widgets/jobs/job_plots.h"

#include <QVBoxLayout>

#include "widgets/plot/plot_panel.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"

namespace tl::ui {

JobPlots::JobPlots(JobSession& job, QWidget* parent)
    : QWidget(parent), job_(job), column_(new QVBoxLayout(this)), box_(new QBoxLayout(QBoxLayout::TopToBottom)) {
  spaced(column_, 1);
  column_->addLayout(box_, 1);
  spaced(box_, 2);
}

JobPlots::JobPlots(JobSession& job, const JobSpec& spec, QWidget* parent) : JobPlots(job, parent) {
  for (const JobCurves& curves : spec.curves) {
    plots_.push_back(make_plot(curves.name));
    box_->addWidget(plots_.back(), 1);
  }
  JobPlots::set_direction(Qt::Vertical);
  const auto show = [this, &spec] {
    for (std::size_t i = 0; i < plots_.size(); ++i) plots_[i]->setVisible(spec.curves[i].is_shown());
  };
  const auto plot = [this, &spec, show] {
    points_ = spec.curve_points();
    for (std::size_t i = 0; i < plots_.size(); ++i) plots_[i]->set_content(spec.curves[i].content());
    show();
  };
  plot();
  // Progress comes ten times a second, points do not.
  connect(&job_, &JobSession::progressed, this, [this, &spec, plot] {
    if (spec.curve_points() != points_) plot();
  });
  connect(&job_, &JobSession::settings_changed, this, show);
}

PlotPanel* JobPlots::make_plot(const QString& name) {
  auto* plot = new PlotPanel(name, this);
  plot->set_export_rules([this] { return job_.live().document().export_rules(); });
  return plot;
}

void JobPlots::set_direction(Qt::Orientation direction) {
  const bool in_dock = direction == Qt::Vertical;
  box_->setDirection(in_dock ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
  for (PlotPanel* plot : plots_) plot->setMinimumHeight(in_dock ? height_in_dock : 0);
}

}  // namespace tl::ui
