// The main window's learning dock: where its plots are, and what it says in the messages.
#include <QLayout>
#include <QStackedWidget>
#include <utility>

#include "widgets/learning/learning_controls.h"
#include "widgets/learning/learning_panel.h"
#include "widgets/learning/learning_plots.h"
#include "widgets/session/learning_session.h"
#include "widgets/session/pruning_session.h"
#include "widgets/session/training_session.h"
#include "widgets/training/learning_dock.h"
#include "widgets/training/pruning_controls.h"
#include "widgets/training/pruning_panel.h"
#include "widgets/training/pruning_plots.h"
#include "widgets/training/training_controls.h"
#include "widgets/training/training_panel.h"
#include "widgets/training/training_plots.h"
#include "widgets/window/main_window.h"
#include "widgets/window/notices.h"
#include "widgets/window/status_line.h"

namespace tl::ui {

// In the dock below the controls, or instead of the canvas.
void MainWindow::arrange_plots(CurvesPosition place) {
  learning_->show_curves_in(place);
  training_->show_curves_in(place);
  pruning_->show_curves_in(place);
  if (place == CurvesPosition::dock) return;
  plots_area_->layout()->addWidget(&learning_->plots());
  plots_area_->layout()->addWidget(&training_->plots());
  plots_area_->layout()->addWidget(&pruning_->plots());
  learning_->plots().set_direction(Qt::Horizontal);
  training_->plots().set_direction(Qt::Horizontal);
  pruning_->plots().set_direction(Qt::Horizontal);
  show_plots_of_page();
}

// Of the page of the learning dock that is open.
void MainWindow::show_plots_of_page() {
  if (plots_area_->isHidden()) return;
  learning_->plots().setVisible(learning_dock_->page() == LearningPage::parameters);
  training_->plots().setVisible(learning_dock_->page() == LearningPage::network);
  pruning_->plots().setVisible(learning_dock_->page() == LearningPage::prune);
}

// In other workspaces the learning section is shown only if some parameter is marked to be learned.
void MainWindow::show_learning_section() {
  if (workspaces_ == nullptr) return;
  learning_section_->setVisible(workspaces_->current() == Workspace::learn ||
                                !learning_session_->settings().targets.empty());
}

// In the messages, and over the page where the panel is not visible.
void MainWindow::report_end_of_training() {
  if (const QString why = training_session_->failure(); !why.isEmpty()) {
    messages_.add(LogLevel::error, {}, why);
    if (!training_->isVisible()) notices_->show_error(tr("Not trained: %1").arg(why));
  }
  const auto& curves = training_session_->progress().curves;
  if (training_session_->state() != TrainingState::ended || curves.empty() || training_->isVisible()) return;
  const train::EpochScores& best = curves[static_cast<std::size_t>(training_session_->end()->best_epoch - 1)];
  notices_->show_done(tr("The network is trained: macro F1 %1").arg(best.macro_f1, 0, 'f', 3),
                      {{tr("Show the result"), [this] { show_training(); }}});
}

void MainWindow::report_end_of_pruning() {
  if (const QString why = pruning_session_->failure(); !why.isEmpty()) {
    messages_.add(LogLevel::error, {}, why);
    if (!pruning_->isVisible()) notices_->show_error(tr("Not pruned: %1").arg(why));
  }
  if (pruning_session_->state() != PruningState::ended || pruning_->isVisible()) return;
  const std::vector<train::PrunedState>& states = pruning_session_->progress().states;
  notices_->show_done(
      tr("The network is pruned: %1 of %2 filters are left").arg(states.back().filters).arg(states.front().filters),
      {{tr("Show the result"), [this] { show_pruning(); }}});
}

// In the status line: the training, or else the pruning.
void MainWindow::show_progress_of_networks(StatusLine& status) {
  const auto show = [this, &status] {
    const train::JobProgress& p = training_session_->progress();
    if (const QString training = training_activity(*training_session_); !training.isEmpty())
      return status.show_training(training,
                                  p.steps > 0 ? static_cast<double>(p.step) / static_cast<double>(p.steps) : 0);
    status.show_training(pruning_activity(*pruning_session_), pruning_session_->progress().done);
  };
  connect(training_session_, &TrainingSession::progressed, &status, show);
  connect(pruning_session_, &PruningSession::progressed, &status, show);
}

void MainWindow::connect_learning() {
  connect(learning_session_, &LearningSession::settings_changed, this, &MainWindow::show_learning_section);
  connect(learning_dock_, &LearningDock::page_changed, this, &MainWindow::show_plots_of_page);
  // Why learning does not start is said where it is looked for and in the messages.
  connect(&learning_->controls(), &LearningControls::refused, this, [this](const QString& why) {
    messages_.add(LogLevel::warning, {}, why);
    learning_dock_->show_page(LearningPage::parameters);
    if (pages_->currentWidget() == main_ && !learning_->isVisible()) workspaces_->show(Workspace::learn);
  });
  connect(&learning_->controls(), &LearningControls::waiting, this,
          [this](const QString& what) { messages_.add(LogLevel::info, {}, what); });
  connect(&learning_->controls(), &LearningControls::failed, this,
          [this](const QString& why) { messages_.add(LogLevel::error, {}, why); });
  connect(training_session_, &TrainingSession::state_changed, this, &MainWindow::report_end_of_training);
  connect(training_session_, &TrainingSession::saved, this,
          [this](const QString& file) { messages_.add(LogLevel::info, {}, tr("Saved the network as %1").arg(file)); });
  connect(pruning_session_, &PruningSession::state_changed, this, &MainWindow::report_end_of_pruning);
  connect(pruning_session_, &PruningSession::saved, this, [this](const QString& network, const QString& report) {
    messages_.add(LogLevel::info, {}, tr("Saved the pruned network as %1, and the report as %2").arg(network, report));
  });
  // A pipeline in which something is painted and nothing is marked: its network is what there is to learn.
  connect(&session_.document(), &Document::graph_changed, this, [this] {
    const bool is_painted = training_session_->obstacle().isEmpty();
    if (is_painted && !std::exchange(was_painted_, true) && learning_session_->settings().targets.empty())
      learning_dock_->show_page(LearningPage::network);
    was_painted_ = is_painted;
  });
}

void MainWindow::show_training() {
  if (pages_->currentWidget() != main_) show_main_page();
  workspaces_->show(Workspace::learn);
  learning_dock_->show_page(LearningPage::network);
  go_to(*training_, Workspace::learn);
}

void MainWindow::show_pruning() {
  if (pages_->currentWidget() != main_) show_main_page();
  workspaces_->show(Workspace::learn);
  learning_dock_->show_page(LearningPage::prune);
  go_to(*pruning_, Workspace::learn);
}

}  // namespace tl::ui
