// TrainingPanel: builds the page of the learning dock that trains a network, in one scrolling column.
#include "widgets/training/training_panel.h"

#include <QVBoxLayout>

#include "widgets/training/training_card.h"
#include "widgets/training/training_controls.h"
#include "widgets/training/training_form.h"
#include "widgets/training/training_plots.h"

namespace tl::ui {
namespace {

constexpr int plots_index = 3;  // index in the column

}  // namespace

TrainingPanel::TrainingPanel(TrainingSession& training, QWidget* parent)
    : ScrollingPage(tr("Training of a network"), parent), plots_(new TrainingPlots(training, widget())) {
  auto* result = new TrainingCard(training, widget());
  column().addWidget(new TrainingForm(training, widget()));
  column().addWidget(new TrainingControls(training, widget()));
  column().addWidget(result);
  show_curves_in(CurvesPosition::dock);
  column().addStretch(1);
  scroll_over_fields();
  // Scrolls to the trained network and its buttons.
  connect(&training, &TrainingSession::state_changed, this, [this, &training, result] {
    if (training.state() == TrainingState::ended) show_soon(result);
  });
}

void TrainingPanel::show_curves_in(CurvesPosition place) {
  if (place == CurvesPosition::elsewhere) return column().removeWidget(plots_);
  column().insertWidget(plots_index, plots_);
  plots_->set_direction(Qt::Vertical);
  plots_->show();
}

}  // namespace tl::ui
