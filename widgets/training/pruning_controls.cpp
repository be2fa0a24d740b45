// PruningControls: shows the buttons that the state of the pruning allows, and its progress.
#include "widgets/training/pruning_controls.h"

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

QString step_text(const PruningSession& pruning) {
  const train::PruningProgress& p = pruning.progress();
  const int64_t steps = pruning.begun_with().steps;
  QString text = PruningControls::tr("step %1 of %2")
                     .arg(std::clamp<int64_t>(static_cast<int64_t>(p.states.size()), 1, steps))
                     .arg(steps);
  if (p.seconds_left >= 0) text += PruningControls::tr(" · at most %1 left").arg(duration_text(p.seconds_left));
  return text;
}

QString progress_text(const PruningSession& pruning) {
  QString text = step_text(pruning);
  switch (pruning.state()) {
    case PruningState::reading:
      return pruning.begun_with().epochs > 0 ? PruningControls::tr("Computing the volumes that have labels…")
                                             : PruningControls::tr("Reading the network…");
    case PruningState::pausing:
      return PruningControls::tr("Pausing after this step · %1").arg(text);
    case PruningState::paused:
      return PruningControls::tr("Paused · %1").arg(text);
    case PruningState::stopping:
      return PruningControls::tr("Stopping…");
    default:
      return text;
  }
}

}  // namespace

QString pruning_activity(const PruningSession& pruning) {
  switch (pruning.state()) {
    case PruningState::idle:
    case PruningState::ended:
      return {};
    case PruningState::reading:
      return PruningControls::tr("pruning · reading");
    case PruningState::paused:
      return PruningControls::tr("pruning · paused");
    case PruningState::stopping:
      return PruningControls::tr("pruning · stopping");
    case PruningState::running:
    case PruningState::pausing:
      return PruningControls::tr("pruning · %1").arg(step_text(pruning));
  }
  return {};
}

PruningControls::PruningControls(PruningSession& pruning, QWidget* parent)
    : QWidget(parent),
      pruning_(pruning),
      prune_(new QPushButton(this)),
      pause_(new QPushButton(tr("Pause"), this)),
      stop_(new QPushButton(tr("Stop"), this)),
      status_(new QLabel(this)),
      bar_(new QProgressBar(this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Theme::space(1));
  auto* row = new QHBoxLayout;
  row->setSpacing(Theme::space(2));
  for (QPushButton* b : {prune_, pause_, stop_}) row->addWidget(b);
  row->addStretch(1);
  column->addLayout(row);
  column->addWidget(bar_);
  column->addWidget(status_);
  pause_->setToolTip(tr("After the current step; the cores are free until you resume"));
  stop_->setToolTip(tr("Ends without a network; the one that is pruned stays as it is"));
  bar_->setTextVisible(false);
  bar_->setAccessibleName(tr("Progress of the pruning"));
  status_->setWordWrap(true);
  status_->setFont(Theme::number_font());
  connect(prune_, &QPushButton::clicked, this, [this] {
    const LossQuestion question{tr("The pruned network"), tr("A new pruning discards the pruned network."),
                                tr("It is not saved."), tr("Discard and prune")};
    if (!pruning_.is_unsaved() || confirm_loss(this, question)) pruning_.start();
  });
  connect(pause_, &QPushButton::clicked, this,
          [this] { pruning_.state() == PruningState::paused ? pruning_.go_on() : pruning_.pause(); });
  connect(stop_, &QPushButton::clicked, &pruning_, &PruningSession::cancel);
  for (const auto signal :
       {&PruningSession::settings_changed, &PruningSession::state_changed, &PruningSession::progressed})
    connect(&pruning_, signal, this, &PruningControls::refresh);
  refresh();
}

QString PruningControls::status_text() const {
  if (pruning_.is_busy()) return progress_text(pruning_);
  return pruning_.failure().isEmpty() ? pruning_.obstacle() : pruning_.failure();
}

void PruningControls::refresh() {
  const PruningState state = pruning_.state();
  const bool busy = pruning_.is_busy();
  const QString obstacle = pruning_.obstacle();
  prune_->setVisible(!busy);
  prune_->setEnabled(obstacle.isEmpty());
  prune_->setText(state == PruningState::ended ? tr("Prune again") : tr("Prune"));
  prune_->setToolTip(!obstacle.isEmpty() ? obstacle : tr("Makes a smaller network of this one, which stays as it is"));
  set_style_property(*prune_, "role", state == PruningState::ended ? "" : "primary");
  for (QPushButton* b : {pause_, stop_}) b->setVisible(busy);
  pause_->setText(state == PruningState::paused ? tr("Go on") : tr("Pause"));
  pause_->setEnabled(state == PruningState::running || state == PruningState::paused);
  stop_->setEnabled(state != PruningState::stopping);
  const train::PruningProgress& p = pruning_.progress();
  bar_->setVisible(busy);
  bar_->setRange(0, p.states.empty() ? 0 : 1000);
  bar_->setValue(static_cast<int>(1000 * p.done));
  const QString text = status_text();
  status_->setText(text);
  status_->setVisible(!text.isEmpty());
  const bool failed = !busy && !pruning_.failure().isEmpty();
  set_style_property(*status_, "tone", busy ? "busy" : failed ? "error" : "second");
}

}  // namespace tl::ui
