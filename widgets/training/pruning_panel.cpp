// PruningPanel: builds the page of the learning dock that prunes a network, in one scrolling column.
#include "widgets/training/pruning_panel.h"

#include <QVBoxLayout>

#include "widgets/training/pruning_card.h"
#include "widgets/training/pruning_controls.h"
#include "widgets/training/pruning_form.h"
#include "widgets/training/pruning_plots.h"
#include "widgets/training/pruning_table.h"

namespace tl::ui {
namespace {

constexpr int pruning_plots_index = 4;  // index in the column

}  // namespace

PruningPanel::PruningPanel(PruningSession& pruning, QWidget* parent)
    : ScrollingPage(tr("Pruning of a network"), parent), plots_(new PruningPlots(pruning, widget())) {
  auto* result = new PruningCard(pruning, widget());
  column().addWidget(new PruningForm(pruning, widget()));
  column().addWidget(new PruningControls(pruning, widget()));
  column().addWidget(result);
  column().addWidget(new PruningTable(pruning, widget()));
  show_curves_in(CurvesPosition::dock);
  column().addStretch(1);
  scroll_over_fields();
  // Scrolls to the pruned network and its buttons.
  connect(&pruning, &PruningSession::state_changed, this, [this, &pruning, result] {
    if (pruning.state() == PruningState::ended) show_soon(result);
  });
}

void PruningPanel::show_curves_in(CurvesPosition place) {
  if (place == CurvesPosition::elsewhere) return column().removeWidget(plots_);
  column().insertWidget(pruning_plots_index, plots_);
  plots_->set_direction(Qt::Vertical);
  plots_->show();
}

}  // namespace tl::ui
