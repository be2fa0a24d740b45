// LearningPanel: adds landscape, history and checks to the page of a job.
#include "widgets/learning/learning_panel.h"

#include <QListView>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/learning/gradient_check_panel.h"
#include "widgets/learning/landscape_panel.h"
#include "widgets/learning/learning_plots.h"
#include "widgets/learning/learning_spec.h"
#include "widgets/learning/objective_chooser.h"
#include "widgets/learning/run_model.h"
#include "widgets/learning/target_list.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr int history_height = 110;  // px

}  // namespace

// Widgets of the page before it is laid out.
struct LearningPanel::Parts {
  explicit Parts(LearningSession& learning)
      : form(new QWidget),
        objective(new ObjectiveChooser(learning, form)),
        start(new LearningStart(learning, *objective)) {
    auto* column = spaced(new QVBoxLayout(form), 2);
    column->addWidget(new TargetList(learning, form));
    column->addWidget(objective);
    column->addWidget(learning_options(learning, form));
    spec = learning_spec(learning, *start);
    spec.form = [this_form = form](QWidget* parent) {
      this_form->setParent(parent);
      return this_form;
    };
    spec.plots = [&learning](QWidget* parent) { return new LearningPlots(learning, parent); };
  }
  QWidget* form;
  ObjectiveChooser* objective;
  LearningStart* start;
  JobSpec spec;
};

LearningPanel::LearningPanel(LearningSession& learning, Selection& selection, QWidget* parent)
    : LearningPanel(learning, selection, Parts(learning), parent) {}

LearningPanel::LearningPanel(LearningSession& learning, Selection& selection, const Parts& parts, QWidget* parent)
    : JobPage(learning, parts.spec, parent), start_(parts.start) {
  start_->setParent(this);
  column().setSpacing(Theme::space(2));
  landscape_ = new LandscapePanel(learning, plots().landscape(), widget());
  runs_ = new RunModel(learning, this);
  history_ = new QListView(widget());
  history_->setModel(runs_);
  history_->setAccessibleName(tr("Learning runs"));
  history_->setFixedHeight(history_height);
  history_->setTextElideMode(Qt::ElideRight);
  history_->setUniformItemSizes(true);
  checks_ = new GradientCheckPanel(learning, selection, widget());
  auto* folds = new QVBoxLayout;
  column().insertLayout(column().count() - 1, folds);
  landscape_fold_ = add_fold(*folds, tr("Landscape"), landscape_);
  history_fold_ = add_fold(*folds, tr("Runs"), history_);
  checks_fold_ = add_fold(*folds, tr("Checks"), checks_);
  connect(runs_, &RunModel::ticked_changed, this, [this] { plots().show_records(runs_->ticked()); });
  const auto count_runs = [this, &learning] { history_fold_->setText(tr("Runs (%1)").arg(learning.records().size())); };
  connect(&learning, &LearningSession::records_changed, this, count_runs);
  count_runs();
}

LearningPlots& LearningPanel::plots() { return static_cast<LearningPlots&>(JobPage::plots()); }

void LearningPanel::open_checks() {
  checks_fold_->setChecked(true);
  ensureWidgetVisible(checks_);
}
void LearningPanel::open_landscape() {
  landscape_fold_->setChecked(true);
  ensureWidgetVisible(landscape_);
}

}  // namespace tl::ui
