// TrainingPlots: plots the curves again after each epoch.
#include "widgets/training/training_plots.h"

#include <QBoxLayout>

#include "widgets/plot/plot_panel.h"
#include "widgets/theme/theme.h"
#include "widgets/training/training_content.h"

namespace tl::ui {

TrainingPlots::TrainingPlots(TrainingSession& training, QWidget* parent)
    : QWidget(parent),
      training_(training),
      loss_(new PlotPanel(tr("Losses over the epochs"), this)),
      f1_(new PlotPanel(tr("F1 of each class over the epochs"), this)),
      box_(new QBoxLayout(QBoxLayout::TopToBottom, this)) {
  box_->setContentsMargins(0, 0, 0, 0);
  box_->setSpacing(Theme::space(2));
  for (PlotPanel* plot : {loss_, f1_}) {
    plot->set_export_rules([this] { return training_.live().document().export_rules(); });
    box_->addWidget(plot, 1);
  }
  loss_->set_content(training_loss_content(training_.progress()));
  f1_->set_content(f1_content(training_.progress()));
  set_direction(Qt::Vertical);
  connect(&training_, &TrainingSession::progressed, this, &TrainingPlots::refresh);
}

void TrainingPlots::set_direction(Qt::Orientation direction) {
  const bool in_dock = direction == Qt::Vertical;
  box_->setDirection(in_dock ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
  for (PlotPanel* plot : {loss_, f1_}) plot->setMinimumHeight(in_dock ? plot_height_in_dock : 0);
}

// Progress comes ten times a second, epochs do not.
void TrainingPlots::refresh() {
  const std::size_t epochs = training_.progress().curves.size();
  if (epochs == epochs_) return;
  epochs_ = epochs;
  loss_->set_content(training_loss_content(training_.progress()));
  f1_->set_content(f1_content(training_.progress()));
}

}  // namespace tl::ui
