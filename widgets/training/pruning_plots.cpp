// PruningPlots: plots the course again after each step and each epoch of training.
#include "widgets/training/pruning_plots.h"

#include <QBoxLayout>

#include "widgets/plot/plot_panel.h"
#include "widgets/theme/theme.h"
#include "widgets/training/pruning_content.h"
#include "widgets/training/training_plots.h"

namespace tl::ui {

PruningPlots::PruningPlots(PruningSession& pruning, QWidget* parent)
    : QWidget(parent),
      pruning_(pruning),
      f1_(new PlotPanel(tr("F1 of each class over the steps of the pruning"), this)),
      kept_(new PlotPanel(tr("What is left of the network over the steps of the pruning"), this)),
      box_(new QBoxLayout(QBoxLayout::TopToBottom, this)) {
  box_->setContentsMargins(0, 0, 0, 0);
  box_->setSpacing(Theme::space(2));
  for (PlotPanel* plot : {f1_, kept_}) {
    plot->set_export_rules([this] { return pruning_.live().document().export_rules(); });
    box_->addWidget(plot, 1);
  }
  set_direction(Qt::Vertical);
  plot();
  connect(&pruning_, &PruningSession::progressed, this, &PruningPlots::refresh);
  connect(&pruning_, &PruningSession::settings_changed, this, &PruningPlots::show_f1);
}

void PruningPlots::set_direction(Qt::Orientation direction) {
  const bool in_dock = direction == Qt::Vertical;
  box_->setDirection(in_dock ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
  for (PlotPanel* plot : {f1_, kept_}) plot->setMinimumHeight(in_dock ? plot_height_in_dock : 0);
}

// Progress comes ten times a second, steps and epochs do not.
void PruningPlots::refresh() {
  const train::PruningProgress& p = pruning_.progress();
  if (p.states.size() == states_ && p.macro_f1.size() == scores_) return;
  plot();
}

void PruningPlots::plot() {
  const train::PruningProgress& p = pruning_.progress();
  states_ = p.states.size();
  scores_ = p.macro_f1.size();
  f1_->set_content(pruned_f1_content(p));
  kept_->set_content(kept_content(p));
  show_f1();
}

// Nothing to measure by: no plot.
void PruningPlots::show_f1() {
  const std::vector<train::PrunedState>& states = pruning_.progress().states;
  f1_->setVisible(states.empty() ? pruning_.trains() : states.front().trained.has_value());
}

}  // namespace tl::ui
