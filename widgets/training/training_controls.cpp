// TrainingControls: shows the buttons that the state of the training allows, and its progress.
#include "widgets/training/training_controls.h"

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/session/loss_question.h"
#include "widgets/text/amounts.h"
#include "widgets/theme/style_property.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

QString epoch_text(const train::JobProgress& p, const train::TrainingPlan& plan) {
  const auto ended = static_cast<int64_t>(p.curves.size());
  QString text = TrainingControls::tr("epoch %1 of %2").arg(std::min(ended + 1, plan.epochs)).arg(plan.epochs);
  if (p.seconds_left >= 0) text += TrainingControls::tr(" · at most %1 left").arg(duration_text(p.seconds_left));
  return text;
}

QString when_text(int64_t epochs) {
  return epochs == 0   ? TrainingControls::tr("in its first epoch")
         : epochs == 1 ? TrainingControls::tr("after 1 epoch")
                       : TrainingControls::tr("after %1 epochs").arg(epochs);
}

}  // namespace

QString training_activity(const TrainingSession& training) {
  const train::JobProgress& p = training.progress();
  switch (training.state()) {
    case TrainingState::idle:
    case TrainingState::ended:
      return {};
    case TrainingState::reading:
      return TrainingControls::tr("training · computing the volume");
    case TrainingState::paused:
      return TrainingControls::tr("training · paused");
    case TrainingState::stopping:
      return TrainingControls::tr("training · stopping");
    case TrainingState::running:
    case TrainingState::pausing:
    case TrainingState::finishing:
      return TrainingControls::tr("training · %1").arg(epoch_text(p, training.plan()));
  }
  return {};
}

// A new training replaces the network, or the checkpoint, of the one before.
bool TrainingControls::may_start() {
  const LossQuestion network{tr("The trained network"), tr("A new training discards the trained network."),
                             tr("It is not saved: it was neither accepted nor rejected."), tr("Discard and train")};
  if (training_.state() == TrainingState::ended) return confirm_loss(this, network);
  const LossQuestion checkpoint{
      tr("The unfinished training"), tr("A new training replaces the checkpoint of the unfinished one."),
      tr("It stopped %1, and could go on from there.").arg(when_text(training_.unfinished_epochs())),
      tr("Replace and train")};
  const bool is_there = training_.unfinished() != TrainingSession::Unfinished::none;
  return !is_there || training_.unfinished_epochs() == 0 || confirm_loss(this, checkpoint);
}

TrainingControls::TrainingControls(TrainingSession& training, QWidget* parent)
    : QWidget(parent),
      training_(training),
      train_(new QPushButton(this)),
      resume_(new QPushButton(tr("Resume"), this)),
      pause_(new QPushButton(tr("Pause"), this)),
      best_(new QPushButton(tr("Take the best"), this)),
      stop_(new QPushButton(tr("Stop"), this)),
      add_(new QPushButton(tr("Add the node Network"), this)),
      status_(new QLabel(this)),
      scores_(new QLabel(this)),
      bar_(new QProgressBar(this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Theme::space(1));
  auto* row = new QHBoxLayout;
  row->setSpacing(Theme::space(2));
  for (QPushButton* b : {resume_, train_, pause_, best_, stop_, add_}) row->addWidget(b);
  row->addStretch(1);
  column->addLayout(row);
  column->addWidget(bar_);
  column->addWidget(status_);
  column->addWidget(scores_);
  resume_->setProperty("role", "primary");
  resume_->setToolTip(tr("Resumes the stopped training; the result is the same as without the stop"));
  pause_->setToolTip(tr("After the current step; the cores are free until you resume"));
  best_->setToolTip(tr("Ends with the best network so far"));
  stop_->setToolTip(tr("Ends without a network; what was learned is kept, so that it can be resumed"));
  add_->setToolTip(tr("Adds it after the volume that has labels: one step that can be undone"));
  bar_->setTextVisible(false);
  bar_->setAccessibleName(tr("Progress of the training"));
  for (QLabel* label : {status_, scores_}) {
    label->setWordWrap(true);
    label->setFont(Theme::number_font());
  }
  scores_->setProperty("role", "second");
  connect(train_, &QPushButton::clicked, this, [this] {
    if (may_start()) training_.start();
  });
  connect(resume_, &QPushButton::clicked, &training_, &TrainingSession::resume);
  connect(pause_, &QPushButton::clicked, this,
          [this] { training_.state() == TrainingState::paused ? training_.go_on() : training_.pause(); });
  connect(best_, &QPushButton::clicked, &training_, &TrainingSession::take_best);
  connect(stop_, &QPushButton::clicked, &training_, &TrainingSession::cancel);
  connect(add_, &QPushButton::clicked, &training_, &TrainingSession::add_network_node);
  for (const auto signal :
       {&TrainingSession::settings_changed, &TrainingSession::state_changed, &TrainingSession::progressed})
    connect(&training_, signal, this, &TrainingControls::refresh);
  refresh();
}

QString TrainingControls::progress_text() const {
  const train::JobProgress& p = training_.progress();
  QString text = epoch_text(p, training_.plan());
  switch (training_.state()) {
    case TrainingState::reading:
      return tr("Computing the volumes that have labels…");
    case TrainingState::pausing:
      return tr("Pausing after this step · %1").arg(text);
    case TrainingState::paused:
      return tr("Paused · %1").arg(text);
    case TrainingState::finishing:
      return tr("Taking the best network…");
    case TrainingState::stopping:
      return tr("Stopping: the checkpoint is written…");
    default:
      return text;
  }
}

QString TrainingControls::status_text() const {
  using enum TrainingSession::Unfinished;
  if (training_.is_busy()) return progress_text();
  if (!training_.failure().isEmpty()) return training_.failure();
  if (QString why = training_.obstacle(); !why.isEmpty()) return why;
  switch (training_.unfinished()) {
    case same_settings:
      return tr("A training with these settings was stopped %1.").arg(when_text(training_.unfinished_epochs()));
    case other_settings:
      return tr("A training with other settings was stopped here: Train starts again and replaces it.");
    case other_labels:
      return tr("A training on other strokes was stopped here: Train starts again and replaces it.");
    case none:
      break;
  }
  return {};
}

void TrainingControls::refresh() {
  const TrainingState state = training_.state();
  const bool busy = training_.is_busy();
  const QString obstacle = training_.obstacle();
  const bool resumes = training_.unfinished() == TrainingSession::Unfinished::same_settings && obstacle.isEmpty();
  train_->setVisible(!busy);
  train_->setEnabled(obstacle.isEmpty());
  train_->setText(resumes                         ? tr("Train from the start")
                  : state == TrainingState::ended ? tr("Train again")
                                                  : tr("Train"));
  train_->setToolTip(!obstacle.isEmpty() ? obstacle : tr("Trains a network on what is labelled"));
  set_style_property(*train_, "role", resumes || state == TrainingState::ended ? "" : "primary");
  resume_->setVisible(resumes);
  add_->setVisible(!busy && training_.lacks_network_node());
  for (QPushButton* b : {pause_, best_, stop_}) b->setVisible(busy);
  pause_->setText(state == TrainingState::paused ? tr("Go on") : tr("Pause"));
  pause_->setEnabled(state == TrainingState::running || state == TrainingState::paused);
  const train::JobProgress& p = training_.progress();
  const bool is_ending = state == TrainingState::finishing || state == TrainingState::stopping;
  best_->setEnabled(!is_ending && !p.curves.empty());
  stop_->setEnabled(state != TrainingState::stopping);
  bar_->setVisible(busy);
  bar_->setRange(0, p.steps > 0 ? 1000 : 0);
  bar_->setValue(p.steps > 0 ? static_cast<int>(1000 * p.step / p.steps) : 0);
  const QString text = status_text();
  status_->setText(text);
  status_->setVisible(!text.isEmpty());
  const bool failed = !busy && !training_.failure().isEmpty();
  set_style_property(*status_, "tone", busy ? "busy" : failed ? "error" : "second");
  const int64_t best = training_.best_epoch();
  scores_->setVisible(busy && best > 0);
  if (best > 0) {
    const train::EpochScores& scores = p.curves[static_cast<std::size_t>(best - 1)];
    scores_->setText(tr("best epoch %1 · macro F1 %2").arg(best).arg(scores.macro_f1, 0, 'f', 3));
  }
}

}  // namespace tl::ui
